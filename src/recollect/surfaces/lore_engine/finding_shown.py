"""How findings print on this surface."""

from collections.abc import Iterable, Sequence

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId, say_entity, say_fact
from recollect.model.labels import kind_of, say_label
from recollect.reason.checks.finding import Finding, say_finding
from recollect.reason.checks.listing import Listed, is_open_at
from recollect.reason.checks.stored import Stored
from recollect.reason.lore.sources import confidence_of, names_of
from recollect.surfaces.lore_engine.asking import Asking
from recollect.surfaces.lore_engine.finding_results import (
    Anachronism,
    Contradiction,
    FindingListed,
    OntologyViolation,
    Orphan,
)
from recollect.surfaces.lore_engine.results import Ref, ViolationBrief
from recollect.surfaces.lore_engine.shown import say_ref
from recollect.when.instant import say_instant


class FindingPrinter:
    """Prints findings with names and sources, fetched for all of them together."""

    def __init__(self, asked: Asking, findings: Iterable[Listed]) -> None:
        given = [each.finding for each in findings]
        self._asked = asked
        # Names are told also of what was deleted or merged since, so this is not for `lore`.
        self._entities = asked.view.entities({node for each in given for node in each.nodes})
        self._sources = asked.lore.sources([relation for each in given for relation in each.relations])

    def name(self, entity: str | None) -> str | None:
        found = None if entity is None else self._entities.get(EntityId(entity))
        return None if found is None else found.name

    def entity(self, entity: EntityId) -> Entity | None:
        return self._entities.get(entity)

    def refs(self, nodes: Sequence[EntityId]) -> list[Ref]:
        return [say_ref(self._entities[node]) for node in nodes if node in self._entities]

    def sources(self, relations: Sequence[FactId]) -> list[str]:
        return list(dict.fromkeys(name for each in relations for name in names_of(self._sources[each])))

    def confidence(self, *relations: FactId) -> float | None:
        found = [confidence_of(self._sources[each]) for each in relations]
        return min((each for each in found if each is not None), default=None)

    def common(self, listed: Listed) -> FindingListed:
        """What every list says of a finding."""
        found = listed.finding
        is_open = is_open_at(found, self._asked.view)
        return {
            "id": say_finding(found.id),
            "severity": found.severity,
            "flagged": listed.flag is not None,
            "detected_at": say_instant(found.detected_at),
            "rule_id": found.rule,
            "category": found.category,
            "status": "open" if is_open else "resolved",
            "resolved_at": None if is_open or found.resolved_at is None else say_instant(found.resolved_at),
            "nodes": self.refs(found.nodes),
            "relations": [say_fact(each) for each in found.relations],
            "message": found.message,
            "confidence": self.confidence(*found.relations),
        }

    def contradiction(self, listed: Listed) -> Contradiction:
        found, details = listed.finding, listed.finding.details
        one, other = _two(found)
        return {
            **self.common(listed),
            "subject": self.name(found.nodes[0]) or "",
            "predicate": details["predicate"],
            "claim_a": details["claim_a"],
            "doc_a": "; ".join(self.sources(found.relations if other is None else found.relations[:1])),
            "claim_b": details["claim_b"],
            "doc_b": None if other is None else "; ".join(self.sources([other])),
            "kind": details["kind"],
            "relation_a": None if one is None else say_fact(one),
            "relation_b": None if other is None else say_fact(other),
            "confidence_a": None if one is None else self.confidence(one),
            "confidence_b": None if other is None else self.confidence(other),
        }

    def anachronism(self, listed: Listed) -> Anachronism:
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
            "entity_id": say_entity(details["entity"]),
            "relation_id": say_fact(found.relations[0]) if found.relations else None,
        }

    def violation(self, listed: Listed) -> OntologyViolation:
        found = listed.finding
        return {
            **self.common(listed),
            "subject": self.name(found.nodes[0]) if found.nodes else None,
            "predicate": found.details.get("predicate"),
            "claim": found.message,
            "sources": self.sources(found.relations),
            "details": found.details.get("columns", {}),
        }

    def orphan(self, listed: Listed) -> Orphan:
        found, reasons = listed.finding, listed.finding.details["reasons"]
        entity = self.entity(found.nodes[0])
        return {
            **self.common(listed),
            "entity_name": "" if entity is None else entity.name,
            "entity_type": "" if entity is None else say_label(kind_of(entity).type),
            "reason": reasons[0],
            "entity_id": say_entity(found.nodes[0]),
            "reasons": reasons,
        }


def _two(found: Stored) -> tuple[FactId | None, FactId | None]:
    """The two relations of a pair; a cycle has none that stand against each other."""
    if found.details["kind"] == "cycle":
        return None, None
    return found.relations[0], found.relations[1]


def say_brief(finding: Finding | Stored) -> ViolationBrief:
    """A finding as a write that opened it tells of it."""
    return {
        "id": say_finding(finding.id),
        "category": finding.category,
        "rule_id": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
    }
