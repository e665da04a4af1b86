"""SillyTavern: a line about the chat, then a line for each message."""

from collections.abc import Iterable
from datetime import tzinfo
from typing import Any

from recollect.ingest.chats.conversation import BadConversation, Conversation, Message, clean, text_or_none
from recollect.ingest.chats.times import sent

NAME = "sillytavern"
HEAD = ("chat_metadata", "user_name", "character_name")


def is_head(value: Any) -> bool:
    return isinstance(value, dict) and all(key in value for key in HEAD)


def read(head: Any, rows: Iterable[Any], title: str, zone: tzinfo) -> Conversation:
    """The chat of one file; a line that is no JSON is passed over, for the file may have been cut off."""
    if not is_head(head):
        raise BadConversation("its first line does not describe a chat")
    about = head["chat_metadata"] if isinstance(head["chat_metadata"], dict) else {}
    messages = (_message(row, zone) for row in rows if isinstance(row, dict))
    user, character = clean(head["user_name"]), clean(head["character_name"])
    return Conversation(
        NAME,
        tuple(message for message in messages if message),
        text_or_none(about.get("integrity")),
        title,
        sent(head.get("create_date"), zone),
        metadata={"user_name": user, "character_name": character},
        names=(user, character),
    )


def _message(row: dict[str, Any], zone: tzinfo) -> Message | None:
    text = clean(row.get("mes"))
    if row.get("is_system") or not text:
        return None
    extra = row["extra"] if isinstance(row.get("extra"), dict) else {}
    is_user = bool(row.get("is_user"))
    return Message(
        "user" if is_user else "assistant",
        text,
        at=sent(row.get("send_date"), zone),
        model=None if is_user else text_or_none(extra.get("model")),
        reasoning=text_or_none(extra.get("reasoning")) or text_or_none(extra.get("thinking")),
    )
