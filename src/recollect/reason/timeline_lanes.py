"""Timelines of several entities side by side: for each a lane of events and of periods in which something held."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import is_point
from recollect.model.sentence import claim_text
from recollect.reason.lore.entity_timeline import TimelineEntry, timeline_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.store.view import View
from recollect.when.instant import MAX
from recollect.when.span import Span, hull

MAX_ITEMS = 400
_MARGIN = 20
"""The part of a span that is added before and after what lies on it."""


@dataclass(frozen=True, slots=True)
class LaneItem:
    """A fact on the axis, from `lo` to `hi`; None is open. An event is a point."""

    fact: FactId
    text: str
    predicate: str
    lo: int | None
    hi: int | None
    since: str | None
    until: str | None
    is_event: bool
    is_disputed: bool
    other: EntityId | None

    def overlaps(self, span: Span) -> bool:
        return span.overlaps_bounds(self.lo, self.hi)


@dataclass(frozen=True, slots=True)
class Lane:
    """What is known of one entity over time; `undated` facts have no place on the axis, `more` were not read."""

    entity: Entity
    items: tuple[LaneItem, ...]
    undated: int = 0
    more: int = 0


def timeline_lanes(view: View, entities: Sequence[Entity], predicates: frozenset[str] = frozenset()) -> list[Lane]:
    """A lane for each entity; with predicates, only with these."""
    lore = LoreReader(view)
    return [_add_texts(view, _lane(lore, entity, predicates)) for entity in entities]


def _add_texts(view: View, lane: Lane) -> Lane:
    """A lane whose facts read as they do in lists of facts."""
    rows = view.fact_rows([item.fact for item in lane.items])
    texts = {row.fact.id: claim_text(row.fact, row.subject_name, row.object_name) for row in rows}
    return replace(lane, items=tuple(replace(item, text=texts.get(item.fact, item.text)) for item in lane.items))


def _lane(lore: LoreReader, entity: Entity, predicates: frozenset[str]) -> Lane:
    found = timeline_of(lore, entity, MAX_ITEMS)
    wanted = [entry for entry in found.items if not predicates or entry.name in predicates]
    items = tuple(item for entry in wanted if (item := _item(entry, entity)) is not None)
    return Lane(entity, items, len(wanted) - len(items), found.total - len(found.items))


def _item(entry: TimelineEntry, entity: Entity) -> LaneItem | None:
    """The entry on the axis; none if it has no time at all."""
    row = entry.row
    if entry.at is None and row.until_hi is None:
        return None
    if row.label == "ASSERTED":
        return _due(entry, entity)
    lo = None if entry.at is None else entry.lo
    hi = None if entry.hi == MAX else entry.hi
    is_event = row.label == "TRANSITIONED" or is_point(entry.name)
    if is_event and lo is not None:
        hi = row.from_hi if row.from_hi is not None else lo if hi is None else hi
    return LaneItem(
        row.fact,
        entry.text(entity, is_subject=entry.has_subject(entity.id)),
        entry.name,
        lo,
        None if hi is None else max(hi, lo if lo is not None else hi),
        entry.at,
        entry.until,
        is_event,
        bool(row.disputed),
        entry.other(entity.id),
    )


def _due(entry: TimelineEntry, entity: Entity) -> LaneItem:
    """A statement is a point: a commitment or request when it is due, others when they were made."""
    row = entry.row
    is_dated = row.until_lo is not None
    lo, hi = (row.until_lo, row.until_hi) if is_dated else (entry.lo, row.from_hi or entry.lo)
    since = row.valid_until if is_dated else entry.at
    text = entry.text(entity, is_subject=entry.has_subject(entity.id))
    other = entry.other(entity.id)
    return LaneItem(row.fact, text, entry.name, lo, hi, since, None, True, bool(row.disputed), other)


def span_of(lanes: Iterable[Lane], present: Span, least: int) -> Span:
    """The part of the axis on which everything lies that has a bound, with some room around it."""
    bounds = [
        Span(position, position)
        for lane in lanes
        for item in lane.items
        for position in (item.lo, item.hi)
        if position is not None
    ]
    found = hull(bounds) or present
    room = max(least, (found.hi - found.lo) // _MARGIN)
    return Span(found.lo - room, found.hi + room)
