"""Memories by everything that speaks for them; the order is that of the formula, whatever was left unread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from recollect.keep.memories.columns import Columns, MemoryColumns
from recollect.keep.memories.dates import GRANULARITIES
from recollect.keep.memories.found import Found, best_first
from recollect.keep.memories.index import Entry, count_entries, is_caught_up
from recollect.keep.memories.listing import Where
from recollect.keep.memories.query import HALF_LIFE, Asked, Signals, rarity
from recollect.keep.memories.scan import scan
from recollect.keep.memories.words import tells_beginnings
from recollect.store.found import Filter
from recollect.store.index import StoredIndex
from recollect.store.vectors import Matrices
from recollect.store.view import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FEW = 500
FIRST_LOOK = 256
AT_ONCE = 256
IN_A_SLICE = 512
WIDER = 4
SLACK = 1e-6
_BEHIND_ALL = "\U0010ffff"


def search_memories(view: View, matrices: Matrices, columns: MemoryColumns, asked: Asked) -> list[Found]:
    """The memories that answer best: those that no bound rules out are scored, and none of the others could win."""
    index = StoredIndex(view, matrices)
    return _Search(view, index, columns.of(view), asked).best() if is_caught_up(view) else scan(view, index, asked)


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Candidates by their numbers, with all that an index of words, names and times tells of each."""

    numbers: Array
    keyword: Array
    graph: Array
    time: Array

    @property
    def against(self) -> Array:
        """What these leave open for the vector to fill."""
        left: Array = (1 - 0.8 * self.keyword) * (1 - 0.4 * self.graph) * (1 - 0.5 * self.time)
        return left


@dataclass(frozen=True, slots=True)
class _Favour:
    """How recent some of the candidates are, and how near to the caller."""

    recency: Array
    instance: Array

    @property
    def share(self) -> Array:
        much: Array = 0.85 + 0.05 * self.recency + 0.10 * self.instance
        return much


