"""Patterns of the graph: bridges, clusters and recurring connections; and its size by type."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.graph_algorithms import Component, connected_components, find_communities
from recollect.store import edge_queries, entity_queries
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.span import Span, join


class GraphCounts(NamedTuple):
    nodes: Mapping[str, int]
    edges: Mapping[str, int]
    oldest: Instant | None
    newest: Instant | None
    valid: int
    ended: int


def count_graph(view: View, at: Span) -> GraphCounts:
    """Live nodes by type, edges by predicate with ended ones included, and how many edges are valid or ended."""
    nodes = entity_queries.node_statistics(view)
    edges = edge_queries.edge_statistics(view, at)
    return GraphCounts(
        {each.type: each.nodes for each in nodes},
        {each.predicate: each.edges for each in edges},
        min((each.oldest for each in nodes), default=None),
        max((each.newest for each in nodes), default=None),
        sum(each.valid for each in edges),
        sum(each.ended for each in edges),
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
_MAX_RANKED = 2_000


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
    detail: str = ""


def find_insights(view: View, at: Span) -> list[Insight]:
    """The patterns of highest confidence among valid edges; of a very large graph, only the first edges are read."""
    neighbours = _load_neighbours(view, at)
    components = connected_components({node: list(others) for node, others in neighbours.items()})
    patterns = [
        *_find_bridges(components, neighbours),
        *_find_clusters(components, neighbours),
        *_find_recurring(view),
    ]
    named = _name_patterns(view, _most_confident(patterns))
    return sorted(named, key=lambda each: (-each.confidence, each.kind, each.description))[:MAX_INSIGHTS]


def _load_neighbours(view: View, at: Span) -> Neighbours:
    """The neighbours of each entity and the edges that join them, in either direction."""
    neighbours: dict[EntityId, dict[EntityId, list[FactId]]] = {}
    for fact, one, other in edge_queries.joins(view, at, MAX_EDGES):
        neighbours.setdefault(one, {}).setdefault(other, []).append(fact)
        neighbours.setdefault(other, {}).setdefault(one, []).append(fact)
    return neighbours


def _find_bridges(components: Sequence[Component[EntityId]], neighbours: Neighbours) -> list[_Pattern]:
    articulation_points = [
        (pairs, len(component.nodes), node)
        for component in components
        for node, pairs in component.separated_pairs.items()
        if len(neighbours[node]) >= MIN_NEIGHBOURS
    ]
    most = sorted(articulation_points, key=lambda each: (-each[0], each[2]))[:MAX_BRIDGES]
    return [
        _Pattern("bridge", (node,), _edges_of(neighbours[node]), min(MAX_CONFIDENCE, pairs / _pair_count(size - 1)))
        for pairs, size, node in most
    ]


def _edges_of(neighbours: Mapping[EntityId, list[FactId]]) -> tuple[FactId, ...]:
    return tuple(sorted(fact for facts in neighbours.values() for fact in facts))


def _pair_count(count: int) -> int:
    return count * (count - 1) // 2


def _find_clusters(components: Sequence[Component[EntityId]], neighbours: Neighbours) -> Iterator[_Pattern]:
    for component in components:
        for group in _split_component(component.nodes, neighbours):
            if len(group) >= MIN_CLUSTER_SIZE:
                yield _cluster_pattern(group, neighbours)


def _split_component(nodes: Sequence[EntityId], neighbours: Neighbours) -> list[list[EntityId]]:
    if len(nodes) <= MAX_CLUSTER_NODES:
        return [list(nodes)]
    weights = {node: {other: float(len(facts)) for other, facts in neighbours[node].items()} for node in nodes}
    return find_communities(weights, sorted(nodes))


def _cluster_pattern(group: Sequence[EntityId], neighbours: Neighbours) -> _Pattern:
    inside = set(group)
    degree = {node: sum(other in inside for other in neighbours[node]) for node in group}
    core = sorted(group, key=lambda node: (-degree[node], node))[:MAX_CLUSTER_NODES]
    among = set(core)
    edges = {fact for node in core for other, facts in neighbours[node].items() if other in among for fact in facts}
    density = sum(degree.values()) / 2 / _pair_count(len(group))
    confidence = min(MAX_CONFIDENCE, 0.5 + 0.5 * density)
    return _Pattern("cluster", tuple(core), tuple(sorted(edges)), confidence, str(len(group)))


def _find_recurring(view: View) -> Iterator[_Pattern]:
    """Two nodes joined by one predicate in separate intervals, ended ones included."""
    rows = edge_queries.repeated_joins(view, MAX_EDGES)
    for (one, other, predicate), group in groupby(rows, key=attrgetter("one", "other", "predicate")):
        joins = list(group)
        times = len(join(each.span for each in joins))
        if times > 1:
            edges = tuple(each.fact for each in joins)
            yield _Pattern("temporal", (one, other), edges, TEMPORAL_CONFIDENCE, f"{predicate} {times}")


def _most_confident(patterns: Sequence[_Pattern]) -> list[_Pattern]:
    """The patterns that may be among the first once they are named."""
    ranked = sorted(patterns, key=lambda each: (-each.confidence, each.kind, each.nodes))
    if len(ranked) <= MAX_INSIGHTS:
        return ranked
    least = ranked[MAX_INSIGHTS - 1].confidence
    return [each for each in ranked if each.confidence >= least][:_MAX_RANKED]


def _name_patterns(view: View, patterns: Sequence[_Pattern]) -> list[Insight]:
    nodes = {node for each in patterns for node in each.nodes[:_MAX_NAMED]}
    names = {id_: entity.name for id_, entity in view.entities(nodes).items()}
    return [
        Insight(each.kind, _describe_pattern(each, names), each.nodes, each.edges, each.confidence) for each in patterns
    ]


def _describe_pattern(pattern: _Pattern, names: Mapping[EntityId, str]) -> str:
    labels = [names.get(node, node) for node in pattern.nodes[:_MAX_NAMED]]
    match pattern.kind:
        case "bridge":
            return f"{labels[0]} connects parts of the graph that nothing else connects"
        case "cluster":
            more = int(pattern.detail) - len(labels)
            return f"{', '.join(labels)}{f' and {more} more' if more else ''} form a cluster"
        case "temporal":
            predicate, times = pattern.detail.split()
            return f"{labels[0]} and {labels[1]}: {predicate} at {times} separate times"
