"""One transaction: its number, whose it is, and the versions that it begins and ends."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from recollect.model.actor import Actor
from recollect.settings import Settings
from recollect.store.port import Connection, Row
from recollect.store.recalling import RecallingView
from recollect.store.recent import Recent
from recollect.store.tables import DEFINITION, OPEN, SETTING, TX, VERSIONED, Table
from recollect.store.touched import Touched
from recollect.store.view import Workspace
from recollect.when.instant import Instant


class Transaction(RecallingView):
    """A view of the latest state that writes; its transaction begins with the first thing it changes."""

    def __init__(
        self,
        connection: Connection,
        workspace: Workspace,
        now: Instant,
        actor: Actor,
        new_id: Callable[[], Any],
        recent: Recent | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(connection, workspace, now, recent or Recent())
        self.settings = settings or Settings()
        self.actor = actor
        self.new_id = new_id
        self._tx = 0
        self._undoes: int | None = None
        self.touched = Touched()
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

    def _replace(self, table: Table, key: Row, row: Row) -> None:
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

    def begun_by(self, tx: int) -> Iterable[tuple[Table, Row]]:
        """Every version that a transaction began, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.begun_by(table, self.ws, tx))

    def ended_by(self, tx: int) -> Iterable[tuple[Table, Row]]:
        """Every version that a transaction ended, table by table."""
        return ((table, row) for table in VERSIONED for row in self.connection.ended_by(table, self.ws, tx))

    def end_version(self, table: Table, row: Row) -> None:
        self.touched.add_row(table, row)
        self.connection.end(table, self.ws, row[1 : 1 + len(table.key)], self.tx)

    def begin_again(self, table: Table, row: Row) -> None:
        """A new version that says what an ended one said."""
        self.touched.add_row(table, row)
        width = 1 + len(table.key)
        self.connection.insert(table, ((*row[:width], self.tx, OPEN, *row[width + 2 :]),))

    def open_version(self, table: Table, key: Row) -> Row | None:
        """The version of a key that stands now."""
        return self.connection.open_version(table, self.ws, key)
