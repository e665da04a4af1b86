"""The signals of memories from the index: exact top-k by upper bounds, so that most memories are never read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recollect.keep.memory_formats import GRANULARITIES
from recollect.keep.memory_index.index import ColumnSnapshot, count_entries
from recollect.keep.memory_index.listing import MemoryFilter
from recollect.keep.memory_index.query import (
    HALF_LIFE,
    MemoryMatch,
    MemoryQuery,
    RelevanceSignals,
    allows_prefix_match,
    best_cosines,
    inverse_document_frequency,
    rank_matches,
)
from recollect.model.ids import DocumentId, EntityId
from recollect.search.passage_search import MAX_CANDIDATES
from recollect.store import memory_queries
from recollect.store.memory_queries import numbers_with_word, numbers_with_word_start
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MAX_RESTRICTED = 5_000
"""A filter that allows no more memories restricts the search to their passages."""
SMALL_SET = 500
FIRST_LOOK = MAX_CANDIDATES
"""As many as the search for passages looks at, which asks for the same ones."""
BATCH_SIZE = 256
SLICE_SIZE = 512
WIDENING = 4
SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Candidates by their numbers, with the scores from the indexes of words, names and times."""

    numbers: Array
    keyword: Array
    graph: Array
    time: Array

    @property
    def open_share(self) -> Array:
        """What these leave open for the vector to fill."""
        left: Array = (1 - 0.8 * self.keyword) * (1 - 0.4 * self.graph) * (1 - 0.5 * self.time)
        return left


@dataclass(frozen=True, slots=True)
class _Boost:
    """How recent some of the candidates are, and how near to the caller."""

    recency: Array
    instance: Array

    @property
    def factor(self) -> Array:
        much: Array = 0.85 + 0.05 * self.recency + 0.10 * self.instance
        return much


