"""Okapi BM25 over postings, the same on every engine."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from heapq import nsmallest
from math import log
from typing import NamedTuple

from recollect.store.found import Population, Posting
from recollect.store.words import counted_among

K1 = 0.9
B = 0.4


@dataclass(frozen=True, slots=True)
class TextScores:
    """BM25 by passage, as a share of what the query's words weigh together.

    `unread` is set where common words were not looked up for every passage: then a passage is read when it is asked
    for, and what was found in it is noted here.
    """

    by_chunk: dict[int, float] = field(default_factory=dict)
    holders: Mapping[str, Set[int]] = field(default_factory=dict)
    shares: Mapping[str, float] = field(default_factory=dict)
    unread: "Unread | None" = None

    def of(self, number: int, text: str, length: int) -> float:
        """The score of a passage."""
        if self.unread is not None and number not in self.unread.done:
            self._read(self.unread, number, text, length)
        return self.by_chunk.get(number, 0.0)

    def best(self, limit: int) -> list[int]:
        return [chunk for _, chunk in nsmallest(limit, ((-value, chunk) for chunk, value in self.by_chunk.items()))]

    def words(self, chunk: int) -> tuple[str, ...]:
        """The stems of the query that a passage holds."""
        return tuple(term for term, holders in self.holders.items() if chunk in holders)

    def in_common(self, one: int, other: int) -> float:
        """How much of the query's weight lies in words that both passages hold."""
        return sum(self.shares[term] for term, holders in self.holders.items() if one in holders and other in holders)

    def _read(self, unread: "Unread", number: int, text: str, length: int) -> None:
        held = counted_among(text, self.shares.keys())
        self.by_chunk[number] = sum(unread.length.part(self.shares[term], held[term], length) for term in sorted(held))
        for term in held:
            unread.holders[term].add(number)
        unread.done.add(number)


@dataclass(frozen=True, slots=True)
class Unread:
    """The common words, what it takes to score a passage by its text, and which passages were."""

    common: tuple[str, ...]
    length: "Length"
    holders: dict[str, set[int]]
    done: set[int] = field(default_factory=set)


class Length(NamedTuple):
    """How the length of a passage counts against the words in it."""

    flat: float
    slope: float

    def part(self, share: float, times: int, length: int) -> float:
        """What a word adds to a passage that holds it so many times."""
        return share * (K1 + 1) * times / (times + self.flat + self.slope * length)


def length_in(population: Population) -> Length:
    """How length counts here; not at all where every passage is a bare title."""
    return Length(K1 * (1 - B), K1 * B / population.mean_length if population.mean_length else 0.0)


def rarity(holding: int, population: int) -> float:
    """How much a word tells that so many of all passages hold; never negative."""
    return log(1 + (max(population, holding) - holding + 0.5) / (holding + 0.5))


def shares(holding: Mapping[str, int], population: Population) -> dict[str, float]:
    """What each word weighs beside all others, by how many passages hold it; words nobody holds count for nothing."""
    weights = {term: rarity(count, population.chunks) for term, count in holding.items() if count}
    total = sum(weights.values()) or 1.0
    return {term: weight / total for term, weight in weights.items()}


def score(postings: Iterable[tuple[str, Sequence[Posting]]], population: Population) -> TextScores:
    """The score of every passage that holds a word."""
    held = dict(postings)
    weights = shares({term: len(found) for term, found in held.items()}, population)
    return TextScores(
        summed({term: held[term] for term in weights}, weights, length_in(population)),
        {term: frozenset(each[0] for each in held[term]) for term in weights},
        weights,
    )


def summed(postings: Mapping[str, Sequence[Posting]], weights: Mapping[str, float], length: Length) -> dict[int, float]:
    """By passage what the words add up to that it holds."""
    scores: dict[int, float] = {}
    flat, slope = length
    for term, found in postings.items():
        most = weights[term] * (K1 + 1)
        for chunk, times, characters in found:
            scores[chunk] = scores.get(chunk, 0.0) + most * times / (times + flat + slope * characters)
    return scores
