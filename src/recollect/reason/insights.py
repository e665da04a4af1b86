"""Patterns of the graph: nodes that hold parts together, parts that hang together, ties that came back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.reason.communities import communities
from recollect.reason.cuts import Component, components
from recollect.store.view import View
from recollect.when.instant import MAX, MIN
from recollect.when.span import Span, join

InsightKind = Literal["bridge", "cluster", "temporal"]
Neighbours = Mapping[EntityId, Mapping[EntityId, list[FactId]]]

MOST_INSIGHTS = 20
MOST_JOINS = 50_000
MOST_BRIDGES = 5
MOST_NODES = 50
LEAST_NEIGHBOURS = 3
LEAST_CLUSTER = 3
SUREST = 0.95
TEMPORAL = 0.7
_MOST_NAMED = 5
_MOST_TIED = 2_000


class Insight(NamedTuple):
    kind: InsightKind
    description: str
    nodes: tuple[EntityId, ...]
    edges: tuple[FactId, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class _Found:
    """A pattern before its nodes are named."""

    kind: InsightKind
    nodes: tuple[EntityId, ...]
    edges: tuple[FactId, ...]
    confidence: float
    said: str = ""


def insights(view: View, at: Span) -> list[Insight]:
    """The surest patterns among valid edges; of a very large graph, its first edges are looked at."""
    neighbours = _neighbours(view, at)
    parts = components({node: list(beside) for node, beside in neighbours.items()})
    found = [*_bridges(parts, neighbours), *_clusters(parts, neighbours), *_repeated(view)]
    named = _described(view, _surest(found))
    return sorted(named, key=lambda each: (-each.confidence, each.kind, each.description))[:MOST_INSIGHTS]


def _neighbours(view: View, at: Span) -> Neighbours:
    """Who is joined to whom and by which edges, whatever their direction."""
    found: dict[EntityId, dict[EntityId, list[FactId]]] = {}
    for fact, one, other in view.rows("joins", at_lo=at.lo, at_hi=at.hi, limit=MOST_JOINS):
        found.setdefault(one, {}).setdefault(other, []).append(fact)
        found.setdefault(other, {}).setdefault(one, []).append(fact)
    return found


def _bridges(parts: Sequence[Component[EntityId]], neighbours: Neighbours) -> list[_Found]:
    parting = [
        (pairs, len(part.nodes), node)
        for part in parts
        for node, pairs in part.parted.items()
        if len(neighbours[node]) >= LEAST_NEIGHBOURS
    ]
    most = sorted(parting, key=lambda each: (-each[0], each[2]))[:MOST_BRIDGES]
    return [
        _Found("bridge", (node,), _edges_of(neighbours[node]), min(SUREST, pairs / _pairs(size - 1)))
        for pairs, size, node in most
    ]


def _edges_of(beside: Mapping[EntityId, list[FactId]]) -> tuple[FactId, ...]:
    return tuple(sorted(fact for facts in beside.values() for fact in facts))


def _pairs(count: int) -> int:
    return count * (count - 1) // 2


def _clusters(parts: Sequence[Component[EntityId]], neighbours: Neighbours) -> Iterator[_Found]:
    for part in parts:
        for group in _groups(part.nodes, neighbours):
            if len(group) >= LEAST_CLUSTER:
                yield _cluster(group, neighbours)


def _groups(nodes: Sequence[EntityId], neighbours: Neighbours) -> list[list[EntityId]]:
    if len(nodes) <= MOST_NODES:
        return [list(nodes)]
    joined = {node: {other: float(len(facts)) for other, facts in neighbours[node].items()} for node in nodes}
    return communities(joined, sorted(nodes))


def _cluster(group: Sequence[EntityId], neighbours: Neighbours) -> _Found:
    inside = set(group)
    degree = {node: sum(other in inside for other in neighbours[node]) for node in group}
    shown = sorted(group, key=lambda node: (-degree[node], node))[:MOST_NODES]
    among = set(shown)
    edges = {fact for node in shown for other, facts in neighbours[node].items() if other in among for fact in facts}
    density = sum(degree.values()) / 2 / _pairs(len(group))
    confidence = min(SUREST, 0.5 + 0.5 * density)
    return _Found("cluster", tuple(shown), tuple(sorted(edges)), confidence, str(len(group)))


def _repeated(view: View) -> Iterator[_Found]:
    """Two nodes joined by one type in separate intervals, ended ones included."""
    rows = view.rows("joins_repeated", limit=MOST_JOINS)
    for (one, other, predicate), group in groupby(rows, key=lambda row: row[1:4]):
        facts = list(group)
        times = len(join(_span(*row[4:]) for row in facts))
        if times > 1:
            edges = tuple(FactId(row[0]) for row in facts)
            yield _Found("temporal", (one, other), edges, TEMPORAL, f"{predicate} {times}")


def _span(lo: int | None, hi: int | None) -> Span:
    start = MIN if lo is None else lo
    return Span(start, max(start, MAX if hi is None else hi))


def _surest(found: Sequence[_Found]) -> list[_Found]:
    """Those that may be among the surest once they are named."""
    ranked = sorted(found, key=lambda each: (-each.confidence, each.kind, each.nodes))
    if len(ranked) <= MOST_INSIGHTS:
        return ranked
    least = ranked[MOST_INSIGHTS - 1].confidence
    return [each for each in ranked if each.confidence >= least][:_MOST_TIED]


def _described(view: View, found: Sequence[_Found]) -> list[Insight]:
    wanted = {node for each in found for node in each.nodes[:_MOST_NAMED]}
    names = {id_: entity.name for id_, entity in view.entities(wanted).items()}
    return [Insight(each.kind, _say(each, names), each.nodes, each.edges, each.confidence) for each in found]


def _say(found: _Found, names: Mapping[EntityId, str]) -> str:
    labels = [names.get(node, node) for node in found.nodes[:_MOST_NAMED]]
    match found.kind:
        case "bridge":
            return f"{labels[0]} holds parts together that nothing else joins"
        case "cluster":
            more = int(found.said) - len(labels)
            return f"{', '.join(labels)}{f' and {more} more' if more else ''} belong together"
        case "temporal":
            predicate, times = found.said.split()
            return f"{labels[0]} and {labels[1]}: {predicate} at {times} separate times"
