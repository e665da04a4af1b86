"""Encryption in the format of SQLCipher 4: stores, files of lines, keys and where they come from."""

import hashlib
import io
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import apsw

from recollect.atomic_file import sync_folder
from recollect.errors import PackageMissing, Refused, Unavailable, Unsupported
from recollect.settings import Settings

KEYRING_SERVICE: Final = "recollect"
KEYRING_PACKAGES: Final = ("keyring>=25",)
"""The extra `encrypted`."""
SALT_BYTES: Final = 16
_KEY_BYTES = 32
_ROUNDS = 256_000
_RAW_KEY = re.compile(r"[0-9a-fA-F]{64}")


class EncryptionMissing(Unsupported):
    def __init__(self) -> None:
        how = "pip install --force-reinstall --no-deps apsw-sqlite3mc"
        super().__init__(f"this SQLite cannot encrypt: another package has replaced it; put it back with: {how}")


class BadKeyFile(Refused):
    code = "bad_key"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"the key file {path} {why}", field="key_file")


class KeyringUnusable(Unavailable):
    code = "keyring_unusable"


def can_encrypt() -> bool:
    """Whether the SQLite of this installation has ciphers; the plain `apsw` package installs the same module."""
    return hasattr(apsw, "mc_version")


@dataclass(frozen=True, slots=True)
class StoreKey:
    """A passphrase, or 64 hexadecimal digits that are the key itself; never shown."""

    secret: str = field(repr=False)

    def unlock(self, raw: apsw.Connection, header: bytes) -> None:
        """Give a new connection its key; the first bytes of an encrypted file are its salt."""
        select_cipher(raw)
        raw.execute(f"PRAGMA key = {self.literal(header)}").fetchall()

    def literal(self, header: bytes = b"") -> str:
        """The key with its salt as SQL; a new salt unless the file has one."""
        salt = header if len(header) == SALT_BYTES else os.urandom(SALT_BYTES)
        key = self.secret if _RAW_KEY.fullmatch(self.secret) else _derive(self.secret, salt)
        return f"\"x'{key}{salt.hex()}'\""


def select_cipher(raw: apsw.Connection) -> None:
    raw.execute("PRAGMA cipher = 'sqlcipher'").fetchall()
    raw.execute("PRAGMA legacy = 4").fetchall()


@lru_cache(16)
def _derive(passphrase: str, salt: bytes) -> str:
    # Once for all connections of a process; SQLite itself would do it again for each of them.
    return hashlib.pbkdf2_hmac("sha512", passphrase.encode(), salt, _ROUNDS, _KEY_BYTES).hex()


def key_from(settings: Settings) -> StoreKey | None:
    """The key in the environment, in the key file or in the system keyring; None if there is none."""
    secret = settings.environment.get("RECOLLECT_KEY")
    if secret:
        return StoreKey(secret)
    file = settings.text("key_file")
    if file:
        return read_key_file(Path(file).expanduser())
    return _keyring_key(settings) if settings.flag("keyring") else None


