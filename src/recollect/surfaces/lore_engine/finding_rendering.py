"""How findings and flags print on this surface."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, cast

from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.labels import format_label, kind_of
from recollect.model.trust import Trust, trust_in
from recollect.reason.checks.findings import (
    Finding,
    FindingChanges,
    FlaggedFinding,
    StoredFinding,
    find_flags,
    format_finding_id,
    is_open_at,
    list_findings_about,
)
from recollect.reason.checks.run_records import RunResult
from recollect.reason.lore.sources import confidence_of, source_names
from recollect.store.finding_queries import flags_of_kind
from recollect.surfaces.lore_engine.finding_results import (
    AnachronismView,
    ContradictionView,
    ListedFinding,
    OntologyViolationView,
    OrphanView,
)
from recollect.surfaces.lore_engine.rendering import entity_ref
from recollect.surfaces.lore_engine.results import FindingBrief, FindingView, FlagView, LoreEntityRef
from recollect.surfaces.lore_engine.session import ReadSession
from recollect.surfaces.views import fact_id_or_none, mark_worst
from recollect.when.instant import format_instant


class FindingRenderer:
    """Renders findings with names and sources, which are read in one batch."""

    def __init__(self, session: ReadSession, findings: Iterable[FlaggedFinding]) -> None:
        given = [each.finding for each in findings]
        self._session = session
        # Deleted and merged entities are named too, which `lore` leaves out.
        self._entities = session.view.entities({node for each in given for node in each.nodes})
        self._sources = session.lore.sources([relation for each in given for relation in each.relations])

    def name(self, entity: str | None) -> str | None:
        found = None if entity is None else self._entities.get(EntityId(entity))
        return None if found is None else found.name

    def refs(self, nodes: Sequence[EntityId]) -> list[LoreEntityRef]:
        return [entity_ref(self._entities[node]) for node in nodes if node in self._entities]

    def sources(self, relations: Sequence[FactId]) -> list[str]:
        return list(dict.fromkeys(name for each in relations for name in source_names(self._sources[each])))

    def confidence(self, *relations: FactId) -> float | None:
        found = [confidence_of(self._sources[each]) for each in relations]
        return min((each for each in found if each is not None), default=None)

    def common(self, listed: FlaggedFinding) -> ListedFinding:
        """The fields that every list of findings has."""
        found = listed.finding
        is_open = is_open_at(found, self._session.view)
        shown: ListedFinding = {
            "id": format_finding_id(found.id),
            "severity": found.severity,
            "flagged": listed.flag is not None,
            "detected_at": format_instant(found.detected_at),
            "rule_id": found.rule,
            "category": found.category,
            "status": "open" if is_open else "resolved",
            "resolved_at": None if is_open or found.resolved_at is None else format_instant(found.resolved_at),
            "nodes": self.refs(found.nodes),
            "relations": [format_fact_id(each) for each in found.relations],
            "message": found.message,
            "confidence": self.confidence(*found.relations),
        }
        mark_worst(shown, self._levels(found), found.message)
        return shown

    def _levels(self, found: StoredFinding) -> Iterator[Trust]:
        """The levels of those whom a finding names and of what it rests on."""
        yield from (self._entities[node].trust for node in found.nodes if node in self._entities)
        yield from (trust_in(each.properties) for fact in found.relations for each in self._sources[fact])

    def brief(self, listed: FlaggedFinding) -> FindingView:
        shown = cast(FindingView, {**finding_brief(listed.finding), "flagged": listed.flag is not None})
        mark_worst(shown, self._levels(listed.finding), listed.finding.message)
        return shown

    def contradiction(self, listed: FlaggedFinding) -> ContradictionView:
        found, details = listed.finding, listed.finding.details
        one, other = _opposed_relations(found)
        return {
            **self.common(listed),
            "subject": self.name(found.nodes[0]) or "",
            "predicate": details["predicate"],
            "claim_a": details["claim_a"],
            "doc_a": "; ".join(self.sources(found.relations if other is None else found.relations[:1])),
            "claim_b": details["claim_b"],
            "doc_b": None if other is None else "; ".join(self.sources([other])),
            "kind": details["kind"],
            "relation_a": fact_id_or_none(one),
            "relation_b": fact_id_or_none(other),
            "confidence_a": None if one is None else self.confidence(one),
            "confidence_b": None if other is None else self.confidence(other),
        }

    def anachronism(self, listed: FlaggedFinding) -> AnachronismView:
        found, details = listed.finding, listed.finding.details
        return {
            **self.common(listed),
            "entity_name": self.name(details["entity"]) or "",
            "event_name": self.name(details["other"]),
            "era": details["era"],
            "claim": details["claim"],
            "expected": details["expected"],
            "actual": details["actual"],
            "sources": self.sources(found.relations),
            "entity_id": format_entity_id(details["entity"]),
            "relation_id": format_fact_id(found.relations[0]) if found.relations else None,
        }

    def violation(self, listed: FlaggedFinding) -> OntologyViolationView:
        found = listed.finding
        return {
            **self.common(listed),
            "subject": self.name(found.nodes[0]) if found.nodes else None,
            "predicate": found.details.get("predicate"),
            "claim": found.message,
            "sources": self.sources(found.relations),
            "details": found.details.get("columns", {}),
        }

    def orphan(self, listed: FlaggedFinding) -> OrphanView:
        found, reasons = listed.finding, listed.finding.details["reasons"]
        entity = self._entities.get(found.nodes[0])
        return {
            **self.common(listed),
            "entity_name": "" if entity is None else entity.name,
            "entity_type": "" if entity is None else format_label(kind_of(entity).type),
            "reason": reasons[0],
            "entity_id": format_entity_id(found.nodes[0]),
            "reasons": reasons,
        }


def _opposed_relations(found: StoredFinding) -> tuple[FactId | None, FactId | None]:
    """The two relations of a contradiction; none for a cycle."""
    if found.details["kind"] == "cycle":
        return None, None
    return found.relations[0], found.relations[1]


def finding_brief(finding: Finding | StoredFinding) -> FindingBrief:
    """A finding in the answer of the write that opened it."""
    return {
        "id": format_finding_id(finding.id),
        "category": finding.category,
        "rule_id": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
    }


def render_changes(found: FindingChanges) -> dict[str, Any]:
    """The findings that were opened, without orphans, and the ids of those that were resolved."""
    return {
        "violations": _briefs(found.opened),
        "resolved_violations": [format_finding_id(each) for each in found.resolved],
    }


def render_run(done: RunResult) -> dict[str, Any]:
    """The first findings that are open, without orphans, and the ids of those that the run opened and resolved."""
    return {
        "violations": _briefs(done.violations),
        "opened_violations": [format_finding_id(each.id) for each in done.opened if each.category != "orphan"],
        "resolved_violations": [format_finding_id(each) for each in done.resolved],
    }


def _briefs(found: Iterable[Finding | StoredFinding]) -> list[FindingBrief]:
    return [finding_brief(each) for each in found if each.category != "orphan"]


ContradictionJson = dict[str, Any]


def contradictions_about(session: ReadSession, entities: Collection[EntityId]) -> list[ContradictionJson]:
    """Open contradictions that involve one of these entities and are not flagged."""
    found = [
        each
        for each in list_findings_about(session.view, entities)
        if each.finding.category == "contradiction" and each.flag is None
    ]
    printer = FindingRenderer(session, found)
    return [{**printer.contradiction(each)} for each in found]


def findings_about_entity(session: ReadSession, entity: EntityId) -> list[FindingView]:
    """Open findings that involve the entity."""
    found = list_findings_about(session.view, [entity])
    printer = FindingRenderer(session, found)
    return [printer.brief(each) for each in found]


def flags_about(session: ReadSession, entities: Collection[EntityId]) -> dict[EntityId, list[FlagView]]:
    """By entity, why it was marked for review."""
    flags = find_flags(session.view, entities)
    return {
        entity: [
            {"reason": flag.reason, "flagged_by": flag.flagged_by, "flagged_at": format_instant(flag.flagged_at)}
            for flag in ([flags[entity]] if entity in flags else [])
        ]
        for entity in entities
    }


def flagged_entities(session: ReadSession) -> list[EntityId]:
    """Entities marked for review."""
    return [EntityId(flag.node) for flag in flags_of_kind(session.view, "entity")]
