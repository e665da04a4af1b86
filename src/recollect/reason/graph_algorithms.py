"""Graph algorithms: connected components with articulation points, and communities by modularity."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Component(NamedTuple, Generic[Node]):
    """Nodes that hang together; `parted` says how many pairs of others each cutting node would part."""

    nodes: list[Node]
    separated_pairs: dict[Node, int]


def connected_components(beside: Mapping[Node, Sequence[Node]]) -> list[Component[Node]]:
    """The parts of a graph given by each node's neighbours, in the order of their first nodes."""
    search = _ArticulationSearch(beside)
    return [search.component_of(node) for node in beside if node not in search.found]


class _ArticulationSearch(Generic[Node]):
    """A walk in depth that notes for every node when it was found and how far back its own part reaches."""

    def __init__(self, beside: Mapping[Node, Sequence[Node]]) -> None:
        self._beside = beside
        self.found: dict[Node, int] = {}
        self._back: dict[Node, int] = {}
        self._size: dict[Node, int] = {}
        self._split: dict[Node, list[int]] = {}

    def component_of(self, start: Node) -> Component[Node]:
        nodes = self._walk(start)
        others = len(nodes) - 1
        parted = {node: _count_separated_pairs(self._split.get(node, []), others) for node in nodes}
        return Component(nodes, {node: pairs for node, pairs in parted.items() if pairs})

    def _walk(self, start: Node) -> list[Node]:
        nodes = [start]
        self._enter(start)
        stack: list[tuple[Node, Node | None, int]] = [(start, None, 0)]
        while stack:
            node, parent, at = stack.pop()
            if at < len(self._beside[node]):
                stack.append((node, parent, at + 1))
                other = self._beside[node][at]
                if other not in self.found:
                    self._enter(other)
                    nodes.append(other)
                    stack.append((other, node, 0))
                elif other != parent:
                    self._back[node] = min(self._back[node], self.found[other])
            elif parent is not None:
                self._leave(node, parent)
        return nodes

    def _enter(self, node: Node) -> None:
        self.found[node] = self._back[node] = len(self.found)
        self._size[node] = 1

    def _leave(self, node: Node, parent: Node) -> None:
        self._size[parent] += self._size[node]
        self._back[parent] = min(self._back[parent], self._back[node])
        if self._back[node] >= self.found[parent]:
            self._split.setdefault(parent, []).append(self._size[node])


def _count_separated_pairs(pieces: Sequence[int], others: int) -> int:
    """How many pairs of the others end up in different pieces; what is in none of these is one more piece."""
    sizes = [*pieces, others - sum(pieces)]
    return (others * others - sum(size * size for size in sizes)) // 2


EdgeWeights = Mapping[int, Mapping[int, float]]

_MAX_ROUNDS = 8
_MIN_GAIN = 1e-9


def find_communities(joined: Mapping[Node, Mapping[Node, float]], order: list[Node]) -> list[list[Node]]:
    """The nodes in groups that hold together more than chance would have it; `order` settles ties."""
    place = {node: at for at, node in enumerate(order)}
    weights: EdgeWeights = {
        place[node]: {place[other]: weight for other, weight in beside.items()} for node, beside in joined.items()
    }
    members = {at: [at] for at in range(len(order))}
    while True:
        home = _move_to_best_communities(weights)
        if len(set(home.values())) == len(weights):
            return [[order[at] for at in group] for group in sorted(members.values())]
        weights, members = _aggregate_communities(weights, members, home)


def _move_to_best_communities(weights: EdgeWeights) -> dict[int, int]:
    """Each node in the community where it raises modularity most; who moved makes its neighbours think again."""
    home = {node: node for node in weights}
    degree = {node: sum(beside.values()) for node, beside in weights.items()}
    inside = dict(degree)
    whole = sum(degree.values())
    waiting = set(weights)
    for _ in range(_MAX_ROUNDS):
        disturbed: set[int] = set()
        for node in sorted(waiting):
            best = _best_community(node, weights[node], home, inside, degree[node], whole)
            if best != home[node]:
                inside[home[node]] -= degree[node]
                inside[best] += degree[node]
                home[node] = best
                disturbed.update(other for other in weights[node] if home[other] != best)
        waiting = disturbed
    return home


def _best_community(
    node: int, beside: Mapping[int, float], home: dict[int, int], inside: dict[int, float], degree: float, whole: float
) -> int:
    here = home[node]
    ties: dict[int, float] = {here: 0.0}
    for other, weight in beside.items():
        if other != node:
            there = home[other]
            ties[there] = ties.get(there, 0.0) + weight
    share = degree / whole
    best, most = here, ties[here] - share * (inside[here] - degree)
    for place in sorted(ties):
        gain = ties[place] - share * inside[place]
        if place != here and gain > most + _MIN_GAIN:
            best, most = place, gain
    return best


def _aggregate_communities(
    weights: EdgeWeights, members: Mapping[int, list[int]], home: Mapping[int, int]
) -> tuple[EdgeWeights, dict[int, list[int]]]:
    """Each community as one node, with the weights between and inside them."""
    together: dict[int, dict[int, float]] = {place: {} for place in home.values()}
    for node, beside in weights.items():
        row = together[home[node]]
        for other, weight in beside.items():
            row[home[other]] = row.get(home[other], 0.0) + weight
    gathered: dict[int, list[int]] = {place: [] for place in together}
    for node, place in home.items():
        gathered[place] += members[node]
    return together, {place: sorted(group) for place, group in gathered.items()}
