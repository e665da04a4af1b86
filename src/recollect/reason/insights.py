"""Patterns of the graph: bridges, clusters and recurring ties; and its size by type."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.graph_algorithms import Component, connected_components, find_communities
from recollect.store.view import View
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span, join


class GraphCounts(NamedTuple):
    nodes: Mapping[str, int]
    edges: Mapping[str, int]
    oldest: Instant | None
    newest: Instant | None
    valid: int
    ended: int


def count_graph(view: View, at: Span) -> GraphCounts:
    """Live nodes by type and edges by predicate, the ended ones included; how many hold and how many are over."""
    nodes = view.rows("node_statistics")
    edges = view.rows("edge_statistics", at_lo=at.lo, at_hi=at.hi)
    return GraphCounts(
        {row[0]: int(row[1]) for row in nodes},
        {row[0]: int(row[1]) for row in edges},
        min((Instant(row[2]) for row in nodes), default=None),
        max((Instant(row[3]) for row in nodes), default=None),
        sum(int(row[2]) for row in edges),
        sum(int(row[3]) for row in edges),
    )


InsightKind = Literal["bridge", "cluster", "temporal"]
Neighbours = Mapping[EntityId, Mapping[EntityId, list[FactId]]]

MAX_INSIGHTS = 20
MAX_EDGES = 50_000
MAX_BRIDGES = 5
MAX_CLUSTER_NODES = 50
MIN_NEIGHBOURS = 3
MIN_CLUSTER_SIZE = 3
MAX_CONFIDENCE = 0.95
TEMPORAL_CONFIDENCE = 0.7
_MAX_NAMED = 5
_MAX_TIED = 2_000


class Insight(NamedTuple):
    kind: InsightKind
    description: str
    nodes: tuple[EntityId, ...]
    edges: tuple[FactId, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A pattern before its nodes are named."""

    kind: InsightKind
    nodes: tuple[EntityId, ...]
    edges: tuple[FactId, ...]
    confidence: float
    said: str = ""


def find_insights(view: View, at: Span) -> list[Insight]:
    """The surest patterns among valid edges; of a very large graph, its first edges are looked at."""
    neighbours = _load_neighbours(view, at)
    parts = connected_components({node: list(beside) for node, beside in neighbours.items()})
    found = [*_find_bridges(parts, neighbours), *_find_clusters(parts, neighbours), *_find_recurring(view)]
    named = _name_patterns(view, _most_confident(found))
    return sorted(named, key=lambda each: (-each.confidence, each.kind, each.description))[:MAX_INSIGHTS]


def _load_neighbours(view: View, at: Span) -> Neighbours:
    """Who is joined to whom and by which edges, whatever their direction."""
    found: dict[EntityId, dict[EntityId, list[FactId]]] = {}
    for fact, one, other in view.rows("joins", at_lo=at.lo, at_hi=at.hi, limit=MAX_EDGES):
        found.setdefault(one, {}).setdefault(other, []).append(fact)
        found.setdefault(other, {}).setdefault(one, []).append(fact)
    return found


def _find_bridges(parts: Sequence[Component[EntityId]], neighbours: Neighbours) -> list[_Pattern]:
    parting = [
        (pairs, len(part.nodes), node)
        for part in parts
        for node, pairs in part.separated_pairs.items()
        if len(neighbours[node]) >= MIN_NEIGHBOURS
    ]
    most = sorted(parting, key=lambda each: (-each[0], each[2]))[:MAX_BRIDGES]
    return [
        _Pattern("bridge", (node,), _edges_of(neighbours[node]), min(MAX_CONFIDENCE, pairs / _pair_count(size - 1)))
        for pairs, size, node in most
    ]


def _edges_of(beside: Mapping[EntityId, list[FactId]]) -> tuple[FactId, ...]:
    return tuple(sorted(fact for facts in beside.values() for fact in facts))


def _pair_count(count: int) -> int:
    return count * (count - 1) // 2


def _find_clusters(parts: Sequence[Component[EntityId]], neighbours: Neighbours) -> Iterator[_Pattern]:
    for part in parts:
        for group in _split_component(part.nodes, neighbours):
            if len(group) >= MIN_CLUSTER_SIZE:
                yield _cluster_pattern(group, neighbours)


def _split_component(nodes: Sequence[EntityId], neighbours: Neighbours) -> list[list[EntityId]]:
    if len(nodes) <= MAX_CLUSTER_NODES:
        return [list(nodes)]
    joined = {node: {other: float(len(facts)) for other, facts in neighbours[node].items()} for node in nodes}
    return find_communities(joined, sorted(nodes))


def _cluster_pattern(group: Sequence[EntityId], neighbours: Neighbours) -> _Pattern:
    inside = set(group)
    degree = {node: sum(other in inside for other in neighbours[node]) for node in group}
    shown = sorted(group, key=lambda node: (-degree[node], node))[:MAX_CLUSTER_NODES]
    among = set(shown)
    edges = {fact for node in shown for other, facts in neighbours[node].items() if other in among for fact in facts}
    density = sum(degree.values()) / 2 / _pair_count(len(group))
    confidence = min(MAX_CONFIDENCE, 0.5 + 0.5 * density)
    return _Pattern("cluster", tuple(shown), tuple(sorted(edges)), confidence, str(len(group)))


def _find_recurring(view: View) -> Iterator[_Pattern]:
    """Two nodes joined by one type in separate intervals, ended ones included."""
    rows = view.rows("joins_repeated", limit=MAX_EDGES)
    for (one, other, predicate), group in groupby(rows, key=lambda row: row[1:4]):
        facts = list(group)
        times = len(join(_span_of(*row[4:]) for row in facts))
        if times > 1:
            edges = tuple(FactId(row[0]) for row in facts)
            yield _Pattern("temporal", (one, other), edges, TEMPORAL_CONFIDENCE, f"{predicate} {times}")


def _span_of(lo: int | None, hi: int | None) -> Span:
    start = MIN if lo is None else lo
    return Span(start, max(start, MAX if hi is None else hi))


def _most_confident(found: Sequence[_Pattern]) -> list[_Pattern]:
    """Those that may be among the surest once they are named."""
    ranked = sorted(found, key=lambda each: (-each.confidence, each.kind, each.nodes))
    if len(ranked) <= MAX_INSIGHTS:
        return ranked
    least = ranked[MAX_INSIGHTS - 1].confidence
    return [each for each in ranked if each.confidence >= least][:_MAX_TIED]


def _name_patterns(view: View, found: Sequence[_Pattern]) -> list[Insight]:
    wanted = {node for each in found for node in each.nodes[:_MAX_NAMED]}
    names = {id_: entity.name for id_, entity in view.entities(wanted).items()}
    return [
        Insight(each.kind, _describe_pattern(each, names), each.nodes, each.edges, each.confidence) for each in found
    ]


def _describe_pattern(found: _Pattern, names: Mapping[EntityId, str]) -> str:
    labels = [names.get(node, node) for node in found.nodes[:_MAX_NAMED]]
    match found.kind:
        case "bridge":
            return f"{labels[0]} holds parts together that nothing else joins"
        case "cluster":
            more = int(found.said) - len(labels)
            return f"{', '.join(labels)}{f' and {more} more' if more else ''} belong together"
        case "temporal":
            predicate, times = found.said.split()
            return f"{labels[0]} and {labels[1]}: {predicate} at {times} separate times"
