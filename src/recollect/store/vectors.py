"""Vectors of passages: in PostgreSQL compared by pgvector, beside SQLite by numpy.

There, rows are kept in memory as long as they are few; of many, only those that stand in no cell yet.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from recollect.embed.port import Vectors
from recollect.store.cells import Centres, in_use, near_in_cells, probes_of
from recollect.store.found import Filter, Numbers
from recollect.store.sqlite import SqliteConnection
from recollect.store.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_LOOK = 4
RESCORED = 1.25
FEW = 20_000


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


class Rows(NamedTuple):
    """Embeddings with their numbers and the hashes of their texts."""

    numbers: Sequence[int]
    hashes: Sequence[str]
    vectors: NDArray[np.float32]


class Matrices:
    """Matrices of one store, read once and then only caught up."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[tuple[int, str], Matrix] = {}
        self.centres = Centres()

    def clear(self) -> None:
        with self._lock:
            self._held.clear()

    def caught_up(self, view: View, model: str, since: int = 0) -> Rows:
        """The embeddings of a model after one of them, as far as this view knows them."""
        with self._lock:
            matrix = self._held.get((view.ws, model))
            if matrix is None or matrix.since != since:
                matrix = self._held[view.ws, model] = Matrix(since)
            [[last]] = view.rows("embeddings_last")
            if last > matrix.upto:
                found = view.rows("embeddings_after", model=model, upto=matrix.upto, last=last)
                matrix.add(found)
                matrix.upto = last
            return Rows(matrix.numbers, matrix.hashes, matrix.rows)


class SqliteVectors:
    def __init__(self, view: View, matrices: Matrices) -> None:
        self._view = view
        self._matrices = matrices

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]:
        """Goes down the order until enough passages pass the filter, so none is missed for it."""
        cells = in_use(self._view, model)
        if cells is not None and not where.is_open:
            few = self._view.rows("numbers_wanted", limit=FEW + 1, **where.parameters())
            if len(few) <= FEW:
                return _best(self.cosines(vector, model, [row[0] for row in few]), limit)
        rows = self._matrices.caught_up(self._view, model, cells.upto if cells else 0)
        if rows.numbers and rows.vectors.shape[1] != len(vector):
            return []
        if cells is not None:
            return self._by_cells(cells.generation, vector, model, rows, where, limit)
        return self._first(rows.numbers, rows.vectors @ vector, where, limit) if rows.numbers else []

    def _by_cells(
        self, generation: int, vector: Vectors, model: str, since: Rows, where: Filter, limit: int
    ) -> list[tuple[int, float]]:
        """Looks into ever more cells until enough passages pass; each is then compared by its own vector."""
        import numpy as np

        centres = self._matrices.centres.of(self._view, model, generation)
        if centres.shape[1] != len(vector):
            return []
        fresh = since.vectors @ vector if since.numbers else np.empty(0, np.float32)
        probes = probes_of(centres)
        while True:
            old, nearly = near_in_cells(self._view, model, generation, centres, vector, probes)
            everything = np.concatenate([old, np.array(since.numbers, np.int64)])
            found = self._first(everything, np.concatenate([nearly, fresh]), where, round(limit * RESCORED))
            if len(found) >= limit or probes >= len(centres):
                return _best(self.cosines(vector, model, [number for number, _ in found]), limit)
            probes *= FIRST_LOOK

    def _first(
        self, numbers: Sequence[int] | NDArray[np.int64], cosines: NDArray[np.float32], where: Filter, limit: int
    ) -> list[tuple[int, float]]:
        import numpy as np

        found: list[tuple[int, float]] = []
        start, size = 0, limit if where.is_open else limit * FIRST_LOOK
        while start < len(numbers) and len(found) < limit:
            stop = min(start + size, len(numbers))
            order = np.argpartition(-cosines, stop - 1)[:stop] if stop < len(numbers) else np.arange(len(numbers))
            order = order[np.argsort(-cosines[order], kind="stable")][start:]
            found += self._allowed({int(numbers[at]): float(cosines[at]) for at in order}, where)
            start, size = stop, size * FIRST_LOOK
        return sorted(found, key=_by_cosine)[:limit]

    def _allowed(self, cosines: dict[int, float], where: Filter) -> list[tuple[int, float]]:
        rows = self._view.rows("embedded_wanted", embedded=list(cosines), **where.parameters())
        return [(number, cosines[embedded]) for number, embedded in rows]

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]:
        import numpy as np

        rows = self._view.rows("vectors_of", model=model, numbers=sorted(numbers))
        if not rows:
            return {}
        stored = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
        if stored.shape[1] != len(vector):
            return {}
        return {row[0]: float(cosine) for row, cosine in zip(rows, stored @ vector, strict=True)}


def _by_cosine(hit: tuple[int, float]) -> tuple[float, int]:
    return -hit[1], hit[0]


def _best(cosines: Mapping[int, float], limit: int) -> list[tuple[int, float]]:
    return sorted(cosines.items(), key=_by_cosine)[:limit]


class PostgresVectors:
    def __init__(self, view: View) -> None:
        self._view = view

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]:
        asked = {**where.parameters(), "model": model, "vector": _listed(vector), "limit": limit}
        return [(number, float(cosine)) for number, cosine in self._view.rows("nearest", **asked)]

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]:
        rows = self._view.rows("cosines", model=model, vector=_listed(vector), numbers=sorted(numbers))
        return {number: float(cosine) for number, cosine in rows}
