"""Parser of one mail: headers, dates, charsets and MIME parts."""

import re
from base64 import b64decode
from binascii import Error
from codecs import lookup
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC
from email import message_from_bytes
from email.errors import CloseBoundaryNotFoundDefect, InvalidBase64LengthDefect, InvalidBase64PaddingDefect
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from hashlib import sha256
from quopri import decodestring
from typing import Any, NamedTuple

from recollect.ingest.cut_texts import CUT_OFF
from recollect.ingest.fields import BadLine
from recollect.ingest.line import RecordPart
from recollect.ingest.mail.html_text import html_to_text
from recollect.ingest.parties import split_people
from recollect.model.json_limits import replace_unstorable
from recollect.text.caching import cache_short

_WORD = re.compile(r"=\?([^?\s]+)\?([bqBQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
# Mail programs give the name of a small charset to text in one that holds more.
_WIDER_CHARSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
}


def raw_headers(message: Message) -> Iterator[tuple[str, str]]:
    """Names and values as they were written."""
    for name, value in message.raw_items():
        yield name.casefold(), str(value)


def header_text(raw: str) -> str:
    """A header's value: its encoded words decoded, its bare bytes read as UTF-8 or Latin-1, its folds undone."""
    text = _decode_bare_bytes(raw)
    if "=?" in text:
        text = _WORD.sub(_decode_word, _BETWEEN_WORDS.sub(r"\1", text))
    return replace_unstorable(" ".join(text.split()))


def _decode_bare_bytes(raw: str) -> str:
    if raw.isascii():
        return raw
    return decode_bytes(raw.encode("utf-8", "surrogateescape"), "utf-8")[0]


def _decode_word(word: re.Match[str]) -> str:
    charset, kind, text = word.groups()
    try:
        if kind in "bB":
            content = b64decode(text + "=" * (-len(text) % 4))
        else:
            content = decodestring(text.replace("_", " ").encode("ascii", "replace"))
    except (Error, ValueError):
        return word[0]
    return decode_bytes(content, charset.partition("*")[0])[0]


def decode_bytes(content: bytes, charset: str | None) -> tuple[str, bool]:
    """The text of some bytes, and whether its charset was right; if not, it is read as UTF-8, else as Latin-1."""
    named = _canonical_charset(charset or "ascii")
    for wanted in (_WIDER_CHARSETS.get(named), named):
        try:
            return content.decode(wanted or "ascii"), True
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    try:
        return content.decode("utf-8"), charset is None
    except UnicodeDecodeError:
        return content.decode("latin-1"), False


def _canonical_charset(charset: str) -> str:
    try:
        return lookup(charset).name
    except (LookupError, ValueError):
        return charset


_KEPT_HEADERS = frozenset(
    "date wrong-date list-unsubscribe list-id auto-submitted precedence x-auto-response-suppress in-reply-to "
    "reply-to".split()
)
_ADDRESS_HEADERS = frozenset({"from", "to", "cc"})
_ID = re.compile(r"<([^<>\s]+)>")
_DELIVERY_HEADERS = frozenset({"received", "x-received", "delivered-to", "x-original-to", "authentication-results"})
"""What servers write into a mail that they deliver."""
_DOMAIN = re.compile(r".*@", re.DOTALL)
_VERDICT = re.compile(r"\b(spf|dkim|dmarc)\s?=\s?(\w+)")
# The standard library takes it for an abbreviation of 2001.
_YEAR_LIKE_0001 = re.compile(r" 0\d{3} ")
_EARLIEST, _LATEST = 1970, 2100
_HEADERS_KEPT = 2_048
MANY_RECIPIENTS = 1_000
LARGE_ATTACHMENTS = 10 * 1024 * 1024
MAX_TEXT_CHARS = 5 * 1024 * 1024


class ParsedMail(NamedTuple):
    """A mail as a record, and the problems found in it."""

    record: RecordPart
    problems: list[str]


class _Body(NamedTuple):
    text: str
    attachments: list[dict[str, Any]]
    is_cut: bool = False
    """Whether the text ends in the middle."""


