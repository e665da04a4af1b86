"""Gmail: messages as its API gives them, put together as mails again so that the one mail parser reads them."""

from base64 import b64encode, urlsafe_b64decode
from binascii import Error
from collections import Counter
from collections.abc import Iterator
from typing import Any

from recollect.ingest.api_object import ApiObject, record_line
from recollect.ingest.json_items import JsonItem
from recollect.ingest.line import IngestItem
from recollect.ingest.mail.message import parse_mail

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
    labels = {str(each) for each in given.get("labelIds") or ()}
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
