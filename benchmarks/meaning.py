"""Search by meaning at 10k and at a large size: how much slower, and what share of a full comparison is found.

    python -m benchmarks.meaning 1000000

Texts are real sentences, put together anew; vectors are those of real sentences and others around them, as far from
them as their own neighbours are. Both sides are asked real questions in turn.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.meaning_store import Sentences, filled, read_sentences
from benchmarks.timing import Row, table
from recollect.embed.cached import CachedEmbedder, bundled_embedder
from recollect.indexing import build_vector_codes
from recollect.memory import Memory
from recollect.search.document_search import nearest_by_words
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.surfaces.carabase.semantic import carabase_search_semantic

SMALL = 10_000
ASKED = 100
LIMITS = (20, 200)
AT_ONCE = 20_000

Floats = NDArray[np.float32]


class Question(NamedTuple):
    text: str
    vector: Floats


Operation = Callable[[Memory, Question], object]


def main() -> None:
    large = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    data = Path(os.environ.get("RECOLLECT_DATA", "../shared/data"))
    cache = Path(os.environ.get("RECOLLECT_CACHE", str(Path(tempfile.gettempdir()) / "recollect-vectors")))
    model = CachedEmbedder(bundled_embedder(), cache)
    sentences = read_sentences(data, model)
    texts = sentences.questions[:ASKED]
    asked = [Question(text, vector) for text, vector in zip(texts, model.embed(texts), strict=True)]
    with TemporaryDirectory(prefix="recollect-bench-") as folder:
        rows, notes = compare(Path(folder), sentences, asked, large)
    print("\n\n".join([table(rows), *notes]))  # noqa: T201 the table is what this is for


def compare(folder: Path, sentences: Sentences, asked: list[Question], large: int) -> tuple[list[Row], list[str]]:
    few = filled(folder / "small.db", sentences, SMALL)
    many = filled(folder / "large.db", sentences, large)
    began, worked = time.perf_counter(), time.process_time()
    while build_vector_codes(many):
        pass
    built = f"{time.perf_counter() - began:.0f} s, {time.process_time() - worked:.0f} s of processor time"
    rows = [row for what, deed in deeds().items() for row in _rows(what, deed, (many, few), asked, large)]
    shares = ", ".join(f"{_share(many, asked, limit):.4f} of the {limit} nearest" for limit in LIMITS)
    with many.read() as view:
        held = many.cache.vectors.binary_codes(view, bundled_embedder().model)
    size = 0.0 if held is None else sum(len(each or b"") for each in held.codes.codes.encode()) / len(held.codes)
    notes = [
        f"Found: {shares} (asked: 0.98).",
        f"The codes were made from {large} vectors in {built}, and take {size:.0f} MB of memory per million.",
    ]
    return rows, notes


def deeds() -> dict[str, Operation]:
    return {
        "carabase_search_semantic": lambda memory, asked: carabase_search_semantic(memory, asked.text),
        "search by words and meaning": _searched,
        "search by words alone": _by_words,
        **{f"nearest {limit} passages": _nearest_of(limit) for limit in LIMITS},
    }


def _searched(memory: Memory, asked: Question) -> object:
    with memory.read() as view:
        return search_passages(
            StoredPassageIndex(view, memory.cache.vectors), SearchRequest(asked.text, view.now), memory.embedder
        )


def _by_words(memory: Memory, asked: Question) -> object:
    with memory.read() as view:
        return nearest_by_words(view, StoredPassageIndex(view, memory.cache.vectors), asked.text, PassageFilter(), 5)


def _nearest_of(limit: int) -> Operation:
    return lambda memory, asked: nearest(memory, asked, limit)


def nearest(memory: Memory, asked: Question, limit: int) -> list[int]:
    with memory.read() as view:
        index = StoredPassageIndex(view, memory.cache.vectors)
        return [number for number, _ in index.nearest(asked.vector, bundled_embedder().model, PassageFilter(), limit)]


def _rows(what: str, deed: Operation, sides: tuple[Memory, Memory], asked: list[Question], large: int) -> list[Row]:
    """Processor time and wall time, each side asked the same question in turn."""
    taken: list[list[tuple[float, float]]] = [[], []]
    for question in [asked[0], *asked]:
        for memory, times in zip(sides, taken, strict=True):
            began = time.process_time(), time.perf_counter()
            deed(memory, question)
            times.append((time.process_time() - began[0], time.perf_counter() - began[1]))
    rows = []
    for at, clock in enumerate(("", ", wall")):
        ours, theirs = (_p95([each[at] for each in times[1:]]) for times in taken)
        rows.append(Row(f"{what} at {large}, p95{clock}", ours, theirs, f"the same at {SMALL}", 5))
    return rows


def _p95(taken: list[float]) -> float:
    return float(np.percentile(taken, 95))


def _share(memory: Memory, asked: list[Question], limit: int) -> float:
    """What share of the nearest passages, by comparison with all, is found."""
    vectors = np.array([each.vector for each in asked])
    best: list[NDArray[Any]] = [np.empty((0, 2)) for _ in asked]
    with memory.read() as view:
        upto, model = 0, bundled_embedder().model
        last = view.fetch_number("embeddings_last", model=model)
        while rows := view.rows("embeddings_some", model=model, behind=upto, last=last, limit=AT_ONCE):
            upto = rows[-1][0]
            stored = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(len(rows), -1)
            numbers = np.array([row[0] for row in rows], float)
            for at, cosines in enumerate(vectors @ stored.T):
                both = np.concatenate([best[at], np.column_stack([cosines, numbers])])
                best[at] = both[np.argsort(-both[:, 0])[:limit]]
    # Passages and embeddings are numbered alike here, since both were written in the same order.
    pairs = zip(best, asked, strict=True)
    return float(np.mean([len({*map(int, top[:, 1])} & set(nearest(memory, q, limit))) / limit for top, q in pairs]))


if __name__ == "__main__":
    main()
