"""Connector `bundle`: the content of one record in a bundle file."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from recollect.keep.mesh.connector import Body, Deadline, Stat, check_size, only_key
from recollect.keep.mesh.problems import FetchFailed, NotThere

LONGEST_LINE = 64 * 1024 * 1024


class Bundles:
    def stat(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Stat:
        return Stat(len(_content(_record(path, keys, deadline)).encode()))

    def fetch(self, path: Path, keys: Mapping[str, str], deadline: Deadline) -> Body:
        record = _record(path, keys, deadline)
        text = _content(record)
        check_size(len(text.encode()))
        title, mime = record.get("title"), record.get("mime")
        return Body(title if isinstance(title, str) else None, mime if isinstance(mime, str) else "text/plain", text)


def _content(record: Mapping[str, Any]) -> str:
    text = record.get("content")
    if not isinstance(text, str):
        raise FetchFailed("the record has no content")
    return text


def _record(path: Path, keys: Mapping[str, str], deadline: Deadline) -> Mapping[str, Any]:
    """The last version of the record in the file."""
    wanted = only_key(keys, "record")
    found = [each for each in _records(path, wanted.encode(), deadline) if each.get("id") == wanted]
    if not found:
        raise NotThere(f"record {wanted}")
    return found[-1]


def _records(path: Path, wanted: bytes, deadline: Deadline) -> Iterator[Mapping[str, Any]]:
    """The records of those lines that can be the one: its id, or any escape, stands in them."""
    try:
        with path.open("rb") as file:
            for line in iter(lambda: file.readline(LONGEST_LINE), b""):
                deadline.check()
                if wanted in line or b"\\" in line:
                    yield from _record_in(line)
    except OSError as problem:
        raise FetchFailed(f"the bundle is unreadable ({type(problem).__name__})") from None


def _record_in(line: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        value = json.loads(line)
    except ValueError:
        return
    record = value.get("record") if isinstance(value, dict) else None
    if isinstance(record, dict):
        yield record
