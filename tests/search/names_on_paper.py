"""An index that knows names only."""

from collections.abc import Collection, Sequence

from recollect.embed.port import Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.store.passage_filter import (
    CorpusSize,
    MentionRow,
    PassageFilter,
    PassageNumbers,
    PassageRow,
    TitleMatch,
)
from recollect.store.passage_index import title_key
from recollect.store.posting_lists import PostingList
from recollect.store.text_index import TermAlternatives


class NamesOnPaper:
    def __init__(self, authors: Sequence[str], titles: Sequence[str]) -> None:
        self._authors = authors
        self._titles = titles

    def authors_called(self, name: str) -> list[str]:
        return [author for author in self._authors if author == name or author.startswith(name + " ")]

    def documents_by_title(self, keys: Collection[str]) -> list[TitleMatch]:
        known = {title_key(title): title for title in self._titles}
        return [TitleMatch(key, DocumentId(title), title) for key, title in known.items() if key in keys]

    def corpus_size(self, where: PassageFilter) -> CorpusSize:
        raise NotImplementedError(where)

    def postings(self, term: str, where: PassageFilter) -> PostingList:
        raise NotImplementedError(term, where)

    def document_frequency(self, token: TermAlternatives) -> int:
        raise NotImplementedError(token)

    def containing_all(self, tokens: Sequence[TermAlternatives], where: PassageFilter, limit: int) -> list[int]:
        raise NotImplementedError(tokens, where, limit)

    def containing_all_versions(self, tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
        raise NotImplementedError(tokens, limit)

    def nearest(self, vector: Vectors, model: str, where: PassageFilter, limit: int) -> list[tuple[int, float]]:
        raise NotImplementedError(vector, model, where, limit)

    def cosines(self, vector: Vectors, model: str, numbers: PassageNumbers) -> dict[int, float]:
        raise NotImplementedError(vector, model, numbers)

    def count_embedded(self, model: str | None) -> int:
        raise NotImplementedError(model)

    def chunks(self, numbers: PassageNumbers, where: PassageFilter) -> dict[int, PassageRow]:
        raise NotImplementedError(numbers, where)

    def neighbours(self, numbers: PassageNumbers) -> list[tuple[int, int]]:
        raise NotImplementedError(numbers)

    def mentioning(self, numbers: PassageNumbers, entities: Sequence[EntityId]) -> set[int]:
        raise NotImplementedError(numbers, entities)

    def mentions(self, documents: Collection[DocumentId]) -> list[MentionRow]:
        raise NotImplementedError(documents)

    def some_mentioning(self, entity: EntityId, limit: int) -> list[DocumentId]:
        raise NotImplementedError(entity, limit)

    def chunk_numbers(self, documents: Collection[DocumentId], within: int) -> list[int]:
        raise NotImplementedError(documents, within)
