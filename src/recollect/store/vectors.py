"""Vectors of passages, facts, nodes and other keys: compared by pgvector in PostgreSQL and by numpy beside SQLite.

Small SQLite stores cache full vectors; large stores on either engine cache binary codes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.embed.port import Vectors
from recollect.store.binary_code_blocks import CodeProgress, code_progress, read_centroids, read_codes
from recollect.store.change import Change
from recollect.store.nearest_neighbors import (
    WIDENING_FACTOR,
    Item,
    LoadedCodes,
    VectorFilter,
    VectorHits,
    VectorQueries,
    by_cosine,
    first_allowed,
    nearest_by_codes,
)
from recollect.store.passage_filter import PassageNumbers
from recollect.store.port import Row
from recollect.store.posting_lists import PostingCache
from recollect.store.text_index import is_sqlite
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.store.code_lists import ListedCodes


class StoredVectors:
    """Cosines of a vector with stored ones."""

    def __init__(self, view: View, matrices: VectorCache) -> None:
        self._view = view
        self._matrices = matrices

    def nearest(self, vector: Vectors, model: str, where: VectorFilter[Item], limit: int) -> VectorHits[Item]:
        """The items that the filter allows, nearest first."""
        compared, codes = self._compare(vector, model), self._matrices.binary_codes(self._view, model)
        if codes is not None:
            return nearest_by_codes(self._view, model, codes, vector, compared, where, limit)
        return compared.nearest(where, limit)

    def cosines(self, vector: Vectors, model: str, numbers: PassageNumbers) -> dict[int, float]:
        """By the numbers of passages."""
        return self._compare(vector, model).passages(numbers)

    def keyed_cosines(self, vector: Vectors, model: str, keys: Collection[str]) -> dict[str, float]:
        """By the keys under which vectors are stored."""
        return self._compare(vector, model).keyed(keys)

    def _compare(self, vector: Vectors, model: str) -> SqliteCosines | PostgresCosines:
        if is_sqlite(self._view):
            return SqliteCosines(self._view, self._matrices, vector, model)
        return PostgresCosines(self._view, vector, model)


def encode_vector(view: View, vector: Vectors) -> bytes | str:
    """A vector as its column takes it."""
    return vector.tobytes() if is_sqlite(view) else _vector_literal(vector)


def stored_vectors(view: View, model: str, keys: Collection[str]) -> dict[str, Vectors]:
    """The vectors that a model has under these keys."""
    import numpy as np

    rows = view.rows("vectors_keyed", model=model, hashes=sorted(keys)) if keys else ()
    if is_sqlite(view):
        return {key: np.frombuffer(vector, np.float32) for key, vector in rows}
    return {key: np.array(json.loads(vector), np.float32) for key, vector in rows}


def add_vectors(change: Change, model: str, vectors: Mapping[str, Vectors]) -> None:
    """Store vectors of a model under their keys."""
    rows = [{"model": model, "hash": key, "vector": encode_vector(change, vector)} for key, vector in vectors.items()]
    change.run_many("embedding_add", rows)


def _vector_literal(vector: Vectors) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


class VectorMatrix:
    """The vectors of one model in one workspace, as one array that grows."""

    def __init__(self, upto: int) -> None:
        self.since = self.upto = upto
        self.numbers: list[int] = []
        self.hashes: list[str] = []
        self._parts: list[NDArray[np.float32]] = []

    def add(self, found: Sequence[tuple[int, str, bytes]]) -> None:
        import numpy as np

        if found:
            self.numbers = [*self.numbers, *(number for number, _, _ in found)]
            self.hashes = [*self.hashes, *(digest for _, digest, _ in found)]
            vectors = b"".join(vector for _, _, vector in found)
            self._parts = [*self._parts, np.frombuffer(vectors, np.float32).reshape(len(found), -1)]

    @property
    def rows(self) -> NDArray[np.float32]:
        import numpy as np

        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0] if self._parts else np.empty((0, 0), np.float32)


class EmbeddingRows(NamedTuple):
    """Embeddings with their numbers and the hashes of their texts."""

    numbers: Sequence[int]
    hashes: Sequence[str]
    vectors: NDArray[np.float32]


class VectorCache:
    """Matrices of one store, read once and then only caught up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str], VectorMatrix] = {}
        self.postings = PostingCache()
        self._codes: dict[tuple[int, str], tuple[CodeProgress, ListedCodes]] = {}

    def clear(self) -> None:
        with self._lock:
            self._held.clear()
            self._codes.clear()
        self.postings.clear()

    def binary_codes(self, view: View, model: str) -> LoadedCodes | None:
        """The binary codes of a model's vectors, read once and then only caught up; none while the store is small."""
        kept = code_progress(view, model)
        if kept is None:
            return None
        from recollect.store.binary_codes import NO_CODES
        from recollect.store.code_lists import ListedCodes

        with self._lock:
            held = self._codes.get((view.ws, model))
            if held is None or held[0].erasures != kept.erasures:
                every = NO_CODES.concatenate(*read_codes(view, model, 0))
                held = kept, ListedCodes.arrange(every, read_centroids(view, model))
            elif held[0].upto < kept.upto:
                held = kept, held[1].extend(read_codes(view, model, held[0].upto))
            self._codes[view.ws, model] = held
        progress, codes = held
        return LoadedCodes(codes, progress.upto)

    def embeddings_since(self, view: View, model: str, since: int = 0) -> EmbeddingRows:
        """The embeddings of a model after one of them, as far as this view knows them."""
        with self._lock:
            matrix = self._held.get((view.ws, model))
            if matrix is None or matrix.since != since:
                matrix = self._held[view.ws, model] = VectorMatrix(since)
            [[last]] = view.rows("embeddings_last", model=model)
            if last > matrix.upto:
                found = view.rows("embeddings_after", model=model, upto=matrix.upto, last=last)
                matrix.add(found)
                matrix.upto = last
            return EmbeddingRows(matrix.numbers, matrix.hashes, matrix.rows)


