"""The two uses of the bundled model of pairs: what a later message says of an open item, and the act of a clause.

Both give calibrated probabilities, and load the model on first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.settings import Settings
from recollect.text_models.closure import OUTCOMES, ClosurePair, ClosureReading, Outcome
from recollect.text_models.pair_model import CLS, MODEL, SEP, Calibration, PairModel, TokenPair, pair_model_for, softmax
from recollect.text_models.sentence import ACTS, SentenceInput, SentenceReading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_FIRST, MAX_SECOND = 72, 96
"""Tokens of the item and of the message."""
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""
NEAR, FAR = "near", "far"
"""The thresholds of pairs of one thread and of others."""
_MOVED = 0.7
"""The share of `moved` from which on an item is put off to the day that the sentence names."""


class _PairReader:
    """Reads with one head of a model of pairs."""

    model = MODEL

    def __init__(self, pairs: PairModel) -> None:
        self._pairs = pairs


class LocalClosureMatcher(_PairReader):
    """Decides with the outcome head; the ends of long texts do not count."""

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        """One reading per pair, in the order given."""
        items = self._pairs.token_ids([each.item.told for each in pairs])
        messages = self._pairs.token_ids([each.told for each in pairs])
        rows = [_join(item[:MAX_FIRST], said[:MAX_SECOND]) for item, said in zip(items, messages, strict=True)]
        return [_closure(labels, self._pairs.calibration) for labels in self._pairs.labels(rows, "outcome")]


class LocalSentenceReader(_PairReader):
    """Reads with the act head, where no rule has a cue."""

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        contexts = self._pairs.token_ids([each.context for each in sentences])
        texts = self._pairs.token_ids([each.text for each in sentences])
        rows = [_join(_end(before), text[:MAX_SENTENCE] or [SEP]) for before, text in zip(contexts, texts, strict=True)]
        return [_act(labels, self._pairs.calibration) for labels in self._pairs.labels(rows, "act")]


def matcher_for(settings: Settings) -> LocalClosureMatcher | None:
    """The bundled matcher, or None for `reading.closing_model = none`."""
    pairs = pair_model_for(settings, "reading.closing_model")
    return LocalClosureMatcher(pairs) if pairs is not None else None


def reader_for(settings: Settings) -> LocalSentenceReader | None:
    """The bundled reader, or None for `reading.sentence_model = none`."""
    pairs = pair_model_for(settings, "reading.sentence_model")
    return LocalSentenceReader(pairs) if pairs is not None else None


def _join(first: Sequence[int], second: Sequence[int]) -> TokenPair:
    return TokenPair((CLS, *first, SEP, *second, SEP), len(first) + 2)


def _end(context: Sequence[int]) -> list[int]:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    return [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]


def _closure(labels: NDArray[np.float32], calibration: Calibration) -> ClosureReading:
    """The outcome and how probable it is; whether an item is closed is asked before how."""
    raw = softmax(labels / calibration.temperatures.get("outcome", 1.0))
    shares = dict(zip(OUTCOMES, map(float, raw), strict=True))
    closing = calibration.act_probability("closing", shares["done"] + shares["cancelled"])
    if calibration.is_sure(NEAR, closing):
        outcome: Outcome = "done" if shares["done"] >= shares["cancelled"] else "cancelled"
        return ClosureReading(outcome, closing, True, MODEL, calibration.is_sure(FAR, closing))
    outcome = max(("unrelated", "progress", "moved"), key=shares.__getitem__)
    is_moved = outcome == "moved" and shares[outcome] >= _MOVED
    return ClosureReading(outcome, 1 - closing, is_moved, MODEL, is_moved)


def _act(labels: NDArray[np.float32], calibration: Calibration) -> SentenceReading:
    shares = softmax(labels / calibration.temperatures.get("act", 1.0))
    best = int(shares.argmax())
    act = ACTS[best]
    probability = calibration.act_probability("act", float(shares[best]))
    return SentenceReading(act, probability, calibration.is_sure(act, probability), MODEL, tuple(map(float, shares)))
