"""loom-standard: conversations that another tool brought into one form already."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from recollect.ingest.chats.conversation import BadConversation, Conversation, Message, Role, clean, text_or_none
from recollect.ingest.chats.times import epoch_seconds, iso
from recollect.when.instant import Instant

NAME = "loom-standard"
VERSION = 1
ROLES: Mapping[str, Role] = {"user": "user", "human": "user", "assistant": "assistant"}


def is_export(value: Any) -> bool:
    return isinstance(value, dict) and value.get("format") == NAME


def conversations(value: Any) -> list[Any]:
    """The conversations of a file: several, or the one that it is."""
    several = value.get("conversations") if isinstance(value, dict) else None
    return several if isinstance(several, list) else [value]


def read(value: Any) -> Conversation:
    id_ = text_or_none(value.get("id")) if isinstance(value, dict) else None
    if id_ is None or not isinstance(value.get("messages"), list):
        raise BadConversation("it has no id or no messages", id_)
    if value.get("version", VERSION) not in (VERSION, str(VERSION)):
        raise BadConversation(f"its version is not {VERSION}", id_)
    created, updated = _time(value.get("createdAt")), _time(value.get("updatedAt"))
    if created is None or updated is None:
        raise BadConversation("its createdAt or updatedAt cannot be read", id_)
    prompts = value.get("systemPrompts")
    origin = value.get("originPlatform") or value.get("platform")
    metadata = value["metadata"] if isinstance(value.get("metadata"), dict) else {}
    return Conversation(
        NAME,
        tuple(_messages(value["messages"])),
        id_,
        text_or_none(value.get("title")),
        created,
        updated,
        tuple(text for each in prompts if (text := clean(each))) if isinstance(prompts, list) else (),
        {**metadata, **({"originPlatform": origin} if isinstance(origin, str) else {})},
    )


def _messages(given: list[Any]) -> Iterator[Message]:
    for number, each in enumerate(given, start=1):
        role = ROLES.get(str(each.get("role"))) if isinstance(each, dict) else None
        text = clean(each.get("content")) if role else ""
        if role is None or not text:
            continue
        yield Message(
            role,
            text,
            text_or_none(each.get("id")) or f"msg-{number}",
            _time(each.get("createdAt")),
            model=text_or_none(each.get("model")),
            reasoning=text_or_none(each.get("reasoning")),
        )


def _time(value: Any) -> Instant | None:
    """ISO 8601, or a number of milliseconds."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return epoch_seconds(value / 1000)
    return iso(value, UTC)
