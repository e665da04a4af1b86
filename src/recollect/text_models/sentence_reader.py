"""The bundled sentence reader: act, modality, polarity and owner of sentences, with calibrated probabilities."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.embed.local import BUNDLED as ENCODER
from recollect.embed.local import batches, load_tokenizer, open_session
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
    import onnxruntime
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MODEL = "recollect-reader-1"
HEADS: Mapping[str, Sequence[str]] = {"act": ACTS, "modality": MODALITIES, "polarity": POLARITIES, "owner": OWNERS}
"""The labels of each head, in the order of the columns of the model's output."""
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""
CLS, SEP = 101, 102
NEVER_SURE = 2.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """How logits become probabilities, and from which probability on an act counts as sure.

    `curves` map the probability of an act to the share that was right among held-out sentences, by straight lines
    between points.
    """

    temperatures: Mapping[str, float]
    curves: Mapping[str, Sequence[tuple[float, float]]]
    thresholds: Mapping[str, float]

    @classmethod
    def load(cls, path: Path) -> Calibration:
        stored = json.loads(path.read_text(encoding="utf-8"))
        curves = {act: [(x, y) for x, y in points] for act, points in stored["curves"].items()}
        return cls(stored["temperatures"], curves, stored["thresholds"])

    def act_probability(self, act: str, raw: float) -> float:
        import numpy as np

        points = self.curves.get(act)
        if points is None:
            return raw
        places, shares = zip(*points, strict=True)
        return float(np.interp(raw, places, shares))

    def is_sure(self, act: str, probability: float) -> bool:
        return probability >= self.thresholds.get(act, NEVER_SURE)


@dataclass(frozen=True, slots=True)
class TokenPair:
    """Two texts as a model gets them; `first` is the place of the first token of the second."""

    ids: Sequence[int]
    first: int


class LocalSentenceReader:
    """Loads the model on first use and runs on one thread unless told otherwise."""

    model = MODEL

    def __init__(self, folder: Path, threads: int = 1) -> None:
        self._threads = threads
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, onnxruntime.InferenceSession, Calibration] | None = None

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        tokenizer, session, calibration = self._ready()
        rows = _tokens(tokenizer, sentences)
        readings: dict[int, SentenceReading] = {}
        for batch in batches([len(row.ids) for row in rows]):
            [labels] = session.run(["labels"], model_inputs([rows[at] for at in batch]))
            for place, at in enumerate(batch):
                readings[at] = _reading(labels[place], calibration)
        return [readings[at] for at in range(len(rows))]

    def _ready(self) -> tuple[Tokenizer, onnxruntime.InferenceSession, Calibration]:
        with self._lock:
            if self._loaded is None:
                session = open_session(self._folder / "model.onnx", self._threads)
                calibration = Calibration.load(self._folder / "calibration.json")
                self._loaded = load_tokenizer(ENCODER), session, calibration
            return self._loaded


def _tokens(tokenizer: Tokenizer, sentences: Sequence[SentenceInput]) -> list[TokenPair]:
    contexts = tokenizer.encode_batch([each.context for each in sentences], add_special_tokens=False)
    texts = tokenizer.encode_batch([each.text for each in sentences], add_special_tokens=False)
    return [_joined(context.ids, text.ids) for context, text in zip(contexts, texts, strict=True)]


def _joined(context: Sequence[int], text: Sequence[int]) -> TokenPair:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    kept = [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]
    words = text[:MAX_SENTENCE] or [SEP]
    return TokenPair([CLS, *kept, SEP, *words, SEP], len(kept) + 2)


def model_inputs(rows: Sequence[TokenPair]) -> dict[str, NDArray[np.int32]]:
    import numpy as np

    shape = len(rows), max(len(row.ids) for row in rows)
    ids, mask, segments = (np.zeros(shape, np.int32) for _ in range(3))
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = row.ids
        mask[at, : len(row.ids)] = 1
        segments[at, row.first : len(row.ids) - 1] = 1
    return {"ids": ids, "mask": mask, "segments": segments}


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


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    powers = np.exp(logits - logits.max())
    shares: NDArray[np.float32] = powers / powers.sum()
    return shares
