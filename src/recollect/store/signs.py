"""Vectors by the signs of their numbers, a bit for each: what differs in few signs is likely near.

Signs need no training, and 48 bytes stand for the 1.5 kB of a vector. Half of them are counted for all vectors, all of
them for the best by that half; of the best by those, the numbers asked with are added up where the signs agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Words = NDArray[np.uint64]
    Places = NDArray[np.int64]
    Counts = NDArray[np.uint8 | np.uint16]

BITS = 64
AT_ONCE = 32_768
SAMPLED = 65_536
BY_HALF = 40
"""In a million, how many are kept by half of their signs for each one wanted; never less than the next part of all."""
LEAST_BY_HALF = 0.04
BY_ALL = 4
"""How many are kept by all of their signs for each one wanted."""
FEWEST_BY_ALL = 8_000


def signs_of(vectors: Sequence[bytes | str]) -> Words:
    """The signs of each vector in whole words, zero behind its end."""
    packed = np.packbits(np.stack([_is_positive(each) for each in vectors]), axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def _is_positive(vector: bytes | str) -> NDArray[np.bool_]:
    """Which numbers of a vector are; a text has them as noughts and ones already."""
    found: NDArray[np.bool_]
    if isinstance(vector, str):
        found = np.frombuffer(vector.encode(), np.uint8) == ord("1")
    else:
        found = np.frombuffer(vector, np.float32) > 0
    return found


class Written(NamedTuple):
    """Signs as a row of the database keeps them."""

    numbers: bytes
    signs: bytes


class Signs:
    """The signs of many vectors, with the number of each, lower numbers first."""

    def __init__(self, numbers: Places, words: Words) -> None:
        """`words` has a row for every 64 signs, so that one row of all vectors is read at a stretch."""
        self.numbers = numbers
        self._words = words

    @classmethod
    def read(cls, numbers: bytes, signs: bytes) -> Signs:
        found = np.frombuffer(numbers, np.int64)
        return cls(found, np.ascontiguousarray(np.frombuffer(signs, np.uint64).reshape(len(found), -1).T))

    def written(self) -> Written:
        return Written(self.numbers.tobytes(), np.ascontiguousarray(self._words.T).tobytes())

    def without(self, numbers: Collection[int]) -> Signs:
        kept = ~np.isin(self.numbers, list(numbers))
        return Signs(self.numbers[kept], self._words[:, kept])

    @property
    def megabytes(self) -> float:
        """What they take in memory."""
        return (self.numbers.nbytes + self._words.nbytes) / 1e6

    def joined(self, *others: Signs) -> Signs:
        parts = [each for each in (self, *others) if len(each.numbers)]
        if len(parts) < 2:
            return parts[0] if parts else self
        words = np.concatenate([each._words for each in parts], axis=1)
        return Signs(np.concatenate([each.numbers for each in parts]), words)

    def fits(self, vector: Floats) -> bool:
        """Whether the vector may be compared: empty or of another width, nothing is near."""
        return len(self.numbers) > 0 and len(self._words) == -(-len(vector) // BITS)

    def likely(self, vector: Floats, count: int) -> Places:
        """The numbers of those that are likely nearest, the likeliest first."""
        [asked] = signs_of([vector.tobytes()])
        half = max(1, len(asked) // 2)
        narrow = max(FEWEST_BY_ALL, BY_ALL * count)
        wide = max(BY_ALL * narrow, round(len(self.numbers) * max(LEAST_BY_HALF, BY_HALF * count / 1_000_000)))
        by_half = self._by_half(asked[:half])
        near = _least(by_half, wide)
        rest = np.empty(len(near), _count_type(asked[half:]))
        _count_differing((row[near] for row in self._words[half:]), asked[half:], rest)
        near = near[_least(np.add(by_half[near], rest, dtype=np.uint16), narrow)]
        agreeing = _agreeing(np.stack([row[near] for row in self._words], axis=1), vector)
        best = np.argsort(-agreeing, kind="stable")[:count]
        found: Places = self.numbers[near[best]]
        return found

    def likely_among(self, numbers: Collection[int], vector: Floats, count: int) -> Places:
        """Those of some that are likely nearest, the likeliest first; whose signs are not here is left out."""
        wanted = np.fromiter(numbers, np.int64, len(numbers))
        at = np.minimum(np.searchsorted(self.numbers, wanted), len(self.numbers) - 1)
        at = at[self.numbers[at] == wanted]
        agreeing = _agreeing(np.stack([row[at] for row in self._words], axis=1), vector)
        found: Places = self.numbers[at[np.argsort(-agreeing, kind="stable")[:count]]]
        return found

    def _by_half(self, asked: Words) -> Counts:
        """In how many of the first signs each vector differs; in stretches that stay near the processor."""
        counts = np.empty(len(self.numbers), _count_type(asked))
        for start in range(0, len(counts), AT_ONCE):
            stretch = slice(start, start + AT_ONCE)
            _count_differing(self._words[: len(asked), stretch], asked, counts[stretch])
        return counts


NO_SIGNS = Signs(np.empty(0, np.int64), np.empty((0, 0), np.uint64))


def _count_type(asked: Words) -> type[np.uint8 | np.uint16]:
    return np.uint8 if len(asked) * BITS <= np.iinfo(np.uint8).max else np.uint16


def _count_differing(words: Iterable[Words], asked: Words, counts: Counts) -> None:
    """Put down how many bits of each column differ from those asked with."""
    differing, some = np.empty(len(counts), np.uint64), np.empty(len(counts), np.uint8)
    counts[:] = 0
    for row, word in zip(words, asked, strict=True):
        np.bitwise_xor(row, word, out=differing)
        np.bitwise_count(differing, out=some)
        counts += some


def _least(counts: Counts, wanted: int) -> Places:
    """The places of about so many of the smallest counts, and of all that are equal to the last of them."""
    if wanted >= len(counts):
        return np.arange(len(counts))
    sample = counts[:: max(1, len(counts) // SAMPLED)]
    at = min(wanted * len(sample) // len(counts), len(sample) - 1)
    return np.flatnonzero(counts <= np.partition(sample, at)[at])


def _agreeing(rows: Words, vector: Floats) -> Floats:
    """By row the sum of the numbers asked with whose sign in it is positive: a table for every byte."""
    signs = rows.view(np.uint8)
    asked = np.pad(vector, (0, signs.shape[1] * 8 - len(vector))).reshape(-1, 8)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    table = asked @ bits.T
    sums: Floats = np.take(table, signs + np.arange(len(table)) * 256).sum(axis=1)
    return sums
