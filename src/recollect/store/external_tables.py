"""Tables of SQLite files of other programs, which are only read."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from recollect.store.port import StoreUnusable
from recollect.store.sqlite_file import StoreFile, describe_failure, wait_for_lock


class UnreadTable(NamedTuple):
    """A table without the column that identifies its rows."""

    name: str
    column: str


class ExternalTables:
    """The tables of one file by name; a column that a file lacks is empty."""

    def __init__(self, raw: apsw.Connection) -> None:
        self._raw = raw
        self.unread: list[UnreadTable] = []

    @cached_property
    def columns(self) -> Mapping[str, frozenset[str]]:
        """The columns of every table; virtual tables, whose modules are not here, are left out."""
        stored = self._raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        names = [str(row[0]) for row in stored]
        return {name: frozenset(self._columns_of(name)) for name in names}

    def _columns_of(self, table: str) -> Iterator[str]:
        for row in self._raw.execute("SELECT name FROM pragma_table_info(?)", (table,)):
            yield str(row[0])

    def has(self, table: str, *columns: str) -> bool:
        return self.columns.get(table, frozenset()) >= set(columns)

    def read(self, table: str, columns: Sequence[str], order: str | None = None) -> Iterator[dict[str, Any]]:
        """Every row of a table with those of the wanted columns that it has; none if there is no such table.

        Without an order they come as they were inserted. A table without the column of the order is not read, and named
        in `unread`.
        """
        present = [each for each in columns if each in self.columns.get(table, ())]
        if order is not None and table in self.columns and order not in self.columns[table]:
            self.unread.append(UnreadTable(table, order))
            return
        if not present:
            return
        listed, sorting = ", ".join(map(_quote, present)), "rowid" if order is None else _quote(order)
        for row in self._raw.execute(f"SELECT {listed} FROM {_quote(table)} ORDER BY {sorting}"):
            yield dict(zip(present, row, strict=True))


class DamagedTables(StoreUnusable):
    def __init__(self, name: str) -> None:
        advice = "close the program that it belongs to, copy it again with its -wal file, and ingest the copy"
        super().__init__(f"{name} is a damaged database", advice)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def open_external_tables(path: Path) -> Iterator[ExternalTables]:
    """The tables of a file of another program, opened read-only."""
    file = StoreFile(str(path))
    try:
        raw = file.connect_read_only(is_foreign=True)
        try:
            raw.set_busy_handler(wait_for_lock)
            yield ExternalTables(raw)
        finally:
            raw.close()
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise DamagedTables(path.name) from error
    except apsw.Error as error:
        raise describe_failure(file.path, error) from error
