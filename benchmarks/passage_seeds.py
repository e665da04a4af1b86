"""Pieces of real texts with their vectors, of which stores of many passages are put together."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval import lines, sets
from recollect.embed.port import Embedder

PIECES = 5_000
SHORTEST, LONGEST = 100, 150
"""Two pieces make a passage that the chunker leaves alone: it joins what is shorter than 200 characters."""
NEIGHBOURS = 10
AT_ONCE = 256
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

Floats = NDArray[np.float32]


class Seeds(NamedTuple):
    """Pieces with their vectors, from each the way to a near one, and real questions."""

    pieces: list[str]
    vectors: Floats
    ways: Floats
    questions: list[str]


def read_seeds(data: Path, model: Embedder, kept: Path) -> Seeds:
    """Pieces and questions of the sets for retrieval; embedded once and kept in a file."""
    texts, questions = _read_sets(data)
    pick = np.random.default_rng(7)
    pieces = list(islice(_pieces([texts[at] for at in pick.permutation(len(texts))]), PIECES))
    asked = [questions[at] for at in pick.permutation(len(questions))]
    if kept.exists():
        vectors = np.load(kept)
    else:
        vectors = np.concatenate([model.embed(pieces[at : at + AT_ONCE]) for at in range(0, len(pieces), AT_ONCE)])
        np.save(kept, vectors)
    return Seeds(pieces, vectors, _ways(vectors, pick), asked)


def _read_sets(data: Path) -> tuple[list[str], list[str]]:
    texts: dict[str, None] = {}
    questions: dict[str, None] = {}
    for name, paths in sets(data).items():
        for line in lines(name, paths) if all(path.exists() for path in paths) else ():
            into, kind = (texts, "doc") if "doc" in line else (questions, "query")
            into[str(line[kind]["text"])] = None
    if not texts:
        raise SystemExit(f"no set for retrieval lies in {data}; set RECOLLECT_DATA")
    return list(texts), list(questions)


def _pieces(texts: list[str]) -> Iterator[str]:
    """Sentences of about one length, each once."""
    seen = set[str]()
    for text in texts:
        for sentence in _SENTENCE_END.split(text):
            piece = " ".join(sentence.split())
            if SHORTEST <= len(piece) <= LONGEST and piece not in seen:
                seen.add(piece)
                yield piece


def _ways(vectors: Floats, pick: np.random.Generator) -> Floats:
    """From each vector half of the way, or all of it, to one of its nearest."""
    cosines = vectors @ vectors.T
    near = np.argpartition(-cosines, NEIGHBOURS + 1, axis=1)[:, 1 : NEIGHBOURS + 1]
    target = vectors[near[np.arange(len(vectors)), pick.integers(0, NEIGHBOURS, len(vectors))]]
    found: Floats = (target - vectors) * pick.uniform(0.5, 1, (len(vectors), 1)).astype(np.float32)
    return found
