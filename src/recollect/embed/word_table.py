"""The word table: one vector per token, int8 with a scale per row. All bundled models start from the same one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """The input layer of the models. Its rows stay on disk until they are used, and processes share them."""

    rows: NDArray[np.int8]
    scales: NDArray[np.float32]

    def lookup(self, ids: NDArray[np.int32]) -> NDArray[np.float32]:
        """One vector per token id."""
        import numpy as np

        vectors: NDArray[np.float32] = self.rows[ids].astype(np.float32) * self.scales[ids]
        return vectors


@cache
def load_word_table(folder: Path) -> WordTable:
    """The table in a model's folder, one for the process."""
    import numpy as np

    return WordTable(np.load(folder / "words.npy", mmap_mode="r"), np.load(folder / "word_scales.npy"))
