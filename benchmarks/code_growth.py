"""`python -m benchmarks.code_growth 1M 3M 10M`: candidates by binary codes alone, without a database.

The vectors are those of `benchmarks.passage_growth`. For each size: the time of `ListedCodes.candidates`, its share of
the exact nearest among as many candidates as a search would rescore, and the memory of the codes.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import gettempdir

import numpy as np
from numpy.typing import NDArray

from benchmarks.passage_seeds import Floats, Seeds, read_seeds
from benchmarks.postgres_size import SIZES
from benchmarks.timing import p95, said
from recollect.embed.cached import bundled_embedder
from recollect.store.binary_codes import NO_CODES, BinaryCodes
from recollect.store.code_lists import TRAINED_FROM, TRAINING_VECTORS, ListedCodes, nearest_lists, train_centroids
from recollect.store.nearest_neighbors import rescored_candidates

ASKED = 60
LIMITS = (10, 200)
AT_ONCE = 100_000


def main() -> None:
    data, kept = Path(os.environ.get("RECOLLECT_DATA", "../shared/data")), Path(gettempdir()) / "recollect-seeds.npy"
    model = bundled_embedder()
    seeds = read_seeds(data, model, kept)
    asked = model.embed(seeds.questions[:ASKED])
    for size in sys.argv[1:] or ["1M"]:
        sys.stdout.write(f"{size}: {measure(seeds, asked, SIZES[size])}\n")
        sys.stdout.flush()


def measure(seeds: Seeds, asked: Floats, count: int) -> str:
    codes, exact = _build(seeds, asked, count)
    told = []
    for limit in LIMITS:
        taken, shares = [], []
        for at, vector in enumerate(asked):
            began = time.process_time()
            found = codes.candidates(vector, rescored_candidates(limit, count))
            taken.append(time.process_time() - began)
            shares.append(len(np.intersect1d(found, exact[at, :limit])) / limit)
        figures = f"p50 {said(median(taken))}, p95 {said(p95(taken))}"
        told.append(f"nearest {limit}: {figures} of processor time, {np.mean(shares):.4f} found")
    return "; ".join(told)


def made_vectors(seeds: Seeds, count: int) -> Iterator[tuple[int, Floats]]:
    """The vectors of passages in steps, each with the number of its first."""
    for low in range(0, count, AT_ONCE):
        yield low, _made(seeds, np.arange(low, min(low + AT_ONCE, count)))


def _made(seeds: Seeds, k: NDArray[np.int64]) -> Floats:
    pieces = len(seeds.pieces)
    moved: Floats = seeds.vectors[k * 1237 % pieces] + seeds.ways[(k * 3571 + k // pieces) % pieces]
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


def _build(seeds: Seeds, asked: Floats, count: int) -> tuple[ListedCodes, NDArray[np.int64]]:
    """The codes of all vectors, and by question the numbers of the exact nearest, best first."""
    centroids = _centroids(seeds, count)
    blocks, most = [], max(LIMITS)
    numbers, cosines = np.empty((len(asked), 0), np.int64), np.empty((len(asked), 0), np.float32)
    for low, vectors in made_vectors(seeds, count):
        lists = None if centroids is None else nearest_lists(vectors, centroids)
        blocks.append(BinaryCodes.quantize(range(low, low + len(vectors)), vectors, lists))
        some = asked @ vectors.T
        near = np.argpartition(-some, most, axis=1)[:, :most]
        numbers = np.concatenate([numbers, near + low], axis=1)
        cosines = np.concatenate([cosines, np.take_along_axis(some, near, axis=1)], axis=1)
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :most]
        numbers, cosines = np.take_along_axis(numbers, best, axis=1), np.take_along_axis(cosines, best, axis=1)
    return ListedCodes.arrange(NO_CODES.concatenate(*blocks), centroids), numbers


def _centroids(seeds: Seeds, count: int) -> Floats | None:
    """Those of lists, where there are so many vectors that there are any."""
    if count < TRAINED_FROM:
        return None
    return train_centroids(_made(seeds, np.arange(0, count, count // TRAINING_VECTORS)))


if __name__ == "__main__":
    main()
