"""Vectors that are stored under keys of their own, such as those of nodes, and their cosines with a query."""

from collections.abc import Collection
from typing import Any

from recollect.embed.port import Vectors
from recollect.store.nearest_neighbors import VectorQueries
from recollect.store.vectors import VectorCache, vectors_for
from recollect.store.view import View


def known_keys(view: View, model: str, keys: Collection[str]) -> set[str]:
    """Those of the keys under which a model has a vector."""
    return {row[0] for row in view.rows("embeddings_known", model=model, hashes=sorted(keys))} if keys else set()


class _NoKeyFilter:
    """Allows every vector; the item is its key."""

    queries = VectorQueries(str, "keys_embedded", "keys_all_embedded", "keys_nearest")
    is_open = False

    def parameters(self) -> dict[str, Any]:
        return {}


class KeyedVectors:
    """The vectors of one model on one view."""

    def __init__(self, view: View, matrices: VectorCache, model: str) -> None:
        self._vectors = vectors_for(view, matrices)
        self._view = view
        self._model = model

    def nearest(self, vector: Vectors, floor: float, limit: int) -> dict[str, float]:
        """Keys with their cosine, where that reaches the floor, nearest first."""
        hits = self._vectors.nearest(vector, self._model, _NoKeyFilter(), limit)
        return {key: cosine for key, cosine in hits if cosine >= floor}

    def cosines(self, vector: Vectors, keys: Collection[str]) -> dict[str, float]:
        """The cosines of those of these keys that are stored."""
        return self._vectors.keyed_cosines(vector, self._model, keys) if keys else {}