class Cosines(NamedTuple):
    """Embeddings by their numbers, each with its cosine."""

    numbers: Sequence[int]
    values: NDArray[np.float32]


class SqliteCosines:
    """A query's cosines with vectors that are read from the file."""

    def __init__(self, view: View, matrices: VectorCache, vector: Vectors, model: str) -> None:
        self._view = view
        self._matrices = matrices
        self._vector = vector
        self._model = model

    def nearest(self, where: VectorFilter[Item], limit: int) -> VectorHits[Item]:
        """Goes down the order until enough items pass the filter, so none is missed for it."""
        import numpy as np

        numbers, values = self.all()
        found: VectorHits[Item] = []
        start, size = 0, limit
        while start < len(numbers) and len(found) < limit:
            stop = min(start + size, len(numbers))
            order = np.argpartition(-values, stop - 1)[:stop] if stop < len(numbers) else np.arange(len(numbers))
            order = order[np.argsort(-values[order], kind="stable")][start:]
            cosines = {int(numbers[at]): float(values[at]) for at in order}
            parameters = {**where.parameters(), "model": self._model, "embedded": list(cosines)}
            found += [
                (item, cosines[embedded]) for item, embedded in self._view.rows(where.queries.allowed, **parameters)
            ]
            start, size = stop, size * WIDENING_FACTOR
        return sorted(found, key=by_cosine)[:limit]

    def all(self, since: int = 0) -> Cosines:
        """With every vector after one of them; none if they have another width."""
        import numpy as np

        rows = self._matrices.embeddings_since(self._view, self._model, since)
        if not rows.numbers or rows.vectors.shape[1] != len(self._vector):
            return Cosines([], np.empty(0, np.float32))
        return Cosines(rows.numbers, dot_products(rows.vectors, self._vector))

    def since(self, upto: int, limit: int) -> dict[int, float]:
        numbers, values = self.all(upto)
        best = (-values).argsort(kind="stable")[:limit]
        return {numbers[at]: float(values[at]) for at in best}

    def embedded(self, numbers: Sequence[int]) -> dict[int, float]:
        return self._cosines_of(self._view.rows("embedded_vectors", embedded=numbers))

    def passages(self, numbers: PassageNumbers) -> dict[int, float]:
        return self._cosines_of(self._view.rows("vectors_of", model=self._model, numbers=sorted(numbers)))

    def keyed(self, keys: Collection[str]) -> dict[str, float]:
        return self._cosines_of(self._view.rows("vectors_keyed", model=self._model, hashes=sorted(keys)))

    def _cosines_of(self, rows: Sequence[Row]) -> dict[Any, float]:
        import numpy as np

        if not rows:
            return {}
        stored = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
        if stored.shape[1] != len(self._vector):
            return {}
        return dict(zip((row[0] for row in rows), dot_products(stored, self._vector).tolist(), strict=True))


