"""One transaction: its number, its actor, the versions it begins and ends, and the set of rows it changed."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from recollect.model.actor import Actor
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.settings import Settings
from recollect.store.cached_view import CachedView
from recollect.store.port import Connection, Row
from recollect.store.tables import (
    ASSERTION,
    DEFINITION,
    DOCUMENT,
    ENTITY,
    FACT,
    MEMORY_LINK,
    MENTION,
    NAME,
    OPEN,
    SETTING,
    TX,
    VERSIONED,
    VersionedTable,
)
from recollect.store.view import Workspace
from recollect.store.write_cache import WriteCache
from recollect.when.instant import Instant


class ChangedRows:
    """A name counts for its entity, an assertion for its fact, a mention or a passage for its document."""

    __slots__ = ("documents", "entities", "facts", "stirred")

    def __init__(self) -> None:
        self.entities: set[EntityId] = set()
        self.facts: set[FactId] = set()
        self.documents: set[DocumentId] = set()
        self.stirred: set[EntityId] = set()
        """Entities that are written as they were, but mean something else now."""

    def add(self, other: "ChangedRows") -> None:
        self.entities |= other.entities
        self.facts |= other.facts
        self.documents |= other.documents
        self.stirred |= other.stirred

    def add_row(self, table: VersionedTable, row: Row) -> None:
        """Count a whole row, whose columns are ws, its key, tx_from, tx_to and the rest."""
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


class Transaction(CachedView):
    """A view of the latest state that writes; its transaction begins with the first thing it changes."""

    def __init__(
        self,
        connection: Connection,
        workspace: Workspace,
        now: Instant,
        actor: Actor,
        new_id: Callable[[], Any],
        recent: WriteCache | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(connection, workspace, now, recent or WriteCache())
        self.settings = settings or Settings()
        self.actor = actor
        self.new_id = new_id
        self._tx = 0
        self._undoes: int | None = None
        self.touched = ChangedRows()
        self.notes: dict[str, Any] = {}  # what followers leave for the call that made the change

    @property
    def tx(self) -> int:
        """The number of this transaction, taken when first needed: a call that changes nothing is none."""
        if not self._tx:
            self._tx = self.recent.last_tx = self.connection.next_tx(self.ws)
            self._begin_tx()
        return self._tx

    def _begin_tx(self) -> None:
        who = self.actor
        row = (self.ws, self._tx, self.now, who.surface, who.tool, who.name, self._undoes)
        self.connection.add(TX, (row,))

    @property
    def has_changed(self) -> bool:
        return self._tx > 0

    def is_forgotten(self, *hashes: str) -> bool:
        """Whether one of these stands for something that was erased and must not come back."""
        return not self.forgotten.isdisjoint(hashes)

    @property
    def has_forgotten(self) -> bool:
        """Whether anything was ever erased here."""
        return bool(self.forgotten)

    @property
    def forgotten(self) -> frozenset[str]:
        """The hashes of everything that was erased here."""
        held = self.recent.forgotten
        if held is None:
            held = self.recent.forgotten = frozenset(row[0] for row in self.rows("forgotten_hashes"))
        return held

    def undoing(self, tx: int) -> None:
        """Mark this transaction as the opposite of an earlier one."""
        self._undoes = tx

    def lock(self) -> int:
        """Wait until nobody else writes to this workspace; the number of the transaction before this one.

        What was looked up before counts if nobody wrote since.
        """
        [[last]] = self.connection.rows("lock_workspace", {"ws": self.ws})
        if not last == self.recent.last_tx == self.recent.kept_tx or self.recent.is_full:
            self.recent.clear()
            self.recent.last_tx = self.recent.kept_tx = last
        return int(last)

    def _replace(self, table: VersionedTable, key: Row, row: Row) -> None:
        self.connection.end(table, self.ws, key, self.tx)
        self.connection.insert(table, (row,))

    def put_setting(self, key: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        self._replace(SETTING, (key,), (self.ws, key, self.tx, OPEN, text))
        self._forget_world()

    def end_setting(self, key: str) -> None:
        self.connection.end(SETTING, self.ws, (key,), self.tx)
        self._forget_world()

    def put_definition(self, kind: str, slug: str, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        self._replace(DEFINITION, (kind, slug), (self.ws, kind, slug, self.tx, OPEN, text))
        self._forget_world()

    def end_definition(self, kind: str, slug: str) -> None:
        self.connection.end(DEFINITION, self.ws, (kind, slug), self.tx)
        self._forget_world()

    def begun_by(self, tx: int) -> Iterable[tuple[VersionedTable, Row]]:
        """Every version that a transaction began, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.begun_by(table, self.ws, tx))

    def ended_by(self, tx: int) -> Iterable[tuple[VersionedTable, Row]]:
        """Every version that a transaction ended, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.ended_by(table, self.ws, tx))

    def end_version(self, table: VersionedTable, row: Row) -> None:
        self.touched.add_row(table, row)
        self.connection.end(table, self.ws, row[1 : 1 + len(table.key)], self.tx)

    def begin_again(self, table: VersionedTable, row: Row) -> None:
        """A new version that says what an ended one said."""
        self.touched.add_row(table, row)
        width = 1 + len(table.key)
        self.connection.insert(table, ((*row[:width], self.tx, OPEN, *row[width + 2 :]),))

    def open_version(self, table: VersionedTable, key: Row) -> Row | None:
        """The version of a key that stands now."""
        return self.connection.open_version(table, self.ws, key)
