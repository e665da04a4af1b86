"""Binary quantization: two bits per dimension, the sign of a component and whether it is large.

Codes need no training, and 96 bytes stand for the 1.5 kB of a vector. Candidates are found by the Hamming distance of
the signs, narrowed by what the query has where signs are positive, and ordered by its cosine with what both bits tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Words = NDArray[np.uint64]
    Places = NDArray[np.int64]
    Counts = NDArray[np.uint8 | np.uint16]
    Lists = NDArray[np.uint16]

BITS = 64
BLOCK_VECTORS = 32_768
THRESHOLD_SAMPLE = 65_536
MIN_NARROW = 12_000
NARROW_SHARE = 0.02
NARROW_FACTOR = 4
"""So many are kept of those looked at by their signs alone: a share of all, at least a number and a factor per result;
of these the last two are compared by both bits."""
LARGE, SMALL_LEVEL, LARGE_LEVEL = 0.9816, 0.4528, 1.5104
"""From where on a component is large, and what either kind counts for, in standard deviations: the four levels that
lose least of a normal distribution (Max 1960)."""
NO_LIST = 0xFFFF


class CodeBlock(NamedTuple):
    """Codes as stored in a row of the database; earlier releases stored signs alone."""

    numbers: bytes
    signs: bytes
    magnitudes: bytes | None
    lists: bytes | None


class BinaryCodes:
    """The codes of many vectors with the number of each embedding, and the list that each is in, if any."""

    def __init__(self, numbers: Places, signs: Words, magnitudes: Words, lists: Lists) -> None:
        """Signs and magnitudes have one row per 64 bits, so that a pass over all vectors reads contiguous memory."""
        self.numbers = numbers
        self.lists = lists
        self._signs = signs
        self._magnitudes = magnitudes
        self._ascending: Places | None = None

    @classmethod
    def quantize(cls, numbers: Sequence[int], vectors: Floats, lists: Lists | None = None) -> BinaryCodes:
        large = LARGE * np.linalg.norm(vectors, axis=1, keepdims=True) / vectors.shape[1] ** 0.5
        signs, magnitudes = (np.ascontiguousarray(_pack(bits).T) for bits in (vectors > 0, np.abs(vectors) > large))
        return cls(np.array(numbers, np.int64), signs, magnitudes, _lists_or_none(lists, len(numbers)))

    @classmethod
    def read(cls, block: CodeBlock) -> BinaryCodes:
        numbers = np.frombuffer(block.numbers, np.int64)
        signs = np.ascontiguousarray(np.frombuffer(block.signs, np.uint64).reshape(len(numbers), -1).T)
        if block.magnitudes is None:
            magnitudes = np.zeros_like(signs)
        else:
            magnitudes = np.ascontiguousarray(np.frombuffer(block.magnitudes, np.uint64).reshape(len(numbers), -1).T)
        lists = None if block.lists is None else np.frombuffer(block.lists, np.uint16)
        return cls(numbers, signs, magnitudes, _lists_or_none(lists, len(numbers)))

    def encode(self) -> CodeBlock:
        signs, magnitudes = (np.ascontiguousarray(plane.T).tobytes() for plane in (self._signs, self._magnitudes))
        return CodeBlock(self.numbers.tobytes(), signs, magnitudes, self.lists.tobytes())

    def without(self, numbers: Collection[int]) -> BinaryCodes:
        return self.take(np.flatnonzero(~np.isin(self.numbers, list(numbers))))

    def take(self, places: Places) -> BinaryCodes:
        """The codes at these places, in their order."""
        signs, magnitudes = (np.stack([row[places] for row in plane]) for plane in (self._signs, self._magnitudes))
        return BinaryCodes(self.numbers[places], signs, magnitudes, self.lists[places])

    def concatenate(self, *others: BinaryCodes) -> BinaryCodes:
        parts = [each for each in (self, *others) if len(each.numbers)]
        if len(parts) < 2:
            return parts[0] if parts else self
        return BinaryCodes(
            np.concatenate([each.numbers for each in parts]),
            np.concatenate([each._signs for each in parts], axis=1),
            np.concatenate([each._magnitudes for each in parts], axis=1),
            np.concatenate([each.lists for each in parts]),
        )

    def fits(self, vector: Floats) -> bool:
        """Whether a vector of this width can be compared with the codes."""
        return len(self.numbers) > 0 and len(self._signs) == -(-len(vector) // BITS)

    def candidates(self, vector: Floats, count: int, stretches: Sequence[slice] | None = None) -> Places:
        """Numbers of the approximate nearest neighbours, best first; `stretches` are the only places looked at."""
        code = _pack(vector[None] > 0)[0]
        distances = self._distances(code, [slice(0, len(self.numbers))] if stretches is None else stretches)
        wanted = max(MIN_NARROW, NARROW_FACTOR * count, round(len(distances) * NARROW_SHARE))
        near = _smallest(distances, wanted)
        return self._best(near if stretches is None else _places(near, stretches), vector, count)

    def candidates_among(self, numbers: Collection[int], vector: Floats, count: int) -> Places:
        """The approximate nearest among given numbers, best first; vectors without a stored code are skipped."""
        items = np.fromiter(numbers, np.int64, len(numbers))
        if self._ascending is None:
            self._ascending = np.argsort(self.numbers, kind="stable")
        found = np.searchsorted(self.numbers, items, sorter=self._ascending)
        at = self._ascending[np.minimum(found, len(self.numbers) - 1)]
        return self._best(at[self.numbers[at] == items], vector, count)

    def _best(self, places: Places, vector: Floats, count: int) -> Places:
        signs = np.stack([row[places] for row in self._signs], axis=1)
        most = max(MIN_NARROW, NARROW_FACTOR * count)
        if len(places) > most:
            kept = np.argpartition(-_agreements(signs, vector), most)[:most]
            places, signs = places[kept], signs[kept]
        scores = _cosines(signs, np.stack([row[places] for row in self._magnitudes], axis=1), vector)
        found: Places = self.numbers[places[np.argsort(-scores, kind="stable")[:count]]]
        return found

    def _distances(self, code: Words, stretches: Sequence[slice]) -> Counts:
        """Hamming distances of the signs, computed in cache-sized blocks."""
        counts = np.empty(sum(each.stop - each.start for each in stretches), np.uint16)
        written = 0
        for stretch in stretches:
            for start in range(stretch.start, stretch.stop, BLOCK_VECTORS):
                some = slice(start, min(start + BLOCK_VECTORS, stretch.stop))
                upto = written + some.stop - some.start
                _hamming_distances(self._signs[:, some], code, counts[written:upto])
                written = upto
        return counts


_EMPTY = np.empty((0, 0), np.uint64)
NO_CODES = BinaryCodes(np.empty(0, np.int64), _EMPTY, _EMPTY, np.empty(0, np.uint16))


def _pack(bits: NDArray[np.bool_]) -> Words:
    """The bits of each row in 64-bit words, padded with zeros."""
    packed = np.packbits(bits, axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def _lists_or_none(lists: Lists | None, count: int) -> Lists:
    return np.full(count, NO_LIST, np.uint16) if lists is None else lists


def _places(at: Places, stretches: Sequence[slice]) -> Places:
    """The places in all codes of what is so far down the stretches."""
    starts = np.array([each.start for each in stretches], np.int64)
    ends = np.cumsum([each.stop - each.start for each in stretches])
    within = np.searchsorted(ends, at, side="right")
    found: Places = at + (starts - np.concatenate([[0], ends[:-1]]))[within]
    return found


def _hamming_distances(words: Iterable[Words], code: Words, counts: Counts) -> None:
    """Write the Hamming distance of each column to the query into `counts`."""
    differing, some = np.empty(len(counts), np.uint64), np.empty(len(counts), np.uint8)
    counts[:] = 0
    for row, word in zip(words, code, strict=True):
        np.bitwise_xor(row, word, out=differing)
        np.bitwise_count(differing, out=some)
        counts += some


def _smallest(counts: Counts, count: int) -> Places:
    """Positions of about this many smallest counts, including all that tie with the last."""
    if count >= len(counts):
        return np.arange(len(counts))
    sample = counts[:: max(1, len(counts) // THRESHOLD_SAMPLE)]
    at = min(count * len(sample) // len(counts), len(sample) - 1)
    return np.flatnonzero(counts <= np.partition(sample, at)[at])


def _agreements(signs: Words, vector: Floats) -> Floats:
    """Per row the sum of the query's components at positive bits, by a table for each byte."""
    patterns = np.ascontiguousarray(signs.view(np.uint8).T)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    components = np.pad(vector, (0, len(patterns) * 8 - len(vector))).reshape(-1, 8)
    sums = np.zeros(len(signs), np.float32)
    for pattern, table in zip(patterns, np.einsum("bc,pc->bp", components, bits), strict=True):
        sums += table.take(pattern, mode="clip")
    return sums


