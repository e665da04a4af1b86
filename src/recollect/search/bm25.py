"""Okapi BM25 over postings, the same on every engine, and over short texts that are already in memory."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from recollect.search.index_terms import (
    ENOUGH_TOGETHER,
    MAX_READ,
    inverse_document_frequency,
    items_with_most_tokens,
    split_by_rarity,
)
from recollect.store.passage_filter import LARGE_STORE, CorpusSize, PassageFilter
from recollect.store.posting_lists import PostingList, highest_first, sum_by_passage
from recollect.store.text_index import TermAlternatives
from recollect.text.tokens import count_terms

if TYPE_CHECKING:
    from recollect.search.passage_index import PassageIndex
    from recollect.store.posting_lists import Array
import re
from collections import Counter

from recollect.store.posting_lists import posting_list
from recollect.text.stop_words import is_stop_word
from recollect.text.tokens import terms, words

K1 = 0.9
B = 0.4


@dataclass(frozen=True, slots=True)
class Bm25Scores:
    """BM25 by passage, as a share of what the query's words weigh together.

    `unread` is set where common words were not looked up for every passage: then a passage is read when it is asked
    for, and what was found in it is noted here.
    """

    by_chunk: dict[int, float] = field(default_factory=dict)
    passages_by_term: Mapping[str, Set[int]] = field(default_factory=dict)
    term_shares: Mapping[str, float] = field(default_factory=dict)
    deferred: "DeferredTerms | None" = None

    def score_of(self, number: int, text: str, length: int) -> float:
        """The score of a passage."""
        if self.deferred is not None and number not in self.deferred.scored:
            self._score_text(self.deferred, number, text, length)
        return self.by_chunk.get(number, 0.0)

    def best(self, limit: int) -> list[int]:
        """The passages that score highest, the first of those that score the same."""
        return highest_first(self.by_chunk, limit)

    def matched_terms(self, chunk: int) -> tuple[str, ...]:
        """The stems of the query that a passage holds."""
        return tuple([term for term, holders in self.passages_by_term.items() if chunk in holders])

    def shared_weight(self, one: int, other: int) -> float:
        """How much of the query's weight lies in words that both passages hold."""
        return sum(
            self.term_shares[term]
            for term, holders in self.passages_by_term.items()
            if one in holders and other in holders
        )

    def _score_text(self, unread: "DeferredTerms", number: int, text: str, length: int) -> None:
        counts = count_terms(text, self.term_shares.keys())
        self.by_chunk[number] = sum(
            unread.length.term_score(self.term_shares[term], counts[term], length) for term in sorted(counts)
        )
        for term in counts:
            unread.holders[term].add(number)
        unread.scored.add(number)


@dataclass(frozen=True, slots=True)
class DeferredTerms:
    """The common words, what it takes to score a passage by its text, and which passages were."""

    common_terms: tuple[str, ...]
    length: "LengthNorm"
    holders: dict[str, set[int]]
    scored: set[int] = field(default_factory=set)


class LengthNorm(NamedTuple):
    """How the length of a passage counts against the words in it."""

    constant: float
    slope: float

    def term_score(self, share: float, times: int, length: int) -> float:
        """What a word adds to the score of a passage, by how often it occurs there."""
        return share * (K1 + 1) * times / (times + self.constant + self.slope * length)

    def term_scores(self, share: float, postings: PostingList) -> "Array":
        """What a word adds to each passage that holds it."""
        scores: Array = (
            share * (K1 + 1) * postings.times / (postings.times + self.constant + self.slope * postings.lengths)
        )
        return scores


def length_norm(corpus: CorpusSize) -> LengthNorm:
    """How length counts here; not at all where every passage is a bare title."""
    return LengthNorm(K1 * (1 - B), K1 * B / corpus.mean_length if corpus.mean_length else 0.0)


def term_shares(frequencies: Mapping[str, int], corpus: CorpusSize) -> dict[str, float]:
    """The weight of each word relative to all others, by document frequency; words in no passage count for nothing."""
    weights = {term: inverse_document_frequency(count, corpus.chunks) for term, count in frequencies.items() if count}
    total = sum(weights.values()) or 1.0
    return {term: weight / total for term, weight in weights.items()}


def score_postings(postings: Iterable[tuple[str, PostingList]], corpus: CorpusSize) -> Bm25Scores:
    """The score of every passage that holds a word."""
    by_term = dict(postings)
    weights = term_shares({term: len(found) for term, found in by_term.items()}, corpus)
    return Bm25Scores(
        sum_scores({term: by_term[term] for term in weights}, weights, length_norm(corpus)),
        {term: by_term[term].numbers() for term in weights},
        weights,
    )


