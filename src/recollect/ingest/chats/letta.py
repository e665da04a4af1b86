"""Letta: the messages of one agent, its reasoning apart from what it says."""

from datetime import UTC
from typing import Any

from recollect.ingest.chats.conversation import BadConversation, Conversation, Message, Role, clean, text_or_none
from recollect.ingest.chats.times import iso

NAME = "letta"
ROLES: dict[str, Role] = {"user_message": "user", "assistant_message": "assistant"}


def is_export(value: Any) -> bool:
    if not isinstance(value, dict) or "agent_id" not in value or not isinstance(value.get("messages"), list):
        return False
    return not value["messages"] or any(isinstance(each, dict) and "message_type" in each for each in value["messages"])


def read(value: Any) -> Conversation:
    """The one conversation that an agent has."""
    if not is_export(value):
        raise BadConversation("it is no agent with messages")
    id_ = text_or_none(value["agent_id"])
    if id_ is None:
        raise BadConversation("its agent_id is empty")
    given = [each for each in value["messages"] if isinstance(each, dict)]
    thoughts = _thoughts(given)
    prompt = next((_text(each) for each in given if each.get("message_type") == "system_message"), "")
    return Conversation(
        NAME,
        tuple(message for each in given if (message := _message(each, thoughts))),
        id_,
        text_or_none(value.get("instance")),
        iso(value.get("created_at"), UTC),
        iso(value.get("updated_at"), UTC),
        (prompt,) if prompt else (),
    )


def _message(given: dict[str, Any], thoughts: dict[str, str]) -> Message | None:
    role, text = ROLES.get(str(given.get("message_type"))), _text(given)
    if role is None or not text:
        return None
    id_ = text_or_none(given.get("id"))
    return Message(
        role,
        text,
        text_or_none(given.get("otid")) or id_,
        iso(given.get("date") or given.get("created_at"), UTC),
        model=text_or_none(given.get("model")) if role == "assistant" else None,
        reasoning=thoughts.get(id_ or "") if role == "assistant" else None,
    )


def _thoughts(given: list[dict[str, Any]]) -> dict[str, str]:
    """By message id, what the agent thought before it spoke."""
    found: dict[str, str] = {}
    for each in given:
        thought = clean(each.get("reasoning")) or _text(each)
        if each.get("message_type") == "reasoning_message" and isinstance(each.get("id"), str) and thought:
            found[each["id"]] = "\n\n".join(part for part in (found.get(each["id"]), thought) if part)
    return found


def _text(given: dict[str, Any]) -> str:
    content = given.get("content")
    if isinstance(content, list):
        parts = (clean(part.get("text")) for part in content if isinstance(part, dict) and part.get("type") == "text")
        return "\n".join(part for part in parts if part)
    return clean(content)
