"""Connectors that stat and fetch a body: files in a folder, records in a bundle, messages in a mailbox."""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path, PurePosixPath, PureWindowsPath
from time import monotonic
from typing import Any, NamedTuple, Protocol

from recollect.ingest.fields import BadLine
from recollect.ingest.mail.mailbox import is_maildir
from recollect.ingest.mail.message import parse_mail
from recollect.keep.mesh.fetch_errors import BadMeshUri, FetchFailed, MeshItemNotFound

MAX_BODY_BYTES = 20 * 1024 * 1024
FETCH_TIMEOUT = 10.0


class BodyStat(NamedTuple):
    """The size of a body in bytes, known without fetching it."""

    size: int


class FetchedBody(NamedTuple):
    title: str | None
    mime: str
    text: str


class FetchDeadline:
    """The time limit of a fetch."""

    def __init__(self) -> None:
        self._until = monotonic() + FETCH_TIMEOUT

    def check(self) -> None:
        if monotonic() > self._until:
            raise FetchFailed(f"it took more than {FETCH_TIMEOUT:g} seconds")


class Connector(Protocol):
    """A plug-in: two functions over an account's path and the keys of an address."""

    def stat(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> BodyStat:
        """The size of the item; raises `MeshItemNotFound` if there is none."""

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> FetchedBody:
        """The item's text."""


def single_key(keys: Mapping[str, str], name: str) -> str:
    """The value of the one key that a connector takes."""
    if set(keys) != {name}:
        raise BadMeshUri(f"this connector takes exactly the keys account and {name}")
    return keys[name]


def check_size(size: int) -> None:
    if size > MAX_BODY_BYTES:
        raise FetchFailed(f"it has {size} bytes; the most is {MAX_BODY_BYTES}")


MIME_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".txt": "text/plain",
    ".text": "text/plain",
    ".log": "text/plain",
    ".rst": "text/plain",
    ".org": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".jsonl": "application/json",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".toml": "application/toml",
    ".xml": "application/xml",
    ".html": "text/html",
    ".py": "text/x-python",
    ".js": "text/javascript",
    ".ts": "text/x-typescript",
    ".go": "text/x-go",
    ".rs": "text/x-rust",
    ".c": "text/x-c",
    ".h": "text/x-c",
    ".java": "text/x-java",
    ".sql": "text/x-sql",
    ".sh": "text/x-sh",
}


class FileConnector:
    def stat(self, path: Path, keys: Mapping[str, str], _: FetchDeadline) -> BodyStat:
        return BodyStat(_resolve_path(path, keys).stat().st_size)

    def fetch(self, path: Path, keys: Mapping[str, str], _: FetchDeadline) -> FetchedBody:
        target = _resolve_path(path, keys)
        check_size(target.stat().st_size)
        mime = MIME_TYPES.get(target.suffix.lower())
        if mime is None:
            raise FetchFailed(f"{target.suffix or 'a file without extension'} is not a supported text format")
        try:
            text = target.read_bytes().decode("utf-8-sig")
        except (UnicodeDecodeError, OSError) as problem:
            raise FetchFailed(f"it is unreadable ({type(problem).__name__})") from None
        if "\0" in text:
            raise FetchFailed("it is not a text file")
        return FetchedBody(target.name, mime, text)


def _resolve_path(folder: Path, keys: Mapping[str, str]) -> Path:
    """The file that a path names, symbolic links resolved; refused outside the folder."""
    given = single_key(keys, "path")
    steps = PurePosixPath(given)
    is_foreign = "\\" in given or PureWindowsPath(given).drive or steps.is_absolute() or ".." in steps.parts
    if is_foreign:
        raise MeshItemNotFound("the path must be relative, use / as separator and stay inside the folder")
    try:
        root = folder.resolve(strict=True)
        target = (root / steps).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise MeshItemNotFound(given) from None
    if not target.is_relative_to(root) or not target.is_file():
        raise MeshItemNotFound(given)
    return target


LONGEST_LINE = 64 * 1024 * 1024


