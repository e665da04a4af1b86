"""Communities of a graph by modularity: the same graph always gives the same ones."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Weights = Mapping[int, Mapping[int, float]]

_MOST_ROUNDS = 8
_LEAST_GAIN = 1e-9


def communities(joined: Mapping[Node, Mapping[Node, float]], order: list[Node]) -> list[list[Node]]:
    """The nodes in groups that hold together more than chance would have it; `order` settles ties."""
    place = {node: at for at, node in enumerate(order)}
    weights: Weights = {
        place[node]: {place[other]: weight for other, weight in beside.items()} for node, beside in joined.items()
    }
    members = {at: [at] for at in range(len(order))}
    while True:
        home = _settled(weights)
        if len(set(home.values())) == len(weights):
            return [[order[at] for at in group] for group in sorted(members.values())]
        weights, members = _gathered(weights, members, home)


def _settled(weights: Weights) -> dict[int, int]:
    """Each node in the community where it raises modularity most; who moved makes its neighbours think again."""
    home = {node: node for node in weights}
    degree = {node: sum(beside.values()) for node, beside in weights.items()}
    inside = dict(degree)
    whole = sum(degree.values())
    waiting = set(weights)
    for _ in range(_MOST_ROUNDS):
        disturbed: set[int] = set()
        for node in sorted(waiting):
            best = _best_home(node, weights[node], home, inside, degree[node], whole)
            if best != home[node]:
                inside[home[node]] -= degree[node]
                inside[best] += degree[node]
                home[node] = best
                disturbed.update(other for other in weights[node] if home[other] != best)
        waiting = disturbed
    return home


def _best_home(
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
        if place != here and gain > most + _LEAST_GAIN:
            best, most = place, gain
    return best


def _gathered(
    weights: Weights, members: Mapping[int, list[int]], home: Mapping[int, int]
) -> tuple[Weights, dict[int, list[int]]]:
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
