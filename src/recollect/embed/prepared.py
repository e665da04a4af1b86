"""Vectors that were computed beforehand, as an embedder: the store is not held up while a model works."""

from collections.abc import Sequence

from recollect.embed.port import Embedder, Vectors


class Prepared:
    """Gives the rows of texts it has seen; whatever else is asked goes to the model behind it."""

    def __init__(self, behind: Embedder, texts: Sequence[str]) -> None:
        self.model = behind.model
        self.dimensions = behind.dimensions
        self._behind = behind
        distinct = list(dict.fromkeys(texts))
        self._rows = dict(zip(distinct, behind.embed(distinct), strict=True)) if distinct else {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        missing = [text for text in texts if text not in self._rows]
        if missing:
            return self._behind.embed(texts)
        stacked: Vectors = np.stack([self._rows[text] for text in texts])
        return stacked
