"""Claude: a list of messages, of which one branch is the conversation."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from recollect.ingest.chats.conversation import (
    BadConversation,
    ChatConversation,
    ChatMessage,
    Role,
    clean_text,
    file_placeholder,
    image_placeholder,
    parse_iso,
    text_or_none,
)

CLAUDE = "claude"
ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant"}
TITLE_KEYS = ("name", "title", "chat_name", "summary")


def read_claude(value: Any) -> ChatConversation:
    """The conversation that an object with `chat_messages` holds, or a line with `conversation`."""
    found = _unwrap(value)
    id_ = text_or_none(found.get("uuid")) or text_or_none(found.get("id"))
    if not isinstance(found.get("chat_messages"), list):
        raise BadConversation("it has no list of messages", id_)
    if id_ is None:
        raise BadConversation("it has no uuid")
    messages = [each for each in found["chat_messages"] if isinstance(each, dict)]
    branch = _active_branch(messages, found.get("current_leaf_message_uuid"))
    return ChatConversation(
        CLAUDE,
        tuple(message for each in branch if (message := _parse_message(each))),
        id_,
        next((title for key in TITLE_KEYS if (title := text_or_none(found.get(key)))), None),
        parse_iso(found.get("created_at"), UTC),
        parse_iso(found.get("updated_at"), UTC),
        metadata={key: found[key] for key in ("model",) if isinstance(found.get(key), str)},
        unread=len(found["chat_messages"]) - len(messages),
    )


def _unwrap(value: Any) -> dict[str, Any]:
    """The conversation itself: wrapped in a line, or with its messages next to its metadata."""
    if not isinstance(value, dict):
        return {}
    inner = value.get("conversation")
    if isinstance(inner, list):
        return {**value, "chat_messages": inner}
    found = {**value, **inner} if isinstance(inner, dict) else dict(value)
    if "chat_messages" not in found and isinstance(found.get("messages"), list):
        found["chat_messages"] = found["messages"]
    return found


def _active_branch(messages: list[dict[str, Any]], leaf: Any) -> list[dict[str, Any]]:
    """The messages in order; where they name their parents, those from the root to the chosen or latest leaf."""
    if not any(each.get("parent_message_uuid") for each in messages):
        return messages
    by_id = {each["uuid"]: each for each in messages if isinstance(each.get("uuid"), str)}
    parents = {str(each.get("parent_message_uuid")) for each in messages}
    leaves = [id_ for id_ in by_id if id_ not in parents]
    latest = max(leaves, key=lambda id_: (str(by_id[id_].get("created_at") or ""), id_), default=None)
    at = leaf if isinstance(leaf, str) and leaf in by_id else latest
    branch: dict[str, dict[str, Any]] = {}
    while isinstance(at, str) and at in by_id and at not in branch:
        branch[at] = by_id[at]
        at = by_id[at].get("parent_message_uuid")
    return list(branch.values())[::-1]


def _parse_message(given: dict[str, Any]) -> ChatMessage | None:
    role = ROLES.get(str(given.get("sender") or given.get("role") or ""))
    if role is None:
        return None
    parts = [each for each in _as_list(given.get("content")) if isinstance(each, dict)]
    said = clean_text(given.get("text")) or clean_text(given.get("content")) or "\n\n".join(_text_parts(parts))
    text = "\n".join(part for part in (said, *_file_placeholders(given)) if part)
    if not text:
        return None
    return ChatMessage(
        role,
        text,
        text_or_none(given.get("uuid")) or text_or_none(given.get("id")),
        parse_iso(given.get("created_at"), UTC),
        model=text_or_none(given.get("model")),
        reasoning="\n\n".join(_reasoning_parts(given, parts)) or None,
        attached_texts=tuple(_attached_texts(given)),
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text_parts(parts: list[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        if part.get("type") == "text" and (text := clean_text(part.get("text"))):
            yield text
        elif part.get("type") == "image":
            yield image_placeholder()


def _reasoning_parts(given: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[str]:
    blocks = (*_as_list(given.get("thinking_blocks")), *(each for each in parts if each.get("type") == "thinking"))
    spoken = (given.get("thinking"), *(each.get("thinking") for each in blocks if isinstance(each, dict)))
    yield from dict.fromkeys(text for each in spoken if (text := clean_text(each)))


def _attached_texts(given: dict[str, Any]) -> Iterator[str]:
    for each in _as_list(given.get("attachments")):
        if isinstance(each, dict) and clean_text(each.get("extracted_content")):
            yield clean_text(each.get("file_name") or each.get("name")) or "an unnamed file"


def _file_placeholders(given: dict[str, Any]) -> Iterator[str]:
    """A placeholder for each attachment; one that is in both lists counts once."""
    named = dict.fromkeys(
        clean_text(each.get("file_name") or each.get("name"))
        for key in ("attachments", "files")
        for each in _as_list(given.get(key))
        if isinstance(each, dict)
    )
    yield from (file_placeholder(name) for name in named if name)
