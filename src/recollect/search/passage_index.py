"""The index of passages that search works on, as a protocol, and indexes limited to some passages."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

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
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.posting_lists import PostingList
from recollect.store.text_index import TermAlternatives
from recollect.store.vectors import VectorCache
from recollect.store.view import View


class PassageIndex(Protocol):
    """Passages by word, by meaning and by number; every filter acts before anything is ranked."""

    def corpus_size(self, where: PassageFilter) -> CorpusSize: ...

    def postings(self, term: str, where: PassageFilter) -> PostingList:
        """The passages that hold a stem."""

    def document_frequency(self, token: TermAlternatives) -> int:
        """How many passages hold a token; from some number on there are just many."""

    def containing_all(self, tokens: Sequence[TermAlternatives], where: PassageFilter, limit: int) -> list[int]:
        """The newest passages that hold every token in one of its ways."""

    def containing_all_versions(self, tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
        """The same of all versions and without a filter."""

    def nearest(self, vector: Vectors, model: str, where: PassageFilter, limit: int) -> list[tuple[int, float]]:
        """The passages whose vectors are nearest, with their cosine, best first."""

    def cosines(self, vector: Vectors, model: str, numbers: PassageNumbers) -> dict[int, float]:
        """The cosine of each of these passages that has a vector of the model."""

    def count_embedded(self, model: str | None) -> int:
        """How many passages have been embedded by a model."""

    def chunks(self, numbers: PassageNumbers, where: PassageFilter) -> dict[int, PassageRow]:
        """Those of the passages that the filter allows, by number."""

    def neighbours(self, numbers: PassageNumbers) -> list[tuple[int, int]]:
        """Pairs of passages that were ingested one right after the other; at least one of each pair is given."""

    def mentioning(self, numbers: PassageNumbers, entities: Sequence[EntityId]) -> set[int]:
        """Those of the passages whose document mentions one of the entities."""

    def authors_called(self, name: str) -> list[str]:
        """Authors of this name, or of whom it is the first part."""

    def documents_by_title(self, keys: Collection[str]) -> list[TitleMatch]:
        """The documents whose title has one of these keys."""

    def mentions(self, documents: Collection[DocumentId]) -> list[MentionRow]:
        """The entities that documents mention, once for each of their names."""

    def some_mentioning(self, entity: EntityId, limit: int) -> list[DocumentId]:
        """Documents that mention an entity, up to a limit."""

    def chunk_numbers(self, documents: Collection[DocumentId], within: int) -> list[int]:
        """The first passages of documents."""


class SmallSetIndex(StoredPassageIndex):
    """An index whose filter allows few passages: their vectors are compared one by one instead of looking for the
    nearest among all. The filter itself still applies to everything else."""

    def __init__(self, view: View, matrices: VectorCache, allowed: Mapping[int, int]) -> None:
        """`allowed` has the length of each passage by its number."""
        super().__init__(view, matrices)
        self._allowed = allowed

    def nearest(
        self,
        vector: Vectors,
        model: str,
        where: PassageFilter,  # noqa: ARG002 what is allowed passed the filter
        limit: int,
    ) -> list[tuple[int, float]]:
        cosines = self.cosines(vector, model, self._allowed.keys())
        return sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]


class RestrictedIndex(SmallSetIndex):
    """An index of these passages only, for a restriction that no filter can express."""

    def corpus_size(self, where: PassageFilter) -> CorpusSize:  # noqa: ARG002 what is allowed passed the filter
        lengths = self._allowed.values()
        return CorpusSize(len(lengths), sum(lengths) / len(lengths) if lengths else 1.0)

    def postings(self, term: str, where: PassageFilter) -> PostingList:
        return super().postings(term, where).among(self._allowed)

    def chunks(self, numbers: PassageNumbers, where: PassageFilter) -> dict[int, PassageRow]:
        return super().chunks([number for number in numbers if number in self._allowed], where)
