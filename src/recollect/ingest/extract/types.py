"""The types of records that are read: where each keeps its people, its times and what identifies it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from recollect.ingest.extract.noise import headers_of
from recollect.model.document import Document


@dataclass(frozen=True, slots=True)
class RecordType:
    """One type: `speaker` is who says its sentences, `needed` is what it cannot be read without."""

    speaker: str
    people: tuple[str, ...]
    needed: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    identity: str | None = None


GENERIC = RecordType("author", ("author",))
TYPES: Mapping[str, RecordType] = {
    "email": RecordType("sender", ("sender", "recipients", "cc"), ("sender",), ("received_at",), "message_id"),
    "linear_issue": RecordType("creator", ("creator", "assignee"), ("linear_id",), ("linear_created_at",), "linear_id"),
    "linear_issue_change": RecordType(
        "changed_by", ("changed_by",), ("issue_record_id", "field", "changed_at"), ("changed_at",), "linear_history_id"
    ),
    "github_issue": RecordType(
        "author", ("author", "assignees", "closed_by"), ("github_id", "number"), ("created_at",), "github_id"
    ),
    "github_pr": RecordType("author", ("author", "reviewers"), ("github_id", "number"), ("created_at",), "github_id"),
    "generic": GENERIC,
}


def record_type(name: str) -> RecordType:
    """What is known of a type; one that nobody knows is read like a note."""
    return TYPES.get(name, GENERIC)


def said_by_fields(type_: str, fields: Mapping[str, Any]) -> str | None:
    """When a record was made, by the fields of its type, for one that does not say so itself."""
    for key in record_type(type_).times:
        value = text_of(fields.get(key))
        if value is not None:
            return value
    return _date_header(fields) if type_ == "email" else None


def _date_header(fields: Mapping[str, Any]) -> str | None:
    written = headers_of(fields).get("date")
    if written is None:
        return None
    parsed = _parsed_date(written)
    return written if parsed is None else parsed.isoformat()


def sender_zone(type_: str, fields: Mapping[str, Any]) -> tzinfo | None:
    """The zone in which a mail was written, by the offset of its Date header; `-0000` means that it is not known."""
    written = headers_of(fields).get("date") if type_ == "email" else None
    parsed = _parsed_date(written) if written is not None else None
    return parsed.tzinfo if parsed is not None else None


def _parsed_date(written: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return None


def identity_of(type_: str, fields: Mapping[str, Any], field: str | None = None) -> str | None:
    """What identifies a record within its type, beside its id: the field named, else that of a built-in type."""
    key = field or record_type(type_).identity
    return text_of(fields.get(key)) if key is not None else None


def field_of(document: Document, key: str) -> Any:
    """What a record has under a key; its author may stand beside its other fields."""
    found = document.properties.get(key)
    return document.author if found is None and key == "author" else found


def lacking(document: Document) -> list[str]:
    """The fields without which a record of its type cannot be read, and that it does not have."""
    fields = document.properties
    return [
        key
        for key in record_type(document.type).needed
        if text_of(fields.get(key)) is None and not _is_given(fields, key)
    ]


def _is_given(fields: Mapping[str, Any], key: str) -> bool:
    return isinstance(fields.get(key), Mapping) and bool(fields[key])


def text_of(value: Any) -> str | None:
    """A value as the text of a field: a string, a number, or the name in an object."""
    if isinstance(value, Mapping):
        value = value.get("name") or value.get("title") or value.get("value")
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None
