"""Copies of the file of a SQLite store: online backups, restored ones, and copies under another key."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path

import apsw

from recollect.atomic_file import sync_folder
from recollect.errors import Conflict
from recollect.store.encryption import EncryptionMissing, StoreKey, can_encrypt, select_cipher
from recollect.store.port import StoreUnusable
from recollect.store.sqlite_file import StoreDamaged, StoreFile, create_private_folder, describe_failure

PAGES_AT_ONCE = 2_000
_BESIDE = ("-wal", "-shm", "-journal")


class FileExists(Conflict):
    code = "file_exists"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} exists; choose another name, or move it away first")


class StoreInUse(StoreUnusable):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is in use by another process", "stop every recollect process that uses it first")


class AlreadyEncrypted(Conflict):
    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is encrypted already; change its key with: recollect rekey")


def copy_store(source: StoreFile, target: Path) -> None:
    """A consistent copy of a store under its key, while others may write to it; whole and checked, or none."""
    if target.exists():
        raise FileExists(target)
    reading = source.open(read_only=True)
    try:
        with _partial_copy(reading, source, target) as partial:
            Path(partial.path).replace(target)
    finally:
        reading.close()
    sync_folder(target.parent)


def replace_store(source: StoreFile, target: StoreFile) -> Path | None:
    """Replace a store that is not in use by a copy of another; returns where the replaced one is kept."""
    path = Path(target.path)
    if not path.exists() or not path.stat().st_size:
        path.unlink(missing_ok=True)
        copy_store(source, path)
        return None
    reading = source.open(read_only=True)
    try:
        with _alone(target), _partial_copy(reading, source, path) as partial:
            kept = _set_aside(path, "before-restore")
            Path(partial.path).replace(path)
    finally:
        reading.close()
    sync_folder(path.parent)
    return kept


def change_key(file: StoreFile, new_key: Callable[[], StoreKey | None], *, keep_backup: bool = True) -> Path | None:
    """Encrypt, decrypt or encrypt anew, in place and at once; where the file as it was is kept.

    The new key is asked for once the store is open and nobody else uses it: a refusal leaves no new key file.
    """
    if not can_encrypt():
        raise EncryptionMissing
    if file.key is None and not file.is_plain:
        raise AlreadyEncrypted(file.path)
    file.open(read_only=True).close()
    with _alone(file) as held, _partial_copy(held, file, Path(file.path)) as partial:
        key = new_key()
        _rekey(partial, key)
        _check(StoreFile(partial.path, key), file)
        kept = _set_aside(Path(file.path), "before-key-change")
        Path(partial.path).replace(file.path)
    sync_folder(kept.parent)
    if not keep_backup:
        kept.unlink()
        return None
    return kept


@contextmanager
def _alone(file: StoreFile) -> Iterator[apsw.Connection]:
    """An exclusive connection to the store, with all of the log in the file."""
    raw = file.connect()
    try:
        raw.set_busy_timeout(0)
        # Leaving WAL needs the file for oneself.
        raw.execute("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE").fetchall()
        # In this mode the lock stays; the transaction itself would be in the way of a copy.
        raw.execute("BEGIN EXCLUSIVE; COMMIT")
        yield raw
    except apsw.BusyError as error:
        raise StoreInUse(file.path) from error
    except apsw.Error as error:
        raise describe_failure(file.path, error) from error
    finally:
        raw.close()


@contextmanager
def _partial_copy(reading: apsw.Connection, source: StoreFile, target: Path) -> Iterator[StoreFile]:
    """A checked copy beside the target, removed unless it was moved there."""
    partial = StoreFile(f"{target}.partial", source.key)
    _remove(partial)
    try:
        create_private_folder(target.parent)
        os.close(os.open(partial.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        _copy_pages(reading, source, partial)
        _check(partial, source)
        yield partial
    except OSError as error:
        raise StoreUnusable(f"{target} cannot be written ({error.strerror or error})", "nothing was changed") from error
    finally:
        _remove(partial)


def _copy_pages(reading: apsw.Connection, source: StoreFile, target: StoreFile) -> None:
    writing = apsw.Connection(target.path)
    try:
        if source.key is not None:
            source.key.unlock(writing, source.header)
        if not reading.in_transaction:
            # In a transaction of its own the copy is of one moment, however much others write meanwhile.
            reading.execute("BEGIN; SELECT 1 FROM sqlite_schema").fetchall()
        with writing.backup("main", reading, "main") as copy:
            while not copy.done:
                copy.step(PAGES_AT_ONCE)
        # A file that needs no log beside it can be copied and read anywhere.
        writing.execute("PRAGMA journal_mode = DELETE").fetchall()
    except apsw.Error as error:
        at_fault = source.path if isinstance(error, apsw.CorruptError) else target.path.removesuffix(".partial")
        raise describe_failure(at_fault, error) from error
    finally:
        writing.close()


def _check(file: StoreFile, source: StoreFile) -> None:
    raw = file.connect()
    try:
        found = raw.execute("PRAGMA quick_check(1)").fetchall()
    except apsw.Error as error:
        raise describe_failure(file.path, error) from error
    finally:
        raw.close()
    if found != [("ok",)]:
        raise StoreDamaged(source.path, str(found[0][0]))
    with Path(file.path).open("rb") as written:
        os.fsync(written.fileno())


def _rekey(file: StoreFile, key: StoreKey | None) -> None:
    raw = file.connect()
    try:
        if file.key is None:
            select_cipher(raw)
        raw.execute(f"PRAGMA rekey = {key.literal() if key else repr('')}").fetchall()
    except apsw.Error as error:
        raise describe_failure(file.path, error) from error
    finally:
        raw.close()


def _set_aside(path: Path, reason: str) -> Path:
    """A second name for a file that is about to be replaced."""
    for number in count(1):
        name = Path(f"{path}.{reason}{f'-{number}' if number > 1 else ''}")
        with suppress(FileExistsError):
            name.hardlink_to(path)
            return name
    raise AssertionError


def _remove(file: StoreFile) -> None:
    for ending in ("", *_BESIDE):
        Path(f"{file.path}{ending}").unlink(missing_ok=True)


def copies_beside(path: Path) -> list[Path]:
    """The store as it was before its key was changed or a backup took its place."""
    return sorted(path.parent.glob(f"{escape(path.name)}.before-*"))
