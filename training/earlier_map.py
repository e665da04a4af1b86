"""The matrix that turns a query vector of a new encoder into one of an encoder before it.

python -m training.earlier_map OLD_FOLDER NEW_FOLDER --file earlier_1.npy

Writes the file into the new folder: least squares with a little ridge over questions and passages of the corpus
and general English. A store that was embedded by the old encoder answers by its vectors until it is embedded anew.
"""

import argparse
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from recollect.embed.local import LocalEmbedder
from training.articles import article_pool
from training.corpus import load_worlds
from training.general_text import general_texts
from training.pairs import Pool, build_pool

RIDGE = 1.0
PER_WORLD = 60
ARTICLE_POOLS = 8
HELD_OUT = 500


def sample_texts(vocabulary: Path, seed: int = 1) -> list[str]:
    """Questions and passages of every world, of some articles, and general sentences."""
    random = Random(seed)
    pools = [build_pool(world, random) for world in load_worlds()] + [
        article_pool(random) for _ in range(ARTICLE_POOLS)
    ]
    texts = [text for pool in pools for text in random.sample(_texts(pool), min(PER_WORLD, len(_texts(pool))))]
    words = sorted(vocabulary.read_text(encoding="utf-8").split())
    every = list(dict.fromkeys([*texts, *general_texts(words, 1500, seed)]))
    return random.sample(every, len(every))


def _texts(pool: Pool) -> list[str]:
    return [*pool.passages, *(query.text for query in pool.queries)]


def fit(new: NDArray[np.float32], old: NDArray[np.float32]) -> NDArray[np.float32]:
    """The matrix M with new @ M close to old."""
    square = new.T @ new + RIDGE * np.eye(new.shape[1], dtype=np.float32)
    solved: NDArray[np.float32] = np.linalg.solve(square, new.T @ old).astype(np.float32)
    return solved


def main() -> None:
    parser = argparse.ArgumentParser(description="The matrix from a new encoder's vectors to those of the old one")
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--file", default="earlier_1.npy", help="see EARLIER in recollect.embed.local")
    asked = parser.parse_args()
    texts = sample_texts(asked.new / "vocabulary.txt")
    old, new = (LocalEmbedder(1, folder, folder.name).embed(texts) for folder in (asked.old, asked.new))
    matrix = fit(new[HELD_OUT:], old[HELD_OUT:])
    turned = new[:HELD_OUT] @ matrix
    cosines = (turned * old[:HELD_OUT]).sum(axis=1) / np.linalg.norm(turned, axis=1)
    # Vectors are normalised after the map, so one scale for the whole matrix need not be stored.
    np.save(asked.new / asked.file, np.rint(matrix * (127 / np.abs(matrix).max())).astype(np.int8))
    print(f"{len(texts)} texts; cosine on {HELD_OUT} others: mean {cosines.mean():.3f}, least {cosines.min():.3f}")  # noqa: T201


if __name__ == "__main__":
    main()
