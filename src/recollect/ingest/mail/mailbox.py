"""Mailboxes: mbox files, Maildir folders and messages of Gmail's API, read one message at a time."""

import re
from base64 import b64encode, urlsafe_b64decode
from binascii import Error
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from recollect.ingest.api_object import ApiObject, record_line
from recollect.ingest.json_stream import JsonItem
from recollect.ingest.line import IngestItem
from recollect.ingest.mail.message import parse_mail

MAX_LINE_BYTES = 1024 * 1024
MAX_ENCODED_RUN = 1024 * 1024
_SHORTEST_ENCODED = 40
_ENCODED = re.compile(rb"[A-Za-z0-9+/]{%d,}={0,2}\r?\n?" % _SHORTEST_ENCODED)
_ESCAPED = re.compile(rb">+From ")
_ENVELOPE = re.compile(rb"From \S{1,320} .{0,80}\d\d:\d\d")
"""The line that begins a message: a sender and a time."""
_DELIVERED = re.compile(
    rb"^(?:received|x-received|delivered-to|x-original-to|authentication-results):", re.IGNORECASE | re.MULTILINE
)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_TAKEOUT = b"X-GM-THRID:"
"""Begins the messages of Gmail's exports, which escape such lines and hold sent mails among the others."""


class RawMessage(NamedTuple):
    """The bytes of one message; of long runs of encoded lines only the beginning."""

    number: int
    end_offset: int
    content: bytes
    omitted_bytes: int
    may_be_quoted: bool = False
    """Whether it may be part of the text of an earlier message: not every program escapes the lines that begin one."""


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
    gathered, origin = _MessageBuffer(), _Origin()
    while line := file.readline(MAX_LINE_BYTES):
        if was_empty and line.startswith(b"From "):
            if number:
                yield origin.mark(gathered.raw(number, offset))
            number, gathered = number + 1, _MessageBuffer()
            origin.has_envelope = _ENVELOPE.match(line) is not None
        else:
            gathered.add(line[1:] if line.startswith(b">") and _ESCAPED.match(line) else line)
        offset += len(line)
        was_empty = line in (b"\n", b"\r\n")
    yield origin.mark(gathered.raw(number, offset))


@dataclass(slots=True)
class _Origin:
    """Tells which messages of a mailbox may be the words of somebody whose mail was delivered before them.

    A folder of sent mails has no delivered one; in one that has, a message without the marks of a server may be
    forged within the text of another.
    """

    has_envelope: bool = True
    was_delivered: bool = False
    is_takeout: bool = False

    def mark(self, raw: RawMessage) -> RawMessage:
        if raw.number == 1:
            self.is_takeout = raw.content.startswith(_TAKEOUT)
        may_be_quoted = raw.number > 1 and not self.is_takeout and (self.was_delivered or not self.has_envelope)
        head = _BLANK_LINE.split(raw.content, maxsplit=1)[0]
        self.was_delivered = self.was_delivered or _DELIVERED.search(head) is not None
        return raw._replace(may_be_quoted=may_be_quoted)


class _MessageBuffer:
    """Lines of one message; of what is encoded only so much as a text may be long."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._run = 0
        self._left_out = 0

    def add(self, line: bytes) -> None:
        is_encoded = len(line) >= _SHORTEST_ENCODED and _ENCODED.fullmatch(line) is not None
        self._run = self._run + len(line) if is_encoded else 0
        if self._run > MAX_ENCODED_RUN:
            self._left_out += len(line)
        else:
            self._lines.append(line)

    def raw(self, number: int, behind: int) -> RawMessage:
        return RawMessage(number, behind, b"".join(self._lines), self._left_out)


_MAX_DEPTH = 40
_UNWANTED = frozenset({"SPAM", "TRASH", "CATEGORY_PROMOTIONS"})
_REPLACED_HEADERS = frozenset({"content-transfer-encoding", "content-type"})


def is_gmail_message(item: JsonItem) -> bool:
    """Whether an item is a message with its content: format `full`, `metadata` or `raw`."""
    given = ApiObject.of(item.value)
    return given.has("id", "threadId") and (bool(given.object("payload")) or isinstance(given.get("raw"), str))


def read_gmail(item: JsonItem, left_out: Counter[str]) -> Iterator[IngestItem]:
    """The mail of a message; drafts were never sent and are left out."""
    given = ApiObject.of(item.value)
    labels = set(given.names("labelIds"))
    if not is_gmail_message(item) or "DRAFT" in labels:
        left_out["drafts" if "DRAFT" in labels else "messages without content"] += 1
        return
    raw = _decode(given.text("raw")) or _mail_bytes(given.object("payload"))
    record = parse_mail(raw).record
    fields = {**record.properties, "gmail_thread_id": given.text("threadId")}
    if labels & _UNWANTED:
        fields |= {"classification": "noise", "noise_signal": "label"}
    yield record_line(record._replace(properties=fields))


def _decode(text: str | None) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text else b""
    except (Error, ValueError):
        return b""


def _mail_bytes(part: ApiObject) -> bytes:
    """A message or a part of one as it is sent."""
    return b"".join(_part_bytes(part.value, 0))


def _part_bytes(part: Any, depth: int) -> Iterator[bytes]:
    given = ApiObject.of(part)
    kind = given.text("mimeType") or "text/plain"
    for header in given.objects("headers"):
        name, value = header.text("name"), header.text("value")
        if name and value and name.casefold() not in _REPLACED_HEADERS:
            yield f"{name}: {' '.join(value.split())}\r\n".encode()
    parts = given.get("parts")
    if isinstance(parts, list) and parts and depth < _MAX_DEPTH:
        mark = f"part-{depth}-of-this-message"
        yield f'Content-Type: {kind}; boundary="{mark}"\r\n\r\n'.encode()
        for inner in parts:
            yield f"--{mark}\r\n".encode()
            yield from _part_bytes(inner, depth + 1)
            yield b"\r\n"
        yield f"--{mark}--\r\n".encode()
        return
    yield from _leaf_bytes(given, kind)


def _leaf_bytes(given: ApiObject, kind: str) -> Iterator[bytes]:
    name = given.text("filename")
    charset = '; charset="utf-8"' if kind.startswith("text/") else ""
    yield f"Content-Type: {kind}{charset}\r\n".encode()
    if name:
        yield f'Content-Disposition: attachment; filename="{name.replace(chr(34), "")}"\r\n'.encode()
    yield b"Content-Transfer-Encoding: base64\r\n\r\n"
    yield b64encode(_decode(given.object("body").text("data"))) + b"\r\n"
