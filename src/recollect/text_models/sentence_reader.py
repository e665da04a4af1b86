"""The bundled sentence reader: act, modality, polarity and owner of sentences, with calibrated probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.text_models.pair_model import CLS, SEP, Calibration, PairModel, TokenPair, softmax
from recollect.text_models.reading import (
    ACTS,
    MODALITIES,
    OWNERS,
    POLARITIES,
    Guess,
    SentenceInput,
    SentenceReading,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "recollect-reader-1"
HEADS: Mapping[str, Sequence[str]] = {"act": ACTS, "modality": MODALITIES, "polarity": POLARITIES, "owner": OWNERS}
"""The labels of each head, in the order of the columns of the model's output."""
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""


class LocalSentenceReader:
    """Reads sentences with the model in a folder, which is loaded on first use."""

    model = MODEL

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self._pairs = PairModel(folder, threads)

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        contexts = self._pairs.token_ids([each.context for each in sentences])
        texts = self._pairs.token_ids([each.text for each in sentences])
        rows = [_joined(context, text) for context, text in zip(contexts, texts, strict=True)]
        return [_reading(labels, self._pairs.calibration) for labels in self._pairs.labels(rows)]


def _joined(context: Sequence[int], text: Sequence[int]) -> TokenPair:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    kept = [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]
    words = text[:MAX_SENTENCE] or [SEP]
    return TokenPair([CLS, *kept, SEP, *words, SEP], len(kept) + 2)


def _reading(labels: NDArray[np.float32], calibration: Calibration) -> SentenceReading:
    guesses: dict[str, Guess] = {}
    start = 0
    for head, names in HEADS.items():
        shares = softmax(labels[start : start + len(names)] / calibration.temperatures.get(head, 1.0))
        best = int(shares.argmax())
        guesses[head] = Guess(names[best], float(shares[best]))
        start += len(names)
    act = guesses["act"]
    act = Guess(act.label, calibration.act_probability(act.label, act.probability))
    sure = calibration.is_sure(act.label, act.probability)
    return SentenceReading(act, guesses["modality"], guesses["polarity"], guesses["owner"], sure, MODEL)
