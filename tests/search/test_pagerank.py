"""PageRank, beside the formula worked out on full matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from recollect.reason.graph_algorithms import MAX_ROUNDS, WeightedEdges, pagerank

SIZE = 7
Arc = tuple[int, int, float]
arcs = some.lists(
    some.tuples(
        some.integers(0, SIZE - 1),
        some.integers(0, SIZE - 1),
        some.floats(0, 1).map(lambda weight: round(weight, 3)),
    ),
    max_size=30,
)
anchors = some.lists(some.integers(0, SIZE - 1), min_size=1, max_size=3, unique=True)


def columns(ways: list[Arc]) -> WeightedEdges:
    return WeightedEdges([way[0] for way in ways], [way[1] for way in ways], [way[2] for way in ways])


def by_the_formula(ways: list[Arc], starts: list[int]) -> NDArray[np.float64]:
    """The fixed point itself: a walk that is stuck goes back to the anchors."""
    weights = np.zeros((SIZE, SIZE))
    for start, stop, weight in ways:
        weights[start, stop] += weight
    restart = np.zeros(SIZE)
    restart[starts] = 1 / len(starts)
    out = weights.sum(axis=1)
    moves = np.array([weights[node] / out[node] if out[node] > 0 else restart for node in range(SIZE)])
    return np.linalg.solve(np.eye(SIZE) - 0.85 * moves.T, 0.15 * restart).astype(np.float64)


@given(arcs, anchors)
def test_scores_are_those_of_the_formula_and_sum_to_one(ways: list[Arc], starts: list[int]) -> None:
    found = pagerank(SIZE, columns(ways), starts, seconds=lambda: 0.0)
    assert np.abs(np.array(found.scores) - by_the_formula(ways, starts)).max() < 1e-6
    assert sum(found.scores) == pytest.approx(1)
    assert (found.converged, found.timed_out) == (True, False)
    assert 0 < found.rounds <= MAX_ROUNDS


def test_the_example_worked_by_hand() -> None:
    both_ways = [(0, 1, 1.0), (1, 0, 1.0), (0, 2, 0.5), (2, 0, 0.5)]
    found = pagerank(3, columns(both_ways), [0], seconds=lambda: 0.0)
    assert [round(score, 6) for score in found.scores] == [0.540541, 0.306306, 0.153153]


def test_out_of_time_it_answers_with_what_it_has() -> None:
    ticks = iter(range(100))
    found = pagerank(2, columns([(0, 1, 1.0), (1, 0, 1.0)]), [0], seconds=lambda: float(next(ticks)))
    assert (found.converged, found.timed_out, found.rounds) == (False, True, 1)
    assert sum(found.scores) == pytest.approx(1)
