"""The bundled closure matcher: what a later message says of an open item, with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.settings import Settings
from recollect.text_models.closure import OUTCOMES, ClosurePair, ClosureReading, Outcome
from recollect.text_models.pair_model import CLS, MODEL, SEP, Calibration, PairModel, TokenPair, pair_model_for, softmax

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_FIRST, MAX_SECOND = 72, 96
"""Tokens of the item and of the message."""
HEAD = "outcome"
NEAR, FAR = "near", "far"
"""The thresholds of pairs of one thread and of others."""
_MOVED = 0.7
"""The share of `moved` from which on an item is put off to the day that the sentence names."""


class LocalClosureMatcher:
    """Decides with the outcome head of a model of pairs, which is loaded on first use."""

    model = MODEL

    def __init__(self, pairs: PairModel) -> None:
        self._pairs = pairs

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        """One reading per pair, in the order given; the ends of long texts do not count."""
        items = self._pairs.token_ids([each.item.told for each in pairs])
        messages = self._pairs.token_ids([each.told for each in pairs])
        rows = [_joined(item, message) for item, message in zip(items, messages, strict=True)]
        return [_reading(labels, self._pairs.calibration) for labels in self._pairs.labels(rows, HEAD)]


def matcher_for(settings: Settings) -> LocalClosureMatcher | None:
    """The bundled matcher, or None for `reading.closing_model = none`."""
    pairs = pair_model_for(settings, "reading.closing_model")
    return LocalClosureMatcher(pairs) if pairs is not None else None


def _joined(item: Sequence[int], message: Sequence[int]) -> TokenPair:
    first, second = item[:MAX_FIRST], message[:MAX_SECOND]
    return TokenPair((CLS, *first, SEP, *second, SEP), len(first) + 2)


def _reading(labels: NDArray[np.float32], calibration: Calibration) -> ClosureReading:
    """The outcome and how probable it is; whether an item is closed is asked before how."""
    raw = softmax(labels / calibration.temperatures.get(HEAD, 1.0))
    shares = dict(zip(OUTCOMES, map(float, raw), strict=True))
    closing = calibration.act_probability("closing", shares["done"] + shares["cancelled"])
    if calibration.is_sure(NEAR, closing):
        outcome: Outcome = "done" if shares["done"] >= shares["cancelled"] else "cancelled"
        return ClosureReading(outcome, closing, True, MODEL, calibration.is_sure(FAR, closing))
    outcome = max(("unrelated", "progress", "moved"), key=shares.__getitem__)
    is_moved = outcome == "moved" and shares[outcome] >= _MOVED
    return ClosureReading(outcome, 1 - closing, is_moved, MODEL, is_moved)
