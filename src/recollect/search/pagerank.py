"""Personalised PageRank on a small weighted graph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

DAMPING = 0.85
TOLERANCE = 1e-9
MOST_ROUNDS = 200
MOST_SECONDS = 0.2


class Arcs(NamedTuple):
    """Ways from node to node, and how readily each is taken: three columns of one length."""

    starts: Sequence[int]
    stops: Sequence[int]
    weights: Sequence[float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The share of time spent at each node, and how the calculation went."""

    scores: tuple[float, ...]
    rounds: int
    converged: bool
    timed_out: bool


def pagerank(nodes: int, arcs: Arcs, anchors: Sequence[int], seconds: Callable[[], float] = monotonic) -> Ranked:
    """Where a walk is found that starts anew at the anchors; who cannot go on goes back to them."""
    import numpy as np

    restart = np.zeros(nodes)
    restart[list(anchors)] = 1 / len(anchors)
    starts, stops = np.array(arcs.starts, np.intp), np.array(arcs.stops, np.intp)
    weights = np.array(arcs.weights, np.float64)
    out = np.bincount(starts, weights, nodes)
    shares = np.divide(weights, out[starts], out=np.zeros(len(weights)), where=out[starts] > 0)
    is_stuck = out <= 0
    scores, rounds, until = restart, 0, seconds() + MOST_SECONDS
    while rounds < MOST_ROUNDS:
        arrived = np.bincount(stops, scores[starts] * shares, nodes) + restart * scores[is_stuck].sum()
        following = (1 - DAMPING) * restart + DAMPING * arrived
        moved = float(np.abs(following - scores).sum())
        scores, rounds = following, rounds + 1
        if moved < TOLERANCE:
            return Ranked(tuple(scores.tolist()), rounds, True, False)
        if seconds() > until:
            return Ranked(tuple(scores.tolist()), rounds, False, True)
    return Ranked(tuple(scores.tolist()), rounds, False, False)
