"""Memory search: the memories whose passages answer best, in the order of their published score."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Protocol

from recollect.keep.document_versions import documents_of, texts_of
from recollect.keep.memory_formats import GRANULARITIES
from recollect.keep.memory_index.index import MemoryColumnCache, is_caught_up
from recollect.keep.memory_index.indexed_scorer import MAX_RESTRICTED, IndexedScorer
from recollect.keep.memory_index.listing import MemoryFilter
from recollect.keep.memory_index.query import (
    SCORE_DECIMALS,
    MemoryMatch,
    MemoryQuery,
    RelevanceSignals,
    best_cosines,
    instance_affinity,
    inverse_document_frequency,
    match_order,
    matches_term,
    rank_matches,
    reaches,
    reaching_matches,
    recency,
)
from recollect.keep.memory_index.stored_memory import MEMORY_KIND, draft_of, is_memory
from recollect.model.ids import DocumentId
from recollect.search.fusion_weights import FusionWeights
from recollect.search.passage_index import RestrictedIndex
from recollect.search.passage_search import MAX_CANDIDATES, SearchRequest, search_passages
from recollect.search.ranking import PassageHit
from recollect.store.document_queries import documents_naming, passage_lengths, passages_of
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.text.tokens import bare_index_terms

MEMORY_WEIGHTS = FusionWeights(text=0.4)
"""The keyword signal ignores the length of a memory, so it counts less than the BM25 score of a passage."""
MIN_CONTEXT = 0.35 * MEMORY_WEIGHTS.context
"""Only a neighbour that may be an answer by itself, to any caller, lends its share."""


class _MemoryScorer(Protocol):
    """Scores memories by the published formula."""

    def best(self) -> list[MemoryMatch]:
        """The best by the formula alone."""
        ...

    def score(self, keys: Mapping[DocumentId, str]) -> list[MemoryMatch]:
        """Those of these memories, given with their keys, that the filter allows."""
        ...

    def allowed_documents(self) -> Collection[DocumentId] | None:
        """The memories that the filter allows; none for all of them."""
        ...


def search_memories(
    view: View, index: StoredPassageIndex, columns: MemoryColumnCache, query: MemoryQuery
) -> list[MemoryMatch]:
    """The memories that answer best, in the order of their published score.

    Which memories are returned is decided by the same weighted sum as in every other search: the relevance of their
    passages, or of their own signals where these say more.
    """
    scorer: _MemoryScorer = (
        IndexedScorer(view, index, columns.snapshot_at(view), query)
        if is_caught_up(view)
        else MemoryScan(view, index, query)
    )
    passages = _best_passages(view, index, query, scorer.allowed_documents())
    keys = {document: hit.chunk.key for document, hit in passages.items()}
    found = {each.document: each for each in (*scorer.best(), *scorer.score(keys))}
    if not any(reaches(each, query) for each in found.values()):
        return []  # Neighbours alone make no answer.
    matches = (_with_context(each, passages.get(each.document)) for each in found.values())
    chosen = _most_relevant(reaching_matches(matches, query), passages, query.limit)
    return sorted(chosen, key=match_order)


def _most_relevant(
    matches: Sequence[MemoryMatch], passages: Mapping[DocumentId, PassageHit], limit: int
) -> list[MemoryMatch]:
    """So many of the matches by the weighted sum, of equal ones the first by the published order."""
    totals = [_relevance(each, passages.get(each.document)) for each in matches]
    least = min(nlargest(limit, totals), default=0.0)
    ranked = sorted(
        (-total, *match_order(match), at)
        for at, (match, total) in enumerate(zip(matches, totals, strict=True))
        if total >= least
    )
    return [matches[each[-1]] for each in ranked[:limit]]


def _relevance(match: MemoryMatch, hit: PassageHit | None) -> float:
    total = max(hit.score if hit else 0.0, _signal_sum(match.signals))
    return round(total, SCORE_DECIMALS)


def _with_context(match: MemoryMatch, hit: PassageHit | None) -> MemoryMatch:
    """The match with what its neighbours lent it; only significant memories can be turns of a talk."""
    lent = min(hit.why.context, 1.0) if hit and hit.chunk.type == "significant" else 0.0
    return match._replace(signals=match.signals._replace(context=lent)) if lent >= MIN_CONTEXT else match


def _signal_sum(signals: RelevanceSignals) -> float:
    """The signals of a memory as one weighted sum."""
    named = MEMORY_WEIGHTS.name * signals.graph + MEMORY_WEIGHTS.time * signals.time
    return signals.vector + MEMORY_WEIGHTS.text * signals.keyword + named


def _best_passages(
    view: View,
    stored: StoredPassageIndex,
    query: MemoryQuery,
    allowed: Collection[DocumentId] | None,
) -> dict[DocumentId, PassageHit]:
    """By memory its best passage."""
    where = PassageFilter(frozenset([MEMORY_KIND]), frozenset[str](query.where.granularities or GRANULARITIES))
    request = SearchRequest(query.text, view.now, view.world.zone, where, limit=MAX_CANDIDATES, vector=query.vector)
    index = (
        stored
        if allowed is None or len(allowed) > MAX_RESTRICTED
        else RestrictedIndex(view, stored.matrices, passage_lengths(view, allowed))
    )
    return {hit.document: hit for hit in search_passages(index, request, None).hits}


class MemoryScan:
    """Scores every memory that was known then: for earlier states, which the index does not have."""

    def __init__(self, view: View, index: StoredPassageIndex, query: MemoryQuery) -> None:
        self._query = query
        self._found = {each.document: each for each in _scan_memories(view, index, query)}

    def best(self) -> list[MemoryMatch]:
        return rank_matches(self._found.values(), self._query)

    def score(self, keys: Mapping[DocumentId, str]) -> list[MemoryMatch]:
        return [self._found[each] for each in keys if each in self._found]

    def allowed_documents(self) -> Collection[DocumentId] | None:
        return None if self._query.where == MemoryFilter() else self._found.keys()


def _scan_memories(view: View, index: StoredPassageIndex, query: MemoryQuery) -> Iterator[MemoryMatch]:
    documents = [each for each in documents_of(view, MEMORY_KIND) if is_memory(each) and not each.deleted]
    words = {id_: bare_index_terms(text) for id_, text in texts_of(view, documents).items()}
    holding = {term: {id_ for id_, held in words.items() if matches_term(term, held)} for term in query.terms.terms}
    weights = {term: inverse_document_frequency(len(held), len(documents)) for term, held in holding.items()}
    naming = [
        (documents_naming(view, [entity]), documents_naming(view, near))
        for entity, near in query.terms.entities.items()
    ]
    wanted = [each for each in documents if query.where.admits(draft_of(each))]
    ids = [each.id for each in wanted]
    cosines = best_cosines(index, query.vector, lambda: {each.number: each.document for each in passages_of(view, ids)})
    for document in wanted:
        draft, id_ = draft_of(document), document.id
        first, last = draft.period.days
        signals = RelevanceSignals(
            vector=max(0.0, cosines.get(id_, 0.0)),
            keyword=sum(weights[term] for term in weights if id_ in holding[term]) / (sum(weights.values()) or 1),
            recency=recency(max(0, query.today - last)),
            graph=sum(1 if id_ in own else 0.5 * (id_ in near) for own, near in naming) / (len(naming) or 1),
            instance=instance_affinity(query.instance, draft.instance, draft.participants),
            time=float(any(low <= last and first <= high for low, high in query.terms.periods)),
        )
        yield MemoryMatch(id_, document.key, last, signals, id_ in cosines)
