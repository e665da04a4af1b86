"""The graph around one or several entities, cut to the most relevant nodes, with counts of what was left out.

Edges of every valid time are part of it, each with the periods in which it holds, so that a reader can move through
time without another query.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from math import log1p

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.pagerank import Arcs, pagerank
from recollect.store import ego_graph_queries as queries
from recollect.store.ego_graph_queries import TieRow, TimedEdgeRow
from recollect.store.view import View
from recollect.when.span import Span

MAX_NODES = 300
MAX_EDGES = 4_000
MAX_TIES = 60_000
"""Of more neighbours than this the counts are a lower bound."""
_FIRST_HOP_SHARE = 3
_CANDIDATES_PER_NODE = 2

Period = tuple[int | None, int | None]
"""First and last position at which an edge holds; None is open."""


@dataclass(frozen=True, slots=True)
class EgoRequest:
    """The entities in the middle, how many hops around them, and which types and predicates; none stand for all."""

    focus: tuple[EntityId, ...]
    at: Span
    hops: int = 1
    types: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()
    limit: int = MAX_NODES

    def accepts(self, tie: TieRow) -> bool:
        return (not self.types or tie.far_type in self.types) and self.accepts_predicate(tie.predicate)

    def accepts_predicate(self, predicate: str) -> bool:
        return not self.predicates or predicate in self.predicates


@dataclass(frozen=True, slots=True)
class EgoNode:
    """An entity: its distance from the middle, its PageRank among the nodes drawn, and the edges it has in all."""

    entity: Entity
    hop: int
    rank: float
    degree: int


@dataclass(frozen=True, slots=True)
class EgoEdge:
    """The facts of one predicate from one entity to another, with the periods in which they hold."""

    subject: EntityId
    object: EntityId
    predicate: str
    facts: tuple[FactId, ...]
    periods: tuple[Period, ...]

    def holds_at(self, at: Span) -> bool:
        return any(
            (first is None or first <= at.hi) and (last is None or last >= at.lo) for first, last in self.periods
        )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Neighbours and edges beyond the limit; `is_partial` if there are more than were counted."""

    nodes: int = 0
    by_type: Mapping[str, int] = field(default_factory=dict)
    by_predicate: Mapping[str, int] = field(default_factory=dict)
    edges: int = 0
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class EgoGraph:
    """Nodes nearest and most relevant first, and the edges among them."""

    nodes: tuple[EgoNode, ...]
    edges: tuple[EgoEdge, ...]
    left_out: LeftOut


def ego_graph(view: View, wanted: EgoRequest) -> EgoGraph:
    """The entities around the focus that matter most, at most `limit` of them."""
    selection = _Selection(view, wanted)
    hops = selection.hops()
    rows = [row for row in queries.timed_edges(view, hops, MAX_EDGES + 1) if wanted.accepts_predicate(row.predicate)]
    edges = _merge_edges(rows[:MAX_EDGES])
    left_out = selection.left_out(hops, len(rows) > MAX_EDGES)
    return EgoGraph(_nodes(view, hops, edges), edges, left_out)


