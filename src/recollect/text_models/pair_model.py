"""The bundled models of pairs of texts: loading on first use, running, calibration, and their uses."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.embed.cached import OFF
from recollect.embed.local import BUNDLED as ENCODER
from recollect.embed.local import load_tokenizer
from recollect.embed.model_session import ModelSession, open_session
from recollect.embed.word_table import load_word_table
from recollect.settings import Settings
from recollect.text_models.closure import OUTCOMES, ClosurePair, ClosureReading, Outcome
from recollect.text_models.entailment import VERDICTS, ClaimReading
from recollect.text_models.sentence import ACTS, SentenceInput, SentenceReading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import BertWordPieceTokenizer


CLS, SEP = 101, 102
NEVER_SURE = 2.0
_PAIRS_KEPT = 8_192


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model of pairs: its name, its folder, and how many labels each head has, in the order of its output."""

    name: str
    folder: Path
    heads: tuple[tuple[str, int], ...]

    def columns(self, head: str) -> slice:
        """Where the labels of a head stand in the output."""
        start = 0
        for name, labels in self.heads:
            if name == head:
                return slice(start, start + labels)
            start += labels
        raise KeyError(head)


READING = ModelFiles(
    "recollect-reading-2",
    Path(__file__).parent / "reading_model",
    (("act", len(ACTS)), ("outcome", len(OUTCOMES))),
)
ENTAILMENT = ModelFiles(
    "recollect-entailment-1", Path(__file__).parent / "entailment_model", (("verdict", len(VERDICTS)),)
)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How logits become probabilities, and from which probability on a label counts as sure.

    `curves` map the probability of a label to the share that was right among held-out examples, by straight lines
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

    def probability(self, curve: str, raw: float) -> float:
        import numpy as np

        points = self.curves.get(curve)
        if points is None:
            return raw
        places, shares = zip(*points, strict=True)
        return float(np.interp(raw, places, shares))

    def is_sure(self, act: str, probability: float) -> bool:
        return probability >= self.thresholds.get(act, NEVER_SURE)


@dataclass(frozen=True, slots=True)
class TokenPair:
    """Two texts as a model gets them; `first` is the place of the first token of the second."""

    ids: tuple[int, ...]
    first: int


