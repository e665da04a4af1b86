"""Breadth-first search of the graph over valid edges: nodes reached, edges behind filters, and shortest paths."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from recollect.model.certainty import SOURCE_KINDS
from recollect.model.entity import Entity
from recollect.model.graph_search import BreadthFirstSearch, Step, breadth_first
from recollect.model.ids import EntityId, FactId
from recollect.model.progress import batches
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.closures.open_items import ITEM_PREDICATES
from recollect.reason.items.item_lookup import closed_items
from recollect.store import edge_queries, fact_queries
from recollect.store.edge_queries import EdgeRow, EdgeStep
from recollect.store.fact_rows import NO_LIMIT, FactSummaryRow
from recollect.store.view import View
from recollect.when.span import Span

GraphDirection = Literal["both", "out", "in"]
MAX_WALK_EDGES = 10_000


@dataclass(frozen=True, slots=True)
class TraversalOptions:
    """Direction, depth, predicates and number of nodes of a traversal. No predicates stand for all."""

    at: Span
    direction: GraphDirection = "out"
    depth: int = 2
    limit: int = 50
    predicates: frozenset[str] = frozenset()


class ReachedNode(NamedTuple):
    """A node and a shortest path to it, edge by edge from the start."""

    entity: Entity
    path: tuple[FactId, ...]

    @property
    def depth(self) -> int:
        return len(self.path)


class Traversal(NamedTuple):
    reached: list[ReachedNode]
    is_cut: bool


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


def traverse(view: View, start: Entity, options: TraversalOptions) -> Traversal:
    """The nodes reached from a start: by depth, then in the order of their parents, then by weight.

    Edges are read lazily, node by node, so a small limit reads little of a large graph.
    """
    symmetric = symmetric_predicates(view) if options.direction != "both" else ()

    def expand(level: Iterable[EntityId]) -> Iterator[Step[EntityId, EdgeStep]]:
        for here in level:
            for edge in edge_queries.steps_from(
                view,
                here,
                options.at,
                outgoing=options.direction != "in",
                incoming=options.direction != "out",
                predicates=options.predicates,
                symmetric=symmetric,
            ):
                yield Step(here, edge.entity.id, edge)

    search = BreadthFirstSearch([start.id], expand)
    steps = list(islice(search.steps(options.depth), options.limit + 1))
    reached = [
        ReachedNode(step.edge.entity, tuple(each.edge.fact for each in search.path_to(step.there)))
        for step in steps[: options.limit]
    ]
    return Traversal(reached, len(steps) > options.limit)


def symmetric_predicates(view: View) -> list[str]:
    """The symmetric predicates of the vocabulary and of the workspace."""
    built_in = {name for name, entry in built_in_predicates().items() if entry.symmetric}
    return sorted(built_in | fact_queries.symmetric_predicates(view))


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges may be crossed."""

    at: Span
    every: bool = False
    floor: float = 0.0
    source_kinds: frozenset[str] = frozenset(SOURCE_KINDS)
    predicates: frozenset[str] = frozenset()
    direction: GraphDirection = "both"


class WalkedEdge(NamedTuple):
    """An edge with its position in the walk: its hop, and the end nearer to the start."""

    step: EdgeRow
    hop: int
    near: EntityId


class GraphWalk(NamedTuple):
    """Edges in order and the distance of every entity reached; `found` stops counting at 10000."""

    edges: list[WalkedEdge]
    distances: dict[EntityId, int]
    found: int


def walk_graph(view: View, start: EntityId, passable: EdgeFilter, depth: int) -> GraphWalk:
    """Every edge within the depth, each once, nearest and most confident first."""
    near_ends: dict[EdgeRow, EntityId] = {}

    def expand(level: list[EntityId]) -> Iterator[Step[EntityId, EdgeRow]]:
        nodes = frozenset(level)
        for edge in edges_at(view, nodes, passable, MAX_WALK_EDGES - len(near_ends)):
            if edge in near_ends:
                continue
            near = edge.subject if edge.subject in nodes or edge.object is None else edge.object
            near_ends[edge] = near
            far = edge.other(near)
            if far is not None:
                yield Step(near, far, edge)

    distances = breadth_first([start], expand, depth=depth).depths()
    edges = [WalkedEdge(edge, distances[near] + 1, near) for edge, near in near_ends.items()]
    return GraphWalk(sorted(edges, key=edge_order), distances, len(edges))


