"""SQLite through apsw: one file, WAL, one writer at a time, many readers, several processes."""

import json
import os
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from recollect.deadline import CommitGuard, acquire_in_time, check_deadline, must_stop, without_deadline
from recollect.store.port import (
    Connection,
    NotOurTables,
    Parameters,
    Row,
    StoreBusy,
    StoreUnavailable,
    StoreUnusable,
)
from recollect.store.queries import schema, sqlite_queries
from recollect.store.tables import (
    AppendTable,
    VersionedTable,
    add_sql,
    begun_sql,
    delete_sql,
    drop_sql,
    end_sql,
    ended_sql,
    fill_sql,
    insert_sql,
    open_sql,
    whole_sql,
)

BUSY_SECONDS = 60
LOCK_WAIT_SECONDS = 0.02
SYNCHRONOUS = "FULL"
"""Committed transactions survive a power failure."""
STEPS_BETWEEN_CHECKS = 50_000
"""About a millisecond of a long query."""
READERS_KEPT = 8
OPENED_AT_ONCE = 100
UNAVAILABLE_ERRORS = (apsw.BusyError, apsw.LockedError, apsw.IOError, apsw.CantOpenError, apsw.FullError)


class SqliteConnection:
    """A transaction on one apsw connection."""

    def __init__(self, raw: apsw.Connection) -> None:
        self._raw = raw
        self._sql = sqlite_queries()
        # One cursor for all queries, since each is read to its end before the next.
        self._cursor = raw.cursor()

    def begin(self) -> None:
        self._cursor.execute("BEGIN")

    def begin_writing(self) -> None:
        self._cursor.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._cursor.execute("COMMIT")

    def roll_back(self) -> None:
        self._cursor.execute("ROLLBACK")

    def close(self) -> None:
        self._raw.close()

    def rows(self, query: str, parameters: Parameters) -> list[Row]:
        check_deadline()
        sql, lists, _ = self._sql[query]
        return self._cursor.execute(sql, _bound(parameters, lists)).fetchall()

    def next_tx(self, ws: int) -> int:
        [[number]] = self.rows("next_tx", {"ws": ws})
        return int(number)

    def reads(self, query: str) -> frozenset[str]:
        return self._sql[query].tables

    def run(self, query: str, parameters: Parameters) -> None:
        check_deadline()
        sql, lists, _ = self._sql[query]
        self._cursor.execute(sql, _bound(parameters, lists))

    def run_many(self, query: str, parameters: Iterable[Parameters]) -> None:
        sql, lists, _ = self._sql[query]
        self._raw.executemany(sql, [_bound(each, lists) for each in parameters] if lists else parameters)

    def insert(self, table: VersionedTable, rows: Sequence[Row]) -> None:
        self._put(insert_sql(table, "?"), rows)

    def add(self, table: AppendTable, rows: Sequence[Row]) -> None:
        self._put(add_sql(table, f"({', '.join('?' * len(table.columns))})"), rows)

    def _put(self, sql: str, rows: Sequence[Row]) -> None:
        if len(rows) == 1:
            self._cursor.execute(sql, rows[0])
        else:
            self._cursor.executemany(sql, rows)

    def end(self, table: VersionedTable, ws: int, key: Row, tx: int) -> None:
        self._cursor.execute(end_sql(table, "?"), (tx, ws, *key, tx))
        if not self._raw.changes():
            self._cursor.execute(drop_sql(table, "?"), (ws, *key, tx))

    def end_many(self, table: VersionedTable, ws: int, ends: Sequence[tuple[Row, int]]) -> None:
        self._raw.executemany(end_sql(table, "?"), [(tx, ws, *key, tx) for key, tx in ends])

    def begun_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(begun_sql(table, "?"), (ws, tx)).fetchall()

    def ended_by(self, table: VersionedTable, ws: int, tx: int) -> list[Row]:
        return self._raw.execute(ended_sql(table, "?"), (ws, tx)).fetchall()

    def whole(self, table: str, columns: Sequence[str], order: Sequence[str], ws: int) -> Iterator[Row]:
        yield from self._raw.execute(whole_sql(table, columns, order, "?"), (ws,))

    def fill(self, table: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
        self._raw.executemany(fill_sql(table, columns, "?"), rows)

    def delete_rows(self, table: str, ws: int) -> None:
        self._raw.execute(delete_sql(table, "?"), (ws,))

    def open_version(self, table: VersionedTable, ws: int, key: Row) -> Row | None:
        return next(iter(self._raw.execute(open_sql(table, "?"), (ws, *key)).fetchall()), None)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._raw:
            yield


def _bound(parameters: Parameters, lists: tuple[str, ...]) -> Parameters:
    if not lists:
        return parameters
    return {**parameters, **{name: _json_array(parameters[name]) for name in lists}}


def _json_array(values: Collection[Any]) -> str:
    return json.dumps(list(values)) if values else "[]"


def _unavailable(error: apsw.Error) -> StoreUnavailable:
    check_deadline()
    kind = StoreBusy if isinstance(error, apsw.BusyError | apsw.LockedError) else StoreUnavailable
    return kind(type(error).__name__)


class _Reading:
    """A read transaction on a pooled connection; a class, since a generator for every call is slower."""

    __slots__ = ("_connection", "_engine")

    def __init__(self, engine: "SqliteEngine") -> None:
        self._engine = engine

    def __enter__(self) -> Connection:
        self._connection = self._engine.borrow()
        self._connection.begin()
        return self._connection

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        try:
            self._connection.roll_back()
        except UNAVAILABLE_ERRORS as failed_rollback:
            error = error or failed_rollback
        finally:
            self._engine.give_back(self._connection)
        if isinstance(error, apsw.InterruptError):
            check_deadline()
        if isinstance(error, UNAVAILABLE_ERRORS):
            raise _unavailable(error) from error


def _wait_for_lock(attempts: int) -> bool:
    """Wait before another attempt; False to give up, after `BUSY_SECONDS` or when the current call has to stop."""
    if attempts * LOCK_WAIT_SECONDS > BUSY_SECONDS or must_stop():
        return False
    time.sleep(LOCK_WAIT_SECONDS if attempts else LOCK_WAIT_SECONDS / 10)
    return True


def _enable_wal(raw: apsw.Connection) -> None:
    """Switch the file to WAL.

    The switch ignores the busy timeout, so when several processes open a new file, all but one wait for the lock here.
    """
    for _ in range(OPENED_AT_ONCE):
        try:
            raw.execute("PRAGMA journal_mode = WAL").fetchall()
        except apsw.BusyError:
            raw.execute("BEGIN IMMEDIATE; ROLLBACK")
        else:
            return
    raise apsw.BusyError


class NotADatabase(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "pass another file with --db, or move this one away to start with an empty memory"
        super().__init__(f"{path} is not a SQLite database", advice)


def _create_private_file(path: Path) -> None:
    """Create a missing file, and its folder, readable by the owner only; SQLite gives its log the same mode."""
    try:
        _create_private_folder(path.parent)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreUnavailable(type(error).__name__) from error


def _create_private_folder(folder: Path) -> None:
    """Create a missing folder and those above it; `mkdir` applies its mode to the last one only."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


class SqliteEngine:
    """A database file, or a private one in memory for `:memory:`."""

    name = "sqlite"

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._readers: list[SqliteConnection] = []
        if path == ":memory:":
            raise StoreUnavailable("a memory needs a file; pass a path")
        if Path(path).is_dir():
            raise StoreUnusable(f"{path} is a folder", "pass a file in it with --db")
        _create_private_file(Path(path))
        self._writer = self._open()
        self._write_connection = SqliteConnection(self._writer)

    def _open(self) -> apsw.Connection:
        try:
            raw = apsw.Connection(self._path)
            raw.set_busy_handler(_wait_for_lock)
            raw.set_progress_handler(must_stop, STEPS_BETWEEN_CHECKS)
            # Plans must not depend on bound values: with STAT4, SQLite would replan large queries at each call.
            raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            _enable_wal(raw)
            raw.execute(
                f"PRAGMA synchronous = {SYNCHRONOUS}; PRAGMA foreign_keys = OFF; "
                "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA secure_delete = ON"
            ).fetchall()
        except apsw.NotADBError as error:
            raise NotADatabase(self._path) from error
        except apsw.Error as error:
            raise StoreUnavailable(type(error).__name__) from error
        return raw

    def migrate(self) -> None:
        with self._lock:
            done = self._writer.pragma("user_version")
            pending = [each for each in schema("sqlite") if each[0] > done]
            try:
                if pending:
                    self._migrate(pending)
            except apsw.SQLError as error:
                raise NotOurTables(error) from error
            except apsw.Error as error:
                raise _unavailable(error) from error

    def _migrate(self, pending: Iterable[tuple[int, str, str]]) -> None:
        raw = self._writer
        raw.execute("BEGIN IMMEDIATE")
        try:
            done = raw.pragma("user_version")
            for number, _, script in pending:
                if number > done:
                    raw.execute(script).fetchall()
                    raw.pragma("user_version", number)
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise

    def reading(self) -> "_Reading":
        return _Reading(self)

    def borrow(self) -> SqliteConnection:
        """A read-only connection, to be given back."""
        try:
            return self._readers.pop()
        except IndexError:
            raw = self._open()
            raw.pragma("query_only", True)
            return SqliteConnection(raw)

    def give_back(self, connection: SqliteConnection) -> None:
        if len(self._readers) < READERS_KEPT:
            self._readers.append(connection)
        else:
            connection.close()

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[Connection]:
        with self._exclusive(wait=wait):
            connection = self._write_connection
            try:
                self._begin(wait=wait)
                try:
                    with CommitGuard() as guard:
                        yield connection
                        guard.begin()
                        connection.commit()
                except BaseException:
                    if self._writer.in_transaction:
                        connection.roll_back()
                    raise
            except apsw.InterruptError:
                check_deadline()
                raise
            except (*UNAVAILABLE_ERRORS, apsw.ReadOnlyError) as error:
                raise _unavailable(error) from error

    @contextmanager
    def _exclusive(self, *, wait: bool) -> Iterator[None]:
        """The lock on the one writer of this process."""
        if wait:
            acquire_in_time(self._lock)
        elif not self._lock.acquire(blocking=False):
            raise StoreBusy("LockedError")
        try:
            yield
        finally:
            self._lock.release()

    def _begin(self, *, wait: bool) -> None:
        if wait:
            self._write_connection.begin_writing()
            return
        self._writer.set_busy_timeout(0)
        try:
            self._write_connection.begin_writing()
        finally:
            self._writer.set_busy_handler(_wait_for_lock)

    def compact(self) -> bool:
        """Rewrite the file, so that no byte of erased rows is left in it or in its log."""
        # To its end, even if the call that erased them is stopped meanwhile.
        with self._lock, without_deadline():
            try:
                for table in ("chunk_word", "fact_word"):
                    self._writer.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
                self._writer.execute("VACUUM")
                [[is_blocked, _, _]] = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except UNAVAILABLE_ERRORS as error:
                raise _unavailable(error) from error
        return not is_blocked

    def close(self) -> None:
        with self._lock:
            while self._readers:
                self._readers.pop().close()
            self._writer.close()
