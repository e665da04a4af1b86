"""Messages between people, whatever service they come from, as records of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from recollect.ingest.api_object import make_record, party_field, record_line
from recollect.ingest.chats.conversation import clean_text
from recollect.ingest.line import IngestItem
from recollect.ingest.parties import Party
from recollect.ingest.record_types import CHAT_MESSAGE
from recollect.model.document import SUMMARY
from recollect.model.trust import SELF_NAMED


@dataclass(frozen=True, slots=True)
class PersonMessage:
    """One message; `id` identifies it within its service, `thread` is the message that began its thread."""

    service: str
    id: str
    author: Party | None
    at: str | None
    text: str
    channel: str | None = None
    recipients: Sequence[Party] = ()
    thread: str | None = None
    edited_at: str | None = None
    is_bot: bool = False
    files: Sequence[str] = ()
    is_self_named: bool = False
    """Whether the author chose the name that is shown, and nobody who reads the chat did."""


def message_line(message: PersonMessage) -> IngestItem | None:
    """The record of a message; none if it has neither text nor a file."""
    text = clean_text(message.text)
    if not text and not message.files:
        return None
    author = message.author
    if author is not None and message.is_bot:
        author = Party(f"{author.name}[bot]", author.address)
    fields = {
        "service": message.service,
        "channel": message.channel,
        "recipients": [party_field(each) for each in message.recipients],
        "thread_id": message.thread,
        "updated_at": message.edited_at,
        "files": list(message.files),
        SELF_NAMED: message.is_self_named or None,
        # A file is found by its name, and says nothing.
        SUMMARY: None if text else ", ".join(message.files),
    }
    title = f"{message.channel} ({message.service})" if message.channel else message.service
    return record_line(
        make_record(f"{message.service}:{message.id}", CHAT_MESSAGE, title, author, message.at, text or None, fields)
    )


def quoted(text: str) -> str:
    """Words that somebody else wrote, marked as a quotation."""
    return "\n".join(f"> {line}" for line in text.split("\n"))


def utc_text(seconds: float | None) -> str | None:
    """Seconds since 1970 as a time; none if they cannot be one."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def local_text(text: str | None, zone: tzinfo) -> str | None:
    """A time as ISO 8601, in the zone if it has no offset; none if it is not a time."""
    try:
        found = datetime.fromisoformat((text or "").strip())
    except ValueError:
        return None
    return (found if found.tzinfo is not None else found.replace(tzinfo=zone)).isoformat()
