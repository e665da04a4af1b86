"""Claude: a list of messages, of which one branch is the conversation."""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from recollect.ingest.chats.conversation import (
    BadConversation,
    Conversation,
    Message,
    Role,
    clean,
    file_named,
    image,
    text_or_none,
)
from recollect.ingest.chats.times import iso

NAME = "claude"
ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant"}
TITLES = ("name", "title", "chat_name", "summary")


def read(value: Any) -> Conversation:
    """The conversation that an object with `chat_messages` holds, or a line with `conversation`."""
    found = _flat(value)
    id_ = text_or_none(found.get("uuid")) or text_or_none(found.get("id"))
    if not isinstance(found.get("chat_messages"), list):
        raise BadConversation("it has no list of messages", id_)
    if id_ is None:
        raise BadConversation("it has no uuid")
    messages = [each for each in found["chat_messages"] if isinstance(each, dict)]
    branch = _branch(messages, found.get("current_leaf_message_uuid"))
    return Conversation(
        NAME,
        tuple(message for each in branch if (message := _message(each))),
        id_,
        next((title for key in TITLES if (title := text_or_none(found.get(key)))), None),
        iso(found.get("created_at"), UTC),
        iso(found.get("updated_at"), UTC),
        metadata={key: found[key] for key in ("model",) if isinstance(found.get(key), str)},
    )


def _flat(value: Any) -> dict[str, Any]:
    """The conversation itself: a line wraps it, or has its messages beside what is said of it."""
    if not isinstance(value, dict):
        return {}
    inner = value.get("conversation")
    if isinstance(inner, list):
        return {**value, "chat_messages": inner}
    found = {**value, **inner} if isinstance(inner, dict) else dict(value)
    if "chat_messages" not in found and isinstance(found.get("messages"), list):
        found["chat_messages"] = found["messages"]
    return found


def _branch(messages: list[dict[str, Any]], leaf: Any) -> list[dict[str, Any]]:
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


def _message(given: dict[str, Any]) -> Message | None:
    role = ROLES.get(str(given.get("sender") or given.get("role") or ""))
    if role is None:
        return None
    parts = [each for each in _list(given.get("content")) if isinstance(each, dict)]
    said = clean(given.get("text")) or clean(given.get("content")) or "\n\n".join(_texts(parts))
    text = "\n".join(part for part in (said, *_files(given)) if part)
    if not text:
        return None
    return Message(
        role,
        text,
        text_or_none(given.get("uuid")) or text_or_none(given.get("id")),
        iso(given.get("created_at"), UTC),
        model=text_or_none(given.get("model")),
        reasoning="\n\n".join(_thoughts(given, parts)) or None,
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(parts: list[dict[str, Any]]) -> Iterator[str]:
    for part in parts:
        if part.get("type") == "text" and (text := clean(part.get("text"))):
            yield text
        elif part.get("type") == "image":
            yield image()


def _thoughts(given: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[str]:
    blocks = (*_list(given.get("thinking_blocks")), *(each for each in parts if each.get("type") == "thinking"))
    spoken = (given.get("thinking"), *(each.get("thinking") for each in blocks if isinstance(each, dict)))
    yield from dict.fromkeys(text for each in spoken if (text := clean(each)))


def _files(given: dict[str, Any]) -> Iterator[str]:
    """A placeholder for each thing that came with a message; one that stands in both lists counts once."""
    named = dict.fromkeys(
        clean(each.get("file_name") or each.get("name"))
        for key in ("attachments", "files")
        for each in _list(given.get(key))
        if isinstance(each, dict)
    )
    yield from (file_named(name) for name in named if name)
