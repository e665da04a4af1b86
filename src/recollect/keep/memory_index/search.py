"""Memory search: the memories whose passages answer best, in the order of their published score."""

from collections.abc import Collection, Iterable
from typing import Protocol

from recollect.keep.formats import GRANULARITIES
from recollect.keep.memory_index.index import MemoryColumnCache, is_caught_up
from recollect.keep.memory_index.indexed_scorer import MAX_RESTRICTED, IndexedScorer
from recollect.keep.memory_index.query import (
    SCORE_DECIMALS,
    MemoryMatch,
    MemoryQuery,
    RelevanceSignals,
    match_order,
    reaching_matches,
)
from recollect.keep.memory_index.scan import MemoryScan
from recollect.keep.memory_index.stored_memory import MEMORY_KIND
from recollect.model.ids import DocumentId
from recollect.search.passage_search import MAX_CANDIDATES, SearchRequest, search_passages
from recollect.search.ranking import FusionWeights
from recollect.search.restricted_index import RestrictedIndex
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.search_queries import passage_lengths
from recollect.store.vectors import VectorCache
from recollect.store.view import View

MEMORY_WEIGHTS = FusionWeights(text=0.4)
"""The keyword signal ignores the length of a memory, so it counts less than the BM25 score of a passage."""


class _MemoryScorer(Protocol):
    """Scores memories by the published formula."""

    def best(self) -> list[MemoryMatch]:
        """The best by the formula alone."""
        ...

    def score(self, documents: Iterable[DocumentId]) -> list[MemoryMatch]:
        """Those of these memories that the filter allows."""
        ...

    def allowed_documents(self) -> Collection[DocumentId] | None:
        """The memories that the filter allows; none for all of them."""
        ...


def search_memories(
    view: View, matrices: VectorCache, columns: MemoryColumnCache, asked: MemoryQuery
) -> list[MemoryMatch]:
    """The memories that answer best, in the order of their published score.

    Which memories are returned is decided by the same weighted sum as in every other search: the relevance of their
    passages, or of their own signals where these say more.
    """
    index = StoredPassageIndex(view, matrices)
    scorer: _MemoryScorer = (
        IndexedScorer(view, index, columns.snapshot_at(view), asked)
        if is_caught_up(view)
        else MemoryScan(view, index, asked)
    )
    relevance = _passage_relevance(view, matrices, asked, scorer.allowed_documents())
    found = {each.document: each for each in (*scorer.best(), *scorer.score(relevance))}

    def by_relevance(match: MemoryMatch) -> tuple[float, float, int, str]:
        total = max(relevance.get(match.document, 0.0), _signal_sum(match.signals))
        return -round(total, SCORE_DECIMALS), *match_order(match)

    chosen = sorted(reaching_matches(found.values(), asked), key=by_relevance)[: asked.limit]
    return sorted(chosen, key=match_order)


def _signal_sum(signals: RelevanceSignals) -> float:
    """The signals of a memory as one weighted sum."""
    named = MEMORY_WEIGHTS.name * signals.graph + MEMORY_WEIGHTS.time * signals.time
    return signals.vector + MEMORY_WEIGHTS.text * signals.keyword + named


def _passage_relevance(
    view: View, matrices: VectorCache, asked: MemoryQuery, allowed: Collection[DocumentId] | None
) -> dict[DocumentId, float]:
    """By memory how well its best passage answers."""
    where = PassageFilter(frozenset([MEMORY_KIND]), frozenset[str](asked.where.granularities or GRANULARITIES))
    request = SearchRequest(asked.text, view.now, view.world.zone, where, limit=MAX_CANDIDATES, vector=asked.vector)
    index = (
        StoredPassageIndex(view, matrices)
        if allowed is None or len(allowed) > MAX_RESTRICTED
        else RestrictedIndex(view, matrices, passage_lengths(view, allowed))
    )
    return {hit.document: hit.score for hit in search_passages(index, request, None).hits}
