"""`python -m benchmarks.hnsw 200000`: pgvector's HNSW beside our binary codes, on the same vectors in one PostgreSQL.

The vectors are those of `benchmarks.passage_growth`. Both sides are asked the same real questions in turn; what is
found is compared with an exact scan. The codes are in this process and rescore with vectors of the database, as in a
search.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

import numpy as np
import psycopg
from tests.support.databases import own_postgres

from benchmarks.code_growth import made_vectors
from benchmarks.passage_seeds import Floats, Seeds, read_seeds
from benchmarks.timing import p95, said
from recollect.embed.cached import bundled_embedder
from recollect.store.binary_codes import NO_CODES, BinaryCodes

ASKED = 60
LIMIT = 10
EF_SEARCH = (40, 100, 200, 400)
RESCORED = (420, 1_500, 4_000)
_NEAREST = "SELECT number FROM near ORDER BY vector <=> %s::vector LIMIT %s"
_RESCORED = "SELECT number FROM near WHERE number = ANY(%s) ORDER BY vector <=> %s::vector LIMIT %s"

Connection = psycopg.Connection[tuple[Any, ...]]
Find = Callable[[Floats], list[int]]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    data, kept = Path(os.environ.get("RECOLLECT_DATA", "../shared/data")), Path(gettempdir()) / "recollect-seeds.npy"
    model = bundled_embedder()
    seeds = read_seeds(data, model, kept)
    asked = model.embed(seeds.questions[:ASKED])
    with (
        TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder,
        own_postgres(Path(folder) / "data") as server,
        psycopg.connect(server.address, autocommit=True) as connection,
    ):
        build(connection, seeds, count)
        compare(connection, seeds, asked, count)


def build(connection: Connection, seeds: Seeds, count: int) -> None:
    """A table of the vectors and its index; by one process, as parallel builds need instructions not every CPU has."""
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    connection.execute("CREATE UNLOGGED TABLE near (number bigint PRIMARY KEY, vector vector(384) NOT NULL)")
    with connection.cursor().copy("COPY near FROM STDIN (FORMAT BINARY)") as rows:
        rows.write(b"PGCOPY\n\xff\r\n\0" + b"\0" * 8)
        for low, vectors in made_vectors(seeds, count):
            rows.write(_binary_rows(low, vectors))
        rows.write(b"\xff\xff")
    connection.execute("SET maintenance_work_mem = '2GB'")
    connection.execute("SET max_parallel_maintenance_workers = 0")
    began = time.monotonic()
    connection.execute("CREATE INDEX near_hnsw ON near USING hnsw (vector vector_cosine_ops)")
    _say(f"HNSW of {count} vectors: {time.monotonic() - began:.0f} s of wall time")


def _binary_rows(low: int, vectors: Floats) -> bytes:
    """Rows of a number and a vector as COPY reads them."""
    width = vectors.shape[1]
    lengths, numbers = [("columns", ">i2"), ("bytes_1", ">i4"), ("number", ">i8"), ("bytes_2", ">i4")], len(vectors)
    rows = np.zeros(numbers, [*lengths, ("width", ">i2"), ("unused", ">i2"), ("vector", ">f4", (width,))])
    rows["columns"], rows["bytes_1"], rows["bytes_2"], rows["width"] = 2, 8, 4 + 4 * width, width
    rows["number"], rows["vector"] = np.arange(low, low + numbers), vectors
    return rows.tobytes()


def compare(connection: Connection, seeds: Seeds, asked: Floats, count: int) -> None:
    [[index, table]] = connection.execute("SELECT pg_relation_size('near_hnsw'), pg_relation_size('near')").fetchall()
    _say(f"index {index / 1e6:.0f} MB, vectors {table / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}")
    blocks = [
        BinaryCodes.quantize(range(low, low + len(vectors)), vectors) for low, vectors in made_vectors(seeds, count)
    ]
    codes = NO_CODES.concatenate(*blocks)
    exact = _exact(seeds, asked, count)
    sides: dict[str, Find] = {
        **{f"HNSW, ef_search {ef}": _by_hnsw(connection, ef) for ef in EF_SEARCH},
        **{f"binary codes, {most} rescored": _by_codes(connection, codes, most) for most in RESCORED},
    }
    taken: dict[str, list[float]] = {name: [] for name in sides}
    shares: dict[str, list[float]] = {name: [] for name in sides}
    for at, vector in enumerate(asked):
        for name, find in sides.items():
            find(vector)
            began = time.perf_counter()
            found = find(vector)
            taken[name].append(time.perf_counter() - began)
            shares[name].append(len({*found} & {*exact[at]}) / LIMIT)
    for name, times in taken.items():
        figures = f"p50 {said(median(times))}, p95 {said(p95(times))}"
        _say(f"{name}: {np.mean(shares[name]):.4f} of the {LIMIT} nearest, {figures} of wall time")


def _exact(seeds: Seeds, asked: Floats, count: int) -> list[list[int]]:
    best: list[list[tuple[float, int]]] = [[] for _ in asked]
    for low, vectors in made_vectors(seeds, count):
        for at, cosines in enumerate(asked @ vectors.T):
            near = np.argpartition(-cosines, LIMIT)[:LIMIT]
            best[at] = sorted([*best[at], *((-float(cosines[each]), low + int(each)) for each in near)])[:LIMIT]
    return [[number for _, number in each] for each in best]


def _by_hnsw(connection: Connection, ef_search: int) -> Find:
    def find(vector: Floats) -> list[int]:
        connection.execute(f"SET hnsw.ef_search = {ef_search}".encode())
        return _numbers(connection.execute(_NEAREST, (str(vector.tolist()), LIMIT)).fetchall())

    return find


def _by_codes(connection: Connection, codes: BinaryCodes, most: int) -> Find:
    def find(vector: Floats) -> list[int]:
        likely = codes.candidates(vector, most).tolist()
        return _numbers(connection.execute(_RESCORED, (likely, str(vector.tolist()), LIMIT)).fetchall())

    return find


def _numbers(rows: Sequence[tuple[Any, ...]]) -> list[int]:
    return [int(row[0]) for row in rows]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
