"""SQLite through apsw: one file, WAL, one writer at a time, many readers, several processes."""

import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import apsw

from recollect import __version__ as version
from recollect.deadline import CommitGuard, acquire_in_time, check_deadline, without_deadline
from recollect.store import sqlite_file
from recollect.store.encryption import StoreKey
from recollect.store.port import (
    FOREVER,
    CommitWatch,
    Connection,
    NotOurTables,
    StoreBusy,
    StoreClosed,
    StoreUnavailable,
    StoreUnusable,
)
from recollect.store.queries import schema
from recollect.store.sqlite_connection import SqliteConnection
from recollect.store.sqlite_file import (
    APPLICATION_ID,
    DiskFull,
    LogDeleted,
    StoreDamaged,
    StoreFile,
    StoreReadOnly,
    describe_failure,
)

READERS_KEPT = 8
CLOSING_SECONDS = 5
READER_MILLISECONDS = 500
RELEASE_TABLE = 51
"""The schema from which on a store says which release wrote it."""
UNAVAILABLE_ERRORS = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.FullError,
    apsw.CorruptError,
    apsw.NotADBError,
)


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
            raise self._engine.failure(error) from error
        if error is None:
            self._engine.require_unchanged()


class SqliteCommits:
    """Asks the file for its data version, which changes with every commit of another connection."""

    def __init__(self, raw: apsw.Connection, engine: "SqliteEngine") -> None:
        self._raw = raw
        self._engine = engine
        self._seen = self._version()

    def wait(self, seconds: float) -> bool:
        if self._has_changed():
            return True
        time.sleep(seconds)
        return self._has_changed()

    def close(self) -> None:
        self._raw.close()

    def _has_changed(self) -> bool:
        before, self._seen = self._seen, self._version()
        return self._seen != before

    def _version(self) -> int:
        try:
            return int(self._raw.pragma("data_version"))
        except UNAVAILABLE_ERRORS as error:
            raise self._engine.failure(error) from error


