"""Encryption in the format of SQLCipher 4: stores, files of lines, keys and where they come from."""

import hashlib
import os
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

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