class IndexedScorer:
    """Scores by the index; the best are found by upper bounds, so that most memories are never read."""

    def __init__(self, view: View, index: StoredPassageIndex, columns: ColumnSnapshot, asked: MemoryQuery) -> None:
        self._view = view
        self._index = index
        self._columns = columns
        self._asked = asked
        self._cosines: dict[int, float | None] = {}
        """By number of a memory the cosine of its best passage, as far as it was asked for; none without a vector."""
        self._allowed = (
            self._sorted_unique(memory_queries.matching_numbers(view, asked.where.query_parameters()))
            if asked.where != MemoryFilter()
            else None
        )
        self._postings = [self._posting_list(term) for term in asked.terms.terms]
        self._entity_postings = [self._numbers_naming(entity, near) for entity, near in asked.terms.entities.items()]
        self._period_postings = [
            self._sorted_unique(memory_queries.numbers_overlapping(view, *days)) for days in asked.terms.periods
        ]

    def best(self) -> list[MemoryMatch]:
        """Looks further among the nearest until nobody outside could come before the last one found."""
        if self._is_small:
            return self._rank_candidates(self._evidence(self._everyone()), {}, 1.0)
        look = FIRST_LOOK
        while True:
            near, floor = self._nearest_memories(look)
            self._cosines.update(near)
            sets = [*self._postings, *self._period_postings, *(each for pair in self._entity_postings for each in pair)]
            found = self._rank_candidates(self._evidence([*sets, list(near)]), near, floor)
            is_full = len(found) == self._asked.limit
            if floor < max(self._asked.min_score, SLACK) or (is_full and found[-1].signals.score > floor + SLACK):
                return found
            look *= WIDENING

    def score(self, keys: Mapping[DocumentId, str]) -> list[MemoryMatch]:
        import numpy as np

        places = self._columns.numbers
        named = {places[document]: (document, key) for document, key in keys.items() if document in places}
        evidence = self._evidence([list(named)])
        numbers = evidence.numbers.tolist()
        nearness, days = self._nearness_to_query(numbers), self._columns.last_day[evidence.numbers].tolist()
        signals = _signals(evidence, np.arange(len(numbers)), self._boost(evidence.numbers), nearness)
        return [
            MemoryMatch(*named[number], day, each, self._has_vector(number))
            for number, day, each in zip(numbers, days, signals, strict=True)
        ]

    def allowed_documents(self) -> Collection[DocumentId] | None:
        if self._allowed is None or len(self._allowed) > MAX_RESTRICTED:
            return None
        entries = memory_queries.entries_numbered(self._view, self._allowed.tolist())
        return [entry.document for entry in entries]

    @cached_property
    def _population(self) -> int:
        return count_entries(self._view)

    @property
    def _is_small(self) -> bool:
        return (self._population if self._allowed is None else len(self._allowed)) <= SMALL_SET

    def _everyone(self) -> list[Array]:
        return [memory_queries.matching_numbers(self._view, self._asked.where.query_parameters())]

    def _sorted_unique(self, numbers: Array) -> Array:
        """The numbers in their order, each once."""
        import numpy as np

        there = np.zeros(self._columns.size, bool)
        there[numbers] = True
        found: Array = np.flatnonzero(there)
        return found

    def _posting_list(self, term: str) -> Array:
        return self._columns.posting_list(term, lambda: self._read_posting_list(term))

    def _read_posting_list(self, term: str) -> Array:
        find = numbers_with_word_start if allows_prefix_match(term) else numbers_with_word
        return self._sorted_unique(find(self._view, term))

    def _numbers_naming(self, entity: EntityId, near: Collection[EntityId]) -> tuple[Array, Array]:
        own, others = (memory_queries.numbers_naming(self._view, each) for each in ([entity], near))
        return self._sorted_unique(own), self._sorted_unique(others)

    def _nearest_memories(self, look: int) -> tuple[dict[int, float], float]:
        """The nearest memories with their cosines, and the most that any other could have."""
        query = self._asked.vector
        if query is None or query.model is None:
            return {}, 0.0
        types = frozenset[str](self._asked.where.granularities or GRANULARITIES)
        chunks = self._index.nearest(query.vector, query.model, PassageFilter(frozenset(["memory"]), types), look)
        owners = memory_queries.entries_of_passages(self._view, [number for number, _ in chunks])
        best: dict[int, float] = {}
        for number, cosine in chunks:
            owner = owners[number]
            best[owner] = max(best.get(owner, -1.0), cosine)
        return best, max(0.0, chunks[-1][1]) if len(chunks) == look else 0.0

    def _evidence(self, sets: Iterable[Any]) -> _Evidence:
        import numpy as np

        union = self._sorted_unique(
            np.concatenate([np.empty(0, np.int64), *(np.asarray(each, np.int64) for each in sets)])
        )
        numbers = union if self._allowed is None else np.intersect1d(union, self._allowed, assume_unique=True)
        zeros = np.zeros(len(numbers))
        graph = sum(
            (
                np.maximum(self._indicator(own)[numbers], 0.5 * self._indicator(near)[numbers])
                for own, near in self._entity_postings
            ),
            zeros,
        )
        time = sum((self._indicator(each)[numbers] for each in self._period_postings), zeros)
        return _Evidence(
            numbers, self._keyword_scores(numbers), graph / (len(self._entity_postings) or 1), np.minimum(time, 1)
        )

    def _indicator(self, holding: Array) -> Array:
        """By number 1 for each of these."""
        import numpy as np

        marks = np.zeros(self._columns.size)
        marks[holding] = 1
        return marks

    def _keyword_scores(self, numbers: Array) -> Array:
        import numpy as np

        weights = [inverse_document_frequency(len(holding), self._population) for holding in self._postings]
        found = np.zeros(self._columns.size)
        for weight, holding in zip(weights, self._postings, strict=True):
            found[holding] += weight
        wanted: Array = found[numbers] / (sum(weights) or 1)
        return wanted

    def _boost(self, numbers: Array) -> _Boost:
        import numpy as np

        age = np.maximum(self._asked.today - self._columns.last_day[numbers], 0)
        return _Boost(2.0 ** (-age / HALF_LIFE), self._nearness[numbers])

    @cached_property
    def _nearness(self) -> Array:
        return self._columns.instance_affinity(self._asked.instance)

    def _rank_candidates(self, evidence: _Evidence, near: dict[int, float], floor: float) -> list[MemoryMatch]:
        """The best of the candidates, going down from those that could be most relevant until none can be better."""
        import numpy as np

        bound = 1 - (1 - _cosine_bounds(evidence.numbers, near, floor)) * evidence.open_share
        order = np.argsort(-bound, kind="stable")
        found: list[MemoryMatch] = []
        start, size = 0, SLICE_SIZE
        while start < len(order) and bound[order[start]] >= self._score_to_beat(found) - SLACK:
            at = order[start : start + size]
            found = self._merge_better(evidence, at, bound[at], found)
            start, size = start + size, size * WIDENING
        return found

    def _score_to_beat(self, found: Sequence[MemoryMatch]) -> float:
        """The score that one more has to reach."""
        return found[-1].signals.score if len(found) == self._asked.limit else self._asked.min_score

    def _merge_better(
        self, evidence: _Evidence, at: Array, bound: Array, found: list[MemoryMatch]
    ) -> list[MemoryMatch]:
        """What was found together with the best of some candidates, whose relevance cannot be above the bound."""
        import numpy as np

        favour = self._boost(evidence.numbers[at])
        most = bound * favour.factor
        order = np.argsort(-most, kind="stable")
        for start in range(0, len(order), BATCH_SIZE):
            some = order[start : start + BATCH_SIZE]
            if most[some[0]] < self._score_to_beat(found) - SLACK:
                break
            part = _Boost(favour.recency[some], favour.instance[some])
            better = self._score_exactly(evidence, at[some], part, self._score_to_beat(found))
            found = rank_matches([*found, *better], self._asked)
        return found

    def _score_exactly(self, evidence: _Evidence, at: Array, favour: _Boost, to_beat: float) -> list[MemoryMatch]:
        """Those of the candidates that can be among the best, with their signals."""
        import numpy as np

        numbers = evidence.numbers[at].tolist()
        nearness = self._nearness_to_query(numbers)
        scores = (1 - (1 - nearness) * evidence.open_share[at]) * favour.factor
        kept: Array = np.array(_highest(scores, self._asked.limit, to_beat), np.int64)
        signals = _signals(evidence, at[kept], _Boost(favour.recency[kept], favour.instance[kept]), nearness[kept])
        told = dict(zip([numbers[row] for row in kept.tolist()], signals, strict=True))
        entries = {entry.number: entry for entry in memory_queries.entries_numbered(self._view, list(told))}
        return [
            MemoryMatch(
                entries[number].document, entries[number].key, entries[number].last_day, each, self._has_vector(number)
            )
            for number, each in told.items()
        ]

    def _nearness_to_query(self, numbers: list[int]) -> Array:
        """By place the cosine of each memory, 0 where it is below that or has no vector."""
        import numpy as np

        known = self._cosines
        unknown = [number for number in numbers if number not in known]
        if unknown:
            known |= dict.fromkeys(unknown) | best_cosines(
                self._index, self._asked.vector, lambda: memory_queries.passages_of_entries(self._view, unknown)
            )
        found: Array = np.array([max(0.0, known[number] or 0.0) for number in numbers])
        return found

    def _has_vector(self, number: int) -> bool:
        return self._cosines[number] is not None


