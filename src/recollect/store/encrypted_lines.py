"""Files of lines, encrypted as stores are."""

import io
import shutil
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from recollect.errors import Refused
from recollect.store.encryption import SALT_BYTES, EncryptionMissing, StoreKey, can_encrypt

_PAGE = 4096


class WrongFileKey(Refused):
    code = "wrong_file_key"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is encrypted with another key, or damaged at its beginning")


class TruncatedFile(Refused):
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
        raise TruncatedFile(path)
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
                raise TruncatedFile(path)
            for (text,) in raw.execute("SELECT text FROM line ORDER BY number LIMIT ?", (limit,)):
                yield str(text)
    except apsw.NotADBError:
        # A page that is not what was encrypted reads like one of another key; the first one was right.
        raise (TruncatedFile if is_open else WrongFileKey)(path) from None
    except (apsw.CorruptError, apsw.IOError, apsw.SQLError):
        raise TruncatedFile(path) from None


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
