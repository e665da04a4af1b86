"""A deterministic embedder for tests: texts with words in common have similar rows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from recollect.embed.port import Vectors
from recollect.text.tokens import bare_terms


class HashEmbedder:
    """Feature hashing: each word adds 1 or -1 in the dimension given by its hash."""

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions
        self.model = f"hash-{dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text; an empty text points along the first axis."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in bare_terms(text):
                place, sign = self._place(word)
                rows[row, place] += sign
        rows[~rows.any(axis=1), 0] = 1
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _place(self, word: str) -> tuple[int, int]:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        return int.from_bytes(digest[:7]) % self.dimensions, 1 if digest[7] % 2 else -1
