"""The shortest way from one entity to another over current facts, walked from both ends at once."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from recollect.model.ids import EntityId
from recollect.store.fact_rows import NO_LIMIT, FactSummaryRow
from recollect.store.view import View
from recollect.when.span import Span

MAX_HOPS = 4
# Entities asked about in one query. A hub's neighbours are then read piece by piece, until the two sides meet.
_BATCH_SIZE = 1000
_COUNT_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class PathHop:
    """One step of a path: from a station to the next, by the fact that joins them."""

    start: EntityId
    end: EntityId
    by: FactSummaryRow

    @property
    def is_outgoing(self) -> bool:
        """Whether the step starts at the fact's subject."""
        return self.by.subject == self.start

    @property
    def end_name(self) -> str:
        return self._names[1]

    @property
    def start_name(self) -> str:
        return self._names[0]

    @property
    def end_type(self) -> str:
        return (self.by.object_type or "") if self.is_outgoing else self.by.subject_type

    @property
    def _names(self) -> tuple[str, str]:
        subject, object_ = self.by.subject_name, self.by.object_name or ""
        return (subject, object_) if self.is_outgoing else (object_, subject)


def facts_between(view: View, one: EntityId, other: EntityId, at: Span, limit: int = NO_LIMIT) -> list[FactSummaryRow]:
    """Current facts that join two entities, in either direction, newest source first."""
    near, far = sorted((one, other), key=lambda entity: (_expected_facts(view, {entity}), entity))
    rows = view.rows("gists_between", near=near, far=far, at_lo=at.lo, at_hi=at.hi, limit=limit)
    return [FactSummaryRow._make(row) for row in rows]


def shortest_path(view: View, start: EntityId, goal: EntityId, at: Span, most: int = MAX_HOPS) -> tuple[PathHop, ...]:
    """The hops of one shortest path of at most so many; none where there is none, or to itself."""
    stations = _path_entities(view, start, goal, at, most) if start != goal else ()
    return tuple(_newest_hop(view, near, far, at) for near, far in pairwise(stations))


def _newest_hop(view: View, start: EntityId, end: EntityId, at: Span) -> PathHop:
    [newest] = facts_between(view, start, end, at, limit=1)
    return PathHop(start, end, newest)


@dataclass(slots=True)
class _SearchSide:
    """What was reached from one end: each entity with the one it was reached from, and the outermost ring."""

    reached: dict[EntityId, EntityId | None]
    ring: list[EntityId]
    depth: int = 0

    def way_to(self, entity: EntityId) -> list[EntityId]:
        """The stations from an entity back to this side's end."""
        way, here = [entity], self.reached[entity]
        while here is not None:
            way.append(here)
            here = self.reached[here]
        return way


def _path_entities(view: View, start: EntityId, goal: EntityId, at: Span, most: int) -> tuple[EntityId, ...]:
    """The entities along a shortest path, both ends included.

    The side that has fewer facts to read grows by one ring at a time. All meetings in one ring give paths of the
    same length, and rings are read in the order of ids, so the first meeting is always the same one.
    """
    here, there = _SearchSide({start: None}, [start]), _SearchSide({goal: None}, [goal])
    while here.ring and there.ring and here.depth + there.depth < most:
        side, other = sorted((here, there), key=lambda each: _expected_facts(view, each.ring))
        met = _expand_ring(view, side, other, at)
        if met is not None:
            return (*reversed(here.way_to(met)), *there.way_to(met)[1:])
    return ()


def _expand_ring(view: View, side: _SearchSide, other: _SearchSide, at: Span) -> EntityId | None:
    """Add one ring to a side; the first entity found that the other side has reached too ends it."""
    ring: list[EntityId] = []
    for part in _batches(side.ring):
        for entity, station in view.rows("one_hop_away", entities=part, at_lo=at.lo, at_hi=at.hi):
            if entity in side.reached:
                continue
            side.reached[entity] = station
            if entity in other.reached:
                return EntityId(entity)
            ring.append(entity)
    side.ring, side.depth = sorted(ring), side.depth + 1
    return None


def _batches(ring: list[EntityId]) -> Iterator[list[EntityId]]:
    return (ring[place : place + _BATCH_SIZE] for place in range(0, len(ring), _BATCH_SIZE))


def _expected_facts(view: View, entities: Collection[EntityId]) -> int:
    """About how many facts reading the neighbours of these entities touches."""
    sample = sorted(entities)[:_BATCH_SIZE]
    [[facts]] = view.rows("facts_at_ends", entities=sample, limit=_COUNT_LIMIT)
    return int(facts) * len(entities) // len(sample)
