"""Stores of many passages with vectors, written straight into the tables: a million real ones take hours to embed."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval import lines, sets
from recollect.embed.cached import bundled_embedder
from recollect.embed.port import Embedder
from recollect.indexing import index_all
from recollect.memory import Memory, open_memory
from recollect.model.document import content_hash
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.store.passage_index import index_words
from recollect.store.tables import CHUNK, DOCUMENT, OPEN

AT_ONCE = 20_000
SEEDS = 12_000
LONGEST = 400
NEIGHBOURS = 10
YEARS = 190_000_000
BEGUN = 1_600_000_000

Floats = NDArray[np.float32]


class Sentences(NamedTuple):
    """Real texts with their vectors, the ways from some of them to a near one, and real questions."""

    texts: list[str]
    vectors: Floats
    ways: Floats
    questions: list[str]


def read_sentences(folder: Path, model: Embedder) -> Sentences:
    """Short passages and questions of the sets for retrieval that lie in the folder."""
    texts: dict[str, None] = {}
    questions: dict[str, None] = {}
    for name, paths in sets(folder).items():
        for line in lines(name, paths) if all(path.exists() for path in paths) else ():
            into, text = (texts, line["doc"]["text"]) if "doc" in line else (questions, line["query"]["text"])
            into[str(text)[:LONGEST]] = None
    if not texts:
        raise SystemExit(f"no set for retrieval lies in {folder}; set RECOLLECT_DATA")
    pick = np.random.default_rng(7)
    chosen = [list(texts)[at] for at in pick.permutation(len(texts))[:SEEDS]]
    asked = [list(questions)[at] for at in pick.permutation(len(questions))]
    vectors = np.concatenate([model.embed(chosen[at : at + 256]) for at in range(0, len(chosen), 256)])
    return Sentences(chosen, vectors, np.concatenate(list(_ways(vectors, pick))), asked)


def _ways(vectors: Floats, pick: np.random.Generator) -> Iterator[Floats]:
    """From each vector the way to one of its nearest."""
    for start in range(0, len(vectors), 1_000):
        some = vectors[start : start + 1_000]
        near = np.argpartition(-(some @ vectors.T), NEIGHBOURS + 1, axis=1)[:, 1 : NEIGHBOURS + 1]
        yield vectors[near[np.arange(len(some)), pick.integers(0, NEIGHBOURS, len(some))]] - some


def filled(path: Path, sentences: Sentences, count: int) -> Memory:
    """A memory of that many documents of one passage each, with its words, its vector and its place among artifacts."""
    memory = open_memory(str(path), settings=Settings())
    pick = np.random.default_rng(count)
    for start in range(0, count, AT_ONCE):
        with memory.write() as change:
            _fill(change, sentences, range(start, min(start + AT_ONCE, count)), pick)
            index_words(change)
    index_all(memory, vectors=False)
    return memory


def _fill(change: Change, sentences: Sentences, numbers: range, pick: np.random.Generator) -> None:
    bodies = list(_bodies(sentences.texts, numbers, pick))
    hashes = [content_hash(body) for body in bodies]
    names = [f"{number:026d}" for number in numbers]
    days = ((BEGUN + pick.integers(0, YEARS, len(numbers))) * 1_000_000).tolist()
    ws, tx = change.ws, change.tx
    documents = zip(names, bodies, hashes, days, strict=True)
    change.connection.insert(
        DOCUMENT,
        [
            (ws, name, tx, OPEN, "record", "note", name, body[:40], None, None, day, digest, "{}", None)
            for name, body, digest, day in documents
        ],
    )
    texts = [(ws, digest, body) for digest, body in zip(hashes, bodies, strict=True)]
    change.connection.fill("content", ("ws", "hash", "text"), texts)
    chunks = zip(names, bodies, hashes, strict=True)
    change.connection.insert(
        CHUNK, [(ws, name, 0, tx, OPEN, 0, len(body), digest, body) for name, body, digest in chunks]
    )
    _fill_vectors(change, hashes, _vectors(sentences, len(numbers), pick), numbers.stop)


def _bodies(texts: list[str], numbers: range, pick: np.random.Generator) -> Iterator[str]:
    """One to three real texts together, each time others."""
    for number in numbers:
        some = " ".join(texts[at] for at in pick.integers(0, len(texts), pick.integers(1, 4)))
        yield f"{some} ({number})"


def _vectors(sentences: Sentences, count: int, pick: np.random.Generator) -> Floats:
    one = sentences.vectors[pick.integers(0, len(sentences.vectors), count)]
    way = sentences.ways[pick.integers(0, len(sentences.ways), count)]
    moved = one + way * pick.uniform(0.5, 1, (count, 1)).astype(np.float32)
    found: Floats = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
    return found


def _fill_vectors(change: Change, hashes: list[str], vectors: Floats, upto: int) -> None:
    model = bundled_embedder().model
    rows = [
        {"ws": change.ws, "model": model, "hash": digest, "vector": vector.tobytes()}
        for digest, vector in zip(hashes, vectors, strict=True)
    ]
    change.connection.run_many("embedding_add", rows)
    state = {"ws": change.ws, "part": f"meaning:{model}", "upto": upto, "chunks": upto, "characters": upto * LONGEST}
    change.connection.run("indexed_put", state)