def read_key_file(path: Path) -> StoreKey:
    try:
        secret = path.read_text("utf-8").strip()
    except OSError as error:
        raise BadKeyFile(path, f"cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise BadKeyFile(path, "is not text; write the key with: recollect encrypt --key-file FILE") from None
    if not secret:
        raise BadKeyFile(path, "is empty")
    return StoreKey(secret)


def create_key_file(path: Path) -> StoreKey:
    """A new file, its owner's alone, with a random key; a missing folder is created."""
    secret = os.urandom(_KEY_BYTES).hex()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError as error:
        raise BadKeyFile(path, f"cannot be created ({error.strerror or error})") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{secret}\n")
        file.flush()
        # What it encrypts is on the disk soon; without the key that would be lost with the power.
        os.fsync(file.fileno())
    sync_folder(path.parent)
    return StoreKey(secret)


def _keyring_key(settings: Settings) -> StoreKey | None:
    try:
        secret = keyring_secret(KEYRING_SERVICE, settings.database)
    except KeyringUnusable as failure:
        raise KeyringUnusable(f"{failure}; unlock it, or give the key in RECOLLECT_KEY or a key file") from failure
    return StoreKey(secret) if secret else None


def keyring_secret(service: str, user: str) -> str | None:
    """A secret of the system keyring; None if it has none of that name."""
    try:
        import keyring
    except ImportError:
        raise PackageMissing("the system keyring", KEYRING_PACKAGES) from None
    try:
        return keyring.get_password(service, user) or None
    except Exception as error:
        # Backends are plug-ins that raise what they like: no desktop session, a locked ring, a missing module.
        why = (str(error) or type(error).__name__).partition("\n")[0].partition(". ")[0]
        raise KeyringUnusable(f"the system keyring cannot be read ({why})") from error


_PAGE = 4096


class WrongFileKey(Refused):
    code = "wrong_file_key"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is encrypted with another key, or damaged at its beginning")


class FileCut(Refused):
    code = "file_cut"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is incomplete or damaged; if it is still being written or copied, try again later")


def write_lines(path: Path, key: StoreKey, salt: bytes, lines: Iterable[str]) -> None:
    """Write a new file; files with the same salt are opened with one derivation of the key."""
    if not can_encrypt():
        raise EncryptionMissing
    # Made elsewhere and then copied: SQLite would need locks, which a shared folder may not have.
    with TemporaryDirectory() as folder:
        made = Path(folder) / "lines"
        with closing(apsw.Connection(str(made))) as raw:
            key.unlock(raw, salt[:SALT_BYTES])
            raw.execute("CREATE TABLE line (number INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            with raw:
                raw.executemany("INSERT INTO line (text) VALUES (?)", ((each,) for each in lines))
        shutil.copyfile(made, path)


def read_lines(path: Path, key: StoreKey, limit: int = -1) -> list[str]:
    """The first lines of a file, or all of them."""
    return list(_lines(path, key, limit))


def _lines(path: Path, key: StoreKey, limit: int = -1) -> Iterator[str]:
    if not can_encrypt():
        raise EncryptionMissing
    size = path.stat().st_size
    if size == 0 or size % _PAGE:
        raise FileCut(path)
    with path.open("rb") as file:
        salt = file.read(SALT_BYTES)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    is_open = False
    try:
        with closing(apsw.Connection(f"{path.resolve().as_uri()}?immutable=1", flags=flags)) as raw:
            key.unlock(raw, salt)
            [[pages]] = raw.execute("SELECT page_count FROM pragma_page_count")
            is_open = True
            if pages * _PAGE != size:
                raise FileCut(path)
            for (text,) in raw.execute("SELECT text FROM line ORDER BY number LIMIT ?", (limit,)):
                yield str(text)
    except apsw.NotADBError:
        # A page that is not what was encrypted reads like one of another key; the first one was right.
        raise (FileCut if is_open else WrongFileKey)(path) from None
    except (apsw.CorruptError, apsw.IOError, apsw.SQLError):
        raise FileCut(path) from None


def is_in_pages(path: Path) -> bool:
    """Whether a file may be an encrypted one: whole pages, and no text of ours, which begins with a brace."""
    with path.open("rb") as file:
        return path.stat().st_size % _PAGE == 0 and file.read(1) not in (b"", b"{")


class DecryptedLines(io.RawIOBase):
    """The lines of an encrypted file as one that is read from its beginning; nothing decrypted is on the disk."""

    def __init__(self, path: Path, key: StoreKey) -> None:
        self._source = path, key
        self._rest = _lines(path, key)
        self._held = b""
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if offset or whence == io.SEEK_END:
            raise io.UnsupportedOperation("only to the beginning")
        if whence == io.SEEK_SET:
            self._rest, self._held, self._place = _lines(*self._source), b"", 0
        return self._place

    def readinto(self, buffer: Any) -> int:
        while not self._held:
            line = next(self._rest, None)
            if line is None:
                return 0
            self._held = line.encode()
        part, self._held = self._held[: len(buffer)], self._held[len(buffer) :]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)
