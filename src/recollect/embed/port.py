"""The interface of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from recollect.errors import Unavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
else:
    Vectors = object


class Embedder(Protocol):
    """Turns texts into unit vectors; vectors of different models are never compared."""

    @property
    def model(self) -> str:
        """The name stored with every vector."""

    @property
    def dimensions(self) -> int:
        """The width of a row."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised float32 row per text, in the order given."""


class EmbeddingFailed(Unavailable):
    """The embedding model did not answer; text search still works."""

    code = "embedding_unavailable"

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"embedding model {model!r} did not answer: {reason}; search continues with text alone")
        self.model = model
