"""Entities and facts as pages show them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from recollect.model.ids import (
    DOCUMENT_PREFIX,
    FACT_PREFIX,
    EntityId,
    FactId,
    format_entity_id,
    format_fact_id,
    is_id,
    parse_entity_id,
    read_id,
)
from recollect.model.trust import suspicions_in
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.ego_graph import central_entity
from recollect.serve.web.framework.error_pages import PageNotFound
from recollect.surfaces.recollect.failures import NotFound
from recollect.surfaces.recollect.parameters import find_entity
from recollect.surfaces.recollect.views import BriefFact, FactViews
from recollect.surfaces.views import TrustMarks, mark_entity, mark_trust, trust_details

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.model.entity import Entity
    from recollect.serve.web.framework.pages import PageRequest
    from recollect.store.fact_rows import FactRow
    from recollect.store.view import View
    from recollect.when.span import Span

_CONTRACT_STATES = {
    "upcoming": "current",
    "open": "current",
    "overdue": "current",
    "done": "ended",
    "cancelled": "ended",
}
"""`data-state` has five values; items and facts to come are shown as one of them."""
GONE_STATES = frozenset({"ended", "stale", "retracted"})
QUIET_STATES = frozenset({"current", "open"})
USUAL_CONFIDENCES = frozenset({90, 100})
"""In percent: what was simply said, and what was verified."""


@dataclass(frozen=True, slots=True)
class EntityCard:
    id: str
    name: str
    type: str
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactCard:
    """A fact in a list: the claim, its bounds, where it comes from, and what to note about it."""

    id: str
    text: str
    state: str
    data_state: str
    predicate: str
    subject: EntityCard
    object: EntityCard | None
    value: str | None
    since: str | None
    until: str | None
    source: str | None
    date: str | None
    confidence: int
    sources: int
    badges: tuple[str, ...]
    change: str = ""
    """How it differs from now: `added`, `changed` or `gone`; empty if it does not, or on a page that shows now."""

    @property
    def target(self) -> str:
        """What the subject has or is, without the subject."""
        return self.object.name if self.object else self.value or ""

    @property
    def is_item(self) -> bool:
        """Whether it is something to do or to decide, so that its end is when it is due."""
        return self.predicate in ITEM_PREDICATES

    @property
    def is_open_item(self) -> bool:
        return self.state in ("open", "overdue")

    @property
    def has_usual_confidence(self) -> bool:
        return self.confidence in USUAL_CONFIDENCES


def contract_state(state: str) -> str:
    """A state as the attribute `data-state` has it."""
    return _CONTRACT_STATES.get(state, state)


def source_name(source: str | None) -> str | None:
    """A source as people call it: a note that was told without one is known by its id, which says nothing to them."""
    return "a note" if source and is_id(source, DOCUMENT_PREFIX) else source


def entity_card(entity: "Entity") -> EntityCard:
    return EntityCard(format_entity_id(entity.id), entity.name, entity.type, entity_badges(entity))


def entity_badges(entity: "Entity") -> tuple[str, ...]:
    """That nobody trusted names an entity, or that its name looks like an attack."""
    marks = TrustMarks()
    mark_entity(marks, entity)
    return tuple(trust_details(marks))


def source_badges(marks: Mapping[str, Any], text: str) -> tuple[str, ...]:
    """That the source of a text is not trusted, by its marks, or that the text looks like an attack."""
    shown = TrustMarks()
    mark_trust(shown, marks, text)
    if found := suspicions_in(marks):
        shown["suspect"] = list(found)
    return tuple(trust_details(shown))


def fact_cards(view: "View", rows: "Sequence[FactRow]", at: "Span | None" = None) -> list[FactCard]:
    """The cards of facts in the order given, as of a time of the world."""
    views = FactViews(view, at).of_rows(rows)
    return [_fact_card(row, views[row.fact.id]) for row in rows if row.fact.id in views]


def fact_cards_of(view: "View", ids: Iterable[FactId], at: "Span | None" = None) -> list[FactCard]:
    """The cards of facts by id, in the order given."""
    wanted = list(dict.fromkeys(ids))
    rows = {row.fact.id: row for row in view.fact_rows(wanted)}
    return fact_cards(view, [rows[each] for each in wanted if each in rows], at)


def compared_with_now(memory: "Memory", cards: Sequence[FactCard]) -> list[FactCard]:
    """Facts of another moment, marked with what became of them since."""
    ids = [FactId(read_id(card.id, FACT_PREFIX)) for card in cards]
    with memory.read() as view:
        current = {card.id: card for card in fact_cards_of(view, ids)}
    return [replace(card, change=_difference(card, current.get(card.id))) for card in cards]


class MomentLine(Protocol):
    """A line of a page that says how it differs from now; places in a drawing are not compared."""

    @property
    def change(self) -> str: ...


Line = TypeVar("Line", bound=MomentLine)


def mark_changes(then: "Sequence[Line]", now: "Sequence[Line]", key: Callable[[Line], object]) -> "tuple[Line, ...]":
    """The lines of another moment, marked with what became of them, and after them what was added since."""
    current, known = {key(each): each for each in now}, {key(each) for each in then}
    marked = [
        _mark_line(each, "gone" if key(each) not in current else "changed" if current[key(each)] != each else "")
        for each in then
    ]
    return (*marked, *(_mark_line(each, "added") for each in now if key(each) not in known))


def _mark_line(line: Line, change: str) -> Line:
    copied: Line = replace(line, change=change)  # type: ignore[type-var]
    return copied


def changes_since(memory: "Memory", view: "View", facts: Iterable[FactId], at: "Span | None" = None) -> dict[str, str]:
    """By the id of a fact of another moment, what changed since: `changed`, `gone`, or nothing."""
    return {card.id: card.change for card in compared_with_now(memory, fact_cards_of(view, facts, at))}


def _difference(then: FactCard, now: FactCard | None) -> str:
    if now is None or (now.data_state in GONE_STATES and then.data_state not in GONE_STATES):
        return "gone"
    same = (then.text, then.state, then.since, then.until) == (now.text, now.state, now.since, now.until)
    return "" if same else "changed"


def _fact_card(row: "FactRow", brief: BriefFact) -> FactCard:
    fact, state = row.fact, brief["state"]
    target = None
    if fact.object is not None and row.object_name is not None:
        target = EntityCard(format_entity_id(fact.object), row.object_name, row.object_type or "")
    return FactCard(
        format_fact_id(fact.id),
        brief["text"],
        state,
        contract_state(state),
        fact.predicate,
        EntityCard(format_entity_id(fact.subject), row.subject_name, row.subject_type),
        target,
        fact.literal,
        brief.get("since"),
        brief.get("until"),
        source_name(brief.get("source")),
        brief.get("date"),
        round(fact.confidence * 100),
        fact.source_count,
        (*_badges(row, state), *trust_details(brief)),
    )


def _badges(row: "FactRow", state: str) -> tuple[str, ...]:
    marks = [] if state in QUIET_STATES else [state]
    if row.fact.disputed and state != "disputed" and state == "current":
        marks.append("disputed")
    if row.fact.certainty == "inferred":
        marks.append("inferred")
    return tuple(marks)


class FoundEntities(NamedTuple):
    """The entities of an address: those known at the moment of the page, and those that became known since."""

    known: "list[Entity]"
    later: "list[Entity]"

    @property
    def first(self) -> "Entity":
        return [*self.known, *self.later][0]


def find_entities(request: "PageRequest", view: "View", names: Sequence[str], field: str) -> FoundEntities:
    """The entities that names or ids in an address mean; one that is not known at all has no page."""
    known: dict[EntityId, Entity] = {}
    later: dict[EntityId, Entity] = {}
    for name in names:
        try:
            found = find_entity(request.memory, view, name, field)
            known[found.id] = found
        except NotFound:
            if request.clocks.known is None:
                raise
            with request.memory.read() as now:
                found = find_entity(request.memory, now, name, field)
            later[found.id] = found
    return FoundEntities(list(known.values()), list(later.values()))


def find_or_central(request: "PageRequest", view: "View", names: Sequence[str], field: str) -> FoundEntities:
    """The entities asked for; without any, the one that is best connected."""
    if names:
        return find_entities(request, view, names, field)
    central = central_entity(view)
    return FoundEntities([] if central is None else [central], [])


def find_entity_page(view: "View", text: str) -> "Entity":
    """The entity of an id in an address, or the one it was merged into; raises `PageNotFound` without one."""
    entity = view.survivor(id_) if (id_ := parse_entity_id(text, strict=True)) else None
    if entity is None:
        raise PageNotFound
    return entity