class PairModel:
    """Loads a model on first use and runs on one thread unless told otherwise."""

    def __init__(self, files: ModelFiles, threads: int = 1) -> None:
        self.files = files
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[BertWordPieceTokenizer, ModelSession, Calibration] | None = None
        # People repeat themselves: of the clauses of an inbox a sixth have been read before.
        self._logits = lru_cache(_PAIRS_KEPT)(self._run)

    @property
    def calibration(self) -> Calibration:
        return self._ready()[2]

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        tokenizer, _, _ = self._ready()
        return [each.ids for each in tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def labels(self, rows: Sequence[TokenPair], head: str) -> list[NDArray[np.float32]]:
        """The logits of a head for each pair, in the order given and the same whatever stands beside it."""
        columns = self.files.columns(head)
        return [self._logits(row)[columns] for row in rows]

    def _run(self, row: TokenPair) -> NDArray[np.float32]:
        _, session, _ = self._ready()
        return session.run(_model_inputs(row))

    def _ready(self) -> tuple[BertWordPieceTokenizer, ModelSession, Calibration]:
        with self._lock:
            if self._loaded is None:
                session = open_session(self.files.folder / "model.onnx", self._threads)
                calibration = Calibration.load(self.files.folder / "calibration.json")
                self._loaded = load_tokenizer(ENCODER), session, calibration
            return self._loaded


def pair_model_for(settings: Settings, switch: str, files: ModelFiles) -> PairModel | None:
    """The bundled model, or None where a setting switches this use of it off."""
    chosen = settings.text(switch)
    return None if chosen is not None and chosen.lower() in OFF else bundled_model(files)


@cache
def bundled_model(files: ModelFiles) -> PairModel | None:
    """One for the process, so that it is loaded once; none where the package came without its file."""
    return PairModel(files) if (files.folder / "model.onnx").exists() else None


def _model_inputs(pair: TokenPair) -> dict[str, NDArray[np.int32] | NDArray[np.float32]]:
    import numpy as np

    ids = np.array([pair.ids], np.int32)
    segments = np.zeros_like(ids)
    segments[0, pair.first : -1] = 1
    return {"word": load_word_table(ENCODER).lookup(ids), "mask": np.ones_like(ids), "segments": segments}


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    powers = np.exp(logits - logits.max())
    shares: NDArray[np.float32] = powers / powers.sum()
    return shares


MAX_FIRST, MAX_SECOND = 72, 96
"""Tokens of the item and of the message."""
MAX_CONTEXT, MAX_SENTENCE = 48, 96
"""Tokens of the context, whose end counts most, and of the sentence."""
MAX_EVIDENCE, MAX_CLAIM = 128, 48
"""Tokens of a piece of evidence and of a claim."""
NEAR, FAR = "near", "far"
"""The thresholds of pairs of one thread and of others."""
_MOVED = 0.7
"""The share of `moved` from which on an item is put off to the day that the sentence names."""


class _PairReader:
    """Reads with one head of a model of pairs."""

    def __init__(self, pairs: PairModel) -> None:
        self._pairs = pairs

    @property
    def model(self) -> str:
        return self._pairs.files.name


class LocalClosureMatcher(_PairReader):
    """Decides with the outcome head; the ends of long texts do not count."""

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        """One reading per pair, in the order given."""
        items = self._pairs.token_ids([each.item.model_text for each in pairs])
        messages = self._pairs.token_ids([each.model_text for each in pairs])
        rows = [_join(item[:MAX_FIRST], said[:MAX_SECOND]) for item, said in zip(items, messages, strict=True)]
        return [_closure(labels, self._pairs.calibration, self.model) for labels in self._pairs.labels(rows, "outcome")]


class LocalSentenceReader(_PairReader):
    """Reads with the act head, where no rule has a cue."""

    def read(self, sentences: Sequence[SentenceInput]) -> list[SentenceReading]:
        """One reading per sentence, in the order given; only the first 96 tokens of a sentence count."""
        contexts = self._pairs.token_ids([each.context for each in sentences])
        texts = self._pairs.token_ids([each.text for each in sentences])
        rows = [_join(_end(before), text[:MAX_SENTENCE] or [SEP]) for before, text in zip(contexts, texts, strict=True)]
        return [_act(labels, self._pairs.calibration, self.model) for labels in self._pairs.labels(rows, "act")]


class LocalEntailment(_PairReader):
    """Decides whether pieces of evidence support a claim; the ends of long texts do not count."""

    def read(self, claim: str, evidence: Sequence[str]) -> list[ClaimReading]:
        """One reading per piece, in the order given."""
        [asked] = self._pairs.token_ids([claim])
        told = self._pairs.token_ids(evidence)
        rows = [_join(each[:MAX_EVIDENCE], asked[:MAX_CLAIM]) for each in told]
        return [_verdict(labels, self._pairs.calibration, self.model) for labels in self._pairs.labels(rows, "verdict")]


def matcher_for(settings: Settings) -> LocalClosureMatcher | None:
    """The bundled matcher, or None for `reading.closing_model = none`."""
    pairs = pair_model_for(settings, "reading.closing_model", READING)
    return LocalClosureMatcher(pairs) if pairs is not None else None


def reader_for(settings: Settings) -> LocalSentenceReader | None:
    """The bundled reader, or None for `reading.sentence_model = none`."""
    pairs = pair_model_for(settings, "reading.sentence_model", READING)
    return LocalSentenceReader(pairs) if pairs is not None else None


def entailment_for(settings: Settings) -> LocalEntailment | None:
    """The bundled entailment model, or None for `reading.entailment_model = none`."""
    pairs = pair_model_for(settings, "reading.entailment_model", ENTAILMENT)
    return LocalEntailment(pairs) if pairs is not None else None


def _join(first: Sequence[int], second: Sequence[int]) -> TokenPair:
    return TokenPair((CLS, *first, SEP, *second, SEP), len(first) + 2)


def _end(context: Sequence[int]) -> list[int]:
    # The first token of the context is the kind of text; of the sentence before it, the end counts most.
    return [*context[:1], *context[1:][-(MAX_CONTEXT - 1) :]]


def _closure(labels: NDArray[np.float32], calibration: Calibration, model: str) -> ClosureReading:
    """The outcome and how probable it is; whether an item is closed is asked before how."""
    raw = softmax(labels / calibration.temperatures.get("outcome", 1.0))
    shares = dict(zip(OUTCOMES, map(float, raw), strict=True))
    closing = calibration.probability("closing", shares["done"] + shares["cancelled"])
    if calibration.is_sure(NEAR, closing):
        outcome: Outcome = "done" if shares["done"] >= shares["cancelled"] else "cancelled"
        return ClosureReading(outcome, closing, True, model, calibration.is_sure(FAR, closing))
    outcome = max(("unrelated", "progress", "moved"), key=shares.__getitem__)
    is_moved = outcome == "moved" and shares[outcome] >= _MOVED
    return ClosureReading(outcome, 1 - closing, is_moved, model, is_moved)


def _act(labels: NDArray[np.float32], calibration: Calibration, model: str) -> SentenceReading:
    shares = softmax(labels / calibration.temperatures.get("act", 1.0))
    best = int(shares.argmax())
    act = ACTS[best]
    probability = calibration.probability("act", float(shares[best]))
    return SentenceReading(act, probability, calibration.is_sure(act, probability), model, tuple(map(float, shares)))


def _verdict(labels: NDArray[np.float32], calibration: Calibration, model: str) -> ClaimReading:
    shares = softmax(labels / calibration.temperatures.get("verdict", 1.0))
    best = int(shares.argmax())
    verdict = VERDICTS[best]
    probability = calibration.probability("verdict", float(shares[best]))
    return ClaimReading(verdict, probability, calibration.is_sure(verdict, probability), model)