def _cosines(signs: Words, magnitudes: Words, vector: Floats) -> Floats:
    """Per row the cosine of the query with the vector that the bits stand for, up to the length of the query.

    Products are looked up for four components at a time: four bits of each kind are one of 256 patterns.
    """
    some, others = (np.ascontiguousarray(plane.view(np.uint8).T) for plane in (signs, magnitudes))
    patterns = np.stack(((some >> 4) | (others & 0xF0), (some & 0x0F) | (others << 4)), axis=1)
    components = np.pad(vector, (0, len(some) * 8 - len(vector))).reshape(len(some), 2, 4)
    tables = np.einsum("bhc,pc->bhp", components, _levels())
    sums = np.zeros(len(signs), np.float32)
    for pattern, table in zip(patterns.reshape(-1, len(signs)), tables.reshape(-1, 256), strict=True):
        sums += table.take(pattern, mode="clip")
    large = np.bitwise_count(magnitudes).sum(axis=1, dtype=np.int64)
    lengths = np.sqrt(len(vector) * SMALL_LEVEL**2 + large * (LARGE_LEVEL**2 - SMALL_LEVEL**2))
    found: Floats = (sums / lengths).astype(np.float32)
    return found


@cache
def _levels() -> Floats:
    """What four components are for each pattern: the lower bits are their signs, the upper whether they are large."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    large, positive = bits[:, :4], bits[:, 4:]
    found: Floats = (2 * positive - 1) * (SMALL_LEVEL + large * (LARGE_LEVEL - SMALL_LEVEL))
    return found
