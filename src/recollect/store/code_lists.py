"""Codes of a very large store in lists by their nearest centroid, of which a search looks at the nearest.

Centroids are trained once, when a store has TRAINED_FROM vectors, on a sample of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from recollect.store.binary_codes import NO_LIST, BinaryCodes

if TYPE_CHECKING:
    from recollect.store.binary_codes import Floats, Lists, Places

TRAINED_FROM = 500_000
LISTS = 1_024
PROBED = 256
"""The lists that a search looks at: a quarter of the vectors holds 99 % of the ten nearest."""
TRAINING_VECTORS = 40 * LISTS
TRAINING_ROUNDS = 8
LOOSE_SHARE = 20
"""Codes are arranged anew when one in so many came since."""


def train_centroids(sample: Floats) -> Floats:
    """The means of groups of like vectors; the same for the same sample."""
    centroids = sample[np.linspace(0, len(sample) - 1, LISTS).astype(np.int64)].copy()
    for _ in range(TRAINING_ROUNDS):
        nearest = nearest_lists(sample, centroids)
        order = np.argsort(nearest, kind="stable")
        held, starts, counts = np.unique(nearest[order], return_index=True, return_counts=True)
        centroids[held] = np.add.reduceat(sample[order], starts, axis=0) / counts[:, None]
    return centroids


def nearest_lists(vectors: Floats, centroids: Floats) -> Lists:
    """The number of the nearest centroid of each vector."""
    closeness = vectors @ centroids.T - np.square(centroids).sum(axis=1) / 2
    found: Lists = closeness.argmax(axis=1).astype(np.uint16)
    return found


class ListedCodes:
    """Codes arranged list by list; those in no list, and those that came since, are looked at by every search."""

    def __init__(self, codes: BinaryCodes, centroids: Floats | None, listed: int = 0, settled: int = 0) -> None:
        """The first `listed` codes are in lists; the first `settled` were there when they were last arranged."""
        self.codes = codes
        self._centroids = centroids
        self._listed = listed
        self._settled = settled

    @classmethod
    def arrange(cls, codes: BinaryCodes, centroids: Floats | None) -> ListedCodes:
        if centroids is None:
            return cls(codes, None)
        order = np.argsort(codes.lists, kind="stable")
        return cls(codes.take(order), centroids, int(np.count_nonzero(codes.lists != NO_LIST)), len(order))

    def extend(self, blocks: Sequence[BinaryCodes]) -> ListedCodes:
        """With the codes of further vectors."""
        codes = self.codes.concatenate(*blocks)
        if (len(codes.numbers) - self._settled) * LOOSE_SHARE > len(codes.numbers):
            return self.arrange(codes, self._centroids)
        return ListedCodes(codes, self._centroids, self._listed, self._settled)

    def __len__(self) -> int:
        return len(self.codes.numbers)

    def fits(self, vector: Floats) -> bool:
        """Whether a vector of this width can be compared with the codes."""
        return self.codes.fits(vector)

    def candidates(self, vector: Floats, count: int, reach: int = 1) -> Places:
        """Numbers of the approximate nearest neighbours in the nearest lists, so many times PROBED, best first."""
        if self._centroids is None or reach * PROBED >= LISTS:
            return self.codes.candidates(vector, count)
        return self.codes.candidates(vector, count, self._stretches(vector, self._centroids, reach * PROBED))

    def candidates_among(self, numbers: Collection[int], vector: Floats, count: int) -> Places:
        """The approximate nearest among given numbers, best first; vectors without a stored code are skipped."""
        return self.codes.candidates_among(numbers, vector, count)

    def _stretches(self, vector: Floats, centroids: Floats, probed: int) -> list[slice]:
        nearest = np.sort(np.argsort(-np.einsum("ij,j->i", centroids, vector), kind="stable")[:probed])
        listed = (slice(int(self._starts[at]), int(self._starts[at + 1])) for at in nearest)
        every = [*listed, slice(self._listed, len(self))]
        return [each for each in every if each.start < each.stop]

    @cached_property
    def _starts(self) -> Places:
        """Where each list begins, and behind them where the last one ends."""
        found: Places = np.searchsorted(self.codes.lists[: self._listed], np.arange(LISTS + 1)).astype(np.int64)
        return found