class SqliteEngine:
    """A database file, or a private one in memory for `:memory:`."""

    name = "sqlite"

    def __init__(self, path: str, key: StoreKey | None = None) -> None:
        self.is_checked = False
        self._is_closed = False
        self._file = StoreFile(path, key)
        self._lock = threading.RLock()
        self._readers: list[SqliteConnection] = []
        self._borrowed: set[SqliteConnection] = set()
        self._outdated: set[SqliteConnection] = set()
        self._damage: StoreDamaged | None = None
        self._log_number: int | None = None
        self._log_path = str(self._file.log)
        if path == ":memory:":
            raise StoreUnavailable("a memory needs a file; pass a path")
        self._file.create()
        self._is_read_only = self._file.is_read_only
        self._unlogged: tuple[int, ...] | None = None
        """The marks of a file that is read without a log, since the disk has no room for one."""
        try:
            self._writer = self._open()
        except DiskFull:
            if not self._file.lacks_room_for_wal:
                raise
            self._unlogged = self._file.marks
            self._writer = self._open()
        self._write_connection = SqliteConnection(self._writer)

    def _open(self) -> apsw.Connection:
        return self._file.open(read_only=self._is_read_only or self._unlogged is not None)

    def _open_with_log(self) -> None:
        """Go on as usual once the disk has room again, or somebody else has begun to write; else nothing happens."""
        with self._lock:
            if self._unlogged is None or (self._file.lacks_room_for_wal and self._file.marks == self._unlogged):
                return
            raw = self._file.open(read_only=self._is_read_only)
            self._unlogged = None
            self._outdated |= self._borrowed
            while self._readers:
                self._readers.pop().close()
            self._writer.close()
            self._writer, self._write_connection = raw, SqliteConnection(raw)

    def require_unchanged(self) -> None:
        """Raise `StoreBusy` after a read without a log if somebody wrote meanwhile: SQLite did not notice."""
        if self._unlogged is not None and self._file.marks != self._unlogged:
            raise StoreBusy("SchemaChangeError")

    def migrate(self) -> None:
        with self._lock:
            done = self._writer.pragma("user_version")
            pending = [each for each in schema("sqlite") if each[0] > done]
            is_marked = self._writer.pragma("application_id") == APPLICATION_ID
            if self._unlogged is not None and pending:
                raise DiskFull(self._file.path)
            if self._is_read_only and pending:
                advice = "open it once with this release where it can be written"
                raise StoreUnusable(f"{self._file.path} is read-only and of an earlier schema", advice)
            try:
                if pending or not (is_marked or self._is_read_only or self._unlogged is not None):
                    self._migrate(pending)
            except apsw.SQLError as error:
                raise NotOurTables(error) from error
            except apsw.Error as error:
                raise self.failure(error) from error

    def _migrate(self, pending: Sequence[tuple[int, str, str]]) -> None:
        raw = self._writer
        raw.execute("BEGIN IMMEDIATE")
        try:
            done = raw.pragma("user_version")
            for number, _, script in pending:
                if number > done:
                    raw.execute(script).fetchall()
                    raw.pragma("user_version", number)
            if pending and pending[-1][0] >= RELEASE_TABLE:
                number, name, _ = pending[-1]
                raw.execute("INSERT OR IGNORE INTO migration VALUES (?, ?, ?)", (number, name, version))
            raw.pragma("application_id", APPLICATION_ID)
            raw.execute("COMMIT")
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise

    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> "_Reading":
        del ws, as_of_tx
        return _Reading(self)

    def failure(self, error: apsw.Error) -> StoreUnavailable:
        """The failure to raise for an error of SQLite; after damage was seen nothing is written any more."""
        check_deadline()
        found = describe_failure(self._file.path, error)
        if isinstance(found, StoreDamaged):
            self._damage = found
        return found

    def borrow(self) -> SqliteConnection:
        """A read-only connection, to be given back."""
        if self._is_closed:
            raise StoreClosed
        if self._unlogged is not None:
            self._open_with_log()
        try:
            connection = self._readers.pop()
        except IndexError:
            raw = self._open()
            raw.pragma("query_only", True)
            connection = SqliteConnection(raw)
        self._borrowed.add(connection)
        return connection

    def give_back(self, connection: SqliteConnection) -> None:
        self._borrowed.discard(connection)
        if connection in self._outdated:
            self._outdated.discard(connection)
            connection.close()
        elif len(self._readers) < READERS_KEPT and not self._is_closed:
            self._readers.append(connection)
        else:
            connection.close()

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Connection]:
        del ws
        self._lock_writer(wait=wait)
        try:
            self._require_writable()
            connection = self._write_connection
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
            raise self.failure(error) from error
        finally:
            self._lock.release()

    def _lock_writer(self, *, wait: float) -> None:
        """Wait for the one writer of this process."""
        if wait == FOREVER:
            acquire_in_time(self._lock)
        elif not self._lock.acquire(timeout=wait):
            raise StoreBusy("LockedError")

    def _require_writable(self) -> None:
        if self._is_closed:
            raise StoreClosed
        if self._is_read_only:
            raise StoreReadOnly(self._file.path)
        if self._unlogged is not None:
            self._open_with_log()
            if self._unlogged is not None:
                raise DiskFull(self._file.path)
        if self._damage is not None:
            raise self._damage
        try:
            number = os.stat(self._log_path).st_ino  # noqa: PTH116 a path for every write takes longer
        except FileNotFoundError:
            number = None
        if self._log_number is None:
            self._log_number = number
        elif number != self._log_number:
            # Our connections still hold the deleted log: what it contains is moved into the file before it is gone.
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            raise LogDeleted(self._file.path)

    def _begin(self, *, wait: float) -> None:
        if wait == FOREVER:
            self._write_connection.begin_writing()
            return
        self._writer.set_busy_timeout(round(wait * 1000))
        try:
            self._write_connection.begin_writing()
        finally:
            self._writer.set_busy_handler(sqlite_file.wait_for_lock)

    def leads(self) -> bool:
        """True for every process: the writers of a file take turns, and each job looks for what is left to do."""
        return True

    def watch_commits(self) -> CommitWatch:
        return SqliteCommits(self._open(), self)

    def compact(self, *, full: bool = False) -> bool:
        """Rewrite the file, so that no byte of erased rows is left in it or in its log."""
        del full
        # To its end, even if the call that erased them is stopped meanwhile.
        with self._lock, without_deadline():
            try:
                for table in ("chunk_word", "fact_word"):
                    self._writer.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
                self._writer.execute("VACUUM")
                [[is_blocked, _, _]] = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            except UNAVAILABLE_ERRORS as error:
                raise self.failure(error) from error
        return not is_blocked

    def check(self, *, full: bool = False) -> list[str]:
        """What is damaged; nothing is written any more if anything is."""
        self.is_checked = True
        connection = self.borrow()
        try:
            found = connection.check("integrity_check" if full else "quick_check")
        except UNAVAILABLE_ERRORS as error:
            found = [str(self.failure(error))]
        finally:
            self.give_back(connection)
        if found:
            self._damage = StoreDamaged(self._file.path, found[0])
        return found

    def close(self) -> None:
        """Move the log into the file and close it; a call that is still running is rolled back."""
        if self._is_closed:
            return
        if not self._lock.acquire(timeout=CLOSING_SECONDS):
            self._writer.interrupt()
            self._lock.acquire()
        try:
            self._is_closed = True
            for connection in list(self._borrowed):
                connection.interrupt()
            while self._readers:
                self._readers.pop().close()
            self._checkpoint()
            self._writer.close()
        finally:
            self._lock.release()

    def _checkpoint(self) -> None:
        """Move the log into the file as far as possible: the last connection to close does so, but is this the last?"""
        if self._is_read_only or self._unlogged is not None or self._damage is not None:
            return
        with suppress(apsw.Error):
            # Our own readers end in a moment; nobody waits for other processes, which do the same when they close.
            self._writer.set_busy_timeout(READER_MILLISECONDS if self._borrowed else 0)
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
