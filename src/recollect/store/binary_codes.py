"""Binary quantization: one sign bit per dimension, searched by Hamming distance.

Codes need no training, and 48 bytes stand for the 1.5 kB of a vector. Candidates are found by the Hamming distance of
half the code, narrowed by the whole code, and ordered by an asymmetric score against the full query vector.
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
BLOCK_VECTORS = 32_768
THRESHOLD_SAMPLE = 65_536
HALF_CODE_CANDIDATES = 40
"""Candidates kept after the half-code pass, per result and million vectors; at least MIN_HALF_CODE_SHARE of all."""
MIN_HALF_CODE_SHARE = 0.04
FULL_CODE_FACTOR = 4
"""Candidates kept after the full-code pass, per result."""
MIN_FULL_CODE_CANDIDATES = 8_000


def quantize(vectors: Sequence[bytes | str]) -> Words:
    """The sign bits of each vector, packed into 64-bit words and padded with zeros."""
    packed = np.packbits(np.stack([_sign_bits(each) for each in vectors]), axis=1)
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def _sign_bits(vector: bytes | str) -> NDArray[np.bool_]:
    """Which components are positive; PostgreSQL returns them as a string of 0s and 1s."""
    found: NDArray[np.bool_]
    if isinstance(vector, str):
        found = np.frombuffer(vector.encode(), np.uint8) == ord("1")
    else:
        found = np.frombuffer(vector, np.float32) > 0
    return found


class CodeBlock(NamedTuple):
    """Codes as stored in a row of the database."""

    numbers: bytes
    signs: bytes


class BinaryCodes:
    """The codes of many vectors with the number of each embedding, in ascending order."""

    def __init__(self, numbers: Places, words: Words) -> None:
        """`words` has one row per 64 bits, so that a pass over all vectors reads contiguous memory."""
        self.numbers = numbers
        self._words = words

    @classmethod
    def read(cls, numbers: bytes, signs: bytes) -> BinaryCodes:
        found = np.frombuffer(numbers, np.int64)
        return cls(found, np.ascontiguousarray(np.frombuffer(signs, np.uint64).reshape(len(found), -1).T))

    def encode(self) -> CodeBlock:
        return CodeBlock(self.numbers.tobytes(), np.ascontiguousarray(self._words.T).tobytes())

    def without(self, numbers: Collection[int]) -> BinaryCodes:
        kept = ~np.isin(self.numbers, list(numbers))
        return BinaryCodes(self.numbers[kept], self._words[:, kept])

    def concatenate(self, *others: BinaryCodes) -> BinaryCodes:
        parts = [each for each in (self, *others) if len(each.numbers)]
        if len(parts) < 2:
            return parts[0] if parts else self
        words = np.concatenate([each._words for each in parts], axis=1)
        return BinaryCodes(np.concatenate([each.numbers for each in parts]), words)

    def fits(self, vector: Floats) -> bool:
        """Whether a vector of this width can be compared with the codes."""
        return len(self.numbers) > 0 and len(self._words) == -(-len(vector) // BITS)

    def candidates(self, vector: Floats, count: int) -> Places:
        """Numbers of the approximate nearest neighbours, best first."""
        [code] = quantize([vector.tobytes()])
        half = max(1, len(code) // 2)
        narrow = max(MIN_FULL_CODE_CANDIDATES, FULL_CODE_FACTOR * count)
        wide = max(
            FULL_CODE_FACTOR * narrow,
            round(len(self.numbers) * max(MIN_HALF_CODE_SHARE, HALF_CODE_CANDIDATES * count / 1_000_000)),
        )
        by_half = self._by_half(code[:half])
        near = _smallest(by_half, wide)
        rest = np.empty(len(near), _distance_type(code[half:]))
        _hamming_distances((row[near] for row in self._words[half:]), code[half:], rest)
        near = near[_smallest(np.add(by_half[near], rest, dtype=np.uint16), narrow)]
        agreeing = _asymmetric_scores(np.stack([row[near] for row in self._words], axis=1), vector)
        best = np.argsort(-agreeing, kind="stable")[:count]
        found: Places = self.numbers[near[best]]
        return found

    def candidates_among(self, numbers: Collection[int], vector: Floats, count: int) -> Places:
        """The approximate nearest among given numbers, best first; vectors without a stored code are skipped."""
        items = np.fromiter(numbers, np.int64, len(numbers))
        at = np.minimum(np.searchsorted(self.numbers, items), len(self.numbers) - 1)
        at = at[self.numbers[at] == items]
        agreeing = _asymmetric_scores(np.stack([row[at] for row in self._words], axis=1), vector)
        found: Places = self.numbers[at[np.argsort(-agreeing, kind="stable")[:count]]]
        return found

    def _by_half(self, code: Words) -> Counts:
        """Hamming distances over the first half of the code, computed in cache-sized blocks."""
        counts = np.empty(len(self.numbers), _distance_type(code))
        for start in range(0, len(counts), BLOCK_VECTORS):
            stretch = slice(start, start + BLOCK_VECTORS)
            _hamming_distances(self._words[: len(code), stretch], code, counts[stretch])
        return counts


NO_CODES = BinaryCodes(np.empty(0, np.int64), np.empty((0, 0), np.uint64))


def _distance_type(code: Words) -> type[np.uint8 | np.uint16]:
    return np.uint8 if len(code) * BITS <= np.iinfo(np.uint8).max else np.uint16


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


def _asymmetric_scores(rows: Words, vector: Floats) -> Floats:
    """Asymmetric scores: per row, the sum of the query components at positive bits, by a lookup table per byte."""
    signs = rows.view(np.uint8)
    padded = np.pad(vector, (0, signs.shape[1] * 8 - len(vector))).reshape(-1, 8)
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)
    table = padded @ bits.T
    sums: Floats = np.take(table, signs + np.arange(len(table)) * 256).sum(axis=1)
    return sums
