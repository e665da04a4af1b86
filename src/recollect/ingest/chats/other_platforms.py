"""Exports of loom-standard, Letta, Kindroid and SillyTavern."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, tzinfo
from typing import Any

from recollect.ingest.chats.conversation import (
    BadConversation,
    ChatConversation,
    ChatMessage,
    Role,
    clean_text,
    parse_epoch_milliseconds,
    parse_iso,
    parse_sillytavern_time,
    text_or_none,
)
from recollect.model.certainty import is_number
from recollect.when.instant import Instant

LOOM = "loom-standard"
LOOM_VERSION = 1
LOOM_ROLES: Mapping[str, Role] = {"user": "user", "human": "user", "assistant": "assistant"}


def is_loom(value: Any) -> bool:
    return isinstance(value, dict) and value.get("format") == LOOM


def loom_conversations(value: Any) -> list[Any]:
    """The conversations of a file: a list, or a single one."""
    several = value.get("conversations") if isinstance(value, dict) else None
    return several if isinstance(several, list) else [value]


def read_loom(value: Any) -> ChatConversation:
    id_ = text_or_none(value.get("id")) if isinstance(value, dict) else None
    if id_ is None or not isinstance(value.get("messages"), list):
        raise BadConversation("it has no id or no messages", id_)
    if value.get("version", LOOM_VERSION) not in (LOOM_VERSION, str(LOOM_VERSION)):
        raise BadConversation(f"its version is not {LOOM_VERSION}", id_)
    created, updated = _loom_time(value.get("createdAt")), _loom_time(value.get("updatedAt"))
    if created is None or updated is None:
        raise BadConversation("its createdAt or updatedAt cannot be read", id_)
    prompts = value.get("systemPrompts")
    origin = value.get("originPlatform") or value.get("platform")
    metadata = value["metadata"] if isinstance(value.get("metadata"), dict) else {}
    return ChatConversation(
        LOOM,
        tuple(_loom_messages(value["messages"])),
        id_,
        text_or_none(value.get("title")),
        created,
        updated,
        tuple(text for each in prompts if (text := clean_text(each))) if isinstance(prompts, list) else (),
        {**metadata, **({"originPlatform": origin} if isinstance(origin, str) else {})},
        unread=sum(not isinstance(each, dict) for each in value["messages"]),
    )


def _loom_messages(given: list[Any]) -> Iterator[ChatMessage]:
    for number, each in enumerate(given, start=1):
        role = LOOM_ROLES.get(str(each.get("role"))) if isinstance(each, dict) else None
        text = clean_text(each.get("content")) if role else ""
        if role is None or not text:
            continue
        yield ChatMessage(
            role,
            text,
            text_or_none(each.get("id")) or f"msg-{number}",
            _loom_time(each.get("createdAt")),
            model=text_or_none(each.get("model")),
            reasoning=text_or_none(each.get("reasoning")),
        )


def _loom_time(value: Any) -> Instant | None:
    """ISO 8601, or a number of milliseconds."""
    if is_number(value):
        return parse_epoch_milliseconds(value)
    return parse_iso(value, UTC)


LETTA = "letta"
LETTA_ROLES: dict[str, Role] = {"user_message": "user", "assistant_message": "assistant"}


def is_letta(value: Any) -> bool:
    if not isinstance(value, dict) or "agent_id" not in value or not isinstance(value.get("messages"), list):
        return False
    return not value["messages"] or any(isinstance(each, dict) and "message_type" in each for each in value["messages"])


def read_letta(value: Any) -> ChatConversation:
    """The one conversation that an agent has."""
    if not is_letta(value):
        raise BadConversation("not an agent with messages")
    id_ = text_or_none(value["agent_id"])
    if id_ is None:
        raise BadConversation("its agent_id is empty")
    given = [each for each in value["messages"] if isinstance(each, dict)]
    thoughts = _letta_reasoning(given)
    prompt = next((_letta_text(each) for each in given if each.get("message_type") == "system_message"), "")
    return ChatConversation(
        LETTA,
        tuple(message for each in given if (message := _letta_message(each, thoughts))),
        id_,
        text_or_none(value.get("instance")),
        parse_iso(value.get("created_at"), UTC),
        parse_iso(value.get("updated_at"), UTC),
        (prompt,) if prompt else (),
        unread=len(value["messages"]) - len(given),
    )


def _letta_message(given: dict[str, Any], thoughts: dict[str, str]) -> ChatMessage | None:
    role, text = LETTA_ROLES.get(str(given.get("message_type"))), _letta_text(given)
    if role is None or not text:
        return None
    id_ = text_or_none(given.get("id"))
    return ChatMessage(
        role,
        text,
        text_or_none(given.get("otid")) or id_,
        parse_iso(given.get("date") or given.get("created_at"), UTC),
        model=text_or_none(given.get("model")) if role == "assistant" else None,
        reasoning=thoughts.get(id_ or "") if role == "assistant" else None,
    )


def _letta_reasoning(given: list[dict[str, Any]]) -> dict[str, str]:
    """The thoughts of the agent before each message, by message id."""
    found: dict[str, str] = {}
    for each in given:
        thought = clean_text(each.get("reasoning")) or _letta_text(each)
        if each.get("message_type") == "reasoning_message" and isinstance(each.get("id"), str) and thought:
            found[each["id"]] = "\n\n".join(part for part in (found.get(each["id"]), thought) if part)
    return found


def _letta_text(given: dict[str, Any]) -> str:
    content = given.get("content")
    if isinstance(content, list):
        parts = (
            clean_text(part.get("text")) for part in content if isinstance(part, dict) and part.get("type") == "text"
        )
        return "\n".join(part for part in parts if part)
    return clean_text(content)


KINDROID = "kindroid"


def is_kindroid(value: Any) -> bool:
    chat = value.get("chat") if isinstance(value, dict) else None
    return isinstance(chat, list) and bool(chat) and all(_is_name_and_text(each) for each in chat)


def _is_name_and_text(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)


def read_kindroid(value: Any, assistant: str | None = None) -> ChatConversation:
    """The chat; the most frequent speaker is the assistant, unless one is given."""
    if not is_kindroid(value):
        raise BadConversation("not a list of names and texts")
    pairs = [(clean_text(name), clean_text(text)) for name, text in value["chat"]]
    names = [name for name, _ in pairs]
    if assistant is not None and assistant not in names:
        raise BadConversation(f"no speaker is called {assistant!r}; check --assistant")
    chosen = assistant or _most_frequent_speaker(names)
    others = [name for name, _ in pairs if name != chosen]
    return ChatConversation(
        KINDROID,
        tuple(ChatMessage("assistant" if name == chosen else "user", text) for name, text in pairs if text),
        title=chosen,
        metadata={"assistant": chosen},
        names=(others[0] if others else "", chosen),
    )


def kindroid_speakers(value: Any) -> list[str]:
    """All speakers in order of appearance."""
    return list(dict.fromkeys(clean_text(name) for name, _ in value["chat"]))


def _most_frequent_speaker(names: list[str]) -> str:
    [(first, count), *rest] = Counter(names).most_common(2)
    if rest and rest[0][1] == count:
        raise BadConversation(
            f"{first!r} and {rest[0][0]!r} speak equally often; name the assistant with --assistant NAME"
        )
    return first


SILLYTAVERN = "sillytavern"
SILLYTAVERN_HEAD_KEYS = ("chat_metadata", "user_name", "character_name")


def is_sillytavern_head(value: Any) -> bool:
    return isinstance(value, dict) and all(key in value for key in SILLYTAVERN_HEAD_KEYS)


def read_sillytavern(head: Any, rows: Iterable[Any], title: str, zone: tzinfo) -> ChatConversation:
    """The chat of one file; a line that is not valid JSON is counted, since the file may be truncated."""
    if not is_sillytavern_head(head):
        raise BadConversation("its first line does not describe a chat")
    about = head["chat_metadata"] if isinstance(head["chat_metadata"], dict) else {}
    given = list(rows)
    messages = [_sillytavern_message(row, zone) for row in given if isinstance(row, dict)]
    user, character = clean_text(head["user_name"]), clean_text(head["character_name"])
    return ChatConversation(
        SILLYTAVERN,
        tuple(message for message in messages if message),
        text_or_none(about.get("integrity")),
        title,
        parse_sillytavern_time(head.get("create_date"), zone),
        metadata={"user_name": user, "character_name": character},
        names=(user, character),
        unread=len(given) - len(messages),
    )


def _sillytavern_message(row: dict[str, Any], zone: tzinfo) -> ChatMessage | None:
    text = clean_text(row.get("mes"))
    if row.get("is_system") or not text:
        return None
    extra = row["extra"] if isinstance(row.get("extra"), dict) else {}
    is_user = bool(row.get("is_user"))
    return ChatMessage(
        "user" if is_user else "assistant",
        text,
        at=parse_sillytavern_time(row.get("send_date"), zone),
        model=None if is_user else text_or_none(extra.get("model")),
        reasoning=text_or_none(extra.get("reasoning")) or text_or_none(extra.get("thinking")),
    )
