"""Edges of the graph, the facts between two entities: stating, editing and finding them, and resolving their ends."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from recollect.errors import Refused
from recollect.keep.call_conflicts import ItemNotFound, LabelTaken
from recollect.keep.graph.nodes import find_node
from recollect.model.certainty import complete_confidence, is_number
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import MARKS, Assertion, Claim, Fact, Source, Statement
from recollect.model.history import choose_confirmed_fact, is_current, period, stated_period
from recollect.model.ids import EntityId, FactId, format_fact_id, parse_fact_id
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.edge_queries import GraphEdge, edge_with_id
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.write.fact_draft import document_source
from recollect.write.fact_edits import add_evidence, change_predicate, remove_evidence, revise_fact
from recollect.write.lookup import entities_named
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement

WEIGHT = "weight"
DEFAULT_WEIGHT = 0.5


class EndsTooEarly(Refused):
    def __init__(self, name: str, start: Time, end: Time) -> None:
        super().__init__(f"{name} {end.text} ends before occurredAt {start.text} begins", field=name)


@dataclass(frozen=True, slots=True)
class EdgeDraft:
    """An edge to state."""

    subject: EntityId
    object: EntityId
    type: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    weight: float = DEFAULT_WEIGHT
    evidence: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    confidence: float | None = None
    source: Document | None = None
    quote: str | None = None
    extracted_by: str = "given"


class StatedEdge(NamedTuple):
    """The edge that a statement confirmed or created; `previous` is the ended one that a new interval follows."""

    fact: Fact
    is_new: bool
    previous: FactId | None = None


def state_edge(change: Change, draft: EdgeDraft) -> StatedEdge:
    """Confirm or restore the edge that states the same, or create one."""
    meant = claim(change, draft.subject, draft.object, None, predicate=draft.type)
    statement = _statement(change, draft, meant)
    slot = change.facts_in_slot(meant.slot)
    same = choose_confirmed_fact(statement, slot)
    recorded = record_statement(change, statement._replace(attributes=_attributes(draft, same)))
    fact = recorded.fact
    if weight_of(fact) < draft.weight:
        fact = change.put_fact(fact._replace(attributes={**fact.attributes, WEIGHT: draft.weight}))
    return StatedEdge(fact, recorded.is_new, _previous_interval(statement, slot) if recorded.is_new else None)


def _statement(change: Change, draft: EdgeDraft, meant: Claim) -> Statement:
    completed = complete_confidence(confidence=draft.confidence)
    return Statement(
        meant,
        change.now if draft.source is None else draft.source.source_at,
        completed.certainty,
        completed.source_kind,
        completed.confidence,
        evidence=draft.evidence,
        valid_from=draft.valid_from,
        valid_until=draft.valid_until,
        is_open_start=change.world.timeline.is_fictional,
        source=_source(draft),
    )


def _source(draft: EdgeDraft) -> Source:
    memory = draft.source
    if memory is None:
        return Source()
    return document_source(memory, draft.extracted_by)._replace(url=None, quote=draft.quote)


def _attributes(draft: EdgeDraft, same: Fact | None) -> dict[str, Any]:
    """The attributes that a statement adds: to a live edge only missing ones and a greater weight."""
    if same is None or same.is_retracted:
        return {**draft.properties, WEIGHT: draft.weight}
    added = {key: value for key, value in draft.properties.items() if key not in same.attributes}
    return {**added, WEIGHT: draft.weight} if draft.weight > weight_of(same) else added


def _previous_interval(statement: Statement, slot: Sequence[Fact]) -> FactId | None:
    """The latest edge of the same slot that ended before the new one begins."""
    if statement.claim.label != "AFFILIATED":
        return None
    begins = stated_period(statement).lo
    ended = [fact for fact in slot if not fact.is_retracted and period(fact).hi < begins]
    return max(ended, key=lambda fact: (period(fact).hi, fact.id)).id if ended else None


def weight_of(fact: Fact) -> float:
    """The weight that was given, else the confidence."""
    given = fact.attributes.get(WEIGHT)
    return float(given) if is_number(given) else fact.confidence


def edge_properties(fact: Fact) -> dict[str, Any]:
    return {key: value for key, value in fact.attributes.items() if key != WEIGHT and key not in MARKS}


def check_period_order(start: Time | None, end: Time | None, name: str = "validUntil") -> None:
    if start is not None and end is not None and start.lo > end.hi:
        raise EndsTooEarly(name, start, end)


@dataclass(frozen=True, slots=True)
class EdgeEdit:
    """The changes to an edge; none leaves a field as it is."""

    type: str | None = None
    weight: float | None = None
    evidence: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    properties: Mapping[str, Any] | None = None
    confirmed_at: Instant | None = None
    clear: frozenset[str] = frozenset()


def edit_edge(change: Change, fact: Fact, edit: EdgeEdit) -> Fact:
    """Apply an edit; refused if the new type joins the two nodes already."""
    wanted = fact._replace(
        attributes=_edited_attributes(fact, edit),
        valid_from=edit.valid_from or (None if "occurredAt" in edit.clear else fact.valid_from),
        valid_until=edit.valid_until or (None if "validUntil" in edit.clear else fact.valid_until),
        confirmed_at=fact.confirmed_at if edit.confirmed_at is None else edit.confirmed_at,
    )
    check_period_order(wanted.valid_from, wanted.valid_until)
    if edit.type is not None and edit.type != fact.predicate:
        wanted = _change_type(change, wanted, edit.type)
    revised = revise_fact(change, fact, wanted)
    if "evidence" in edit.clear:
        revised = remove_evidence(change, revised)
    if edit.evidence is not None and edit.evidence != evidence_of(revised, change.assertions(fact.id)):
        revised = add_evidence(change, revised, edit.evidence, complete_confidence(), change.now, Source())
    return revised


def _edited_attributes(fact: Fact, edit: EdgeEdit) -> dict[str, Any]:
    own = {} if "properties" in edit.clear else edge_properties(fact)
    own = own if edit.properties is None else dict(edit.properties)
    weighed = {WEIGHT: fact.attributes[WEIGHT]} if WEIGHT in fact.attributes else {}
    return {**own, **(weighed if edit.weight is None else {WEIGHT: edit.weight})}


def _change_type(change: Change, fact: Fact, type_: str) -> Fact:
    meant = claim(change, fact.subject, fact.object, None, predicate=type_)
    now = change.world.present
    holder = next((each for each in change.facts_in_slot(meant.slot) if is_current(each, now)), None)
    if holder is not None:
        choice = {"id": format_fact_id(holder.id), "type": holder.predicate}
        raise LabelTaken(f"these two nodes are joined by {type_} already", (choice,), field="type")
    return change_predicate(fact, meant)


def evidence_of(fact: Fact, assertions: Sequence[Assertion]) -> str | None:
    """The text of the newest assertion that has one."""
    texts = (text for assertion in reversed(assertions) if (text := assertion_text(assertion)) is not None)
    return next(texts, fact.words or (None if assertions else fact.evidence))


def assertion_text(assertion: Assertion) -> str | None:
    """An assertion's quote, else the text that came with it."""
    return assertion.quote if assertion.quote is not None else assertion.evidence