def edge_order(walked: WalkedEdge) -> tuple[int, float, int, str]:
    """Sort key: near edges first, then the most confident and the newest."""
    return walked.hop, -walked.step.confidence, -walked.step.source_at, walked.step.id


def edges_at(
    view: View, entities: Collection[EntityId], passable: EdgeFilter, limit: int = MAX_WALK_EDGES
) -> list[EdgeRow]:
    """The edges at these entities that may be crossed, most confident first."""
    if limit <= 0:
        return []
    edges = edge_queries.edges_at(
        view,
        entities,
        passable.at,
        every=passable.every,
        min_confidence=passable.floor,
        source_kinds=passable.source_kinds,
        predicates=passable.predicates,
        outgoing=passable.direction != "in",
        incoming=passable.direction != "out",
        symmetric=symmetric_predicates(view),
        limit=limit,
    )
    return edges if passable.every else _drop_closed_items(view, edges)


def _drop_closed_items(view: View, edges: list[EdgeRow]) -> list[EdgeRow]:
    """The edges without commitments, blockers and other items that are closed."""
    owners = {edge.subject for edge in edges if edge.predicate in ITEM_PREDICATES}
    closed = closed_items(view, owners) if owners else ()
    return [edge for edge in edges if edge.id not in closed]


def count_edges_by_filter(view: View, start: EntityId, passable: EdgeFilter) -> tuple[dict[str, int], int]:
    """For each filter, how many edges of the start it alone excludes; and how many edges the start has."""
    edges = edges_at(view, [start], EdgeFilter(passable.at, every=True))
    symmetric = frozenset(symmetric_predicates(view))
    counts = dict.fromkeys(("current", "min_confidence", "source_kinds", "edge_types", "direction"), 0)
    for edge in edges:
        failed = _failed_filters(edge, start, passable, symmetric)
        if len(failed) == 1:
            counts[failed[0]] += 1
    return counts, len(edges)


def _failed_filters(edge: EdgeRow, start: EntityId, passable: EdgeFilter, symmetric: frozenset[str]) -> list[str]:
    end = edge.subject if passable.direction == "out" else edge.object
    passed = {
        "current": passable.every or edge.is_current(passable.at),
        "min_confidence": edge.confidence >= passable.floor,
        "source_kinds": edge.source_kind in passable.source_kinds,
        "edge_types": not passable.predicates or edge.predicate in passable.predicates,
        "direction": passable.direction == "both" or edge.predicate in symmetric or end == start,
    }
    return [name for name, holds in passed.items() if not holds]


def facts_between(
    view: View, one: EntityId, other: EntityId, at: Span, limit: int = NO_LIMIT, closed: Collection[FactId] = ()
) -> list[FactSummaryRow]:
    """Current facts that join two entities, in either direction, newest source first, without those in `closed`."""
    cheaper, dearer = sorted((one, other), key=lambda entity: (_estimate_facts(view, [entity]), entity))
    return edge_queries.facts_between(view, cheaper, dearer, at, limit, closed)


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
        for batch in batches(sorted(level), _BATCH_SIZE):
            for entity, reached_from in edge_queries.neighbors_of(view, batch, at, closed):
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


def _estimate_facts(view: View, entities: Collection[EntityId]) -> int:
    """About how many facts must be read to find the neighbours of these entities."""
    sample = sorted(entities)[:_BATCH_SIZE]
    return fact_queries.count_facts_at(view, sample, _COUNT_LIMIT) * len(entities) // len(sample)
