"""Personalised PageRank of a small weighted graph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

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
