"""Okapi BM25 over postings, the same on every engine."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from math import log

from recollect.store.found import Population, Posting

K1 = 0.9
B = 0.4


@dataclass(frozen=True, slots=True)
class TextScores:
    """BM25 by passage, as a share of what the query's words weigh together."""

    by_chunk: Mapping[int, float] = field(default_factory=dict)
    holders: Mapping[str, frozenset[int]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)

    def best(self, limit: int) -> list[int]:
        return [chunk for _, chunk in nsmallest(limit, ((-value, chunk) for chunk, value in self.by_chunk.items()))]

    def words(self, chunk: int) -> tuple[str, ...]:
        """The stems of the query that a passage holds."""
        return tuple(term for term, holders in self.holders.items() if chunk in holders)

    def in_common(self, one: int, other: int) -> float:
        """How much of the query's weight lies in words that both passages hold."""
        return sum(self.shares[term] for term, holders in self.holders.items() if one in holders and other in holders)


def rarity(holding: int, population: int) -> float:
    """How much a word tells that so many of all passages hold; never negative."""
    return log(1 + (max(population, holding) - holding + 0.5) / (holding + 0.5))


def score(postings: Iterable[tuple[str, Sequence[Posting]]], population: Population) -> TextScores:
    """The score of every passage that holds a word; words nobody holds count for nothing."""
    held = [(term, found, rarity(len(found), population.chunks)) for term, found in postings if found]
    total = sum(weight for _, _, weight in held) or 1.0
    flat, slope = K1 * (1 - B), K1 * B / population.mean_length
    scores: dict[int, float] = {}
    for _, found, weight in held:
        most = weight / total * (K1 + 1)
        for chunk, times, length in found:
            scores[chunk] = scores.get(chunk, 0.0) + most * times / (times + flat + slope * length)
    holders = {term: frozenset(each[0] for each in found) for term, found, _ in held}
    return TextScores(scores, holders, {term: weight / total for term, _, weight in held})