def find_edge(view: View, text: str) -> GraphEdge | None:
    """The edge of this id, deleted or not."""
    id_ = parse_fact_id(text)
    return None if id_ is None else edge_with_id(view, id_)


def require_live_edge(view: View, text: str) -> GraphEdge:
    found = find_edge(view, text)
    if found is None or found.is_deleted:
        raise ItemNotFound(f"id: there is no edge {text!r}", field="id", listed_by="graph_edge_get")
    return found


EndProblem = Literal["not_found", "ambiguous"]


class EdgeEnd(NamedTuple):
    """An end as a caller gives it: an id, or a label that a type may narrow."""

    id: str | None
    label: str | None
    type: str | None


class UnresolvedEnd(NamedTuple):
    """Why an end cannot be resolved, with the candidates if there are several."""

    why: EndProblem
    candidates: tuple[Entity, ...] = ()


def resolve_end(change: Change, end: EdgeEnd, made: Collection[EntityId]) -> Entity | UnresolvedEnd:
    """The live node that an end names: by label, then by alias; nodes that this call created come first."""
    if end.id is not None:
        found = find_node(change, end.id)
        return found if found is not None and found.is_live else UnresolvedEnd("not_found")
    named = [
        (kind, entity)
        for kind, entity in entities_named(change, fold(end.label or ""))
        if entity.is_live and end.type in (None, entity.type)
    ]
    created = [each for each in named if each[1].id in made]
    for group in (created, named):
        for wanted in ("name", "alias"):
            matching = {entity.id: entity for kind, entity in group if kind == wanted}
            if len(matching) > 1:
                return UnresolvedEnd("ambiguous", tuple(matching.values()))
            if matching:
                return next(iter(matching.values()))
    return UnresolvedEnd("not_found")
