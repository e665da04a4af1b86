"""The bundled sentence reader: the act of a clause where no rule has a cue, with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.settings import Settings
from recollect.text_models.pair_model import CLS, MODEL, SEP, Calibration, PairModel, TokenPair, pair_model_for, softmax
from recollect.text_models.sentence import ACTS, SentenceInput, SentenceReading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEAD = "act"
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""


class LocalSentenceReader:
    """Reads with the act head of a model of pairs, which is loaded on first use."""

    model = MODEL

    def __init__(self, pairs: PairModel) -> None:
        self._pairs = pairs

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        contexts = self._pairs.token_ids([each.context for each in sentences])
        texts = self._pairs.token_ids([each.text for each in sentences])
        rows = [_joined(context, text) for context, text in zip(contexts, texts, strict=True)]
        return [_reading(labels, self._pairs.calibration) for labels in self._pairs.labels(rows, HEAD)]


def reader_for(settings: Settings) -> LocalSentenceReader | None:
    """The bundled reader, or None for `reading.sentence_model = none`."""
    pairs = pair_model_for(settings, "reading.sentence_model")
    return LocalSentenceReader(pairs) if pairs is not None else None


def _joined(context: Sequence[int], text: Sequence[int]) -> TokenPair:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    kept = [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]
    words = text[:MAX_SENTENCE] or [SEP]
    return TokenPair((CLS, *kept, SEP, *words, SEP), len(kept) + 2)


def _reading(labels: NDArray[np.float32], calibration: Calibration) -> SentenceReading:
    shares = softmax(labels / calibration.temperatures.get(HEAD, 1.0))
    best = int(shares.argmax())
    act = ACTS[best]
    probability = calibration.act_probability(HEAD, float(shares[best]))
    return SentenceReading(act, probability, calibration.is_sure(act, probability), MODEL, tuple(map(float, shares)))
