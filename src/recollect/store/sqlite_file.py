"""The file of a SQLite store: how it is created, recognised, unlocked and opened, and why it cannot be."""

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import apsw

from recollect.deadline import must_stop
from recollect.store.encryption import EncryptionMissing, StoreKey, can_encrypt
from recollect.store.port import NewerStore, StoreBusy, StoreUnavailable, StoreUnusable
from recollect.store.queries import schema

APPLICATION_ID: Final = 0x5265636F
"""Marks a SQLite file as a store of ours; the letters "Reco"."""
FIRST_TABLES: Final = frozenset({"workspace", "tx", "entity", "fact", "assertion"})
"""Tables that every store has; they identify a store that was made before the mark existed."""
BUSY_SECONDS = 60
LOCK_WAIT_SECONDS = 0.02
STEPS_BETWEEN_CHECKS = 50_000
"""About a millisecond of a long query."""
SYNCHRONOUS = "FULL"
"""Committed transactions survive a power failure."""
OPENED_AT_ONCE = 100
LEAST_FREE = 64 * 1024
_LOG_INDEX = 32 * 1024
"""Bytes of the index of a log that is in use."""
SHARED_CACHE = 64 * 1024 * 1024
"""Bytes that SQLite may hold in a process whose many connections share its memory; one alone may cache as much."""
_PLAIN_HEADER = b"SQLite format 3\0"
_PAGE = 512
_READ_ONLY = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
_READ_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE


def share_page_caches(most: int = SHARED_CACHE) -> None:
    """Bound what all connections of this process cache together: beyond that each reuses the oldest of its own pages.

    Otherwise every connection comes to hold its own copy of the store, up to the limit of each.
    """
    apsw.soft_heap_limit(most)


