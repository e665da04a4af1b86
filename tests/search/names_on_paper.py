"""An index that knows names only."""

from collections.abc import Collection, Sequence

from recollect.embed.port import Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.store.found import Filter, FoundChunk, Mention, Numbers, Population, Posting, Titled
from recollect.store.titles import title_key
from recollect.store.words import Ways


class NamesOnPaper:
    def __init__(self, authors: Sequence[str], titles: Sequence[str]) -> None:
        self._authors = authors
        self._titles = titles

    def authors_called(self, name: str) -> list[str]:
        return [author for author in self._authors if author == name or author.startswith(name + " ")]

    def titled(self, keys: Collection[str]) -> list[Titled]:
        known = {title_key(title): title for title in self._titles}
        return [Titled(key, DocumentId(title), title) for key, title in known.items() if key in keys]

    def population(self, where: Filter) -> Population:
        raise NotImplementedError(where)

    def postings(self, term: str, where: Filter) -> list[Posting]:
        raise NotImplementedError(term, where)

    def holding(self, token: Ways) -> int:
        raise NotImplementedError(token)

    def holding_all(self, tokens: Sequence[Ways], where: Filter, limit: int) -> list[int]:
        raise NotImplementedError(tokens, where, limit)

    def holding_ever(self, tokens: Sequence[Ways], limit: int) -> list[int]:
        raise NotImplementedError(tokens, limit)

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

    def mentions(self, documents: Collection[DocumentId]) -> list[Mention]:
        raise NotImplementedError(documents)

    def some_mentioning(self, entity: EntityId, limit: int) -> list[DocumentId]:
        raise NotImplementedError(entity, limit)

    def chunk_numbers(self, documents: Collection[DocumentId], within: int) -> list[int]:
        raise NotImplementedError(documents, within)
