"""One mail as a record: who wrote to whom, when, about what, and its text."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any, NamedTuple

from recollect.ingest.extract.party import split_people
from recollect.ingest.line import RecordPart
from recollect.ingest.mail.headers import decoded, header_text, raw_headers, storable
from recollect.ingest.mail.html import text_of_html
from recollect.ingest.problems import BadLine

_KEPT = frozenset(
    "date wrong-date list-unsubscribe list-id auto-submitted precedence x-auto-response-suppress in-reply-to "
    "reply-to".split()
)
_PEOPLE = frozenset({"from", "to", "cc"})
_ID = re.compile(r"<([^<>\s]+)>")
# The standard library takes it for an abbreviation of 2001.
_YEAR_LIKE_0001 = re.compile(r" 0\d{3} ")
_EARLIEST, _LATEST = 1970, 2100
MANY_RECIPIENTS = 1_000
LARGE = 10 * 1024 * 1024
MOST_TEXT = 5 * 1024 * 1024


class Mail(NamedTuple):
    """A mail as a record, and what was wrong with it, in words."""

    record: RecordPart
    problems: list[str]


class _Body(NamedTuple):
    text: str
    attachments: list[dict[str, Any]]


def read_mail(raw: bytes, left_out: int = 0) -> Mail:
    """The record of a message; `left_out` bytes of attachments were not even read."""
    problems: list[str] = []
    message, body = _opened(raw, problems)
    headers: dict[str, list[str]] = {}
    for name, value in raw_headers(message):
        headers.setdefault(name, []).append(value if name in _PEOPLE else header_text(value))
    if not headers:
        raise BadLine("mail", "has no headers; it is no mail")
    if left_out > LARGE:
        problems.append(f"{left_out} bytes of attachments were left out")
    own_id = _message_id(headers, raw)
    sent_at = _sent_at(headers, problems)
    if sent_at is None and "date" in headers:
        headers["wrong-date"] = headers.pop("date")
    fields = _fields(headers, own_id, problems) | ({"attachments": body.attachments} if body.attachments else {})
    subject = (headers.get("subject") or [""])[0]
    key = f"email_{sha256(own_id.encode('utf-8', 'replace')).hexdigest()[:12]}"
    record = RecordPart(key, "email", subject or None, None, sent_at, None, body.text, fields)
    return Mail(record, problems)


def _opened(raw: bytes, problems: list[str]) -> tuple[Message, _Body]:
    """A message and its body; of one whose parts lie too deep in each other only the headers."""
    try:
        message = message_from_bytes(raw)
        return message, _body(message, problems)
    except RecursionError:
        problems[:] = ["its parts lie too deep in each other; only its headers were read"]
        return BytesHeaderParser().parsebytes(raw), _Body("", [])


def _message_id(headers: dict[str, list[str]], raw: bytes) -> str:
    """The message id without its brackets; a mail that has none is known by its content."""
    given = (headers.get("message-id") or [""])[0]
    found = _ID.search(given)
    return found[1] if found else given.strip("<> ") or f"sha256:{sha256(raw).hexdigest()}"


def _fields(headers: dict[str, list[str]], own_id: str, problems: list[str]) -> dict[str, Any]:
    sender, recipients, cc = (_people(headers.get(name, ())) for name in ("from", "to", "cc"))
    if len(recipients) + len(cc) > MANY_RECIPIENTS:
        problems.append(f"it has {len(recipients) + len(cc)} recipients")
    referred = [each for name in ("references", "in-reply-to") for each in _ID.findall(" ".join(headers.get(name, ())))]
    if own_id in referred:
        problems.append("it refers to itself")
    thread = next((each for each in referred if each != own_id), own_id)
    kept = {name: values[0] for name, values in headers.items() if name in _KEPT}
    found: dict[str, Any] = {
        "sender": sender[0] if sender else None,
        "recipients": recipients,
        "cc": cc,
        "subject": (headers.get("subject") or [""])[0],
        "message_id": own_id,
        "thread_id": thread,
        "headers": kept,
    }
    return {key: value for key, value in found.items() if value}


def _people(values: Iterable[str]) -> list[str]:
    """The people of some headers, each as text; cut apart before they are decoded, since a name may hold a comma."""
    found = (header_text(each) for value in values for each in split_people(value))
    return list(dict.fromkeys(each for each in found if each))


def _sent_at(headers: dict[str, list[str]], problems: list[str]) -> str | None:
    """When the mail was sent, by its date or else by the first server that received it."""
    written = headers["date"][0] if headers.get("date") else None
    received = [value.rpartition(";")[2].strip() for value in headers.get("received", ())]
    for value in (written, *reversed(received)):
        instant = _instant(value) if value else None
        if instant is not None:
            return instant
        if value == written:
            problems.append("it has no date" if value is None else f"its date {value[:60]!r} cannot be right")
    return None


def _instant(value: str) -> str | None:
    if _YEAR_LIKE_0001.search(value):
        return None
    try:
        found = parsedate_to_datetime(value)
        aware = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return aware.isoformat().replace("+00:00", "Z") if _EARLIEST <= aware.year <= _LATEST else None


def _body(message: Message, problems: list[str]) -> _Body:
    """The plain text of a mail, else its HTML as text; the rest is named, not kept."""
    plain: list[str] = []
    pages: list[str] = []
    attachments: list[dict[str, Any]] = []
    for part in _parts(message):
        kind = "text/plain" if part.get_content_maintype() == "multipart" else part.get_content_type()
        if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
            attachments.append(_attachment(part, kind))
            continue
        (plain if kind == "text/plain" else pages).append(_text(part, problems))
    defects = sorted({type(defect).__name__ for part in message.walk() for defect in part.defects})
    if defects:
        problems.append(f"its MIME is broken ({', '.join(defects)})")
    texts = [text for text in plain if text.strip()] or [text_of_html(page) for page in pages]
    return _Body("\n\n".join(texts)[:MOST_TEXT], attachments)


def _parts(message: Message) -> Iterator[Message]:
    """The parts that hold something; a whole whose parts cannot be told apart is one of them, and is text."""
    return (part for part in message.walk() if not part.is_multipart())


def _attachment(part: Message, kind: str) -> dict[str, Any]:
    name = part.get_filename()
    return {"name": header_text(str(name)) if name else None, "type": storable(kind)}


def _text(part: Message, problems: list[str]) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    charset = part.get_content_charset()
    text, was_right = decoded(content, charset)
    if not was_right:
        problems.append(f"its text is not in the charset {charset!r} that it names")
    return storable(text.replace("\r\n", "\n").replace("\r", "\n"))
