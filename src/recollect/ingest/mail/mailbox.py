"""Mailboxes: mbox files, Maildir folders and single messages, read one message at a time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

MAX_LINE_BYTES = 1024 * 1024
MAX_ENCODED_RUN = 1024 * 1024
_ENCODED = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}\r?\n?")
_ESCAPED = re.compile(rb">+From ")


class RawMessage(NamedTuple):
    """The bytes of one message; of long runs of encoded lines only the beginning."""

    number: int
    end_offset: int
    content: bytes
    omitted_bytes: int


def is_maildir(path: Path) -> bool:
    return (path / "cur").is_dir() and (path / "new").is_dir()


def is_mail_folder(path: Path) -> bool:
    """Whether a folder is a Maildir, or holds messages and nothing else."""
    if is_maildir(path):
        return True
    inside = [each for each in path.iterdir() if not each.name.startswith(".")]
    return bool(inside) and all(each.is_file() and each.suffix.lower() == ".eml" for each in inside)


def iter_messages(path: Path) -> Iterator[RawMessage]:
    """The messages of a file or folder, in its order."""
    if path.is_dir():
        yield from _iter_files(path)
        return
    with path.open("rb") as file:
        if file.read(5) == b"From ":
            file.seek(0)
            yield from _iter_mbox(file)
        else:
            file.seek(0)
            yield _read_message(file, 1, path.stat().st_size)


def total_size(path: Path) -> int:
    """The total that the positions of the messages count up to."""
    return sum(each.stat().st_size for each in _message_files(path)) if path.is_dir() else path.stat().st_size


def _message_files(path: Path) -> list[Path]:
    folders = [path / "cur", path / "new"] if is_maildir(path) else [path]
    return sorted(each for folder in folders for each in folder.iterdir() if each.is_file() and each.name[0] != ".")


def _iter_files(path: Path) -> Iterator[RawMessage]:
    behind = 0
    for number, each in enumerate(_message_files(path), start=1):
        behind += each.stat().st_size
        with each.open("rb") as file:
            yield _read_message(file, number, behind)


def _read_message(file: IO[bytes], number: int, behind: int) -> RawMessage:
    gathered = _MessageBuffer()
    while line := file.readline(MAX_LINE_BYTES):
        gathered.add(line)
    return gathered.raw(number, behind)


def _iter_mbox(file: IO[bytes]) -> Iterator[RawMessage]:
    """Split a mailbox at lines that begin with "From " after an empty line."""
    number, offset, was_empty = 0, 0, True
    gathered = _MessageBuffer()
    while line := file.readline(MAX_LINE_BYTES):
        if was_empty and line.startswith(b"From "):
            if number:
                yield gathered.raw(number, offset)
            number, gathered = number + 1, _MessageBuffer()
        else:
            gathered.add(line[1:] if _ESCAPED.match(line) else line)
        offset += len(line)
        was_empty = line in (b"\n", b"\r\n")
    yield gathered.raw(number, offset)


class _MessageBuffer:
    """Lines of one message; of what is encoded only so much as a text may be long."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._run = 0
        self._left_out = 0

    def add(self, line: bytes) -> None:
        self._run = self._run + len(line) if _ENCODED.fullmatch(line) else 0
        if self._run > MAX_ENCODED_RUN:
            self._left_out += len(line)
        else:
            self._lines.append(line)

    def raw(self, number: int, behind: int) -> RawMessage:
        return RawMessage(number, behind, b"".join(self._lines), self._left_out)
