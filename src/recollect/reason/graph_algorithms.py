"""Graph algorithms: personalised PageRank, articulation points (Tarjan) and communities (Louvain modularity)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Component(NamedTuple, Generic[Node]):
    """A connected component; by articulation point, how many pairs of other nodes its removal would separate."""

    nodes: list[Node]
    separated_pairs: dict[Node, int]


DAMPING = 0.85
TOLERANCE = 1e-9
MAX_ROUNDS = 200
MAX_SECONDS = 0.2


class WeightedEdges(NamedTuple):
    """Weighted arcs of a graph, as three columns of one length."""

    starts: Sequence[int]
    stops: Sequence[int]
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class PageRankResult:
    """The score of each node, and how the iteration ended."""

    scores: tuple[float, ...]
    rounds: int
    converged: bool
    timed_out: bool


def connected_components(neighbours: Mapping[Node, Sequence[Node]]) -> list[Component[Node]]:
    """The components of a graph given by each node's neighbours, in the order of their first nodes."""
    search = _ArticulationSearch(neighbours)
    return [search.component_of(node) for node in neighbours if node not in search.index]


class _ArticulationSearch(Generic[Node]):
    """Tarjan's depth-first search: the discovery index of every node and the lowest index its subtree links to."""

    def __init__(self, neighbours: Mapping[Node, Sequence[Node]]) -> None:
        self._neighbours = neighbours
        self.index: dict[Node, int] = {}
        self._low: dict[Node, int] = {}
        self._size: dict[Node, int] = {}
        self._pieces: dict[Node, list[int]] = {}

    def component_of(self, start: Node) -> Component[Node]:
        nodes = self._walk(start)
        others = len(nodes) - 1
        separated = {node: _count_separated_pairs(self._pieces.get(node, []), others) for node in nodes}
        return Component(nodes, {node: pairs for node, pairs in separated.items() if pairs})

    def _walk(self, start: Node) -> list[Node]:
        nodes = [start]
        self._enter(start)
        stack: list[tuple[Node, Node | None, int]] = [(start, None, 0)]
        while stack:
            node, parent, at = stack.pop()
            if at < len(self._neighbours[node]):
                stack.append((node, parent, at + 1))
                other = self._neighbours[node][at]
                if other not in self.index:
                    self._enter(other)
                    nodes.append(other)
                    stack.append((other, node, 0))
                elif other != parent:
                    self._low[node] = min(self._low[node], self.index[other])
            elif parent is not None:
                self._leave(node, parent)
        return nodes

    def _enter(self, node: Node) -> None:
        self.index[node] = self._low[node] = len(self.index)
        self._size[node] = 1

    def _leave(self, node: Node, parent: Node) -> None:
        self._size[parent] += self._size[node]
        self._low[parent] = min(self._low[parent], self._low[node])
        if self._low[node] >= self.index[parent]:
            self._pieces.setdefault(parent, []).append(self._size[node])


def _count_separated_pairs(pieces: Sequence[int], others: int) -> int:
    """How many pairs of other nodes end up in different pieces; nodes in none of these form one more piece."""
    sizes = [*pieces, others - sum(pieces)]
    return (others * others - sum(size * size for size in sizes)) // 2


EdgeWeights = Mapping[int, Mapping[int, float]]

_MAX_ROUNDS = 8
_MIN_GAIN = 1e-9


def find_communities(weights_of: Mapping[Node, Mapping[Node, float]], order: list[Node]) -> list[list[Node]]:
    """The communities of a weighted graph by the Louvain method; `order` breaks ties, so results are deterministic."""
    place = {node: at for at, node in enumerate(order)}
    weights: EdgeWeights = {
        place[node]: {place[other]: weight for other, weight in neighbours.items()}
        for node, neighbours in weights_of.items()
    }
    members = {at: [at] for at in range(len(order))}
    while True:
        home = _move_to_best_communities(weights)
        if len(set(home.values())) == len(weights):
            return [[order[at] for at in group] for group in sorted(members.values())]
        weights, members = _aggregate_communities(weights, members, home)


def _move_to_best_communities(weights: EdgeWeights) -> dict[int, int]:
    """Move each node to the community where it raises modularity most; a move queues its neighbours again."""
    home = {node: node for node in weights}
    degree = {node: sum(neighbours.values()) for node, neighbours in weights.items()}
    inside = dict(degree)
    total_weight = sum(degree.values())
    queue = set(weights)
    for _ in range(_MAX_ROUNDS):
        requeued: set[int] = set()
        for node in sorted(queue):
            best = _best_community(node, weights[node], home, inside, degree[node], total_weight)
            if best != home[node]:
                inside[home[node]] -= degree[node]
                inside[best] += degree[node]
                home[node] = best
                requeued.update(other for other in weights[node] if home[other] != best)
        queue = requeued
    return home


def _best_community(
    node: int,
    neighbours: Mapping[int, float],
    home: dict[int, int],
    inside: dict[int, float],
    degree: float,
    total_weight: float,
) -> int:
    here = home[node]
    ties: dict[int, float] = {here: 0.0}
    for other, weight in neighbours.items():
        if other != node:
            there = home[other]
            ties[there] = ties.get(there, 0.0) + weight
    share = degree / total_weight
    best, most = here, ties[here] - share * (inside[here] - degree)
    for place in sorted(ties):
        gain = ties[place] - share * inside[place]
        if place != here and gain > most + _MIN_GAIN:
            best, most = place, gain
    return best


def _aggregate_communities(
    weights: EdgeWeights, members: Mapping[int, list[int]], home: Mapping[int, int]
) -> tuple[EdgeWeights, dict[int, list[int]]]:
    """The graph with each community as one node, with the weights between and inside communities."""
    merged: dict[int, dict[int, float]] = {place: {} for place in home.values()}
    for node, neighbours in weights.items():
        row = merged[home[node]]
        for other, weight in neighbours.items():
            row[home[other]] = row.get(home[other], 0.0) + weight
    gathered: dict[int, list[int]] = {place: [] for place in merged}
    for node, place in home.items():
        gathered[place] += members[node]
    return merged, {place: sorted(group) for place, group in gathered.items()}


def pagerank(
    nodes: int, arcs: WeightedEdges, anchors: Sequence[int], seconds: Callable[[], float] = monotonic
) -> PageRankResult:
    """Personalised PageRank: random walks restart at the anchors, also from nodes without outgoing arcs."""
    import numpy as np

    restart = np.zeros(nodes)
    restart[list(anchors)] = 1 / len(anchors)
    starts, stops = np.array(arcs.starts, np.intp), np.array(arcs.stops, np.intp)
    weights = np.array(arcs.weights, np.float64)
    out = np.bincount(starts, weights, nodes)
    shares = np.divide(weights, out[starts], out=np.zeros(len(weights)), where=out[starts] > 0)
    is_stuck = out <= 0
    scores, rounds, until = restart, 0, seconds() + MAX_SECONDS
    while rounds < MAX_ROUNDS:
        arrived = np.bincount(stops, scores[starts] * shares, nodes) + restart * scores[is_stuck].sum()
        following = (1 - DAMPING) * restart + DAMPING * arrived
        moved = float(np.abs(following - scores).sum())
        scores, rounds = following, rounds + 1
        if moved < TOLERANCE:
            return PageRankResult(tuple(scores.tolist()), rounds, True, False)
        if seconds() > until:
            return PageRankResult(tuple(scores.tolist()), rounds, False, True)
    return PageRankResult(tuple(scores.tolist()), rounds, False, False)
