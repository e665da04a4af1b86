"""Kindroid: pairs of a name and a text, without times."""

from collections import Counter
from typing import Any

from recollect.ingest.chats.conversation import BadConversation, Conversation, Message, clean

NAME = "kindroid"


def is_export(value: Any) -> bool:
    chat = value.get("chat") if isinstance(value, dict) else None
    return isinstance(chat, list) and bool(chat) and all(_is_pair(each) for each in chat)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(part, str) for part in value)


def read(value: Any, assistant: str | None = None) -> Conversation:
    """The chat; whoever speaks most is the assistant, unless that is said or was before."""
    if not is_export(value):
        raise BadConversation("it is no list of names and texts")
    pairs = [(clean(name), clean(text)) for name, text in value["chat"]]
    names = [name for name, _ in pairs]
    if assistant is not None and assistant not in names:
        raise BadConversation(f"nobody in it is called {assistant!r}")
    chosen = assistant or _speaks_most(names)
    others = [name for name, _ in pairs if name != chosen]
    return Conversation(
        NAME,
        tuple(Message("assistant" if name == chosen else "user", text) for name, text in pairs if text),
        title=chosen,
        metadata={"assistant": chosen},
        names=(others[0] if others else "", chosen),
    )


def speakers(value: Any) -> list[str]:
    """Everybody who speaks, first seen first."""
    return list(dict.fromkeys(clean(name) for name, _ in value["chat"]))


def _speaks_most(names: list[str]) -> str:
    [(first, count), *rest] = Counter(names).most_common(2)
    if rest and rest[0][1] == count:
        raise BadConversation(f"{first!r} and {rest[0][0]!r} speak equally often; say who is who with --assistant NAME")
    return first
