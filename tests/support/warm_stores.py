"""SQLite stores that tests have done with: emptied over their open connections, one serves the next test.

A new connection reads the whole schema and prepares every query anew, which takes longer than most tests do.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw

from recollect.deadline import must_stop
from recollect.memory import Memory
from recollect.store import sqlite_file
from recollect.store.sqlite import SqliteEngine
from recollect.store.sqlite_file import StoreFile
from tests.support.databases import new_sqlite_file

INDEXES = ("chunk_word", "fact_word")
"""Word indexes, whose own tables are emptied by a command."""
KEPT_FILES = 3
"""The store, its log and the index of the log; whatever else stands beside it was put there by a test."""
MOST_PAGES = 5_000


class _Contents:
    """What an empty store consists of, and how one is made empty again."""

    def __init__(self, template: Path) -> None:
        with_rows: list[str] = []
        others: list[str] = []
        raw = apsw.Connection(str(template))
        for name in _own_tables(raw):
            (with_rows if raw.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}")').get else others).append(name)
        self._with_rows = with_rows
        self._find_filled = " UNION ALL ".join(
            f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in others
        )
        self._empty = self._fingerprint(raw)
        raw.close()

    def _fingerprint(self, raw: apsw.Connection) -> list[Any]:
        rows = (raw.execute(f'SELECT * FROM "{name}"').fetchall() for name in self._with_rows)
        return [raw.pragma("schema_version"), raw.pragma("user_version"), *rows]

    def restore(self, raw: apsw.Connection) -> bool:
        """Empty a store; false if more than rows has changed, or rows that cannot be removed."""
        raw.execute("BEGIN IMMEDIATE")
        for name in [str(name) for (name,) in raw.execute(self._find_filled)]:
            index = name.removesuffix("_docsize")
            raw.execute(
                f"INSERT INTO {index} ({index}) VALUES ('delete-all')" if index in INDEXES else f'DELETE FROM "{name}"'
            )
        raw.execute("COMMIT")
        return self._fingerprint(raw) == self._empty and raw.pragma("page_count") < MOST_PAGES


def _own_tables(raw: apsw.Connection) -> list[str]:
    rows = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
    names = [str(name) for (name,) in rows]
    return [name for name in names if not name.startswith(INDEXES) or name.endswith("_docsize")]


class _Store:
    """A file with the connections that the test before left open, that of the writer last."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._number = Path(address).stat().st_ino
        self._connections: list[apsw.Connection] = []

    @contextmanager
    def lend_connections(self) -> Iterator[None]:
        """Inside, whoever opens the store gets the connections that are open already."""
        opened = StoreFile.open

        def take(file: StoreFile, *, read_only: bool = False) -> apsw.Connection:
            if file.path != self.address or read_only or not self._connections:
                return opened(file, read_only=read_only)
            raw = self._connections.pop()
            raw.set_busy_handler(sqlite_file.wait_for_lock)
            raw.set_progress_handler(must_stop, sqlite_file.STEPS_BETWEEN_CHECKS)
            return raw

        with patch.object(StoreFile, "open", take):
            yield

    def take_back(self, engine: Any, contents: _Contents) -> bool:
        """Keep the connections of an engine that a test has left as it was; whether the store can serve again."""
        if not _is_idle(engine) or self._is_touched():
            return False
        engine._is_closed = True
        self._connections = [each._raw for each in engine._readers[:1]] + [engine._writer]
        for further in engine._readers[1:]:
            further.close()
        engine._readers.clear()
        with suppress(apsw.Error):
            for raw in self._connections:
                raw.set_busy_timeout(500)
                raw.pragma("query_only", False)
            if contents.restore(engine._writer):
                return True
        self.close()
        return False

    def _is_touched(self) -> bool:
        path = Path(self.address)
        return not path.exists() or path.stat().st_ino != self._number or len(list(path.parent.iterdir())) > KEPT_FILES

    def close(self) -> None:
        while self._connections:
            self._connections.pop().close()


def _is_idle(engine: Any) -> bool:
    return (
        isinstance(engine, SqliteEngine)
        and not (engine._is_closed or engine._borrowed or engine._is_read_only)
        and engine._damage is None
        and engine._unlogged is None
        and not engine._writer.in_transaction
    )


class WarmStores:
    """Empty stores in a folder, each lent to one test at a time."""

    def __init__(self, folder: Path, template: Path) -> None:
        self._folder = folder
        self._template = template
        self._numbers = itertools.count()
        self._free: list[_Store] = []
        self._contents: _Contents | None = None

    @contextmanager
    def open(self, open_at: Callable[[str], Memory]) -> Iterator[Memory]:
        """A memory on an empty store."""
        store = self._free.pop() if self._free else self._new()
        with store.lend_connections():
            memory = open_at(store.address)
        yield memory
        if self._contents is None:
            self._contents = _Contents(self._template)
        if store.take_back(memory.engine, self._contents):
            self._free.append(store)
        else:
            memory.close()

    def _new(self) -> _Store:
        folder = self._folder / str(next(self._numbers))
        folder.mkdir()
        return _Store(new_sqlite_file(self._template, folder))

    def close(self) -> None:
        for store in self._free:
            store.close()