class _Selection:
    """Chooses the nodes hop by hop."""

    def __init__(self, view: View, wanted: EgoRequest) -> None:
        self._view = view
        self._wanted = wanted
        self._ties: list[TieRow] = []

    def hops(self) -> dict[EntityId, int]:
        """By entity chosen, its distance; the focus first, then the most relevant."""
        limit = self._wanted.limit
        chosen = dict.fromkeys(self._wanted.focus[:limit], 0)
        first = self._ranked(chosen, chosen)
        if self._wanted.hops < 2:
            return _add(chosen, first, 1, limit)
        _add(chosen, first, 1, max(len(chosen) + 1, limit // _FIRST_HOP_SHARE))
        second = self._ranked([each for each, hop in chosen.items() if hop == 1], {*chosen, *first})
        _add(chosen, second, 2, limit)
        return _add(chosen, first, 1, limit)

    def left_out(self, hops: Collection[EntityId], has_more_edges: bool) -> LeftOut:
        """What the ties lead to that was not chosen."""
        beyond = [tie for tie in self._ties if tie.far not in hops]
        types = {tie.far: tie.far_type for tie in beyond}
        by_predicate: Counter[str] = Counter()
        for tie in beyond:
            by_predicate[tie.predicate] += tie.edges
        edges = sum(by_predicate.values())
        is_partial = has_more_edges or len(self._ties) >= MAX_TIES
        return LeftOut(len(types), _by_count(Counter(types.values())), _by_count(by_predicate), edges, is_partial)

    def _ranked(self, near: Collection[EntityId], known: Collection[EntityId]) -> list[EntityId]:
        """The neighbours that are not known yet: those of each entity by relevance, one of each in turn."""
        if not near:
            return []
        found = [tie for tie in queries.ties_of(self._view, near, self._wanted.at, MAX_TIES) if self._accepts(tie)]
        self._ties += found
        new = [tie for tie in found if tie.far not in known]
        likely = _most_tied(new, _CANDIDATES_PER_NODE * self._wanted.limit)
        relevance = _relevance(new, queries.degrees(self._view, likely))
        by_near: dict[EntityId, set[EntityId]] = defaultdict(set)
        for tie in new:
            by_near[tie.near].add(tie.far)
        # Of the second hop no single hub may take every place; of the first, each focus has its share.
        ranked = [sorted(far, key=lambda each: (-relevance[each], each)) for far in by_near.values()]
        return list(dict.fromkeys(_in_turn(ranked)))

    def _accepts(self, tie: TieRow) -> bool:
        return self._wanted.accepts(tie)


def _add(chosen: dict[EntityId, int], ranked: Iterable[EntityId], hop: int, limit: int) -> dict[EntityId, int]:
    for each in ranked:
        if len(chosen) >= limit:
            break
        chosen.setdefault(each, hop)
    return chosen


def _in_turn(lists: Sequence[Sequence[EntityId]]) -> Iterator[EntityId]:
    for turn in zip_longest(*lists):
        yield from (each for each in turn if each is not None)


def _most_tied(ties: Iterable[TieRow], limit: int) -> list[EntityId]:
    """The neighbours whose own degree is worth reading: with most edges that hold, then most and newest edges."""
    best: dict[EntityId, tuple[int, int, int]] = {}
    for tie in ties:
        holding, edges, newest = best.get(tie.far, (0, 0, 0))
        best[tie.far] = (holding + tie.holding, edges + tie.edges, max(newest, tie.newest))
    return sorted(best, key=lambda each: (best[each], each), reverse=True)[:limit]


def _relevance(ties: Sequence[TieRow], degree: Mapping[EntityId, int]) -> dict[EntityId, float]:
    """How much a neighbour matters: edges that hold, its own edges, edges of other times, and how new they are."""
    if not ties:
        return {}
    oldest, newest = min(tie.newest for tie in ties), max(tie.newest for tie in ties)
    span = max(1, newest - oldest)
    found: dict[EntityId, float] = defaultdict(float)
    for tie in ties:
        recency = (tie.newest - oldest) / span
        found[tie.far] += log1p(tie.holding) + 0.3 * log1p(tie.edges) + 0.3 * recency
    return {each: score + 0.5 * log1p(degree.get(each, 0)) for each, score in found.items()}


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


def _nodes(view: View, hops: Mapping[EntityId, int], edges: Sequence[EgoEdge]) -> tuple[EgoNode, ...]:
    entities = view.entities(hops)
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
    starts, stops = (
        [one for one, _ in pairs] + [two for _, two in pairs],
        [two for _, two in pairs] + [one for one, _ in pairs],
    )
    result = pagerank(len(nodes), Arcs(starts, stops, [1.0] * len(starts)), range(len(nodes)))
    return dict(zip(nodes, result.scores, strict=True))


def _by_count(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