def _signals(evidence: _Evidence, at: Array, favour: _Boost, nearness: Array) -> Iterable[RelevanceSignals]:
    """The signals of the candidates at these places."""
    columns = nearness, evidence.keyword[at], favour.recency, evidence.graph[at], favour.instance, evidence.time[at]
    return map(RelevanceSignals, *(column.tolist() for column in columns))


def _highest(scores: Array, limit: int, to_beat: float) -> list[int]:
    """The places of so many of the highest scores that reach one, and of all that equal the last of them."""
    import numpy as np

    last = float(np.partition(scores, -limit)[-limit]) if len(scores) > limit else to_beat
    found: list[int] = np.flatnonzero(scores >= max(last, to_beat) - SLACK).tolist()
    return found


def _cosine_bounds(numbers: Array, near: dict[int, float], floor: float) -> Array:
    """By number its cosine where that is known, else the most that it can be."""
    import numpy as np

    spread = np.full(len(numbers), floor)
    if near and len(numbers):
        known = np.fromiter(near, np.int64, len(near))
        cosines = np.maximum(np.fromiter(near.values(), np.float64, len(near)), 0)
        places = np.minimum(np.searchsorted(numbers, known), len(numbers) - 1)
        is_there = numbers[places] == known
        spread[places[is_there]] = cosines[is_there]
    return spread