class _Search:
    def __init__(self, view: View, index: StoredIndex, columns: Columns, asked: Asked) -> None:
        self._view = view
        self._index = index
        self._columns = columns
        self._asked = asked
        self._allowed = self._numbers("entries_wanted", **asked.where.parameters()) if asked.where != Where() else None
        self._words = [self._holding(term) for term in asked.question.terms]
        self._named = [self._naming([entity], near) for entity, near in asked.question.entities.items()]
        self._timed = [self._numbers("entries_overlapping", low=low, high=high) for low, high in asked.question.periods]

    def best(self) -> list[Found]:
        """Looks further among the nearest until nobody outside could come before the last one found."""
        if self._is_small:
            return self._ranked(self._evidence(self._everyone()), {}, 1.0)
        look = FIRST_LOOK
        while True:
            near, floor = self._near(look)
            sets = [*self._words, *self._timed, *(each for pair in self._named for each in pair)]
            found = self._ranked(self._evidence([*sets, list(near)]), near, floor)
            is_full = len(found) == self._asked.most
            if floor < max(self._asked.min_score, SLACK) or (is_full and found[-1].signals.score > floor + SLACK):
                return found
            look *= WIDER

    @property
    def _is_small(self) -> bool:
        return (count_entries(self._view) if self._allowed is None else len(self._allowed)) <= FEW

    def _everyone(self) -> list[Array]:
        return [self._numbers("entries_wanted", **self._asked.where.parameters())]

    def _numbers(self, query: str, **parameters: Any) -> Array:
        """The numbers that a query finds, each once."""
        [[text]] = self._view.rows(query, **parameters)
        return self._among(_read(text))

    def _among(self, numbers: Array) -> Array:
        """The numbers in their order, each once."""
        import numpy as np

        there = np.zeros(self._columns.size, bool)
        there[numbers] = True
        found: Array = np.flatnonzero(there)
        return found

    def _holding(self, term: str) -> Array:
        return self._columns.listed(term, lambda: self._read_holding(term))

    def _read_holding(self, term: str) -> Array:
        if not tells_beginnings(term):
            return self._numbers("entries_with_word", word=term)
        return self._numbers("entries_with_word_start", word=term, behind=term + _BEHIND_ALL)

    def _naming(self, entity: Iterable[str], near: Iterable[str]) -> tuple[Array, Array]:
        own, beside = sorted(entity), sorted(near)
        return self._numbers("entries_naming", entities=own), self._numbers("entries_naming", entities=beside)

    def _near(self, look: int) -> tuple[dict[int, float], float]:
        """The nearest memories with their cosines, and the most that any other could have."""
        query = self._asked.vector
        if query is None or query.model is None:
            return {}, 0.0
        types = frozenset[str](self._asked.where.granularities or GRANULARITIES)
        chunks = self._index.nearest(query.vector, query.model, Filter(frozenset(["memory"]), types), look)
        rows = self._view.rows("entries_of_chunks", numbers=[number for number, _ in chunks]) if chunks else []
        owners: dict[int, int] = dict(rows)
        best: dict[int, float] = {}
        for number, cosine in chunks:
            owner = owners[number]
            best[owner] = max(best.get(owner, -1.0), cosine)
        return best, max(0.0, chunks[-1][1]) if len(chunks) == look else 0.0

    def _evidence(self, sets: Iterable[Any]) -> _Evidence:
        import numpy as np

        union = self._among(np.concatenate([np.empty(0, np.int64), *(np.asarray(each, np.int64) for each in sets)]))
        numbers = union if self._allowed is None else np.intersect1d(union, self._allowed, assume_unique=True)
        zeros = np.zeros(len(numbers))
        graph = sum(
            (np.maximum(self._marked(own)[numbers], 0.5 * self._marked(near)[numbers]) for own, near in self._named),
            zeros,
        )
        time = sum((self._marked(each)[numbers] for each in self._timed), zeros)
        return _Evidence(numbers, self._keywords(numbers), graph / (len(self._named) or 1), np.minimum(time, 1))

    def _marked(self, holding: Array) -> Array:
        """By number 1 for each of these."""
        import numpy as np

        marks = np.zeros(self._columns.size)
        marks[holding] = 1
        return marks

    def _keywords(self, numbers: Array) -> Array:
        import numpy as np

        memories = count_entries(self._view)
        weights = [rarity(len(holding), memories) for holding in self._words]
        found = np.zeros(self._columns.size)
        for weight, holding in zip(weights, self._words, strict=True):
            found[holding] += weight
        wanted: Array = found[numbers] / (sum(weights) or 1)
        return wanted

    def _favour(self, numbers: Array) -> _Favour:
        import numpy as np

        age = np.maximum(self._asked.today - self._columns.last_day[numbers], 0)
        return _Favour(2.0 ** (-age / HALF_LIFE), self._nearness[numbers])

    @cached_property
    def _nearness(self) -> Array:
        return self._columns.nearness(self._asked.instance)

    def _ranked(self, evidence: _Evidence, near: dict[int, float], floor: float) -> list[Found]:
        """The best of the candidates, going down from those that could be most relevant until none can be better."""
        import numpy as np

        bound = 1 - (1 - _spread(evidence.numbers, near, floor)) * evidence.against
        order = np.argsort(-bound, kind="stable")
        found: list[Found] = []
        start, size = 0, IN_A_SLICE
        while start < len(order) and bound[order[start]] >= self._least(found) - SLACK:
            at = order[start : start + size]
            found = self._better(evidence, at, bound[at], near, found)
            start, size = start + size, size * WIDER
        return found

    def _least(self, found: Sequence[Found]) -> float:
        """The score that one more has to reach."""
        return found[-1].signals.score if len(found) == self._asked.most else self._asked.min_score

    def _better(
        self, evidence: _Evidence, at: Array, bound: Array, near: dict[int, float], found: list[Found]
    ) -> list[Found]:
        """What was found together with the best of some candidates, whose relevance cannot be above the bound."""
        import numpy as np

        favour = self._favour(evidence.numbers[at])
        most = bound * favour.share
        order = np.argsort(-most, kind="stable")
        for start in range(0, len(order), AT_ONCE):
            some = order[start : start + AT_ONCE]
            if most[some[0]] < self._least(found) - SLACK:
                break
            part = _Favour(favour.recency[some], favour.instance[some])
            found = best_first([*found, *self._scored(evidence, at[some], part, near)], self._asked)
        return found

    def _scored(self, evidence: _Evidence, at: Array, favour: _Favour, near: dict[int, float]) -> list[Found]:
        numbers = evidence.numbers[at].tolist()
        cosines = self._cosines([number for number in numbers if number not in near]) | near
        entries = {row[0]: Entry._make(row) for row in self._view.rows("entries_numbered", numbers=numbers)}
        return [
            Found(
                entries[number].document,
                entries[number].key,
                entries[number].last_day,
                Signals(
                    max(0.0, cosines.get(number, 0.0)),
                    float(evidence.keyword[place]),
                    float(favour.recency[row]),
                    float(evidence.graph[place]),
                    float(favour.instance[row]),
                    float(evidence.time[place]),
                ),
                number in cosines,
            )
            for row, (number, place) in enumerate(zip(numbers, at.tolist(), strict=True))
        ]

    def _cosines(self, numbers: list[int]) -> dict[int, float]:
        query = self._asked.vector
        if query is None or query.model is None or not numbers:
            return {}
        owners: dict[int, int] = dict(self._view.rows("chunks_of_entries", numbers=numbers))
        best: dict[int, float] = {}
        for chunk, cosine in self._index.cosines(query.vector, query.model, owners.keys()).items():
            best[owners[chunk]] = max(best.get(owners[chunk], -1.0), cosine)
        return best


def _read(text: str | None) -> Array:
    """Numbers that came as one text."""
    import numpy as np

    return np.fromstring(text or "", np.int64, sep=",")


def _spread(numbers: Array, near: dict[int, float], floor: float) -> Array:
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
