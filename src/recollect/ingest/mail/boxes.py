"""Where mail lies: a file with one message, a file with many, a folder of files; read one message at a time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from recollect.errors import Unsupported

LONGEST_LINE = 1024 * 1024
KEPT_OF_A_RUN = 1024 * 1024
_ENCODED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}\r?\n?")
_ESCAPED = re.compile(rb">+From ")


class Raw(NamedTuple):
    """The bytes of one message; of long runs of encoded lines only the beginning."""

    number: int
    behind: int
    content: bytes
    left_out: int


class NoMail(Unsupported):
    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} holds no mail: a message is an .eml, a mailbox an .mbox or a Maildir folder")


def is_maildir(path: Path) -> bool:
    return (path / "cur").is_dir() and (path / "new").is_dir()


def is_folder_of_mails(path: Path) -> bool:
    """Whether a folder is a Maildir, or holds messages and nothing else."""
    if is_maildir(path):
        return True
    inside = [each for each in path.iterdir() if not each.name.startswith(".")]
    return bool(inside) and all(each.is_file() and each.suffix.lower() == ".eml" for each in inside)


def messages(path: Path) -> Iterator[Raw]:
    """The messages of a file or folder, in its order."""
    if path.is_dir():
        yield from _files(path)
        return
    with path.open("rb") as file:
        if file.read(5) == b"From ":
            file.seek(0)
            yield from _mailbox(file)
        else:
            file.seek(0)
            yield _one(file, 1, path.stat().st_size)


def size_of(path: Path) -> int:
    """What the places of the messages count up to."""
    return sum(each.stat().st_size for each in _inside(path)) if path.is_dir() else path.stat().st_size


def _inside(path: Path) -> list[Path]:
    folders = [path / "cur", path / "new"] if is_maildir(path) else [path]
    return sorted(each for folder in folders for each in folder.iterdir() if each.is_file() and each.name[0] != ".")


def _files(path: Path) -> Iterator[Raw]:
    behind = 0
    for number, each in enumerate(_inside(path), start=1):
        behind += each.stat().st_size
        with each.open("rb") as file:
            yield _one(file, number, behind)


def _one(file: IO[bytes], number: int, behind: int) -> Raw:
    gathered = _Gathered()
    while line := file.readline(LONGEST_LINE):
        gathered.add(line)
    return gathered.raw(number, behind)


def _mailbox(file: IO[bytes]) -> Iterator[Raw]:
    """A mailbox cut where a line begins with "From " behind an empty one."""
    number, offset, was_empty = 0, 0, True
    gathered = _Gathered()
    while line := file.readline(LONGEST_LINE):
        if was_empty and line.startswith(b"From "):
            if number:
                yield gathered.raw(number, offset)
            number, gathered = number + 1, _Gathered()
        else:
            gathered.add(line[1:] if _ESCAPED.match(line) else line)
        offset += len(line)
        was_empty = line in (b"\n", b"\r\n")
    yield gathered.raw(number, offset)


class _Gathered:
    """Lines of one message; of what is encoded only so much as a text may be long."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._run = 0
        self._left_out = 0

    def add(self, line: bytes) -> None:
        self._run = self._run + len(line) if _ENCODED.fullmatch(line) else 0
        if self._run > KEPT_OF_A_RUN:
            self._left_out += len(line)
        else:
            self._lines.append(line)

    def raw(self, number: int, behind: int) -> Raw:
        return Raw(number, behind, b"".join(self._lines), self._left_out)
