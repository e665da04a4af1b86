"""Posting lists: the passages that hold a word, as columns, and those that were asked for last."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from recollect.store.passage_filter import CorpusSize

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MOST_POSTINGS = 400_000
MOST_POPULATIONS = 16


@dataclass(frozen=True, slots=True, eq=False)
class PostingList:
    """The passages that hold a word: their numbers, how often each does, and how long each is."""

    chunks: Array
    times: Array
    lengths: Array

    def __len__(self) -> int:
        return len(self.chunks)

    def numbers(self) -> set[int]:
        return set(self.chunks.tolist())

    def among(self, allowed: Collection[int]) -> PostingList:
        """Those of the passages that are allowed."""
        import numpy as np

        kept = np.isin(self.chunks, np.fromiter(allowed, np.int64, len(allowed)))
        return PostingList(self.chunks[kept], self.times[kept], self.lengths[kept])


def posting_list(rows: Sequence[Sequence[int]]) -> PostingList:
    """The columns of rows of number, times and length."""
    chunks, times, lengths = _columns(rows, 3)
    return PostingList(chunks, times, lengths)


def posting_list_from_places(places: str | None, lengths: PassageLengths) -> PostingList:
    """The list of a word from the numbers of passages, each as often as it holds the word, parted by commas."""
    import numpy as np

    numbers, times = np.unique(np.fromstring(places or "", np.int64, sep=","), return_counts=True)
    return lengths.postings(numbers, times)


@dataclass(frozen=True, slots=True, eq=False)
class PassageLengths:
    """The passages that a filter allows, by number, with their lengths."""

    chunks: Array
    lengths: Array

    @property
    def size(self) -> CorpusSize:
        return corpus_size(len(self.chunks), float(self.lengths.sum()))

    def postings(self, numbers: Array, times: Array) -> PostingList:
        """The list of a word that stands so many times in passages, of which only those here are allowed."""
        import numpy as np

        places = np.searchsorted(self.chunks, numbers)
        kept = np.zeros(len(numbers), bool)
        inside = places < len(self.chunks)
        kept[inside] = self.chunks[places[inside]] == numbers[inside]
        return PostingList(numbers[kept], times[kept], self.lengths[places[kept]])


def lengths_from_rows(rows: Sequence[Sequence[int]]) -> PassageLengths:
    """The lengths from rows of number and length, in the order of their numbers."""
    chunks, lengths = _columns(rows, 2)
    return PassageLengths(chunks, lengths)


def corpus_size(chunks: int, characters: float) -> CorpusSize:
    return CorpusSize(int(chunks), float(characters) / chunks if chunks else 1.0)


def _columns(rows: Sequence[Iterable[int]], count: int) -> Array:
    import numpy as np

    values: Array = np.fromiter(chain.from_iterable(rows), np.int64, len(rows) * count)
    return np.ascontiguousarray(values.reshape(-1, count).T)


def sum_by_passage(scored: Sequence[tuple[Array, Array]]) -> dict[int, float]:
    """By passage the sum of its scores; each part has passages and their scores."""
    import numpy as np

    if not scored:
        return {}
    every, scores = (np.concatenate(column) for column in zip(*scored, strict=True))
    chunks, places = np.unique(every, return_inverse=True)
    return dict(zip(chunks.tolist(), np.bincount(places, scores).tolist(), strict=True))


def highest_first(scores: Mapping[int, float], limit: int) -> list[int]:
    """The passages with the highest scores, of equal ones the first."""
    import numpy as np

    chunks = np.fromiter(scores, np.int64, len(scores))
    values = np.fromiter(scores.values(), np.float64, len(scores))
    best: list[int] = chunks[np.lexsort((chunks, -values))[:limit]].tolist()
    return best


class PostingCache:
    """Lists of the words and filters asked for last, each under the state of the store in which it was read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lists: dict[Hashable, PostingList] = {}
        self._count = 0
        self._populations: dict[Hashable, PassageLengths] = {}

    def clear(self) -> None:
        with self._lock:
            self._lists.clear()
            self._count = 0
            self._populations.clear()

    def postings(self, key: Hashable, read: Callable[[], PostingList]) -> PostingList:
        found = self._lists.get(key)
        if found is None:
            found = read()
            with self._lock:
                self._keep(key, found)
        return found

    def lengths(self, key: Hashable, read: Callable[[], PassageLengths]) -> PassageLengths:
        found = self._populations.get(key)
        if found is None:
            found = read()
            with self._lock:
                if len(self._populations) >= MOST_POPULATIONS:
                    self._populations.clear()
                self._populations[key] = found
        return found

    def _keep(self, key: Hashable, found: PostingList) -> None:
        """Add a list; the oldest go when there are too many."""
        if key in self._lists or len(found) > MOST_POSTINGS:
            return
        self._lists[key] = found
        self._count += len(found) + 1
        while self._count > MOST_POSTINGS:
            self._count -= len(self._lists.pop(next(iter(self._lists)))) + 1
