"""Vectors of models that were bundled before, so that a store answers by them until it is embedded anew."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from recollect.embed.port import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class EarlierModel:
    """A matrix that turns a vector of the present model into one of an earlier model of the same family.

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
