"""One transaction: its number, its actor, the versions it begins and ends, and the rows it changed."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from recollect.model.actor import Actor
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.trust import Trust
from recollect.store.port import Connection, Row
from recollect.store.tables import (
    ASSERTION,
    DOCUMENT,
    ENTITY,
    FACT,
    MEMORY_LINK,
    MENTION,
    NAME,
    OPEN,
    TX,
    VERSIONED,
    Version,
    VersionedTable,
)
from recollect.store.write_cache import WriteCache
from recollect.when.instant import Instant


class ChangedRows:
    """What changed: a name counts for its entity, an assertion for its fact, a mention or chunk for its document."""

    __slots__ = ("documents", "entities", "facts", "to_recheck")

    def __init__(self) -> None:
        self.entities: set[EntityId] = set()
        self.facts: set[FactId] = set()
        self.documents: set[DocumentId] = set()
        self.to_recheck: set[EntityId] = set()
        """Unchanged entities whose checks must run again."""

    def add(self, other: "ChangedRows") -> None:
        self.entities |= other.entities
        self.facts |= other.facts
        self.documents |= other.documents
        self.to_recheck |= other.to_recheck

    def count_facts_after(self, id_: str) -> int:
        """How many facts began since an id was made: ids increase."""
        return sum(fact > id_ for fact in self.facts)

    def add_row(self, table: VersionedTable, row: Row) -> None:
        """Add a complete row, whose columns are ws, its key, tx_from, tx_to and the rest."""
        if table is ENTITY:
            self.entities.add(row[1])
        elif table is NAME:
            self.entities.add(row[2])
        elif table is FACT:
            self.facts.add(row[1])
        elif table is ASSERTION:
            self.facts.add(row[4])
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


class Transaction:
    """Begins and ends versions of rows; it takes its number with the first of them."""

    __slots__ = ("_connection", "actor", "cache", "now", "taken", "touched", "undoes", "ws")

    def __init__(self, connection: Connection, ws: int, now: Instant, actor: Actor, cache: WriteCache) -> None:
        self._connection = connection
        self.now = now
        self.taken = 0
        """The number, as soon as there is one."""
        self.ws = ws
        self.actor = actor
        self.cache = cache
        self.undoes: int | None = None
        self.touched = ChangedRows()

    @property
    def number(self) -> int:
        if not self.taken:
            self.taken, at = self._connection.next_tx(self.ws, self.now)
            self.cache.last_tx = self.taken
            who = self.actor
            row = (self.ws, self.taken, at, who.surface, who.tool, who.name, self.undoes)
            self._connection.add(TX, (row,))
        return self.taken

    @property
    def has_begun(self) -> bool:
        return self.taken > 0

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        self._connection.insert(table, rows)

    def end(self, table: VersionedTable, key: Row) -> None:
        self._connection.end(table, self.ws, key, self.number)

    def replace(self, table: VersionedTable, key: Row, row: Row) -> None:
        self._connection.end(table, self.ws, key, self.number)
        self._connection.insert(table, (row,))

    def begun_by(self, tx: int) -> Iterable[Version]:
        return (Version(table, row) for table in VERSIONED for row in self._connection.begun_by(table, self.ws, tx))

    def ended_by(self, tx: int) -> Iterable[Version]:
        return (Version(table, row) for table in VERSIONED for row in self._connection.ended_by(table, self.ws, tx))

    def end_version(self, table: VersionedTable, row: Row) -> None:
        self.touched.add_row(table, row)
        self.end(table, row[1 : 1 + len(table.key)])

    def restore_version(self, table: VersionedTable, row: Row) -> None:
        self.touched.add_row(table, row)
        width = 1 + len(table.key)
        self.insert(table, ((*row[:width], self.number, OPEN, *row[width + 2 :]),))
