"""Passages that name something: by one of its names as whole words, and search among those alone."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from recollect.embed.port import Vectors
from recollect.model.names import fold
from recollect.search.port import Index
from recollect.store.found import Filter, FoundChunk, Numbers, Population, Posting
from recollect.store.index import StoredIndex
from recollect.store.vectors import Matrices
from recollect.store.view import View
from recollect.store.words import terms


class Names:
    """Counts the names of one thing in texts, the longest first, so that no part of one counts again."""

    def __init__(self, names: Collection[str]) -> None:
        self.each = sorted({fold(name) for name in names if fold(name)}, key=lambda name: (-len(name), name))
        words = "|".join(re.escape(name) for name in self.each)
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None

    def count(self, text: str) -> int:
        return len(self._pattern.findall(fold(text))) if self._pattern else 0


class Naming(NamedTuple):
    """A passage and how often it names the thing."""

    chunk: FoundChunk
    times: int


def body(chunk: FoundChunk) -> str:
    """The words of a passage without the title and heading that stand before them for the indexes."""
    length = chunk.stop - chunk.start
    return chunk.text[-length:] if 0 < length < len(chunk.text) else chunk.text


def passages_naming(index: Index, names: Names, where: Filter) -> dict[int, Naming]:
    """The passages whose own words name the thing, by number."""
    numbers = {number for name in names.each for number in _holding(index, terms(name), where)}
    counted = {
        number: Naming(chunk, names.count(body(chunk))) for number, chunk in index.chunks(numbers, where).items()
    }
    return {number: each for number, each in counted.items() if each.times}


def _holding(index: Index, stems: Sequence[str], where: Filter) -> set[int]:
    """The passages that hold all stems of a name."""
    held: set[int] | None = None
    for stem in dict.fromkeys(stems):
        found = {posting.chunk for posting in index.postings(stem, where)}
        held = found if held is None else held & found
        if not held:
            break
    return held or set()


class AmongPassages(StoredIndex):
    """An index that knows of some passages only, so that nothing else is ranked."""

    def __init__(self, view: View, matrices: Matrices, allowed: Mapping[int, FoundChunk]) -> None:
        super().__init__(view, matrices)
        self._allowed = allowed

    def population(self, where: Filter) -> Population:  # noqa: ARG002 what is allowed passed the filter
        lengths = [chunk.stop - chunk.start for chunk in self._allowed.values()]
        return Population(len(lengths), sum(lengths) / len(lengths) if lengths else 1.0)

    def postings(self, term: str, where: Filter) -> list[Posting]:
        return [each for each in super().postings(term, where) if each.chunk in self._allowed]

    def nearest(
        self,
        vector: Vectors,
        model: str,
        where: Filter,  # noqa: ARG002 what is allowed passed the filter
        limit: int,
    ) -> list[tuple[int, float]]:
        cosines = self.cosines(vector, model, self._allowed.keys())
        return sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]

    def chunks(self, numbers: Numbers, where: Filter) -> dict[int, FoundChunk]:
        return super().chunks([number for number in numbers if number in self._allowed], where)
