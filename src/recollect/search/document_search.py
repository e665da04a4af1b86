"""Documents by vector, by shared words, and by how they are filed."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.embed.port import Embedder, Vectors
from recollect.model.ids import DocumentId
from recollect.model.page import ResultPage
from recollect.search.bm25 import RARE_POSTINGS
from recollect.search.index_terms import ENOUGH_TOGETHER, MAX_READ, index_forms, items_with_most_tokens, split_by_rarity
from recollect.search.passage_index import PassageIndex
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.store.document_queries import (
    filed_documents,
    passage_places,
    passages_of,
    unordered_filed_documents,
)
from recollect.store.passage_filter import LARGE_STORE, ArtifactFilter, PassageFilter, PassageRow
from recollect.store.text_index import TermAlternatives
from recollect.store.view import View
from recollect.text.tokens import count_terms

SCORE_DECIMALS = 6
"""Decimal places of scores that are compared, so that engines agree."""
MAX_LOOKUP = 65_536


class ScoredDocument(NamedTuple):
    """A document with its score and the passage that gave it."""

    document: DocumentId
    score: float
    start: int = 0
    stop: int = 0


class RankedDocument(NamedTuple):
    """A document with its place in the order of the search, and its score as the caller publishes it."""

    near: ScoredDocument
    relevance: float


def rank_documents(
    view: View, index: PassageIndex, request: SearchRequest, embedder: Embedder, vector: Vectors
) -> list[RankedDocument]:
    """The documents that answer best, each with the cosine of the whole query and its best passage.

    The search alone decides which documents come back; those that have no vector yet are left out.
    """
    found = search_passages(index, request, embedder).hits
    documents = {hit.document: hit.score for hit in reversed(found)}
    near = nearest_among_documents(view, index, vector, embedder.model, documents.keys(), len(documents))
    ranked = [RankedDocument(each, round(documents[each.document], SCORE_DECIMALS)) for each in near]
    return sorted(ranked, key=lambda each: -each.relevance)


def choose_best(ranked: Sequence[RankedDocument], limit: int) -> list[ScoredDocument]:
    """The first ones by relevance, up to the limit, and all that tie with the last of them."""
    least = ranked[limit - 1].relevance if len(ranked) > limit else float("-inf")
    return [each.near for each in ranked if each.relevance >= least]


def nearest_documents(
    index: PassageIndex, vector: Vectors, model: str, where: PassageFilter, limit: int
) -> list[ScoredDocument]:
    """The best documents by cosine, and all that tie with the last of them; best first, ties in no order."""
    look = limit * 4
    while True:
        hits = index.nearest(vector, model, where, look)
        found = _best_passages(hits, index.chunks([number for number, _ in hits], where))
        if len(hits) < look or look >= MAX_LOOKUP or _is_enough(found, round(hits[-1][1], SCORE_DECIMALS), limit):
            return cut_with_ties(found, limit)
        look *= 4


def nearest_among_documents(
    view: View, index: PassageIndex, vector: Vectors, model: str, documents: Collection[DocumentId], limit: int
) -> list[ScoredDocument]:
    """The same, of a few documents that are known."""
    places = sorted(passages_of(view, documents))
    cosines = index.cosines(vector, model, [each.number for each in places])
    best: dict[DocumentId, ScoredDocument] = {}
    for number, document, start, stop in places:
        score = round(cosines[number], SCORE_DECIMALS) if number in cosines else None
        if score is not None and (document not in best or score > best[document].score):
            best[document] = ScoredDocument(document, score, start, stop)
    return cut_with_ties(sorted(best.values(), key=lambda each: -each.score), limit)


def _best_passages(hits: Iterable[tuple[int, float]], chunks: dict[int, PassageRow]) -> list[ScoredDocument]:
    best: dict[DocumentId, ScoredDocument] = {}
    for number, cosine in hits:
        chunk = chunks.get(number)
        if chunk is not None and chunk.document not in best:
            best[chunk.document] = ScoredDocument(
                chunk.document, round(cosine, SCORE_DECIMALS), chunk.start, chunk.stop
            )
    return sorted(best.values(), key=lambda each: -each.score)


def _is_enough(found: list[ScoredDocument], last: float, limit: int) -> bool:
    """Whether nothing further down can come before or tie with the last that is wanted."""
    return len(found) >= limit and found[limit - 1].score > last


def cut_with_ties(found: list[ScoredDocument], limit: int) -> list[ScoredDocument]:
    """The best ones, up to the limit, and all that tie with the last of them."""
    floor = found[limit - 1].score if len(found) > limit else float("-inf")
    return [each for each in found if each.score >= floor]


MAX_RECOUNTED = 100
Holders = Sequence[Collection[int]]
"""By token the passages that hold it."""


def nearest_by_words(
    view: View, index: PassageIndex, text: str, where: PassageFilter, limit: int
) -> list[ScoredDocument]:
    """The documents that hold most of the content tokens of the text, and all that tie with the last of them.

    In a large store those that hold its rare tokens are looked at, else the newest that hold most of the common ones.
    """
    tokens = list(index_forms(text).values())
    is_large = index.corpus_size(where).chunks > LARGE_STORE
    holders = (
        _likely_holders(view, index, tokens, where)
        if is_large
        else [_passages_holding(index, ways, where) for ways in tokens]
    )
    found = _rank_documents(view, holders, where)
    if is_large:
        found = _recount(view, index, found[:MAX_RECOUNTED], tokens, where)
    return cut_with_ties(found, limit)


def _rank_documents(view: View, holders: Holders, where: PassageFilter) -> list[ScoredDocument]:
    """The documents of passages by the share of all tokens that they hold, most first."""
    numbers = set().union(*holders)
    holding: dict[DocumentId, set[int]] = {}
    places: dict[DocumentId, tuple[int, int]] = {}
    for number, document, start, stop in passage_places(view, numbers, where):
        held = holding.setdefault(document, set())
        held.update(at for at, chunks in enumerate(holders) if number in chunks)
        places.setdefault(document, (start, stop))
    found = [
        ScoredDocument(each, round(len(held) / len(holders), SCORE_DECIMALS), *places[each])
        for each, held in holding.items()
    ]
    return sorted(found, key=lambda each: -each.score)


def _passages_holding(index: PassageIndex, ways: TermAlternatives, where: PassageFilter) -> set[int]:
    """All passages that hold a token."""
    return set().union(*(_passages_holding_form(index, way, where) for way in ways))


def _passages_holding_form(index: PassageIndex, way: Sequence[str], where: PassageFilter) -> set[int]:
    return set.intersection(*(index.postings(term, where).numbers() for term in way))


def _likely_holders(
    view: View, index: PassageIndex, tokens: Sequence[TermAlternatives], where: PassageFilter
) -> Holders:
    """Among the passages with rare tokens and the newest with most of the common ones, those that hold most."""
    holding = [index.document_frequency(ways) for ways in tokens]
    rare, common = split_by_rarity(holding, RARE_POSTINGS)
    holders: dict[int, set[int]] = {at: set(index.containing_all_versions([tokens[at]], RARE_POSTINGS)) for at in rare}
    pool = set().union(*holders.values())
    any_rare = [way for at in rare for way in tokens[at]]
    for at in common:
        holders[at] = (
            set(index.containing_all_versions([tokens[at], any_rare], RARE_POSTINGS * len(rare))) & pool
            if pool
            else set()
        )

    def find_all(some: Sequence[TermAlternatives], limit: int) -> list[int]:
        return index.containing_all(some, where, limit)

    together = items_with_most_tokens(find_all, [tokens[at] for at in common], MAX_READ, ENOUGH_TOGETHER)
    for number, count in together.items():
        for at in common[:count]:
            holders[at].add(number)
    best = _most_held(view, holders, where)
    return [holders.get(at, set()) & best for at in range(len(tokens))]


def _most_held(view: View, holders: Mapping[int, set[int]], where: PassageFilter) -> set[int]:
    """Goes down the order until enough pass the filter: rare tokens were looked up without it."""
    counts = Counter(number for each in holders.values() for number in each)
    order = sorted(counts, key=lambda number: (-counts[number], -number))
    best: list[int] = []
    for first in range(0, len(order), MAX_READ):
        allowed = {each.number for each in passage_places(view, order[first : first + MAX_READ], where)}
        best += [number for number in order[first : first + MAX_READ] if number in allowed]
        if len(best) >= MAX_READ:
            break
    return set(best[:MAX_READ])


def _recount(
    view: View,
    index: PassageIndex,
    found: Sequence[ScoredDocument],
    tokens: Sequence[TermAlternatives],
    where: PassageFilter,
) -> list[ScoredDocument]:
    """The same documents by all of their passages, as these read."""
    terms = {term for ways in tokens for way in ways for term in way}
    owners = {each.number: each.document for each in passages_of(view, [each.document for each in found])}
    shared: dict[DocumentId, set[int]] = {}
    for number, chunk in index.chunks(owners.keys(), where).items():
        words = count_terms(chunk.text, terms)
        here = {at for at, ways in enumerate(tokens) if any(all(term in words for term in way) for way in ways)}
        shared.setdefault(owners[number], set()).update(here)
    again = [
        each._replace(score=round(len(shared.get(each.document, ())) / len(tokens), SCORE_DECIMALS)) for each in found
    ]
    return sorted(again, key=lambda each: -each.score)


def list_filed_documents(
    view: View, where: ArtifactFilter, among: Collection[DocumentId] | None, limit: int, offset: int = 0
) -> ResultPage[DocumentId]:
    """Newest date first, then newest recorded; `among` are the only documents that count."""
    page = filed_documents(view, where, among, limit, offset)
    if page.items or not offset:
        return page
    return ResultPage([], filed_documents(view, where, among, 1, 0).total)


def filed_documents_if_few(view: View, where: ArtifactFilter, most: int) -> list[DocumentId] | None:
    """All matching documents in no order; None if there are more than `most`."""
    found = unordered_filed_documents(view, where, most + 1)
    return found if found is not None and len(found) <= most else None
