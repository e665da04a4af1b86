"""`python -m benchmarks.passage_recall --sizes 1M,10M --folder DIR`: what share of the nearest passages a search finds.

The stores are those that `benchmarks.postgres_passages` built in the folder. Their vectors are sums of two pieces each,
so that all exact cosines follow from those of the pieces, without reading a store.
"""

import os
import time
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from tests.support.databases import own_postgres

from benchmarks.passage_seeds import Floats, Seeds, read_seeds
from benchmarks.postgres_passages import opened
from benchmarks.postgres_size import SIZES, comparison_options, say
from recollect.embed.cached import bundled_embedder
from recollect.memory import Memory
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex

LIMITS = (10, 200)
ASKED = 40
AT_ONCE = 100_000
_FIRST = "SELECT number FROM chunk WHERE ws = 1 AND hash = md5('0')"


def main() -> None:
    given = comparison_options("passage_recall", __doc__, "1M,10M", ASKED).parse_args()
    data = Path(os.environ.get("RECOLLECT_DATA", "../shared/data"))
    seeds = read_seeds(data, bundled_embedder(), given.folder / "seeds.npy")
    asked = bundled_embedder().embed(seeds.questions[: given.rounds])
    with own_postgres(given.folder / "data") as server:
        for size in given.sizes.split(","):
            exact = exact_nearest(seeds, asked, SIZES[size])
            with opened(server.address.replace("/postgres?", f"/passages_{size.lower()}?")) as memory:
                for limit in LIMITS:
                    say(f"{size}, nearest {limit}: {measure(memory, asked, exact[:, :limit])}")


def measure(memory: Memory, asked: Floats, exact: NDArray[np.int64]) -> str:
    limit, shares, taken = exact.shape[1], [], []
    with memory.read() as view:
        [[first]] = view.connection._raw.execute(_FIRST).fetchall()  # type: ignore[attr-defined]
        index = StoredPassageIndex(view, memory.cache.vectors)
        for vector, wanted in zip(asked, exact, strict=True):
            began = time.process_time()
            found = [
                number - first for number, _ in index.nearest(vector, bundled_embedder().model, PassageFilter(), limit)
            ]
            taken.append(time.process_time() - began)
            shares.append(len(np.intersect1d(found, wanted)) / limit)
    return f"{np.mean(shares):.3f} found, p50 {median(taken) * 1000:.0f} ms of this process"


def exact_nearest(seeds: Seeds, asked: Floats, count: int) -> NDArray[np.int64]:
    """By question the nearest of the generated passages, best first."""
    by_piece, by_way = asked @ seeds.vectors.T, asked @ seeds.ways.T
    both, most = 2 * seeds.vectors @ seeds.ways.T, max(LIMITS)
    squares = np.square(seeds.vectors).sum(axis=1), np.square(seeds.ways).sum(axis=1)
    best = [np.empty((0, 2)) for _ in asked]
    for low in range(0, count, AT_ONCE):
        k = np.arange(low, min(low + AT_ONCE, count))
        piece, way = k * 1237 % len(seeds.pieces), (k * 3571 + k // len(seeds.pieces)) % len(seeds.pieces)
        lengths = np.sqrt(squares[0][piece] + squares[1][way] + both[piece, way])
        for at, held in enumerate(best):
            cosines = (by_piece[at, piece] + by_way[at, way]) / lengths
            better = np.flatnonzero(cosines > (held[-1, 0] if len(held) == most else -1))
            every = np.concatenate([held, np.column_stack([cosines[better], k[better]])])
            best[at] = every[np.argsort(-every[:, 0], kind="stable")[:most]]
    return np.array([held[:, 1] for held in best], np.int64)


if __name__ == "__main__":
    main()
