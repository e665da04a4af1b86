"""The graph around one or several entities, cut to the most relevant nodes, with counts of what was left out.

Edges of every valid time are part of it, each with the periods in which it holds, so that a reader can move through
time without another query.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import log1p

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.graph_algorithms import WeightedEdges, pagerank
from recollect.store import link_queries as queries
from recollect.store.entity_queries import list_entities
from recollect.store.link_queries import MAX_DEGREE, NeighborFilter, NeighborRow, TimedEdgeRow
from recollect.store.view import View
from recollect.when.span import Span
from recollect.write.owner import find_owner

MAX_NODES = 300
MAX_EDGES = 2_000
_FIRST_HOP_SHARE = 3
_CANDIDATES_PER_NODE = 2
_RECENT = 200

Period = tuple[int | None, int | None]
"""First and last position at which an edge holds; None is open."""


@dataclass(frozen=True, slots=True)
class EgoRequest:
    """The entities in the middle, how many hops around them, and which types and predicates; none stand for all.

    `also` are drawn in any case, such as those of a path; `hidden` never.
    """

    focus: tuple[EntityId, ...]
    at: Span
    hops: int = 1
    types: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()
    also: tuple[EntityId, ...] = ()
    hidden: frozenset[EntityId] = frozenset()
    limit: int = MAX_NODES

    @property
    def ties(self) -> NeighborFilter:
        return NeighborFilter(self.at, self.types, self.predicates)

    def accepts(self, row: TimedEdgeRow) -> bool:
        return not self.predicates or row.predicate in self.predicates


@dataclass(frozen=True, slots=True)
class EgoNode:
    """An entity: its distance from the middle, its PageRank among the nodes drawn, and the edges it has in all."""

    entity: Entity
    hop: int
    rank: float
    degree: int

    @property
    def is_hub(self) -> bool:
        """Whether it has more edges than were counted."""
        return self.degree >= MAX_DEGREE


@dataclass(frozen=True, slots=True)
class EgoEdge:
    """The facts of one predicate from one entity to another, with the periods in which they hold."""

    subject: EntityId
    object: EntityId
    predicate: str
    facts: tuple[FactId, ...]
    periods: tuple[Period, ...]

    def holds(self, at: Span) -> bool:
        return any(at.overlaps_bounds(first, last) for first, last in self.periods)


@dataclass(frozen=True, slots=True)
class LeftOutCounts:
    """Neighbours and edges beyond the limit; `is_partial` if not even all edges among the nodes drawn are shown.

    A neighbour of several of the entities that were expanded is counted once for each.
    """

    nodes: int = 0
    by_type: Mapping[str, int] = field(default_factory=dict)
    by_predicate: Mapping[str, int] = field(default_factory=dict)
    edges: int = 0
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class EgoNetwork:
    """Nodes nearest and most relevant first, and the edges among them."""

    nodes: tuple[EgoNode, ...]
    edges: tuple[EgoEdge, ...]
    left_out: LeftOutCounts


def ego_graph(view: View, wanted: EgoRequest) -> EgoNetwork:
    """The entities around the focus that matter most, at most `limit` of them."""
    selection = _Selection(view, wanted)
    hops = selection.hops()
    rows = [row for row in queries.timed_edges(view, hops, MAX_EDGES + 1) if wanted.accepts(row)]
    nodes, edges = view.entities(hops), _merge_edges(rows[:MAX_EDGES])
    left_out = selection.left_out({each: nodes[each].type for each in hops if each in nodes}, rows)
    return EgoNetwork(_nodes(view, nodes, hops, edges), edges, left_out)


def central_entity(view: View) -> Entity | None:
    """The owner of the memory, else the best connected of the entities that were created last."""
    owner = find_owner(view)
    candidates = list_entities(view, None, deleted=False, limit=_RECENT, offset=0)
    degree = queries.degrees(view, {each.id for each in (*candidates, *([owner] if owner else []))})
    if owner is not None and degree.get(owner.id):
        return owner
    return max(candidates, key=lambda each: (degree.get(each.id, 0), each.id), default=None)


class _Selection:
    """Chooses the nodes hop by hop, and counts the others."""

    def __init__(self, view: View, wanted: EgoRequest) -> None:
        self._view = view
        self._wanted = wanted
        self._nodes: Counter[str] = Counter()
        self._edges: Counter[str] = Counter()
        self._expanded: set[EntityId] = set()

    def hops(self) -> dict[EntityId, int]:
        """By entity chosen, its distance; the focus first, then the most relevant."""
        limit = self._wanted.limit
        chosen = dict.fromkeys(self._wanted.focus[:limit], 0)
        # Nobody's neighbours take all places: an entity that was expanded beside a hub shows its own.
        first = list(dict.fromkeys(_in_turn([self._rank_neighbours([each], chosen) for each in chosen])))
        _add(chosen, self._wanted.also, 1, limit)
        if self._wanted.hops < 2:
            return _add(chosen, first, 1, limit)
        _add(chosen, first, 1, max(len(chosen) + 1, limit // _FIRST_HOP_SHARE))
        second = self._rank_neighbours([each for each, hop in chosen.items() if hop == 1], chosen)
        near = set(first)
        _add(chosen, [each for each in second if each not in near], 2, limit)
        return _add(chosen, first, 1, limit)

    def left_out(self, types: Mapping[EntityId, str], rows: Sequence[TimedEdgeRow]) -> LeftOutCounts:
        """What the edges of the entities that were expanded lead to beyond the nodes chosen."""
        always = {*self._wanted.focus, *self._wanted.also}
        drawn = Counter(type_ for each, type_ in types.items() if each not in always)
        by_type = self._nodes - drawn
        shown = Counter(row.predicate for row in rows if {row.subject, row.object} & self._expanded)
        by_predicate = self._edges - shown
        return LeftOutCounts(
            by_type.total(), _by_count(by_type), _by_count(by_predicate), by_predicate.total(), len(rows) > MAX_EDGES
        )

    def _rank_neighbours(self, near: Sequence[EntityId], known: Collection[EntityId]) -> list[EntityId]:
        """The neighbours that are not known yet, by relevance."""
        if not near:
            return []
        others = {*known, *self._wanted.hidden}
        found = queries.ties_of(self._view, near, self._wanted.ties, others, _CANDIDATES_PER_NODE * self._wanted.limit)
        self._nodes.update(found.count_by_type)
        self._edges.update(found.edges_by_predicate)
        self._expanded.update(near)
        relevance = _relevance(found.nodes)
        return sorted(relevance, key=lambda each: (-relevance[each], each))


def _add(chosen: dict[EntityId, int], ranked: Iterable[EntityId], hop: int, limit: int) -> dict[EntityId, int]:
    for each in ranked:
        if len(chosen) >= limit:
            break
        chosen.setdefault(each, hop)
    return chosen


def _in_turn(lists: Sequence[Sequence[EntityId]]) -> Iterator[EntityId]:
    for turn in zip_longest(*lists):
        yield from (each for each in turn if each is not None)


def _relevance(ties: Sequence[NeighborRow]) -> dict[EntityId, float]:
    """How much a neighbour matters: edges that hold, its own edges, edges of other times, and how new they are."""
    if not ties:
        return {}
    oldest, newest = min(tie.newest for tie in ties), max(tie.newest for tie in ties)
    span = max(1, newest - oldest)
    found: dict[EntityId, float] = {tie.far: 0.5 * log1p(tie.degree) for tie in ties}
    for tie in ties:
        recency = (tie.newest - oldest) / span
        found[tie.far] += log1p(tie.holding) + 0.3 * log1p(tie.edges) + 0.3 * recency
    return found


def _merge_edges(rows: Iterable[TimedEdgeRow]) -> tuple[EgoEdge, ...]:
    """One edge for all facts of one predicate between the same ends."""
    grouped: dict[tuple[EntityId, EntityId, str], list[TimedEdgeRow]] = {}
    for row in rows:
        grouped.setdefault((row.subject, row.object, row.predicate), []).append(row)
    return tuple(
        EgoEdge(*ends, tuple(row.fact for row in group), tuple(dict.fromkeys(map(_period, group))))
        for ends, group in grouped.items()
    )


def _period(row: TimedEdgeRow) -> Period:
    """The bounds of a relation; an event or statement holds from its start on."""
    return row.from_lo, row.until_hi if row.label == "AFFILIATED" else None


def _nodes(
    view: View, entities: Mapping[EntityId, Entity], hops: Mapping[EntityId, int], edges: Sequence[EgoEdge]
) -> tuple[EgoNode, ...]:
    drawn = [each for each in hops if each in entities]
    ranks, degree = _ranks(drawn, edges), queries.degrees(view, drawn)
    return tuple(EgoNode(entities[each], hops[each], ranks[each], degree.get(each, 0)) for each in drawn)


def _ranks(nodes: Sequence[EntityId], edges: Iterable[EgoEdge]) -> dict[EntityId, float]:
    """PageRank over the edges drawn, both ways, from any node."""
    place = {node: number for number, node in enumerate(nodes)}
    pairs = [
        (place[edge.subject], place[edge.object]) for edge in edges if edge.subject in place and edge.object in place
    ]
    if not nodes:
        return {}
    both_ways = [*pairs, *((stop, start) for start, stop in pairs)]
    starts, stops = [start for start, _ in both_ways], [stop for _, stop in both_ways]
    result = pagerank(len(nodes), WeightedEdges(starts, stops, [1.0] * len(starts)), range(len(nodes)))
    return dict(zip(nodes, result.scores, strict=True))


def _by_count(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