def dot_products(rows: NDArray[np.float32], vector: Vectors) -> NDArray[np.float32]:
    """The product of each row with a vector, on one core: the threads of BLAS wait busily long after they are done."""
    import numpy as np

    found: NDArray[np.float32] = np.einsum("ij,j->i", rows, vector)
    return found


class PostgresCosines:
    """A query's cosines as the server computes them."""

    def __init__(self, view: View, vector: Vectors, model: str) -> None:
        self._view = view
        self._model = model
        self._parameters = {"vector": _vector_literal(vector), "model": model}

    def nearest(self, where: VectorFilter[Item], limit: int) -> VectorHits[Item]:
        """The best of those that come first without a look at their items, which costs most; else all are looked at."""
        if where.is_open:
            first = self.since(0, limit * WIDENING_FACTOR)
            hits = first_allowed(self._view, self._model, first, where, limit).hits
            if len(hits) == limit:
                return hits
        parameters = {**where.parameters(), **self._parameters, "limit": limit}
        return [(item, float(cosine)) for item, cosine in self._view.rows(where.queries.nearest, **parameters)]

    def since(self, upto: int, limit: int) -> dict[int, float]:
        return self._rows("embedded_since", upto=upto, limit=limit)

    def embedded(self, numbers: Sequence[int]) -> dict[int, float]:
        return self._rows("embedded_cosines", embedded=numbers)

    def passages(self, numbers: PassageNumbers) -> dict[int, float]:
        return self._rows("cosines", numbers=sorted(numbers))

    def keyed(self, keys: Collection[str]) -> dict[str, float]:
        return self._rows("keyed_cosines", hashes=sorted(keys))

    def _rows(self, query: str, **more: Any) -> dict[Any, float]:
        return {number: float(cosine) for number, cosine in self._view.rows(query, **self._parameters, **more)}


def known_keys(view: View, model: str, keys: Collection[str]) -> set[str]:
    """Those of the keys under which a model has a vector."""
    return set(view.fetch_values("embeddings_known", model=model, hashes=sorted(keys))) if keys else set()


class _NoKeyFilter:
    """Allows every vector; the item is its key."""

    queries = VectorQueries(str, "keys_embedded", "keys_all_embedded", "keys_nearest")
    is_open = False

    def parameters(self) -> dict[str, Any]:
        return {}


class KeyedVectors:
    """The vectors of one model on one view."""

    def __init__(self, view: View, matrices: VectorCache, model: str) -> None:
        self._vectors = StoredVectors(view, matrices)
        self._view = view
        self._model = model

    def nearest(self, vector: Vectors, floor: float, limit: int) -> dict[str, float]:
        """Keys with their cosine, where that reaches the floor, nearest first."""
        hits = self._vectors.nearest(vector, self._model, _NoKeyFilter(), limit)
        return {key: cosine for key, cosine in hits if cosine >= floor}

    def cosines(self, vector: Vectors, keys: Collection[str]) -> dict[str, float]:
        """The cosines of those of these keys that are stored."""
        return self._vectors.keyed_cosines(vector, self._model, keys) if keys else {}