class NotADatabase(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "pass another file with --db, or move this one away to start with an empty memory"
        super().__init__(f"{path} is not a SQLite database", advice)


class ForeignDatabase(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is a database of another program", "nothing was changed; pass another file with --db")


class KeyNeeded(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "give its key with RECOLLECT_KEY, or a file that contains it with RECOLLECT_KEY_FILE or --key-file"
        super().__init__(f"{path} is encrypted or is not a SQLite database", advice)


class WrongKey(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"the key does not open {path}", "nothing was changed; check RECOLLECT_KEY or the key file")


class NotEncrypted(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"a key is given but {path} is not encrypted", "run: recollect encrypt, or give no key")


class StoreDamaged(StoreUnusable):
    def __init__(self, path: str, why: str) -> None:
        advice = (
            "nothing was written; restore a backup, or save what can be read with: recollect doctor --repair NEW.db"
        )
        reason = " ".join(why.removeprefix("*** in database main ***").split())
        super().__init__(f"{path} is damaged ({reason})", advice)


class StoreReadOnly(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "it can be read but nothing can be stored; make the file and its folder writable"
        super().__init__(f"{path} is read-only", advice)


class DiskFull(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "nothing of this call was stored, earlier ones are safe; free some space and try again"
        super().__init__(f"the disk of {path} is full", advice)


class CannotOpen(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} cannot be opened", "check your rights to the file and its folder")


class LogDeleted(StoreUnusable):
    def __init__(self, path: str) -> None:
        advice = "all that was stored is in the file now; restart every recollect process that uses it"
        super().__init__(f"{path}-wal was deleted while the store is in use", advice)


def describe_failure(path: str, error: apsw.Error) -> StoreUnavailable:
    """The failure that a caller gets for an error of SQLite."""
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return StoreBusy(type(error).__name__)
        case apsw.FullError():
            return DiskFull(path)
        case apsw.ReadOnlyError():
            return StoreReadOnly(path)
        case apsw.CorruptError() | apsw.NotADBError():
            return StoreDamaged(path, str(error))
        case apsw.CantOpenError() | apsw.PermissionsError():
            return CannotOpen(path)
        case apsw.IOError() if _is_disk_full(path):
            return DiskFull(path)
        case _:
            return StoreUnavailable(type(error).__name__)


def _size(path: Path) -> int:
    """0 for a missing file."""
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _is_disk_full(path: str) -> bool:
    """Whether there is no room for the log and its index: SQLite reports a full disk only for the file itself."""
    import shutil

    with suppress(OSError):
        return shutil.disk_usage(Path(path).absolute().parent).free < LEAST_FREE
    return False


@dataclass(frozen=True, slots=True)
class StoreFile:
    """A file and the key that unlocks it, if it has one."""

    path: str
    key: StoreKey | None = None

    def create(self) -> None:
        """Create a missing file, and its folder, readable by the owner only; SQLite gives its log the same mode."""
        path = Path(self.path)
        if path.is_dir():
            raise StoreUnusable(f"{path} is a folder", "pass a file in it with --db")
        try:
            create_private_folder(path.parent)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except OSError as error:
            advice = "make its folder writable, or pass another file with --db"
            raise StoreUnusable(f"{path} cannot be created ({error.strerror or error})", advice) from error

    @property
    def is_read_only(self) -> bool:
        """Whether this process may only read the file; SQLite writes its log beside it."""
        path = Path(self.path)
        return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))

    @property
    def log(self) -> Path:
        return Path(f"{self.path}-wal")

    @property
    def lacks_room_for_wal(self) -> bool:
        """Whether the file is complete and not open elsewhere, and the disk has no room for a log beside it."""
        is_closed = _size(Path(self.path)) and not _size(self.log) and _size(Path(f"{self.path}-shm")) < _LOG_INDEX
        return bool(is_closed) and _is_disk_full(self.path)

    @property
    def marks(self) -> tuple[int, ...]:
        """What differs once somebody has written to the file or has begun a log beside it."""
        with suppress(OSError):
            found = Path(self.path).stat()
            return found.st_ino, found.st_mtime_ns, found.st_size, _size(self.log)
        return ()

    def open(self, *, read_only: bool = False) -> apsw.Connection:
        """A connection to a store of ours; nothing is written to any other file."""
        number = self._number()
        raw: apsw.Connection | None = None
        try:
            raw = self.connect_read_only() if read_only else self.connect()
            raw.set_busy_handler(wait_for_lock)
            raw.set_progress_handler(must_stop, STEPS_BETWEEN_CHECKS)
            # Plans must not depend on bound values: with STAT4, SQLite would replan large queries at each call.
            raw.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            self._recognise(raw)
            if not read_only:
                _enable_wal(raw)
            raw.execute(
                f"PRAGMA synchronous = {SYNCHRONOUS}; PRAGMA foreign_keys = OFF; "
                "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA secure_delete = ON"
            ).fetchall()
        except apsw.Error as error:
            if raw is not None:
                # Or an empty log would stay beside the file for as long as the failure is kept.
                raw.close()
            is_unreadable = isinstance(error, apsw.NotADBError)
            raise (self._not_readable() if is_unreadable else describe_failure(self.path, error)) from error
        if self._number() != number:
            # Replaced by a restored or encrypted one while this waited for it.
            raw.close()
            return self.open(read_only=read_only)
        return raw

    def _number(self) -> int:
        with suppress(OSError):
            return Path(self.path).stat().st_ino
        return 0

    def connect(self, flags: int = _READ_WRITE) -> apsw.Connection:
        """A bare connection, unlocked but not checked."""
        return self._unlock(apsw.Connection(self.path, flags))

    def connect_read_only(self, *, is_foreign: bool = False) -> apsw.Connection:
        """A bare connection that never writes to the file, unlocked but not checked.

        Beside a file of another program nothing is left behind either.
        """
        # Without a log nothing beside the file is needed; elsewhere SQLite would have to create files there.
        cannot_create = is_foreign or not os.access(Path(self.path).parent, os.W_OK)
        is_alone = self.lacks_room_for_wal or (cannot_create and not _size(self.log))
        options = "mode=ro&immutable=1" if is_alone else "mode=ro"
        return self._unlock(apsw.Connection(f"file:{quote(str(Path(self.path).absolute()))}?{options}", _READ_ONLY))

    def _unlock(self, raw: apsw.Connection) -> apsw.Connection:
        if self.key is None:
            return raw
        header = self.header
        if header == _PLAIN_HEADER:
            raw.close()
            raise NotEncrypted(self.path)
        if not can_encrypt():
            raw.close()
            raise EncryptionMissing
        self.key.unlock(raw, header)
        return raw

    @property
    def header(self) -> bytes:
        with suppress(OSError), Path(self.path).open("rb") as file:
            return file.read(len(_PLAIN_HEADER))
        return b""

    @property
    def is_plain(self) -> bool:
        """Whether it is an unencrypted SQLite file."""
        return self.header == _PLAIN_HEADER

    def _not_readable(self) -> StoreUnavailable:
        if self.key is not None:
            return WrongKey(self.path)
        if self.is_plain:
            return StoreDamaged(self.path, "its header is broken")
        return NotADatabase(self.path) if Path(self.path).stat().st_size % _PAGE else KeyNeeded(self.path)

    def _recognise(self, raw: apsw.Connection) -> None:
        """Refuse the database of another program and the store of a newer release."""
        mark, version = raw.pragma("application_id"), raw.pragma("user_version")
        if mark != APPLICATION_ID:
            tables = {name for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if mark or (tables and not (version and tables >= FIRST_TABLES)) or (version and not tables):
                raise ForeignDatabase(self.path)
        newest = schema("sqlite")[-1][0]
        if version > newest:
            raise NewerStore(self.path, version, newest, _release(raw))


def _release(raw: apsw.Connection) -> str | None:
    """The release that wrote the newest schema of a store, if it says so."""
    try:
        found = raw.execute("SELECT release FROM migration ORDER BY number DESC LIMIT 1").fetchall()
    except apsw.SQLError:
        return None
    return str(found[0][0]) if found else None


def wait_for_lock(attempts: int) -> bool:
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


def create_private_folder(folder: Path) -> None:
    """Create a missing folder and those above it; `mkdir` applies its mode to the last one only."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
