"""What can still be read from a damaged SQLite store, table by table, past the pages that cannot.

A file whose header or size is wrong is read through a copy with those mended. Pages that a broken one was the way to
are found as those that belong to no tree: in a copy, each is made the root of a table of its own.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import apsw

from recollect.store.port import Row, StoreUnusable
from recollect.store.sqlite_file import StoreDamaged, StoreFile, describe_failure
from recollect.store.table_dump import DumpTable
from recollect.store.view import Workspace

LAST_ROWID = 2**62
LOST = "lost_page_"
PAGE = 4096
"""Bytes of a page of every store of ours."""
MOST_LONGER = 100
SOUND_FORMAT = bytes.fromhex("1000020200402020")
"""Of the header, from byte 16: the size of a page, the use of a log, fixed fractions."""
UNREADABLE = (apsw.CorruptError, apsw.IOError, apsw.TooBigError, UnicodeDecodeError)


class DamagedStore:
    """A damaged file, opened for reading only."""

    def __init__(self, file: StoreFile, raw: apsw.Connection) -> None:
        self._file = file
        self._raw = raw

    def workspaces(self) -> list[Workspace]:
        """The workspaces; those whose names are lost are named by their numbers."""
        try:
            rows = self._raw.execute("SELECT ws, name FROM workspace WHERE name NOT LIKE 'deleted:%' ORDER BY ws")
            return [Workspace(ws, name) for ws, name in rows]
        except UNREADABLE:
            rows = self._raw.execute("SELECT DISTINCT ws FROM tx ORDER BY ws")
            return [Workspace(ws, "default" if ws == 1 else f"workspace-{ws}") for (ws,) in rows]

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
        read: set[Any] = set()
        is_damaged = False
        while after is not None:
            try:
                for rowid, found, *row in self._raw.execute(_rows_sql(table.name, columns), (after, -1)):
                    after = rowid
                    read.add(rowid)
                    if found == ws:
                        yield tuple(row)
                break
            except UNREADABLE:
                is_damaged = True
                after = self._after_damage(_rows_sql(table.name, columns), after)
        if is_damaged:
            yield from self._lost_rows(table, columns, ws, read)

    def _lost_rows(self, table: DumpTable, columns: tuple[str, ...], ws: int, read: set[Any]) -> Iterator[Row]:
        """The rows on pages that no tree leads to any more; `read` has the rows that are known already."""
        with TemporaryDirectory() as folder, closing(_copy(self._file, Path(folder)).connect()) as raw:
            for number in _lost_pages(raw, table.name):
                sql = _rows_sql(f"{LOST}{number}", columns)
                try:
                    found = raw.execute(sql, (-1, -1)).fetchall()
                except (*UNREADABLE, apsw.SQLError):
                    continue
                for rowid, place, *row in found:
                    if rowid not in read and place == ws:
                        read.add(rowid)
                        yield tuple(row)

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


def _rows_sql(table: str, columns: tuple[str, ...]) -> str:
    return f"SELECT rowid, {', '.join(columns)} FROM {table} NOT INDEXED WHERE rowid > ? ORDER BY rowid LIMIT ?"


def _lost_pages(raw: apsw.Connection, table: str) -> list[int]:
    """The pages that belong to no tree, each declared as the root of a table with the columns of this one."""
    used: set[int] = set()
    trees = raw.execute("SELECT name FROM sqlite_schema WHERE rootpage > 0").fetchall()
    for (name,) in (("sqlite_schema",), *trees):
        try:
            used.update(page for (page,) in raw.execute("SELECT pageno FROM dbstat WHERE name = ?", (name,)))
        except UNREADABLE:
            continue
    lost = [page for page in range(2, int(raw.pragma("page_count")) + 1) if page not in used]
    columns = [
        f"{column} {'INTEGER PRIMARY KEY' if key and type_ == 'INTEGER' else ''}"
        for _, column, type_, _, _, key in raw.execute(f"PRAGMA table_info({table})")
    ]
    raw.pragma("writable_schema", True)
    raw.executemany(
        "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, ?2, ?3)",
        [(f"{LOST}{page}", page, f"CREATE TABLE {LOST}{page} ({', '.join(columns)})") for page in lost],
    )
    raw.execute("PRAGMA writable_schema = RESET")
    return lost


def _copy(file: StoreFile, folder: Path) -> StoreFile:
    """The file and its log in a folder; one that was cut is made longer again, and its header says how long it is."""
    path = folder / "damaged.db"
    for ending in ("", "-wal"):
        if Path(f"{file.path}{ending}").exists():
            shutil.copyfile(f"{file.path}{ending}", f"{path}{ending}")
    with path.open("r+b") as copy:
        if file.is_plain:
            _mend_header(copy)
        else:
            # How long it was is encrypted; pages that are too many do no harm.
            copy.truncate(2 * -(-copy.seek(0, os.SEEK_END) // PAGE) * PAGE)
    return replace(file, path=str(path))


def _mend_header(copy: IO[bytes]) -> None:
    size = copy.seek(0, os.SEEK_END)
    copy.seek(28)
    declared_pages = int.from_bytes(copy.read(4))
    pages = max(-(-size // PAGE), declared_pages if declared_pages <= MOST_LONGER * size // PAGE else 0)
    copy.truncate(pages * PAGE)
    copy.seek(16)
    copy.write(SOUND_FORMAT)
    copy.seek(28)
    copy.write(pages.to_bytes(4))


@contextmanager
def damaged_store(file: StoreFile) -> Iterator[DamagedStore]:
    with TemporaryDirectory() as folder, ExitStack() as opened:
        try:
            try:
                raw = file.open(read_only=True)
                used = file
            except StoreDamaged:
                used = _copy(file, Path(folder))
                raw = used.open(read_only=True)
            opened.callback(raw.close)
            yield DamagedStore(used, raw)
        except apsw.Error as error:
            raise describe_failure(file.path, error) from error
        except StoreDamaged:
            raise StoreLost(file.path) from None


class StoreLost(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} has lost the list of its tables", "nothing can be read; restore a backup")
