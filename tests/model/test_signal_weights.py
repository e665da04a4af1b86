"""Weights of named signals: read by name, summed in the order of the signals."""

import json

import pytest

from recollect.reason.closures import closure_candidates
from recollect.reason.closures.closure_candidates import PairSignals
from recollect.search.fusion_weights import SignalWeights


def test_a_score_is_the_bias_and_the_weighted_sum_of_the_signals() -> None:
    weights = SignalWeights.read(("near", "old", "new"), {"old": -2.0, "near": 0.5}, bias=1.0)
    assert weights.products((4.0, 3.0, 7.0)) == [2.0, -6.0, 0.0]
    assert weights.score((4.0, 3.0, 7.0)) == -3.0


def test_weights_of_signals_that_nobody_computes_are_refused() -> None:
    with pytest.raises(ValueError, match="phase of the moon"):
        SignalWeights.read(("cosine",), {"cosine": 1.0, "phase of the moon": 0.2})


def test_closure_candidates_have_a_learned_weight_for_every_signal() -> None:
    stored = json.loads(closure_candidates.WEIGHTS.read_text(encoding="utf-8"))
    assert stored["weights"].keys() == set(PairSignals._fields)
    assert closure_candidates.bundled_weights().values == tuple(stored["weights"].values())
