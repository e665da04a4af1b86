"""The bundled closure matcher: what a later message says of an open item, with calibrated probabilities."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.embed.factory import OFF
from recollect.embed.local import BUNDLED as ENCODER
from recollect.embed.local import batches, load_tokenizer, open_session
from recollect.settings import Settings
from recollect.text_models.closure import OUTCOMES, ClosurePair, ClosureReading, Outcome
from recollect.text_models.sentence_reader import CLS, SEP, Calibration, TokenPair, model_inputs, softmax

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MODEL = "recollect-closure-1"
BUNDLED = Path(__file__).parent / "closure_model"
MAX_FIRST, MAX_SECOND = 72, 96
"""Tokens of the item and of the message."""
HEAD = "outcome"


class LocalClosureMatcher:
    """Loads the model on first use and runs on one thread unless told otherwise."""

    model = MODEL

    def __init__(self, folder: Path = BUNDLED, threads: int = 1) -> None:
        self._threads = threads
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, onnxruntime.InferenceSession, Calibration] | None = None

    def read(self, pairs: Sequence[ClosurePair]) -> list[ClosureReading]:
        """One reading per pair, in the order given; the ends of long texts do not count."""
        tokenizer, session, calibration = self._ready()
        rows = _tokens(tokenizer, pairs)
        readings: dict[int, ClosureReading] = {}
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


def matcher_for(settings: Settings) -> LocalClosureMatcher | None:
    """The bundled matcher, or None for `reading.closing_model = none`."""
    chosen = settings.text("reading.closing_model")
    return None if chosen is not None and chosen.lower() in OFF else bundled_matcher()


@cache
def bundled_matcher() -> LocalClosureMatcher | None:
    """One for the process, so that the model is loaded once; none where the package came without its file."""
    return LocalClosureMatcher() if (BUNDLED / "model.onnx").exists() else None


def _tokens(tokenizer: Tokenizer, pairs: Sequence[ClosurePair]) -> list[TokenPair]:
    items = tokenizer.encode_batch([each.item.told for each in pairs], add_special_tokens=False)
    messages = tokenizer.encode_batch([each.told for each in pairs], add_special_tokens=False)
    return [_joined(item.ids, message.ids) for item, message in zip(items, messages, strict=True)]


def _joined(item: Sequence[int], message: Sequence[int]) -> TokenPair:
    first, second = item[:MAX_FIRST], message[:MAX_SECOND]
    return TokenPair([CLS, *first, SEP, *second, SEP], len(first) + 2)


def _reading(labels: NDArray[np.float32], calibration: Calibration) -> ClosureReading:
    """The outcome and how probable it is; whether an item is closed is asked before how."""
    raw = softmax(labels / calibration.temperatures.get(HEAD, 1.0))
    shares = dict(zip(OUTCOMES, map(float, raw), strict=True))
    closing = shares["done"] + shares["cancelled"]
    outcome: Outcome = max(OUTCOMES, key=shares.__getitem__)
    if closing >= max(shares[each] for each in ("unrelated", "progress", "moved")):
        outcome = "done" if shares["done"] >= shares["cancelled"] else "cancelled"
        probability = calibration.act_probability("closing", closing)
    else:
        probability = calibration.act_probability(outcome, shares[outcome])
    return ClosureReading(outcome, probability, calibration.is_sure(outcome, probability), MODEL)
