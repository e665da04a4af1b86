"""What a transaction changed, and in whose voice it writes."""

from typing import Protocol

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.trust import Trust
from recollect.store.port import Row
from recollect.store.tables import (
    ASSERTION,
    DOCUMENT,
    ENTITY,
    FACT,
    MEMORY_LINK,
    MENTION,
    NAME,
    VersionedTable,
)


class ChangedRows:
    """What changed: a name counts for its entity, an assertion for its fact, a mention or chunk for its document."""

    __slots__ = ("by_hand", "documents", "entities", "facts", "to_recheck")

    def __init__(self) -> None:
        self.entities: set[EntityId] = set()
        self.facts: set[FactId] = set()
        self.documents: set[DocumentId] = set()
        self.by_hand: set[FactId] = set()
        """Those of the facts that began here and come from no document."""
        self.to_recheck: set[EntityId] = set()
        """Unchanged entities whose checks must run again."""

    def add(self, other: "ChangedRows") -> None:
        self.entities |= other.entities
        self.by_hand = (self.by_hand - other.facts) | other.by_hand
        self.facts |= other.facts
        self.documents |= other.documents
        self.to_recheck |= other.to_recheck

    @property
    def documented_facts(self) -> set[FactId]:
        """The facts that a document may assert."""
        return self.facts - self.by_hand

    def count_facts_after(self, id_: str) -> int:
        """How many facts began since an id was made: ids increase."""
        return sum(fact > id_ for fact in self.facts)

    def add_assertion(self, fact: FactId, document: DocumentId | None) -> None:
        """Add the fact of an assertion that was written."""
        self.facts.add(fact)
        if document is not None:
            self.by_hand.discard(fact)

    def add_row(self, table: VersionedTable, row: Row) -> None:
        """Add a complete row, whose columns are ws, its key, tx_from, tx_to and the rest."""
        if table is ENTITY:
            self.entities.add(row[1])
        elif table is NAME:
            self.entities.add(row[2])
        elif table is FACT:
            self.facts.add(row[1])
        elif table is ASSERTION:
            self.add_assertion(row[4], row[5])
        elif table in (DOCUMENT, MENTION):
            self.documents.add(row[1])
        elif table is MEMORY_LINK:
            self.documents.update(row[1:3])


class Speaker(Protocol):
    """Whoever writes in the voice of a source."""

    voice: Trust


class VoiceContext:
    """A context in which a speaker has another voice; a class, since a generator for every line is slower."""

    __slots__ = ("_before", "_speaker", "_voice")

    def __init__(self, speaker: Speaker, voice: Trust) -> None:
        self._speaker, self._voice, self._before = speaker, voice, speaker.voice

    def __enter__(self) -> None:
        self._speaker.voice = self._voice

    def __exit__(self, *_: object) -> None:
        self._speaker.voice = self._before
