"""Passages by their words: in a large store the rare ones say where to look, the common ones what to put first."""

from collections.abc import Iterable, Sequence

from recollect.search.bm25 import TextScores, Unread, length_in, score, shares, summed
from recollect.search.port import Index
from recollect.store.found import LARGE, Filter, Population
from recollect.store.words import Ways

RARE = 2_000
"""A word that no more passages hold is looked up for all of them."""
READ = 400
"""So many passages are read for their common words."""


def text_scores(index: Index, terms: Iterable[str], where: Filter) -> TextScores:
    """BM25 of the passages that hold one of the stems: of all in a small store, of the likely best in a large one."""
    population = index.population(where)
    if population.chunks <= LARGE:
        return score([(term, index.postings(term, where)) for term in terms], population)
    return _rare_first(index, list(terms), where, population)


def _rare_first(index: Index, terms: Sequence[str], where: Filter, population: Population) -> TextScores:
    holding = {term: index.holding([[term]]) for term in terms}
    weights = shares(holding, population)
    rare = {term: index.postings(term, where) for term in weights if holding[term] <= RARE}
    length = length_in(population)
    found = summed(rare, weights, length)
    common = sorted(weights.keys() - rare.keys(), key=lambda term: (holding[term], term))
    holders = {term: {each.chunk for each in rare.get(term, ())} for term in weights}
    scores = TextScores(found, holders, weights, Unread(tuple(common), length, holders) if common else None)
    if common:
        likely = scores.best(READ)
        more = holding_most(index, [[[term]] for term in common], where, READ - len(likely))
        _read(index, scores, {*likely, *more}, where)
    return scores


def holding_most(index: Index, tokens: Sequence[Ways], where: Filter, wanted: int) -> dict[int, int]:
    """The newest passages with all tokens, then with all but the last one, and so on; with how many of them."""
    found: dict[int, int] = {}
    for count in range(len(tokens), 0, -1):
        if len(found) >= wanted:
            break
        for number in index.holding_all(tokens[:count], where, wanted):
            found.setdefault(number, count)
    return found


def _read(index: Index, scores: TextScores, numbers: set[int], where: Filter) -> None:
    for number, chunk in index.chunks(numbers, where).items():
        scores.of(number, chunk.text, chunk.stop - chunk.start)
