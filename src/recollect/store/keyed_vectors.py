"""Vectors that are stored under keys of their own, such as those of nodes, and their cosines with a query."""

from collections.abc import Collection
from typing import Any

from recollect.embed.port import Vectors
from recollect.store.vectors import VectorCache, encode_vector, is_sqlite
from recollect.store.view import View


def known_keys(view: View, model: str, keys: Collection[str]) -> set[str]:
    """Those of the keys under which a model has a vector."""
    return {row[0] for row in view.rows("embeddings_known", model=model, hashes=sorted(keys))} if keys else set()


class KeyedVectors:
    """The vectors of one model on one view; few enough to compare all of them."""

    def __init__(self, view: View, matrices: VectorCache, model: str) -> None:
        self._view = view
        self._matrices = matrices
        self._model = model

    def nearest(self, vector: Vectors, floor: float, limit: int) -> dict[str, float]:
        """Keys with their cosine, where that reaches the floor, nearest first."""
        if not is_sqlite(self._view):
            rows = self._rows("node_vectors_nearest", vector, limit=limit)
            return {key: cosine for key, cosine in rows.items() if cosine >= floor}
        _, keys, matrix = self._matrices.caught_up(self._view, self._model)
        if not keys or matrix.shape[1] != len(vector):
            return {}
        cosines = matrix @ vector
        reaching = (cosines >= floor).nonzero()[0]
        order = reaching[(-cosines[reaching]).argsort(kind="stable")][:limit]
        return {keys[at]: float(cosines[at]) for at in order}

    def cosines(self, vector: Vectors, keys: Collection[str]) -> dict[str, float]:
        """The cosines of those of these keys that are stored."""
        if not keys:
            return {}
        if not is_sqlite(self._view):
            return self._rows("node_vectors_compared", vector, hashes=sorted(keys))
        _, stored, matrix = self._matrices.caught_up(self._view, self._model)
        places = {key: at for at, key in enumerate(stored) if key in keys}
        if not places or matrix.shape[1] != len(vector):
            return {}
        return {key: float(matrix[at] @ vector) for key, at in places.items()}

    def _rows(self, query: str, vector: Vectors, **asked: Any) -> dict[str, float]:
        literal = encode_vector(self._view, vector)
        rows = self._view.rows(query, model=self._model, vector=literal, **asked)
        return {key: float(cosine) for key, cosine in rows}
