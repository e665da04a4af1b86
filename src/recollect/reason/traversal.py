"""Breadth-first traversals of the graph over valid edges: nodes reached, or edges behind filters."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from recollect.model.certainty import SOURCE_KINDS
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.vocabulary import built_in_predicates
from recollect.reason.item_lookup import closed_items
from recollect.reason.open_items import ITEM_PREDICATES
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.when.instant import MAX, MIN
from recollect.when.span import Span

Direction = Literal["out", "in", "both"]

# Steps read at once from one node; a hub's are read piece by piece, until enough nodes are reached.
_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class TraversalOptions:
    """How to walk: which way, how deep, over which predicates, to how many nodes. No predicates stand for all."""

    at: Span
    direction: Direction = "out"
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


class EdgeSummary(NamedTuple):
    """A valid edge, as little of it as a picture needs."""

    fact: FactId
    subject: EntityId
    object: EntityId
    predicate: str
    weight: float


def traverse(view: View, start: Entity, walk: TraversalOptions) -> Traversal:
    """The nodes reached from a start: by depth, then by the order of those before them, then by weight."""
    reached: list[ReachedNode] = []
    for each in _iterate_reached(view, start, walk):
        if len(reached) == walk.limit:
            return Traversal(reached, True)
        reached.append(each)
    return Traversal(reached, False)


def _iterate_reached(view: View, start: Entity, walk: TraversalOptions) -> Iterator[ReachedNode]:
    asked = _query_parameters(view, walk)
    seen = {start.id}
    ring = [ReachedNode(start, ())]
    for _ in range(walk.depth):
        further: list[ReachedNode] = []
        for station in ring:
            for fact, entity in _steps_from(view, station.entity.id, asked):
                if entity.id not in seen:
                    seen.add(entity.id)
                    further.append(ReachedNode(entity, (*station.path, fact)))
                    yield further[-1]
        ring = further


def _steps_from(view: View, entity: EntityId, asked: dict[str, Any]) -> Iterator[tuple[FactId, Entity]]:
    offset = 0
    while True:
        rows = view.rows("steps_from", entity=entity, offset=offset, limit=_BATCH_SIZE, **asked)
        yield from ((FactId(row[0]), entity_of(row[1:])) for row in rows)
        if len(rows) < _BATCH_SIZE:
            return
        offset += _BATCH_SIZE


def _query_parameters(view: View, walk: TraversalOptions) -> dict[str, Any]:
    return {
        "leaving": int(walk.direction != "in"),
        "reaching": int(walk.direction != "out"),
        "both_ways": symmetric_predicates(view) if walk.direction != "both" else [],
        "any_type": int(not walk.predicates),
        "predicates": sorted(walk.predicates),
        "at_lo": walk.at.lo,
        "at_hi": walk.at.hi,
    }


def symmetric_predicates(view: View) -> list[str]:
    """The predicates that count both ways, of the vocabulary and of the workspace."""
    own = {row[0] for row in view.rows("predicates_symmetric")}
    return sorted(own | {name for name, entry in built_in_predicates().items() if entry.symmetric})


def edges_among(view: View, entities: Sequence[EntityId], at: Span) -> list[EdgeSummary]:
    """Every valid edge between two of these live entities."""
    if not entities:
        return []
    rows = view.rows("edges_among", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi)
    return [EdgeSummary._make((*row[:4], float(row[4]))) for row in rows]


GraphDirection = Literal["both", "out", "in"]
MAX_WALK_EDGES = 10_000


class WalkEdge(NamedTuple):
    """A fact as a walk sees it."""

    id: FactId
    subject: EntityId
    object: EntityId | None
    predicate: str
    label: str
    confidence: float
    source_kind: str
    source_at: int
    stale: int
    from_lo: int | None
    until_hi: int | None

    def is_current(self, at: Span) -> bool:
        if self.stale or self.label != "AFFILIATED":
            return not self.stale
        return (self.from_lo if self.from_lo is not None else MIN) <= at.hi and (
            self.until_hi if self.until_hi is not None else MAX
        ) >= at.lo

    def other(self, end: EntityId) -> EntityId | None:
        return self.object if self.subject == end else self.subject


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
    """An edge with its place in the walk: its hop, and the end nearer to the start."""

    step: WalkEdge
    hop: int
    near: EntityId


class GraphWalk(NamedTuple):
    """Edges in their order and the distance of every entity reached; `found` stops counting at 10000."""

    edges: list[WalkedEdge]
    distances: dict[EntityId, int]
    found: int


def walk_graph(view: View, start: EntityId, passable: EdgeFilter, depth: int) -> GraphWalk:
    """Every edge that can be reached within the depth, each once, nearest and surest first."""
    distances = {start: 0}
    edges: dict[FactId, WalkedEdge] = {}
    frontier = [start]
    for hop in range(1, depth + 1):
        reached: list[EntityId] = []
        steps = edges_at(view, frontier, passable, MAX_WALK_EDGES - len(edges)) if frontier else []
        for step in steps:
            near = _near_end(step, distances, hop - 1)
            if step.id in edges or near is None:
                continue
            edges[step.id] = WalkedEdge(step, hop, near)
            far = step.other(near)
            if far is not None and far not in distances:
                distances[far] = hop
                reached.append(far)
        frontier = reached
    return GraphWalk(sorted(edges.values(), key=_edge_order), distances, len(edges))


def _near_end(step: WalkEdge, distances: dict[EntityId, int], distance: int) -> EntityId | None:
    """The end that the walk stands at; the subject where both ends are as near."""
    if distances.get(step.subject) == distance:
        return step.subject
    return step.object if step.object is not None and distances.get(step.object) == distance else None


def _edge_order(walked: WalkedEdge) -> tuple[int, float, int, str]:
    return walked.hop, -walked.step.confidence, -walked.step.source_at, walked.step.id


def edges_at(
    view: View, entities: Collection[EntityId], passable: EdgeFilter, limit: int = MAX_WALK_EDGES
) -> list[WalkEdge]:
    """The edges at these entities that may be crossed, surest first."""
    if limit <= 0:
        return []
    kinds = passable.source_kinds
    rows = view.rows(
        "edges_at",
        entities=sorted(entities),
        at_lo=passable.at.lo,
        at_hi=passable.at.hi,
        every=int(passable.every),
        floor=passable.floor,
        any_source_kind=int(kinds == frozenset(SOURCE_KINDS)),
        source_kinds=sorted(kinds),
        any_predicate=int(not passable.predicates),
        predicates=sorted(passable.predicates),
        leaving=int(passable.direction != "in"),
        reaching=int(passable.direction != "out"),
        both_ways=two_way_predicates(view),
        limit=limit,
    )
    steps = list(dict.fromkeys(WalkEdge._make(row) for row in rows))
    return steps if passable.every else _drop_closed_items(view, steps)


def _drop_closed_items(view: View, steps: list[WalkEdge]) -> list[WalkEdge]:
    """The steps without commitments, blockers and other items that are closed."""
    having_items = {step.subject for step in steps if step.predicate in ITEM_PREDICATES}
    closed = closed_items(view, having_items) if having_items else ()
    return [step for step in steps if step.id not in closed]


def two_way_predicates(view: View) -> list[str]:
    """The predicates that count both ways."""
    known = {name for name, entry in built_in_predicates().items() if entry.symmetric}
    return sorted(known | {row[0] for row in view.rows("symmetric_predicates")})


def count_edges_by_filter(view: View, start: EntityId, passable: EdgeFilter) -> tuple[dict[str, int], int]:
    """For each filter, how many edges of the start it alone keeps out; and how many edges there are at all."""
    all_ = edges_at(view, [start], EdgeFilter(passable.at, every=True))
    both_ways = frozenset(two_way_predicates(view))
    counts = dict.fromkeys(("current", "min_confidence", "source_kinds", "edge_types", "direction"), 0)
    for step in all_:
        failed = _failed_filters(step, start, passable, both_ways)
        if len(failed) == 1:
            counts[failed[0]] += 1
    return counts, len(all_)


def _failed_filters(step: WalkEdge, start: EntityId, passable: EdgeFilter, both_ways: frozenset[str]) -> Sequence[str]:
    goes_out, comes_in = step.subject == start, step.object == start
    fits_direction = (
        passable.direction == "both"
        or step.predicate in both_ways
        or (goes_out if passable.direction == "out" else comes_in)
    )
    passed = {
        "current": passable.every or step.is_current(passable.at),
        "min_confidence": step.confidence >= passable.floor,
        "source_kinds": step.source_kind in passable.source_kinds,
        "edge_types": not passable.predicates or step.predicate in passable.predicates,
        "direction": fits_direction,
    }
    return [name for name, holds in passed.items() if not holds]
