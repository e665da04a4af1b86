"""The bundled encoder, MiniLM fine-tuned on our own corpus, run by ONNX Runtime; and those it replaced."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from recollect.deadline import yield_to_calls
from recollect.embed.model_session import ModelSession, open_session
from recollect.embed.port import Vectors
from recollect.embed.word_table import load_word_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import BertWordPieceTokenizer


MODEL = "recollect-minilm-3"
BUNDLED = Path(__file__).parent / "model"
EARLIER = {"all-MiniLM-L6-v2": "earlier_0.npy"}
"""The models of earlier releases, each with the file that turns queries into its space."""
DIMENSIONS = 384
MAX_TOKENS = 256
_LONG_RUN = re.compile(r"([^\w\s])(?: ?\1){16,}")
"""A mark repeated, perhaps with spaces between: each is a token, so a row of them costs as much as prose."""


class LocalEmbedder:
    """Loads the model on first use: a process without semantic search never needs it."""

    dimensions = DIMENSIONS

    def __init__(self, threads: int = 0, folder: Path = BUNDLED, model: str = MODEL) -> None:
        """`threads` is how many cores one call may use; 0 means all. Another folder needs a model name of its own."""
        self.model = model
        known = ((name, folder / file) for name, file in EARLIER.items())
        self.earlier = tuple(EarlierModel(name, path) for name, path in known if path.exists())
        self._threads = threads
        self._folder = folder
        self._lock = threading.Lock()
        self._loaded: tuple[BertWordPieceTokenizer, ModelSession] | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, the same whatever stands beside it; only the first 256 tokens count."""
        import numpy as np

        tokenizer, session = self._ready()
        words = load_word_table(self._folder)
        rows = np.empty((len(texts), DIMENSIONS), np.float32)
        # One text to a run: the model scales its activations by the run, so a row would depend on its neighbours.
        for at, encoded in enumerate(tokenizer.encode_batch([_shorten_runs(text) for text in texts])):
            yield_to_calls()
            ids = np.array([encoded.ids], np.int32)
            rows[at] = session.run({"word": words.lookup(ids), "mask": np.ones_like(ids)})
        return rows

    def _ready(self) -> tuple[BertWordPieceTokenizer, ModelSession]:
        with self._lock:
            if self._loaded is None:
                self._loaded = load_tokenizer(self._folder), open_session(self._folder / "model.onnx", self._threads)
            return self._loaded


def _shorten_runs(text: str) -> str:
    """A text with its rules, rows of dots and deep quote marks cut short, so that its words are what is embedded."""
    return _LONG_RUN.sub(r"\1\1\1", text)


def load_tokenizer(folder: Path, longest: int | None = MAX_TOKENS) -> BertWordPieceTokenizer:
    """The tokenizer of a model, by the vocabulary in its folder; it truncates texts to `longest` tokens."""
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(folder / "vocabulary.txt"))
    if longest is not None:
        tokenizer.enable_truncation(longest)
    return tokenizer


@dataclass(frozen=True)
class EarlierModel:
    """An int8 matrix that turns a vector of the present model into one of an earlier model, up to its length.

    Only queries are turned; what was stored by a model is compared with vectors in the space of that model alone.
    """

    model: str
    path: Path

    @cached_property
    def _matrix(self) -> NDArray[np.float32]:
        import numpy as np

        matrix: NDArray[np.float32] = np.load(self.path).astype(np.float32)
        return matrix

    def translate(self, vector: Vectors) -> Vectors:
        """The unit vector that the earlier model would have given."""
        import numpy as np

        turned = vector @ self._matrix
        unit: Vectors = turned / max(float(np.linalg.norm(turned)), 1e-12)
        return unit


@runtime_checkable
class UpgradedEmbedder(Protocol):
    """An embedder that took the place of others."""

    @property
    def earlier(self) -> tuple[EarlierModel, ...]:
        """The models whose stored vectors it can still search."""
