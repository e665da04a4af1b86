"""The index of passages that search works on, as a protocol."""

from collections.abc import Collection, Sequence
from typing import Protocol

from recollect.embed.port import Vectors
from recollect.model.ids import DocumentId, EntityId
from recollect.store.passage_filter import (
    CorpusSize,
    MentionRow,
    PassageFilter,
    PassageNumbers,
    PassageRow,
    Posting,
    TitleMatch,
)
from recollect.store.text_index import TermAlternatives


class PassageIndex(Protocol):
    """Passages by word, by meaning and by number; every filter acts before anything is ranked."""

    def population(self, where: PassageFilter) -> CorpusSize: ...

    def postings(self, term: str, where: PassageFilter) -> list[Posting]:
        """The passages that hold a stem."""

    def holding(self, token: TermAlternatives) -> int:
        """How many passages hold a token; from some number on there are just many."""

    def holding_all(self, tokens: Sequence[TermAlternatives], where: PassageFilter, limit: int) -> list[int]:
        """The newest passages that hold every token in one of its ways."""

    def holding_ever(self, tokens: Sequence[TermAlternatives], limit: int) -> list[int]:
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
        """Pairs of passages that were taken in one right after the other, at least one of them given."""

    def mentioning(self, numbers: PassageNumbers, entities: Sequence[EntityId]) -> set[int]:
        """Those of the passages whose document mentions one of the entities."""

    def authors_called(self, name: str) -> list[str]:
        """Authors of this name, or of whom it is the first part."""

    def titled(self, keys: Collection[str]) -> list[TitleMatch]:
        """The documents whose title has one of these keys."""

    def mentions(self, documents: Collection[DocumentId]) -> list[MentionRow]:
        """The entities that documents mention, once for each of their names."""

    def some_mentioning(self, entity: EntityId, limit: int) -> list[DocumentId]:
        """Documents that mention an entity, no more than so many."""

    def chunk_numbers(self, documents: Collection[DocumentId], within: int) -> list[int]:
        """The first passages of documents."""