def parse_mail(raw: bytes, left_out: int = 0, *, may_be_quoted: bool = False) -> ParsedMail:
    """The record of a message; `left_out` bytes of attachments were skipped.

    One that may be part of the text of another is as little the owner's as one that a server delivered.
    """
    problems: list[str] = []
    message, body = _parse_message(raw, problems)
    headers: dict[str, list[str]] = {}
    for name, value in raw_headers(message):
        headers.setdefault(name, []).append(value if name in _ADDRESS_HEADERS else header_text(value))
    if not headers:
        raise BadLine("mail", "not a mail: it has no headers")
    if left_out > LARGE_ATTACHMENTS:
        problems.append(f"{left_out} bytes of attachments were skipped")
    own_id = _message_id(headers, raw)
    sent_at = _sent_at(headers, problems)
    if sent_at is None and "date" in headers:
        headers["wrong-date"] = headers.pop("date")
    fields = _record_fields(headers, own_id, problems) | ({"attachments": body.attachments} if body.attachments else {})
    fields |= {"received": True} if may_be_quoted else {}
    fields |= {CUT_OFF: True} if body.is_cut else {}
    subject = (headers.get("subject") or [""])[0]
    key = f"email_{sha256(own_id.encode('utf-8', 'replace')).hexdigest()[:12]}"
    record = RecordPart(key, "email", subject or None, None, sent_at, None, body.text, fields)
    return ParsedMail(record, problems)


def _parse_message(raw: bytes, problems: list[str]) -> tuple[Message, _Body]:
    """A message and its body; only the headers if its parts are nested too deeply."""
    try:
        message = message_from_bytes(raw)
        return message, _read_body(message, problems)
    except RecursionError:
        problems[:] = ["its parts lie too deep in each other; only its headers were read"]
        return BytesHeaderParser().parsebytes(raw), _Body("", [])


def _message_id(headers: dict[str, list[str]], raw: bytes) -> str:
    """The message id without its brackets; a mail without one is identified by its content."""
    given = (headers.get("message-id") or [""])[0]
    found = _ID.search(given)
    return found[1] if found else given.strip("<> ") or f"sha256:{sha256(raw).hexdigest()}"


def _record_fields(headers: dict[str, list[str]], own_id: str, problems: list[str]) -> dict[str, Any]:
    sender, recipients, cc = (_header_people(headers.get(name, ())) for name in ("from", "to", "cc"))
    if len(recipients) + len(cc) > MANY_RECIPIENTS:
        problems.append(f"it has {len(recipients) + len(cc)} recipients")
    referred = [each for name in ("references", "in-reply-to") for each in _ID.findall(" ".join(headers.get(name, ())))]
    if own_id in referred:
        problems.append("it refers to itself")
    thread = next((each for each in referred if each != own_id), own_id)
    kept = {name: values[0] for name, values in headers.items() if name in _KEPT_HEADERS}
    found: dict[str, Any] = {
        "sender": sender[0] if sender else None,
        "recipients": recipients,
        "cc": cc,
        "subject": (headers.get("subject") or [""])[0],
        "message_id": own_id,
        "thread_id": thread,
        "headers": kept,
        "received": _came_over_network(headers),
        "unauthenticated": len(sender) > 1 or _failed_authentication(headers),
    }
    return {key: value for key, value in found.items() if value}


def _came_over_network(headers: dict[str, list[str]]) -> bool:
    """Whether a server delivered the mail; the copy that a program keeps of a sent one says nothing of servers."""
    if _failed_authentication(headers):
        return True
    labels = headers.get("x-gmail-labels", [""])[0].casefold() if _begins_with_labels(headers) else ""
    return "sent" not in labels and (not _DELIVERY_HEADERS.isdisjoint(headers) or _returns_elsewhere(headers))


def _begins_with_labels(headers: Collection[str]) -> bool:
    """Whether an export of Gmail put labels on top of a mail; below what servers add, its sender may have."""
    first = next((name for name in headers if name in _DELIVERY_HEADERS or name == "x-gmail-labels"), None)
    return first == "x-gmail-labels"


def _returns_elsewhere(headers: dict[str, list[str]]) -> bool:
    """Whether a mail that could not be delivered would go to another domain than the one it names as its sender's."""
    senders, places = (
        {_DOMAIN.sub("", each).rstrip("> ").casefold() for each in headers.get(name, ()) if "@" in each}
        for name in ("from", "return-path")
    )
    return bool(places) and places.isdisjoint(senders)


