"""An index that knows names only."""

from collections.abc import Sequence

from recollect.embed.port import Vectors
from recollect.model.ids import EntityId
from recollect.store.found import Filter, FoundChunk, Numbers, Population, Posting


class NamesOnPaper:
    def __init__(self, authors: Sequence[str], titles: Sequence[str]) -> None:
        self._authors = authors
        self._titles = titles

    def authors_called(self, name: str) -> list[str]:
        return [author for author in self._authors if author == name or author.startswith(name + " ")]

    def titles_among(self, spans: Sequence[str]) -> set[str]:
        return set(self._titles).intersection(spans)

    def population(self, where: Filter) -> Population:
        raise NotImplementedError(where)

    def postings(self, term: str, where: Filter) -> list[Posting]:
        raise NotImplementedError(term, where)

    def nearest(self, vector: Vectors, model: str, where: Filter, limit: int) -> list[tuple[int, float]]:
        raise NotImplementedError(vector, model, where, limit)

    def cosines(self, vector: Vectors, model: str, numbers: Numbers) -> dict[int, float]:
        raise NotImplementedError(vector, model, numbers)

    def chunks(self, numbers: Numbers, where: Filter) -> dict[int, FoundChunk]:
        raise NotImplementedError(numbers, where)

    def neighbours(self, numbers: Numbers) -> list[tuple[int, int]]:
        raise NotImplementedError(numbers)

    def mentioning(self, numbers: Numbers, entities: Sequence[EntityId]) -> set[int]:
        raise NotImplementedError(numbers, entities)
