"""Vectors of passages: in PostgreSQL compared by pgvector, beside SQLite by numpy on rows kept in memory."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from recollect.embed.port import Vectors
from recollect.store.found import Filter, Numbers
from recollect.store.sqlite import SqliteConnection
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_LOOK = 4


class StoredVectors(Protocol):
    """Cosines of a vector with those of stored passages."""

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]: ...

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]: ...


def is_embedded(view: View) -> bool:
    """Whether the store is a file in this process."""
    return isinstance(view.connection, SqliteConnection)


def vectors_for(view: View, matrices: Matrices) -> StoredVectors:
    return SqliteVectors(view, matrices) if is_embedded(view) else PostgresVectors(view)


def written_vector(view: View, vector: Vectors) -> bytes | str:
    """A vector as its column takes it."""
    return vector.tobytes() if is_embedded(view) else _listed(vector)


def _listed(vector: Vectors) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


class Matrix:
    """The vectors of one model in one workspace, as one array that grows."""

    def __init__(self) -> None:
        self.upto = 0
        self.hashes: list[str] = []
        self._parts: list[NDArray[np.float32]] = []

    def add(self, hashes: list[str], vectors: list[bytes]) -> None:
        import numpy as np

        if hashes:
            self.hashes = [*self.hashes, *hashes]
            self._parts = [*self._parts, np.frombuffer(b"".join(vectors), np.float32).reshape(len(hashes), -1)]

    @property
    def rows(self) -> NDArray[np.float32]:
        import numpy as np

        if len(self._parts) > 1:
            self._parts = [np.concatenate(self._parts)]
        return self._parts[0] if self._parts else np.empty((0, 0), np.float32)


class Matrices:
    """Matrices of one store, read once and then only caught up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str], Matrix] = {}

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def caught_up(self, view: View, model: str) -> tuple[list[str], NDArray[np.float32]]:
        """The hashes and rows of a model as far as this view knows them."""
        with self._lock:
            matrix = self._held.setdefault((view.ws, model), Matrix())
            [[last]] = view.rows("embeddings_last")
            if last > matrix.upto:
                found = view.rows("embeddings_after", model=model, upto=matrix.upto, last=last)
                matrix.add([row[0] for row in found], [row[1] for row in found])
                matrix.upto = last
            return matrix.hashes, matrix.rows


class SqliteVectors:
    def __init__(self, view: View, matrices: Matrices) -> None:
        self._view = view
        self._matrices = matrices

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]:
        """Goes down the whole order until enough passages pass the filter, so none is missed for it."""
        import numpy as np

        hashes, rows = self._matrices.caught_up(self._view, model)
        if not hashes or rows.shape[1] != len(vector):
            return []
        cosines = rows @ vector
        found: list[tuple[int, float]] = []
        start, size = 0, limit * FIRST_LOOK
        while start < len(hashes) and len(found) < limit:
            stop = min(start + size, len(hashes))
            order = np.argpartition(-cosines, stop - 1)[:stop] if stop < len(hashes) else np.arange(len(hashes))
            order = order[np.argsort(-cosines[order], kind="stable")][start:]
            found += self._allowed({hashes[at]: float(cosines[at]) for at in order}, where)
            start, size = stop, size * FIRST_LOOK
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def _allowed(self, cosines: dict[str, float], where: Filter) -> list[tuple[int, float]]:
        rows = self._view.rows("chunks_hashed", hashes=list(cosines), **where.parameters())
        return [(number, cosines[digest]) for number, digest in rows]

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]:
        import numpy as np

        rows = self._view.rows("vectors_of", model=model, numbers=sorted(numbers))
        if not rows:
            return {}
        stored = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
        if stored.shape[1] != len(vector):
            return {}
        return {row[0]: float(cosine) for row, cosine in zip(rows, stored @ vector, strict=True)}


class PostgresVectors:
    def __init__(self, view: View) -> None:
        self._view = view

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]:
        asked = {**where.parameters(), "model": model, "vector": _listed(vector), "limit": limit}
        return [(number, float(cosine)) for number, cosine in self._view.rows("nearest", **asked)]

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]:
        rows = self._view.rows("cosines", model=model, vector=_listed(vector), numbers=sorted(numbers))
        return {number: float(cosine) for number, cosine in rows}