def _failed_authentication(headers: dict[str, list[str]]) -> bool:
    """Whether a server that took the mail found that it is not from the domain that it names."""
    for each in headers.get("authentication-results", ()):
        verdicts = dict(_VERDICT.findall(each.casefold()))
        if verdicts.get("dmarc") == "fail":
            return True
        if "dmarc" not in verdicts and "fail" in verdicts.values() and "pass" not in verdicts.values():
            return True
    return False


def _header_people(values: Iterable[str]) -> list[str]:
    """The people of some headers, each as text; cut apart before they are decoded, since a name may hold a comma."""
    return list(dict.fromkeys(each for value in values for each in _people_of_header(value)))


@cache_short(_HEADERS_KEPT, longest=1_000)
def _people_of_header(value: str) -> tuple[str, ...]:
    return tuple(text for each in split_people(value) if (text := header_text(each)))


def _sent_at(headers: dict[str, list[str]], problems: list[str]) -> str | None:
    """When the mail was sent, by its date or else by the first server that received it."""
    written = headers["date"][0] if headers.get("date") else None
    received = [value.rpartition(";")[2].strip() for value in headers.get("received", ())]
    for value in (written, *reversed(received)):
        instant = _parse_mail_date(value) if value else None
        if instant is not None:
            return instant
        if value == written:
            problems.append("it has no date" if value is None else f"its date {value[:60]!r} cannot be right")
    return None


def _parse_mail_date(value: str) -> str | None:
    if _YEAR_LIKE_0001.search(value):
        return None
    try:
        found = parsedate_to_datetime(value)
        aware = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return aware.isoformat().replace("+00:00", "Z") if _EARLIEST <= aware.year <= _LATEST else None


def _read_body(message: Message, problems: list[str]) -> _Body:
    """The plain text of a mail, else its HTML as text; attachments are named, not stored."""
    plain: list[str] = []
    pages: list[str] = []
    attachments: list[dict[str, Any]] = []
    leaves, last = list(_leaf_parts(message)), None
    for part in leaves:
        kind = part.get_content_type()
        kind = "text/plain" if kind.startswith("multipart/") else kind
        if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
            attachments.append(_attachment(part, kind))
            continue
        last = kind, part
        (plain if kind == "text/plain" else pages).append(_part_text(part, problems))
    defects = sorted({type(defect).__name__ for part in message.walk() for defect in part.defects})
    if defects:
        problems.append(f"its MIME is broken ({', '.join(defects)})")
    texts = [text for text in plain if text.strip()]
    is_read = last is not None and last[1] is leaves[-1] and (last[0] == "text/plain" or not texts)
    texts = texts or [html_to_text(page) for page in pages]
    text = "\n\n".join(texts)
    is_cut = len(text) > MAX_TEXT_CHARS or (is_read and _is_cut(message, leaves[-1]))
    if is_cut:
        problems.append("its text is cut off: a last sentence without an end is kept, and no fact is read from it")
    return _Body(text[:MAX_TEXT_CHARS], attachments, is_cut)


def _is_cut(message: Message, last: Message) -> bool:
    """Whether a mail ends within its last part: the parts around it are not closed, or its code is incomplete."""
    around = (part for part in message.walk() if part.is_multipart())
    return any(isinstance(each, CloseBoundaryNotFoundDefect) for part in around for each in part.defects) or any(
        isinstance(each, InvalidBase64PaddingDefect | InvalidBase64LengthDefect) for each in last.defects
    )


def _leaf_parts(message: Message) -> Iterator[Message]:
    """The parts that hold something; a multipart that cannot be split counts as one part of text."""
    return (part for part in message.walk() if not part.is_multipart())


def _attachment(part: Message, kind: str) -> dict[str, Any]:
    name = part.get_filename()
    return {"name": header_text(str(name)) if name else None, "type": replace_unstorable(kind)}


def _part_text(part: Message, problems: list[str]) -> str:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return ""
    charset = part.get_content_charset()
    text, was_right = decode_bytes(content, charset)
    if not was_right:
        problems.append(f"its text is not in the charset {charset!r} that it names")
    return replace_unstorable(text.replace("\r\n", "\n").replace("\r", "\n"))
