"""The shortest path between two entities over current facts, by breadth-first search from both ends at once."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from recollect.model.graph_search import BreadthFirstSearch, Step
from recollect.model.ids import EntityId, FactId
from recollect.reason.items.item_lookup import closed_items
from recollect.store import graph_queries
from recollect.store.fact_rows import NO_LIMIT, FactSummaryRow
from recollect.store.view import View
from recollect.when.span import Span

MAX_HOPS = 4
# Entities expanded in one query: the neighbours of a large level are read in batches, until the two sides meet.
_BATCH_SIZE = 1000
_COUNT_LIMIT = 20_000


@dataclass(frozen=True, slots=True)
class PathHop:
    """One hop of a path: from one entity to the next, over the fact that joins them."""

    start: EntityId
    end: EntityId
    by: FactSummaryRow

    @property
    def is_outgoing(self) -> bool:
        """Whether the hop starts at the subject of the fact."""
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


def facts_between(
    view: View, one: EntityId, other: EntityId, at: Span, limit: int = NO_LIMIT, closed: Collection[FactId] = ()
) -> list[FactSummaryRow]:
    """Current facts that join two entities, in either direction, newest source first, without those in `closed`."""
    cheaper, dearer = sorted((one, other), key=lambda entity: (_estimate_facts(view, [entity]), entity))
    return graph_queries.facts_between(view, cheaper, dearer, at, limit, closed)


def shortest_path(view: View, start: EntityId, goal: EntityId, at: Span, most: int = MAX_HOPS) -> tuple[PathHop, ...]:
    """The hops of one shortest path of at most so many; empty if there is none, or from an entity to itself.

    Closed items do not join entities. Few paths lead over one, so they are looked up for the path found.
    """
    closed: frozenset[FactId] = frozenset()
    while True:
        entities = _path_entities(view, start, goal, at, most, closed) if start != goal else ()
        hops = tuple(_newest_hop(view, near, far, at, closed) for near, far in pairwise(entities))
        found = frozenset(closed_items(view, set(entities)))
        if all(hop.by.id not in found for hop in hops):
            return hops
        closed |= found


def _newest_hop(view: View, start: EntityId, end: EntityId, at: Span, closed: frozenset[FactId]) -> PathHop:
    [newest] = facts_between(view, start, end, at, limit=1, closed=closed)
    return PathHop(start, end, newest)


def _path_entities(
    view: View, start: EntityId, goal: EntityId, at: Span, most: int, closed: frozenset[FactId]
) -> tuple[EntityId, ...]:
    """The entities along a shortest path, both ends included.

    The side with fewer facts to read grows by one level at a time. All meetings in one level give paths of the same
    length, and levels are read in the order of ids, so the first meeting is always the same one.
    """

    def expand(level: list[EntityId]) -> Iterator[Step[EntityId, None]]:
        for batch in _batches(sorted(level)):
            for entity, reached_from in graph_queries.neighbors_of(view, batch, at, closed):
                yield Step(reached_from, entity, None)

    ahead, behind = BreadthFirstSearch([start], expand), BreadthFirstSearch([goal], expand)
    while ahead.frontier and behind.frontier and ahead.depth + behind.depth < most:
        side, other = sorted((ahead, behind), key=lambda each: _estimate_facts(view, each.frontier))
        for step in side.grow():
            if step.there in other.reached:
                return (*_entities_to(ahead, step.there), *reversed(_entities_to(behind, step.there)[:-1]))
    return ()


def _entities_to(search: BreadthFirstSearch[EntityId, None], entity: EntityId) -> list[EntityId]:
    """The entities from where a search started to one it reached, both included."""
    return [*(step.here for step in search.path_to(entity)), entity]


def _batches(level: list[EntityId]) -> Iterator[list[EntityId]]:
    return (level[start : start + _BATCH_SIZE] for start in range(0, len(level), _BATCH_SIZE))


def _estimate_facts(view: View, entities: Collection[EntityId]) -> int:
    """About how many facts must be read to find the neighbours of these entities."""
    sample = sorted(entities)[:_BATCH_SIZE]
    return graph_queries.count_facts_at(view, sample, _COUNT_LIMIT) * len(entities) // len(sample)
