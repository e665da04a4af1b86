"""Lists of findings, and `explain_violation`."""

from collections.abc import Callable
from typing import Annotated, Literal, TypeVar, get_args

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import EntityId, format_entity_id, format_fact_id, format_uuid
from recollect.model.labels import kind_of, read_label
from recollect.reason.checks.findings import (
    FindingPage,
    FlaggedFinding,
    StoredFinding,
    find_finding,
    find_flag,
    format_finding_id,
    is_open_at,
    list_findings,
    parse_finding_id,
)
from recollect.reason.checks.rule_catalogue import (
    GapReason,
    RuleDefinition,
    definitions_by_id,
    load_rules,
    starter_rules_by_id,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.sources import LoreSource
from recollect.store.finding_queries import FindingQuery
from recollect.store.view import View
from recollect.surfaces.declarations import Result
from recollect.surfaces.lore_engine.finding_rendering import FindingRenderer
from recollect.surfaces.lore_engine.finding_results import (
    AnachronismView,
    ContradictionView,
    ExplanationResult,
    FindingSourceView,
    OntologyViolationView,
    OrphanView,
    RuleView,
)
from recollect.surfaces.lore_engine.rendering import RelationRenderer, chunk_uuid, entity_ref
from recollect.surfaces.lore_engine.results import AsOf, EntityName, LabelText, text_validators
from recollect.surfaces.lore_engine.session import ReadSession, findings_session, list_result
from recollect.surfaces.lore_engine.surface import UnknownId, surface
from recollect.surfaces.parameter_types import fold_case_into
from recollect.when.instant import format_instant

EXAMPLE_FINDING = "vio_5C0MXQ47RF25ZGSGX3AAFA6N88"
"""Mira Orrin and the Saltguard both possess the Tide-Knife."""


FindingItem = TypeVar("FindingItem")

FindingLimit = Annotated[int, Field(ge=1, le=500, description="At most this many, errors first, then the newest")]
IncludeFlagged = Annotated[bool, Field(description="Also findings that somebody flagged as seen")]
FindingStatus = Annotated[
    Literal["open", "resolved", "all"],
    fold_case_into("open", "resolved", "all"),
    Field(description="Those that hold, those that no longer do, or both"),
]
SeverityText = Annotated[
    Literal["error", "warn"], fold_case_into("error", "warn"), Field(description="Only findings of this severity")
]
RuleId = Annotated[str, *text_validators(64), Field(description="The id of a rule or check")]
OrphanReason = Annotated[
    GapReason,
    fold_case_into(*get_args(GapReason)),
    Field(description="Only entities that this is missing of"),
]


def _entity_filter(session: ReadSession, name: str | None, field: str) -> EntityId | None:
    return None if name is None else session.entity(name, field).id


def _render_page(
    session: ReadSession,
    found: FindingPage,
    limit: int,
    say: Callable[[FindingRenderer], Callable[[FlaggedFinding], FindingItem]],
) -> Result[list[FindingItem]]:
    one = say(FindingRenderer(session, found.items))
    return list_result([one(each) for each in found.items], limit, session, total=found.total)


@surface.tool("read", example={"subject": "Tide-Knife"})
def get_contradictions(
    memory: Memory,
    subject: EntityName | None = None,
    severity: SeverityText | None = None,
    limit: FindingLimit = 50,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[ContradictionView]]:
    """Claims that contradict each other, and relations that form a cycle.

    `subject` is any entity in it.
    """
    with findings_session(memory, as_of) as session:
        about = _entity_filter(session, subject, "subject")
        wanted = FindingQuery(["contradiction"], (), status, severity, include_flagged, about)
        return _render_page(
            session, list_findings(session.view, wanted, limit), limit, lambda printer: printer.contradiction
        )


@surface.tool("read", example={"entity": "Mira Orrin"})
def get_anachronisms(
    memory: Memory,
    entity: EntityName | None = None,
    limit: FindingLimit = 50,
    severity: SeverityText | None = None,
    rule_id: RuleId | None = None,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[AnachronismView]]:
    """Things out of their time: deeds of the unborn and the dead, impossible parents."""
    with findings_session(memory, as_of) as session:
        if rule_id is not None and (
            rule_id not in definitions_by_id() or definitions_by_id()[rule_id].category != "anachronism"
        ):
            raise UnknownId("rule or check of anachronisms", rule_id, "rule_id")
        about = _entity_filter(session, entity, "entity")
        rules = () if rule_id is None else (rule_id,)
        wanted = FindingQuery(["anachronism"], rules, status, severity, include_flagged, about)
        return _render_page(
            session, list_findings(session.view, wanted, limit), limit, lambda printer: printer.anachronism
        )


@surface.tool("read", example={"rule_id": "no-overlapping-rulers"})
def get_ontology_violations(
    memory: Memory,
    rule_id: RuleId | None = None,
    severity: SeverityText | None = None,
    limit: FindingLimit = 50,
    subject: EntityName | None = None,
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[OntologyViolationView]]:
    """Breaches of the rules: those every world starts with and those that were added."""
    with findings_session(memory, as_of) as session:
        rules = load_rules(session.view, deleted=status != "open")
        if rule_id is not None and rule_id not in rules:
            raise UnknownId("rule", rule_id, "rule_id")
        about = _entity_filter(session, subject, "subject")
        chosen = [rule_id] if rule_id is not None else list({**rules, **starter_rules_by_id()})
        wanted = FindingQuery((), chosen, status, severity, include_flagged, about)
        return _render_page(
            session, list_findings(session.view, wanted, limit), limit, lambda printer: printer.violation
        )


@surface.tool("read", example={"reason": "missing_part_of"})
def get_orphans(
    memory: Memory,
    reason: OrphanReason | None = None,
    limit: FindingLimit = 50,
    type: LabelText | None = None,  # noqa: A002 the published name
    include_flagged: IncludeFlagged = False,
    status: FindingStatus = "open",
    as_of: AsOf = None,
) -> Result[list[OrphanView]]:
    """Entities with something missing: events without a place, places that lie in nothing."""
    with findings_session(memory, as_of) as session:
        wanted = FindingQuery(["orphan"], (), status, None, include_flagged, detail=reason)
        found = (
            list_findings(session.view, wanted, limit)
            if type is None
            else _findings_of_label(session, wanted, type, limit)
        )
        return _render_page(session, found, limit, lambda printer: printer.orphan)


def _findings_of_label(session: ReadSession, wanted: FindingQuery, type_: str, limit: int) -> FindingPage:
    """The findings about entities of a label."""
    label, every = read_label(type_), list_findings(session.view, wanted).items
    entities = session.view.entities({each.finding.nodes[0] for each in every})
    fitting = {id_ for id_, entity in entities.items() if label.admits(kind_of(entity))}
    found = [each for each in every if each.finding.nodes[0] in fitting]
    return FindingPage(found[:limit], len(found))


FindingText = Annotated[str, *text_validators(200), Field(description="The id of a finding (vio_…)")]


@surface.tool("read", example={"node_id": EXAMPLE_FINDING})
def explain_violation(memory: Memory, node_id: FindingText, as_of: AsOf = None) -> ExplanationResult:
    """Why something is a finding: what was compared, who says so, what would resolve it."""
    with findings_session(memory, as_of) as session:
        id_ = parse_finding_id(node_id)
        found = None if id_ is None else find_finding(session.view, id_)
        if found is None:
            raise UnknownId("violation", node_id, "node_id")
        return _render_explanation(session, found)


def _render_explanation(session: ReadSession, found: StoredFinding) -> ExplanationResult:
    is_open = is_open_at(found, session.view)
    lore = session.lore if is_open else LoreReader(_view_before_resolution(session.view, found))
    relations = {each.id: each for each in lore.by_id(found.relations, superseded=True)}
    edges = [relations[each] for each in found.relations if each in relations]
    printer = RelationRenderer(lore, edges)
    flag = find_flag(session.view, found.id)
    entities = lore.view.entities(found.nodes)
    return {
        "id": format_finding_id(found.id),
        "category": found.category,
        "severity": found.severity,
        "status": "open" if is_open else "resolved",
        "message": found.message,
        "rule": _render_rule(session.view, found),
        "nodes": [entity_ref(entities[each]) for each in found.nodes if each in entities],
        "edges": [printer.relation(each) for each in edges],
        "sources": [_render_source(lore.view, each) for edge in edges for each in printer.sources(edge)],
        "why": list(found.details.get("why", [])) or [found.message],
        "flagged": flag is not None,
        "flag_reason": None if flag is None else flag.reason,
        "detected_at": format_instant(found.detected_at),
        "resolved_at": None if is_open or found.resolved_at is None else format_instant(found.resolved_at),
        "suggestions": _suggest_calls(found) if is_open else [],
    }


def _view_before_resolution(view: View, found: StoredFinding) -> View:
    """A view just before the finding was resolved."""
    return view.at(max(found.tx_from, found.tx_to - 1))


def _render_rule(view: View, found: StoredFinding) -> RuleView:
    own = definitions_by_id().get(found.rule)
    rules = load_rules(view, deleted=True).get(found.rule)
    rule = (
        rules.definition if rules is not None else own or RuleDefinition(found.rule, found.category, found.severity, "")
    )
    return {"id": rule.id, "description": rule.description, "severity": found.severity, "cypher": rule.cypher}


def _render_source(view: View, source: LoreSource) -> FindingSourceView:
    return {
        "source": source.name,
        "document_id": None if source.document is None else format_uuid(source.document),
        "chunk_id": _quoted_chunk(view, source),
        "quote": source.quote,
        "url": source.url,
        "relation_id": format_fact_id(source.fact),
    }


def _quoted_chunk(view: View, source: LoreSource) -> str | None:
    """The passage that contains the quote, or the first of the document."""
    if source.document is None:
        return None
    chunks = view.chunks(source.document)
    quoted = [each for each in chunks if source.quote and source.quote in each.text]
    best = next(iter(quoted or chunks), None)
    return None if best is None else chunk_uuid(source.document, best.seq, best.hash)


def _suggest_calls(found: StoredFinding) -> list[str]:
    """Calls that would resolve the finding, or acknowledge it."""
    changes = [f'delete_node {{"id": "{format_fact_id(each)}", "reason": "…"}}' for each in found.relations]
    if found.category == "orphan":
        changes = [_missing_relation_call(found, reason) for reason in found.details.get("reasons", [])]
    return [*changes, f'flag_for_review {{"node_id": "{format_finding_id(found.id)}", "reason": "…"}}']


def _missing_relation_call(found: StoredFinding, reason: str) -> str:
    who = format_entity_id(found.nodes[0])
    relation = {
        "missing_occurred_at": f'"from": "{who}", "relation": "OCCURRED_AT", "to": "…"',
        "missing_occurred_during": f'"from": "{who}", "relation": "OCCURRED_DURING", "to": "…"',
        "missing_part_of": f'"from": "{who}", "relation": "PART_OF", "to": "…"',
        "missing_founding_ancestor": f'"from": "…", "relation": "FOUNDED", "to": "{who}"',
        "missing_members": f'"from": "…", "relation": "MEMBER_OF", "to": "{who}"',
        "missing_creator": f'"from": "…", "relation": "CREATED", "to": "{who}"',
        "missing_founding": f'"from": "{who}", "relation": "FOUNDED", "to": null, "at": "…"',
    }
    said = relation.get(reason, f'"from": "{who}", "relation": "…", "to": "…"')
    return f"add_relation {{{said}}}"
