"""Record types: their fields, what identifies a record, and which records are noise."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Any

from recollect.ingest.line import RecordPart
from recollect.ingest.parties import AUTOMATIC_SENDER, parse_party
from recollect.model.document import KEY_LIMIT, Document, content_hash
from recollect.model.trust import REUSED_ID
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.text.patterns import lazy_pattern

CLASSIFICATION = "classification"
"""Property of a record: whether it is noise, uncertain or relevant, by rules, its expert or whoever gave it."""

_SUBJECT = lazy_pattern(
    r"\s*(?:out of office|automatic reply|auto-reply|autoreply|undeliverable|delivery status notification)",
    re.IGNORECASE,
)
_UNSUBSCRIBE = lazy_pattern(r"\bunsubscribe\b", re.IGNORECASE)
_BROWSER = lazy_pattern(r"view in browser|manage preferences|update your preferences", re.IGNORECASE)
_BULK_PRECEDENCE = frozenset({"bulk", "list", "junk", "auto_reply"})


def detect_noise(type_: str, fields: Mapping[str, Any], title: str | None, text: str | None) -> str | None:
    """Why a record is noise, in a word; none if it is not."""
    if type_ != "email":
        author = parse_party(fields.get("author") or fields.get("creator"))
        return "bot" if author is not None and author.is_bot else None
    return (
        _sender_signal(fields)
        or _header_signal(mail_headers(fields))
        or _subject_signal(fields, title)
        or _body_signal(text)
    )


def mail_headers(fields: Mapping[str, Any]) -> dict[str, str]:
    """The headers of a mail by their folded names; given as an object, as pairs, or as text."""
    given = fields.get("headers")
    if isinstance(given, str):
        pairs = [line.partition(":")[::2] for line in given.splitlines() if ":" in line]
    elif isinstance(given, list):
        pairs = [(str(each[0]), str(each[1])) for each in given if isinstance(each, list) and len(each) == 2]
        named = (each for each in given if isinstance(each, Mapping) and "name" in each)
        pairs += [(str(each["name"]), str(each.get("value", ""))) for each in named]
    elif isinstance(given, Mapping):
        pairs = [(str(key), str(value)) for key, value in given.items() if value is not None]
    else:
        pairs = []
    return {key.strip().casefold(): value.strip() for key, value in pairs}


def _sender_signal(fields: Mapping[str, Any]) -> str | None:
    sender = parse_party(fields.get("sender"))
    if sender is None:
        return None
    return "sender" if sender.is_bot or AUTOMATIC_SENDER.match(sender.local) else None


def _header_signal(headers: Mapping[str, str]) -> str | None:
    if not headers:
        return None
    is_list = any(name in headers for name in ("list-unsubscribe", "list-id", "x-auto-response-suppress"))
    is_automatic = headers.get("auto-submitted", "no").casefold() not in ("no", "")
    is_bulk = headers.get("precedence", "").casefold() in _BULK_PRECEDENCE
    return "header" if is_list or is_automatic or is_bulk else None


def _subject_signal(fields: Mapping[str, Any], title: str | None) -> str | None:
    subject = fields.get("subject")
    given = [text for text in (subject if isinstance(subject, str) else None, title) if text]
    return "subject" if any(_SUBJECT.match(text) for text in given) else None


def _body_signal(text: str | None) -> str | None:
    return "body" if text and _UNSUBSCRIBE.search(text) and _BROWSER.search(text) else None


@dataclass(frozen=True, slots=True)
class RecordType:
    """One type: `speaker` is the author of its sentences, `needed` are the required fields."""

    speaker: str
    people: tuple[str, ...]
    needed: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    identity: str | None = None


CHAT_MESSAGE = "chat_message"
GENERIC = RecordType("author", ("author",))
RECORD_TYPES: Mapping[str, RecordType] = {
    "email": RecordType("sender", ("sender", "recipients", "cc"), ("sender",), ("received_at",), "message_id"),
    "linear_issue": RecordType("creator", ("creator", "assignee"), ("linear_id",), ("linear_created_at",), "linear_id"),
    "linear_issue_change": RecordType(
        "changed_by", ("changed_by",), ("issue_record_id", "field", "changed_at"), ("changed_at",), "linear_history_id"
    ),
    "github_issue": RecordType(
        "author", ("author", "assignees", "closed_by"), ("github_id", "number"), ("created_at",), "github_id"
    ),
    "github_pr": RecordType("author", ("author", "reviewers"), ("github_id", "number"), ("created_at",), "github_id"),
    "github_issue_change": RecordType(
        "changed_by", ("changed_by",), ("issue_record_id", "field", "changed_at"), ("changed_at",)
    ),
    "jira_issue": RecordType("creator", ("creator", "assignee"), ("jira_id",), ("created_at",), "jira_id"),
    "jira_issue_change": RecordType(
        "changed_by", ("changed_by",), ("issue_record_id", "field", "changed_at"), ("changed_at",)
    ),
    CHAT_MESSAGE: RecordType("author", ("author", "recipients")),
    "generic": GENERIC,
}


ISSUE_CHANGES = frozenset(name for name in RECORD_TYPES if name.endswith("_issue_change"))
AWAIT_ISSUES = ISSUE_CHANGES | {"github_review"}
"""Types whose facts name the issue that they belong to, and so are read again when it comes."""


_TRACKERS = ("github_", "linear_", "jira_")


def is_of_tracker(name: str) -> bool:
    """Whether a type is that of an issue, a pull request, or what is said or changed there."""
    return name.startswith(_TRACKERS)


def record_type(name: str) -> RecordType:
    """The definition of a type; an unknown type is read like a note."""
    return RECORD_TYPES.get(name, GENERIC)


def time_from_fields(type_: str, fields: Mapping[str, Any]) -> str | None:
    """The time of a record by the fields of its type, for a record without `source_at`."""
    for key in record_type(type_).times:
        value = field_text(fields.get(key))
        if value is not None:
            return value
    return _date_header(fields) if type_ == "email" else None


def _date_header(fields: Mapping[str, Any]) -> str | None:
    written = mail_headers(fields).get("date")
    if written is None:
        return None
    parsed = _parsed_date(written)
    return written if parsed is None else parsed.isoformat()


def sender_zone(type_: str, fields: Mapping[str, Any]) -> tzinfo | None:
    """The zone in which a mail was written, by the offset of its Date header; `-0000` means that it is not known."""
    written = mail_headers(fields).get("date") if type_ == "email" else None
    parsed = _parsed_date(written) if written is not None else None
    return parsed.tzinfo if parsed is not None else None


@lru_cache(64)
def _parsed_date(written: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return None


def identity_of(type_: str, fields: Mapping[str, Any], field: str | None = None) -> str | None:
    """The identifier of a record within its type: the given field, else that of a built-in type."""
    key = field or record_type(type_).identity
    return field_text(fields.get(key)) if key is not None else None


def document_field(document: Document, key: str) -> Any:
    """The value of a field; the author may be stored outside the properties."""
    found = document.properties.get(key)
    return document.author if found is None and key == "author" else found


def missing_fields(document: Document) -> list[str]:
    """The fields without which a record of its type cannot be read, and that it does not have."""
    fields = document.properties
    return [
        key
        for key in record_type(document.type).needed
        if field_text(fields.get(key)) is None and not _has_object(fields, key)
    ]


def _has_object(fields: Mapping[str, Any], key: str) -> bool:
    return isinstance(fields.get(key), Mapping) and bool(fields[key])


def field_text(value: Any) -> str | None:
    """A value as the text of a field: a string, a number, or the name in an object."""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("title") or value.get("value")
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def find_stored_record(change: Change, part: RecordPart, field: str | None = None) -> Document | None:
    """The stored record with the same id or identifier; `field` is the identifier field of an expert."""
    stored = change.document_named("record", part.id)
    value = identity_of(part.type, part.properties, field) if stored is None else None
    key = find_by_identity(change, part.type, value) if value is not None else None
    return change.document_named("record", key) if key is not None else stored


def join_thread(change: Change, part: RecordPart) -> RecordPart:
    """A mail in the thread of the mail that it answers; without a list of references it names only that mail."""
    answered, own = part.properties.get("thread_id"), part.properties.get("message_id")
    if part.type != "email" or not isinstance(answered, str) or own is None or answered == own:
        return part
    key = find_by_identity(change, part.type, answered)
    before = change.document_named("record", key) if key is not None else None
    thread = before.properties.get("thread_id") if before is not None else None
    if thread is None or thread == answered:
        return part
    return part._replace(properties={**part.properties, "thread_id": thread})


def index_identity(change: Change, document: Document, field: str | None = None, *, is_new: bool = False) -> None:
    """Index a record by its identifier within its type, unless that is another's."""
    if REUSED_ID in document.properties:
        return
    value = identity_of(document.type, document.properties, field)
    if value is None or (not is_new and find_by_identity(change, document.type, value) == document.key):
        return
    put_identity(change, document.type, value, document.key)


def put_identity(change: Change, type_: str, value: str, key: str) -> None:
    """Index a key by an identifier within a type."""
    value = _index_value(value)
    if change.recent.batch is not None:
        change.recent.batch.identities[type_, value] = key
    queries.put_record_identity(change, type_, value, key)


def find_by_identity(change: Change, type_: str, value: str) -> str | None:
    """The key of an identifier within a type."""
    value = _index_value(value)
    batch = change.recent.batch
    if batch is not None and (type_, value) in batch.identities:
        return batch.identities[type_, value]
    return queries.record_identity(change, type_, value)


def _index_value(value: str) -> str:
    """The value as an index can hold it: a very long one by its hash."""
    return value if len(value) <= KEY_LIMIT else content_hash(value)
