"""Connector `mail`: one message of an mbox file or a maildir, found by its Message-ID or the hash of it."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path

from recollect.ingest.mail.boxes import is_maildir
from recollect.ingest.mail.message import read_mail
from recollect.ingest.problems import BadLine
from recollect.keep.mesh.connector import Body, Deadline, Stat, check_size, only_key
from recollect.keep.mesh.problems import FetchFailed, NotThere

MOST_HEADERS = 256 * 1024
_OWN_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_HEADERS_END = re.compile(rb"\r?\n\r?\n")
_FROM = b"From "
_PARTED = (b"\n\n" + _FROM, b"\r\n\r\n" + _FROM)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


class Mails:
    def stat(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Stat:
        return Stat(len(_message(path, keys, deadline)))

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Body:
        """The words of a message; HTML becomes text, attachments are named."""
        raw = _message(path, keys, deadline)
        check_size(len(raw))
        try:
            record = read_mail(raw).record
        except BadLine as problem:
            raise FetchFailed(f"it is unreadable: {problem}") from None
        names = [each["name"] or "unnamed" for each in record.properties.get("attachments", ())]
        lines = [(record.content or "").strip(), *(f"[attachment: {name}]" for name in names)]
        return Body(record.title, "text/plain", "\n".join(lines).strip())


class _Wanted:
    """A Message-ID, or the hash of one."""

    def __init__(self, text: str) -> None:
        self._bare = text.strip("<>").encode()
        self._hash = text.lower()

    def is_met_by(self, found: bytes) -> bool:
        bare = found.strip(b"<>")
        return bare == self._bare or self._hash in (_hash(bare), _hash(b"<" + bare + b">"))


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()


def _message(path: Path, keys: Mapping[str, str], deadline: Deadline) -> bytes:
    text = only_key(keys, "msg-id").strip()
    wanted = _Wanted(text)
    try:
        found = next(_in_folder(path, wanted, deadline) if path.is_dir() else _in_file(path, wanted, deadline), None)
    except OSError as problem:
        raise FetchFailed(f"the mailbox is unreadable ({type(problem).__name__})") from None
    if found is None:
        raise NotThere(f"message {text[:80]}")
    return found


def _in_folder(path: Path, wanted: _Wanted, deadline: Deadline) -> Iterator[bytes]:
    """Those of a folder's messages that are meant; one that cannot be read is in nobody's way."""
    folders = [path / "cur", path / "new"] if is_maildir(path) else [path]
    for each in sorted(file for folder in folders for file in folder.iterdir()):
        deadline.check()
        try:
            with each.open("rb") as file:
                head = file.read(MOST_HEADERS)
                own = _OWN_ID.search(_HEADERS_END.split(head, 1)[0])
                if own is not None and wanted.is_met_by(own[1]):
                    yield head + file.read()
        except OSError:
            continue


def _in_file(path: Path, wanted: _Wanted, deadline: Deadline) -> Iterator[bytes]:
    """Those of a mailbox's messages that are meant, looked for without reading the others apart."""
    if not path.stat().st_size:
        return
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as whole:
        for found in _OWN_ID.finditer(whole):
            deadline.check()
            raw = _around(whole, found.start()) if wanted.is_met_by(found[1]) else b""
            own = _OWN_ID.search(_HEADERS_END.split(raw, 1)[0])
            if own is not None and own[1] == found[1]:
                yield _ESCAPED.sub(rb"\1", raw)


def _around(whole: mmap, place: int) -> bytes:
    """The message that a place lies in: from behind the line that parts it from the one before, to the next such."""
    starts = [at + len(mark) - len(_FROM) for mark in _PARTED if (at := whole.rfind(mark, 0, place)) >= 0]
    ends = [at for mark in _PARTED if (at := whole.find(mark, place)) >= 0]
    line = max(starts, default=0)
    first = whole.find(b"\n", line) + 1 if whole[line : line + len(_FROM)] == _FROM else line
    return whole[first : min(ends, default=len(whole))]