class BundleConnector:
    def stat(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> BodyStat:
        return BodyStat(len(_content(_find_record(path, keys, deadline)).encode()))

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> FetchedBody:
        record = _find_record(path, keys, deadline)
        text = _content(record)
        check_size(len(text.encode()))
        title, mime = record.get("title"), record.get("mime")
        return FetchedBody(
            title if isinstance(title, str) else None, mime if isinstance(mime, str) else "text/plain", text
        )


def _content(record: Mapping[str, Any]) -> str:
    text = record.get("content")
    if not isinstance(text, str):
        raise FetchFailed("the record has no content")
    return text


def _find_record(path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> Mapping[str, Any]:
    """The last version of the record in the file."""
    wanted = single_key(keys, "record")
    found = [each for each in _candidate_records(path, wanted.encode(), deadline) if each.get("id") == wanted]
    if not found:
        raise MeshItemNotFound(f"record {wanted}")
    return found[-1]


def _candidate_records(path: Path, wanted: bytes, deadline: FetchDeadline) -> Iterator[Mapping[str, Any]]:
    """The records of lines that contain the id, or an escape that may hide it."""
    try:
        with path.open("rb") as file:
            for line in iter(lambda: file.readline(LONGEST_LINE), b""):
                deadline.check()
                if wanted in line or b"\\" in line:
                    yield from _parse_record(line)
    except OSError as problem:
        raise FetchFailed(f"the bundle is unreadable ({type(problem).__name__})") from None


def _parse_record(line: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        value = json.loads(line)
    except ValueError:
        return
    record = value.get("record") if isinstance(value, dict) else None
    if isinstance(record, dict):
        yield record


MAX_HEADER_BYTES = 256 * 1024
_OWN_ID = re.compile(rb"^message-id:\s*(\S+)", re.IGNORECASE | re.MULTILINE)
_HEADERS_END = re.compile(rb"\r?\n\r?\n")
_FROM = b"From "
_SEPARATORS = (b"\n\n" + _FROM, b"\r\n\r\n" + _FROM)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


class MailConnector:
    def stat(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> BodyStat:
        return BodyStat(len(_find_message(path, keys, deadline)))

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> FetchedBody:
        """The text of a message; HTML is converted, attachments are listed by name."""
        raw = _find_message(path, keys, deadline)
        check_size(len(raw))
        try:
            record = parse_mail(raw).record
        except BadLine as problem:
            raise FetchFailed(f"it is unreadable: {problem}") from None
        names = [each["name"] or "unnamed" for each in record.properties.get("attachments", ())]
        lines = [(record.content or "").strip(), *(f"[attachment: {name}]" for name in names)]
        return FetchedBody(record.title, "text/plain", "\n".join(lines).strip())


class _MessageId:
    """A Message-ID, or the hash of one."""

    def __init__(self, text: str) -> None:
        self._bare = text.strip("<>").encode()
        self._hash = text.lower()

    def matches(self, found: bytes) -> bool:
        bare = found.strip(b"<>")
        return bare == self._bare or self._hash in (_hash(bare), _hash(b"<" + bare + b">"))


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()


def _find_message(path: Path, keys: Mapping[str, str], deadline: FetchDeadline) -> bytes:
    text = single_key(keys, "msg-id").strip()
    wanted = _MessageId(text)
    try:
        found = next(
            _find_in_folder(path, wanted, deadline) if path.is_dir() else _find_in_mailbox(path, wanted, deadline), None
        )
    except OSError as problem:
        raise FetchFailed(f"the mailbox is unreadable ({type(problem).__name__})") from None
    if found is None:
        raise MeshItemNotFound(f"message {text[:80]}")
    return found


def _find_in_folder(path: Path, wanted: _MessageId, deadline: FetchDeadline) -> Iterator[bytes]:
    """The messages of a folder with this id; unreadable files are skipped."""
    folders = [path / "cur", path / "new"] if is_maildir(path) else [path]
    for each in sorted(file for folder in folders for file in folder.iterdir()):
        deadline.check()
        try:
            with each.open("rb") as file:
                head = file.read(MAX_HEADER_BYTES)
                own = _OWN_ID.search(_HEADERS_END.split(head, 1)[0])
                if own is not None and wanted.matches(own[1]):
                    yield head + file.read()
        except OSError:
            continue


def _find_in_mailbox(path: Path, wanted: _MessageId, deadline: FetchDeadline) -> Iterator[bytes]:
    """The messages of a mailbox with this id, found without parsing the others."""
    if not path.stat().st_size:
        return
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as mailbox:
        for found in _OWN_ID.finditer(mailbox):
            deadline.check()
            raw = _message_around(mailbox, found.start()) if wanted.matches(found[1]) else b""
            own = _OWN_ID.search(_HEADERS_END.split(raw, 1)[0])
            if own is not None and own[1] == found[1]:
                yield _ESCAPED.sub(rb"\1", raw)


def _message_around(mailbox: mmap, position: int) -> bytes:
    """The message around a position: between the separator lines before and after it."""
    starts = [at + len(mark) - len(_FROM) for mark in _SEPARATORS if (at := mailbox.rfind(mark, 0, position)) >= 0]
    ends = [at for mark in _SEPARATORS if (at := mailbox.find(mark, position)) >= 0]
    line = max(starts, default=0)
    first = mailbox.find(b"\n", line) + 1 if mailbox[line : line + len(_FROM)] == _FROM else line
    return mailbox[first : min(ends, default=len(mailbox))]
