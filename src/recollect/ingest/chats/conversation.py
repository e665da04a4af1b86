"""A conversation as any export gives it, and what tells its messages apart."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from recollect.errors import Refused
from recollect.model.fact import NOTHING
from recollect.when.instant import DAY, Instant

Role = Literal["user", "assistant"]
Json = Mapping[str, Any]
TITLE_LENGTH = 60
EARLIEST = 946_684_800_000_000
"""2000-01-01: a time before it is a mistake."""


class BadConversation(Refused):
    """A conversation that cannot be read; the rest of its file can."""

    code = "bad_conversation"

    def __init__(self, why: str, id_: str | None = None) -> None:
        super().__init__(why)
        self.id = id_


@dataclass(frozen=True, slots=True)
class Message:
    """One turn; `at` is none until its time is known or estimated."""

    role: Role
    content: str
    id: str | None = None
    at: Instant | None = None
    is_estimated: bool = False
    model: str | None = None
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one export says of one conversation; without an id it is known by its beginning."""

    platform: str
    messages: tuple[Message, ...]
    id: str | None = None
    title: str | None = None
    created_at: Instant | None = None
    updated_at: Instant | None = None
    system_prompts: tuple[str, ...] = ()
    metadata: Json = field(default_factory=lambda: NOTHING)
    names: tuple[str, str] = ("", "")

    @property
    def shown_title(self) -> str | None:
        """The title as given, else the beginning of the first thing the user said."""
        if self.title:
            return self.title
        first = next((" ".join(each.content.split()) for each in self.messages if each.role == "user"), "")
        return first[:TITLE_LENGTH].strip() or None

    @property
    def fingerprint(self) -> str:
        """Platform, the two names and the first message: what stays the same while a chat grows."""
        first = self.messages[0] if self.messages else Message("user", "")
        said = json.dumps([self.platform, *self.names, first.role, first.content], ensure_ascii=False)
        return hashlib.sha256(said.encode()).hexdigest()


def timed(found: Conversation, otherwise: Instant, now: Instant) -> Conversation:
    """Every message with a time: its own if it can be right, else that of the one before, else the start."""
    created, updated = (_usable(at, now) for at in (found.created_at, found.updated_at))
    last = created if created is not None else otherwise
    messages = []
    for message in found.messages:
        own = _usable(message.at, now)
        last = last if own is None else own
        messages.append(replace(message, at=last, is_estimated=own is None))
    return replace(found, messages=tuple(messages), created_at=created, updated_at=updated)


def _usable(at: Instant | None, now: Instant) -> Instant | None:
    """A time that is neither before 2000 nor more than a day ahead."""
    return at if at is not None and EARLIEST <= at <= now + DAY else None


def message_keys(messages: Sequence[Message]) -> list[str]:
    """What each message is known by: its id where that is its own, else a hash of what it says."""
    given = Counter(message.id for message in messages if message.id)
    seen: Counter[tuple[str, str]] = Counter()
    keys = []
    for message in messages:
        said = (message.role, message.content)
        keys.append(message.id if message.id and given[message.id] == 1 else _said_key(*said, seen[said]))
        seen[said] += 1
    return keys


def _said_key(role: str, text: str, before: int) -> str:
    return hashlib.sha256(json.dumps([role, text, before], ensure_ascii=False).encode()).hexdigest()


def digest_of(keys: Iterable[str], texts: Iterable[str]) -> str:
    """The same for two lists of messages exactly if they say the same under the same keys."""
    whole = hashlib.sha256()
    for key, text in zip(keys, texts, strict=True):
        whole.update(json.dumps([key, text], ensure_ascii=False).encode())
    return whole.hexdigest()


def clean(text: object) -> str:
    """A text that can be stored: line breaks as LF, nothing that is no character."""
    if not isinstance(text, str):
        return ""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip()


def text_or_none(value: object) -> str | None:
    return clean(value) or None


def image() -> str:
    return "[image was here]"


def file_named(name: object) -> str:
    return f"[file: {' '.join(clean(name).split()) or 'unnamed'}]"