def sum_scores(
    postings: Mapping[str, PostingList], weights: Mapping[str, float], length: LengthNorm
) -> dict[int, float]:
    """By passage what the words add up to that it holds."""
    return sum_by_passage(
        [(found.chunks, length.term_scores(weights[term], found)) for term, found in postings.items()]
    )


RARE_POSTINGS = 2_000
"""A word that no more passages hold is looked up for all of them."""


def bm25_scores(index: "PassageIndex", terms: Iterable[str], where: PassageFilter) -> Bm25Scores:
    """BM25 of the passages that hold one of the stems: of all in a small store, of the likely best in a large one."""
    corpus = index.corpus_size(where)
    if corpus.chunks <= LARGE_STORE:
        return score_postings([(term, index.postings(term, where)) for term in terms], corpus)
    return _score_rare_first(index, list(terms), where, corpus)


def _score_rare_first(
    index: "PassageIndex", terms: Sequence[str], where: PassageFilter, corpus: CorpusSize
) -> Bm25Scores:
    frequencies = {term: index.document_frequency([[term]]) for term in terms}
    weights = term_shares(frequencies, corpus)
    known = list(weights)
    rarity = split_by_rarity([frequencies[term] for term in known], RARE_POSTINGS)
    rare = {known[at]: index.postings(known[at], where) for at in sorted(rarity.rare)}
    length = length_norm(corpus)
    found = sum_scores(rare, weights, length)
    common = [known[at] for at in rarity.common]
    holders = {term: rare[term].numbers() if term in rare else set() for term in weights}
    scores = Bm25Scores(found, holders, weights, DeferredTerms(tuple(common), length, holders) if common else None)
    if common:
        likely = scores.best(MAX_READ)

        def find_all(tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
            return index.containing_all(tokens, where, limit)

        more = items_with_most_tokens(find_all, [[[term]] for term in common], MAX_READ - len(likely), ENOUGH_TOGETHER)
        _score_texts(index, scores, {*likely, *more}, where)
    return scores


def _score_texts(index: "PassageIndex", scores: Bm25Scores, numbers: set[int], where: PassageFilter) -> None:
    for number, chunk in index.chunks(numbers, where).items():
        scores.score_of(number, chunk.text, chunk.stop - chunk.start)


# A time is one token: second_tide.year_45 does not match "tide".
_TIME_FORM = re.compile(
    r"(?<!\w)[^\W_]++(?:_[^\W_]++)*+\.year_\d+(?:\.(?:month|day)_\d+)*|\b\d{4}-\d{2}(?:-\d{2})?\b", re.ASCII
)


class RankedItem(NamedTuple):
    """A text to rank; of equal scores the one learned first wins, then the one with the smaller id."""

    text: str
    learned: int
    id: str


def content_words(text: str) -> Counter[str]:
    """Stems of the words that are not stop words, and times as they are written."""
    times = [found.lower() for found in _TIME_FORM.findall(text)]
    content = [word for word in words(_TIME_FORM.sub(" ", text)) if not is_stop_word(word)]
    return Counter([*terms(" ".join(content)), *times])


def rank_items(question: str | None, lists: Sequence[Sequence[RankedItem]], limit: int) -> list[list[int]]:
    """The indices of matching items of each list, best first; without a question every item matches."""
    every = [item for items in lists for item in items]
    scores = dict.fromkeys(range(len(every)), 0.0) if question is None else _score_items(question, every)
    ordered = sorted(scores, key=lambda at: (-round(scores[at], 6), every[at].learned, every[at].id))
    first = 0
    found = []
    for items in lists:
        found.append([at - first for at in ordered if first <= at < first + len(items)][:limit])
        first += len(items)
    return found


def _score_items(question: str, items: Sequence[RankedItem]) -> Mapping[int, float]:
    """Scores of the items that share a word with the question, by their index."""
    bags = [content_words(item.text) for item in items]
    lengths = [max(1, len(item.text)) for item in items]
    population = CorpusSize(len(items), sum(lengths) / len(items) if items else 1.0)
    postings = [
        (word, posting_list([(at, words[word], lengths[at]) for at, words in enumerate(bags) if word in words]))
        for word in content_words(question)
    ]
    return score_postings(postings, population).by_chunk
