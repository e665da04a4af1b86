"""What can still be read from a damaged SQLite store, table by table, past the pages that cannot."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import apsw

from recollect.store.port import Row
from recollect.store.sqlite_file import StoreFile, describe_failure
from recollect.store.table_dump import DumpTable

LAST_ROWID = 2**62
UNREADABLE = (apsw.CorruptError, apsw.IOError, apsw.TooBigError, UnicodeDecodeError)


class DamagedWorkspace(NamedTuple):
    ws: int
    name: str


class DamagedStore:
    """A damaged file, opened for reading only."""

    def __init__(self, raw: apsw.Connection) -> None:
        self._raw = raw

    def workspaces(self) -> list[DamagedWorkspace]:
        """The workspaces; those whose names are lost are named by their numbers."""
        try:
            rows = self._raw.execute("SELECT ws, name FROM workspace WHERE name NOT LIKE 'deleted:%' ORDER BY ws")
            return [DamagedWorkspace(ws, name) for ws, name in rows]
        except UNREADABLE:
            rows = self._raw.execute("SELECT DISTINCT ws FROM tx ORDER BY ws")
            return [DamagedWorkspace(ws, "default" if ws == 1 else f"workspace-{ws}") for (ws,) in rows]

    def last_tx(self, ws: int) -> int:
        """The number of the last transaction that any row of the workspace can be from."""
        try:
            numbers = self._raw.execute("SELECT last_tx FROM workspace WHERE ws = ?", (ws,)).fetchall()
        except UNREADABLE:
            numbers = self._raw.execute("SELECT MAX(tx) FROM tx WHERE ws = ?", (ws,)).fetchall()
        return next((int(number) for (number,) in numbers if isinstance(number, int)), 0)

    def _columns(self, table: DumpTable) -> tuple[str, ...]:
        """The columns that the table has in this file; an earlier schema lacks some."""
        there = {str(row[1]) for row in self._raw.execute(f"PRAGMA table_info({table.name})")}
        return tuple(column for column in table.columns if column in there)

    def count(self, table: DumpTable, ws: int) -> int | None:
        """How many rows an index says there are; None if that cannot be read either."""
        try:
            found: list[Row] = self._raw.execute(f"SELECT COUNT(*) FROM {table.name} WHERE ws = ?", (ws,)).fetchall()
        except UNREADABLE:
            return None
        return int(found[0][0])

    def rows(self, table: DumpTable, ws: int) -> Iterator[Row]:
        """Every row that can be read, without the workspace; pages that cannot be are skipped."""
        for row in self._readable_rows(table, self._columns(table), ws):
            whole = table.completed(row)
            if whole is not None:
                yield whole

    def _readable_rows(self, table: DumpTable, columns: tuple[str, ...], ws: int) -> Iterator[Row]:
        after: int | None = -1
        while after is not None:
            try:
                for rowid, found, *row in self._raw.execute(_rows_sql(table, columns), (after, -1)):
                    after = rowid
                    if found == ws:
                        yield tuple(row)
                return
            except UNREADABLE:
                after = self._after_damage(_rows_sql(table, columns), after)

    def _after_damage(self, sql: str, after: int) -> int | None:
        """The first rowid after which rows can be read again: doubling steps past the damage, then back by halves."""
        step = 1
        while not self._is_readable(sql, after + step):
            step *= 2
            if after + step > LAST_ROWID:
                return None
        low, high = after + step // 2, after + step
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._is_readable(sql, middle) else (middle, high)
        return high

    def _is_readable(self, sql: str, after: int) -> bool:
        try:
            self._raw.execute(sql, (after, 1)).fetchall()
        except UNREADABLE:
            return False
        return True


def _rows_sql(table: DumpTable, columns: tuple[str, ...]) -> str:
    return f"SELECT rowid, {', '.join(columns)} FROM {table.name} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?"


@contextmanager
def damaged_store(file: StoreFile) -> Iterator[DamagedStore]:
    raw = None
    try:
        raw = file.open(read_only=True)
        yield DamagedStore(raw)
    except apsw.Error as error:
        raise describe_failure(file.path, error) from error
    finally:
        if raw is not None:
            raw.close()
