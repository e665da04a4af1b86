"""A chat conversation as exports give it: messages, times, keys and fingerprints."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from recollect.errors import Refused
from recollect.model.certainty import is_number
from recollect.model.fact import NOTHING
from recollect.when.english.words import MONTHS
from recollect.when.instant import DAY, SECOND, Instant, read_instant
from recollect.when.time_errors import BadTime

Role = Literal["user", "assistant"]
Json = Mapping[str, Any]
MAX_TITLE_CHARS = 60
EARLIEST_TIME = 946_684_800_000_000
"""2000-01-01: a time before it is a mistake."""


class BadConversation(Refused):
    """A conversation that cannot be read; the rest of its file can."""

    code = "bad_conversation"

    def __init__(self, why: str, id_: str | None = None) -> None:
        super().__init__(why)
        self.id = id_


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn; `at` is none until its time is known or estimated."""

    role: Role
    content: str
    id: str | None = None
    at: Instant | None = None
    is_estimated: bool = False
    model: str | None = None
    reasoning: str | None = None
    attached_texts: tuple[str, ...] = ()
    """Names of attached files whose text the export holds; it is nobody's turn and is not read."""


@dataclass(frozen=True, slots=True)
class ChatConversation:
    """One conversation of an export; without an id it is identified by its beginning."""

    platform: str
    messages: tuple[ChatMessage, ...]
    id: str | None = None
    title: str | None = None
    created_at: Instant | None = None
    updated_at: Instant | None = None
    system_prompts: tuple[str, ...] = ()
    metadata: Json = field(default_factory=lambda: NOTHING)
    names: tuple[str, str] = ("", "")
    unread: int = 0
    """Entries among its messages that are none."""

    @property
    def display_title(self) -> str | None:
        """The title as given, else the beginning of the first thing the user said."""
        if self.title:
            return self.title
        first = next((" ".join(each.content.split()) for each in self.messages if each.role == "user"), "")
        return first[:MAX_TITLE_CHARS].strip() or None

    @property
    def fingerprint(self) -> str:
        """Platform, the two names and the first message, which stay the same while a chat grows."""
        first = self.messages[0] if self.messages else ChatMessage("user", "")
        said = json.dumps([self.platform, *self.names, first.role, first.content], ensure_ascii=False)
        return hashlib.sha256(said.encode()).hexdigest()


def with_message_times(found: ChatConversation, otherwise: Instant, now: Instant) -> ChatConversation:
    """Every message with a time: its own if it can be right, else that of the one before, else the start."""
    created, updated = (_plausible_time(at, now) for at in (found.created_at, found.updated_at))
    last = created if created is not None else otherwise
    messages = []
    for message in found.messages:
        own = _plausible_time(message.at, now)
        last = last if own is None else own
        messages.append(replace(message, at=last, is_estimated=own is None))
    return replace(found, messages=tuple(messages), created_at=created, updated_at=updated)


def _plausible_time(at: Instant | None, now: Instant) -> Instant | None:
    """A time that is neither before 2000 nor more than a day ahead."""
    return at if at is not None and EARLIEST_TIME <= at <= now + DAY else None


def message_keys(messages: Sequence[ChatMessage]) -> list[str]:
    """The key of each message: its id where that is unique, else a hash of its content."""
    given = Counter(message.id for message in messages if message.id)
    seen: Counter[tuple[str, str]] = Counter()
    keys = []
    for message in messages:
        said = (message.role, message.content)
        keys.append(message.id if message.id and given[message.id] == 1 else _content_key(*said, seen[said]))
        seen[said] += 1
    return keys


def _content_key(role: str, text: str, before: int) -> str:
    return hashlib.sha256(json.dumps([role, text, before], ensure_ascii=False).encode()).hexdigest()


def messages_digest(keys: Iterable[str], texts: Iterable[str]) -> str:
    """Equal for two lists of messages if and only if keys and contents are equal."""
    whole = hashlib.sha256()
    for key, text in zip(keys, texts, strict=True):
        whole.update(json.dumps([key, text], ensure_ascii=False).encode())
    return whole.hexdigest()


def clean_text(text: object) -> str:
    """A text that can be stored: line breaks as LF, no invalid characters."""
    if not isinstance(text, str):
        return ""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip()


def text_or_none(value: object) -> str | None:
    return clean_text(value) or None


def image_placeholder() -> str:
    return "[image was here]"


def file_placeholder(name: object) -> str:
    return f"[file: {' '.join(clean_text(name).split()) or 'unnamed'}]"


_AT_FORM = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?(\d{1,3})ms)?", re.ASCII)
_WORDED_FORM = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}), (\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))? ?([ap]m)", re.ASCII | re.IGNORECASE
)
MAX_EPOCH_SECONDS = 10**12


def parse_epoch_seconds(value: object) -> Instant | None:
    """A number of seconds since 1970, whole or not."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not -MAX_EPOCH_SECONDS < value < MAX_EPOCH_SECONDS
    ):
        return None
    return Instant(round(value * SECOND))


def parse_epoch_milliseconds(value: float) -> Instant | None:
    """The same in milliseconds; an integer of hundreds of digits cannot be divided."""
    return parse_epoch_seconds(value / 1000) if abs(value) < MAX_EPOCH_SECONDS * 1000 else None


def parse_epoch_or_iso(value: object) -> Instant | None:
    """Seconds since 1970, or the same as digits in a text; some tools write ISO 8601 in their place."""
    if not isinstance(value, str):
        return parse_epoch_seconds(value)
    try:
        return parse_epoch_seconds(float(value))
    except ValueError:
        return parse_iso(value, UTC)


def parse_iso(value: object, zone: tzinfo) -> Instant | None:
    """An instant written as ISO 8601; without an offset it is in the zone."""
    if not isinstance(value, str):
        return None
    try:
        return read_instant(value.strip(), zone)
    except BadTime:
        return None


def parse_sillytavern_time(value: object, zone: tzinfo) -> Instant | None:
    """When a message was sent, in any of the forms that SillyTavern has used."""
    if isinstance(value, str) and value.strip().isdecimal() and value.isascii():
        value = int(value)
    if is_number(value):
        return parse_epoch_milliseconds(value)
    if not isinstance(value, str):
        return None
    return _parse_at_form(value, zone) or _parse_worded(value, zone) or parse_iso(value, zone)


def _parse_at_form(text: str, zone: tzinfo) -> Instant | None:
    found = _AT_FORM.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, milli = (int(part or 0) for part in found.groups())
    return _local_instant(zone, year, month, day, hour, minute, second, milli * 1000)


def _parse_worded(text: str, zone: tzinfo) -> Instant | None:
    found = _WORDED_FORM.fullmatch(text.strip())
    month = MONTHS.get(found[1][:3].lower()) if found is not None else None
    if found is None or month is None or not 1 <= int(found[4]) <= 12:
        return None
    hour = int(found[4]) % 12 + (12 if found[7].lower() == "pm" else 0)
    return _local_instant(zone, int(found[3]), month, int(found[2]), hour, int(found[5]), int(found[6] or 0), 0)


def _local_instant(
    zone: tzinfo, year: int, month: int, day: int, hour: int, minute: int, second: int, micro: int
) -> Instant | None:
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
    return Instant(int(moment.timestamp()) * SECOND + micro)
