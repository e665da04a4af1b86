"""A file of lines that is encrypted as stores are: written once as a whole, then only read."""

import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from recollect.errors import Refused
from recollect.store.encryption import SALT_BYTES, EncryptionMissing, StoreKey, can_encrypt

_PAGE = 4096


class WrongFileKey(Refused):
    code = "wrong_file_key"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is encrypted with another key")


class FileCut(Refused):
    code = "file_cut"

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} has not arrived as a whole; try again later")


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
    if not can_encrypt():
        raise EncryptionMissing
    size = path.stat().st_size
    if size == 0 or size % _PAGE:
        raise FileCut(path)
    with path.open("rb") as file:
        salt = file.read(SALT_BYTES)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with closing(apsw.Connection(f"{path.resolve().as_uri()}?immutable=1", flags=flags)) as raw:
            key.unlock(raw, salt)
            found = raw.execute("SELECT text FROM line ORDER BY number LIMIT ?", (limit,)).fetchall()
    except apsw.NotADBError:
        raise WrongFileKey(path) from None
    except (apsw.CorruptError, apsw.IOError, apsw.SQLError):
        raise FileCut(path) from None
    return [str(text) for (text,) in found]
