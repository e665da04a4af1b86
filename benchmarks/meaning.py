"""Passages by meaning at 10k and at a large size: how much slower, and what share of a full comparison is found.

    python -m benchmarks.meaning 1000000

Vectors are those of the bundled model for sentences of ours, then mixtures of them with noise: a million real
sentences would take an hour to embed. Passages and vectors are written straight into the store's tables.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Row, table
from recollect.embed.choose import bundled
from recollect.memory import Memory, open_memory
from recollect.model.document import content_hash
from recollect.search.indexing import build_cells
from recollect.settings import Settings
from recollect.store.cells import generations
from recollect.store.change import Change
from recollect.store.found import Filter
from recollect.store.index import StoredIndex
from recollect.store.tables import CHUNK, DOCUMENT, OPEN

SMALL = 10_000
AT_ONCE = 20_000
ASKED = 200
SEEDS = 3_000
LIMIT = 200
_WHO = "Ada Ben the baker our landlord the committee a colleague my sister the engineer Noor the captain".split()
_DID = "repaired sold forgot painted measured promised refused described buried counted planned delayed".split()
_WHAT = "the harbour wall|a broken lamp|three letters|the plum harvest|the audit|a new bridge|the old song".split("|")
_WHEN = "on Monday|before the storm|in spring|after supper|last year|during the siege|at the market".split("|")

Floats = NDArray[np.float32]


def main() -> None:
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    model = bundled()
    seeds = np.concatenate([model.embed(some) for some in _sentences()])
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        rows, notes = compare(Path(folder), model.model, seeds, large)
    print("\n\n".join([table(rows), *notes]))  # noqa: T201 the table is what this is for


def _sentences() -> Iterator[list[str]]:
    pick = np.random.default_rng(3)
    for _ in range(SEEDS // 100):
        yield [" ".join(pick.choice(each) for each in (_WHO, _DID, _WHAT, _WHEN)) + "." for _ in range(100)]


def compare(folder: Path, model: str, seeds: Floats, large: int) -> tuple[list[Row], list[str]]:
    asked = _mixed(seeds, ASKED, np.random.default_rng(99))
    few, _ = _times(_filled(folder / "small.db", model, seeds, SMALL), model, asked)
    memory = _filled(folder / "large.db", model, seeds, large)
    began = time.perf_counter()
    while build_cells(memory):
        pass
    built = time.perf_counter() - began
    many, found = _times(memory, model, asked)
    share = _share(memory, model, asked, found)
    with memory.read() as view:
        [held] = generations(view, model)
    file = (folder / "large.db").stat().st_size / 2**30
    rows = [
        Row(f"nearest {LIMIT} of {large} passages, p95", _p95(many), _p95(few), f"the same of {SMALL}", 5),
        Row(f"nearest {LIMIT} of {large} passages, median", float(np.median(many)), float(np.median(few)), "the same"),
    ]
    notes = [
        f"{share:.4f} of the 50 nearest are found (asked: 0.98).",
        f"Cells of {held.trained_on} vectors were built in {built:.0f} s; the file has {file:.2f} GiB.",
    ]
    return rows, notes


def _mixed(seeds: Floats, count: int, pick: np.random.Generator) -> Floats:
    one, other = seeds[pick.integers(0, len(seeds), count)], seeds[pick.integers(0, len(seeds), count)]
    part = pick.uniform(0, 0.5, (count, 1)).astype(np.float32)
    mixed = one * (1 - part) + other * part + pick.normal(size=one.shape).astype(np.float32) * 0.015
    found: Floats = (mixed / np.linalg.norm(mixed, axis=1, keepdims=True)).astype(np.float32)
    return found


def _filled(path: Path, model: str, seeds: Floats, count: int) -> Memory:
    memory = open_memory(str(path), settings=Settings())
    pick = np.random.default_rng(count)
    for start in range(0, count, AT_ONCE):
        with memory.write() as change:
            _fill(change, model, start, _mixed(seeds, min(AT_ONCE, count - start), pick))
    return memory


def _fill(change: Change, model: str, start: int, vectors: Floats) -> None:
    names = [f"{number:026d}" for number in range(start, start + len(vectors))]
    hashes = [content_hash(name) for name in names]
    rows = [
        (change.ws, name, change.tx, OPEN, "record", "note", name, None, None, None, 0, None, "{}", None)
        for name in names
    ]
    change.connection.insert(DOCUMENT, rows)
    chunks = [
        (change.ws, name, 0, change.tx, OPEN, 0, 26, digest, name) for name, digest in zip(names, hashes, strict=True)
    ]
    change.connection.insert(CHUNK, chunks)
    embedded = [
        {"ws": change.ws, "model": model, "hash": digest, "vector": vector.tobytes()}
        for digest, vector in zip(hashes, vectors, strict=True)
    ]
    change.connection.run_many("embedding_add", embedded)
    done = start + len(vectors)
    state = {"ws": change.ws, "part": f"meaning:{model}", "upto": done, "chunks": done, "characters": done * 26}
    change.connection.run("indexed_put", state)


def _times(memory: Memory, model: str, asked: Floats) -> tuple[list[float], list[list[int]]]:
    taken, found = [], []
    for number, vector in enumerate([asked[0], *asked]):
        began = time.process_time()
        with memory.read() as view:
            hits = StoredIndex(view, memory.kept.matrices).nearest(vector, model, Filter(), LIMIT)
        if number:
            taken.append(time.process_time() - began)
            found.append([hit for hit, _ in hits])
    return taken, found


def _p95(taken: list[float]) -> float:
    return float(np.percentile(taken, 95))


def _share(memory: Memory, model: str, asked: Floats, found: list[list[int]]) -> float:
    """What share of the fifty nearest passages, by comparison with all, was found."""
    best = [np.empty((0, 2)) for _ in asked]
    with memory.read() as view:
        upto = 0
        while rows := view.rows("embeddings_some", model=model, upto=upto, limit=AT_ONCE):
            upto = rows[-1][0]
            vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
            numbers = np.array([row[0] for row in rows], float)
            for at, cosines in enumerate(asked @ vectors.T):
                top = np.argpartition(-cosines, 50)[:50]
                both = np.concatenate([best[at], np.column_stack([cosines[top], numbers[top]])])
                best[at] = both[np.argsort(-both[:, 0])[:50]]
    # Passages and embeddings are numbered alike here, since both were written in the same order.
    return float(np.mean([len({*map(int, top[:, 1])} & set(hits)) / 50 for top, hits in zip(best, found, strict=True)]))


if __name__ == "__main__":
    main()
