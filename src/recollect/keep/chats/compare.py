"""What an export adds to a conversation that is stored: everything, something, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from recollect.ingest.chats.conversation import Conversation, message_keys
from recollect.keep.chats.stored import Keyed
from recollect.when.instant import Instant

Outcome = Literal["new", "grown", "changed", "unchanged", "older"]


@dataclass(frozen=True, slots=True)
class Compared:
    """The outcome, the messages as they are to be, and the keys of those that are new, and changed or gone."""

    outcome: Outcome
    messages: tuple[Keyed, ...] = ()
    fresh: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()


def keyed(found: Conversation) -> list[Keyed]:
    return [Keyed(*each) for each in zip(message_keys(found.messages), found.messages, strict=True)]


def first_time(incoming: Sequence[Keyed]) -> Compared:
    return Compared("new", tuple(incoming), frozenset(each.key for each in incoming))


def compare(
    stored: Sequence[Keyed], incoming: Sequence[Keyed], *, stored_at: Instant | None, incoming_at: Instant | None
) -> Compared:
    """How an export stands to what is stored; a conversation never shrinks by an old one."""
    old, new = _said(stored), _said(incoming)
    if old == new:
        return Compared("unchanged")
    if new == old[: len(new)]:
        return Compared("older")
    is_grown = old == new[: len(old)]
    if not is_grown and stored_at is not None and incoming_at is not None and incoming_at < stored_at:
        return Compared("older")
    texts, before = dict(new), dict(old)
    fresh = frozenset(key for key, text in new if before.get(key) != text)
    gone = frozenset(key for key, text in old if texts.get(key) != text)
    return Compared("grown" if is_grown else "changed", _timed(stored, incoming), fresh, gone)


def _said(messages: Sequence[Keyed]) -> list[tuple[str, str]]:
    return [(each.key, each.message.content) for each in messages]


def _timed(stored: Sequence[Keyed], incoming: Sequence[Keyed]) -> tuple[Keyed, ...]:
    """The incoming messages; a time that was once estimated for one of them stays."""
    known = {each.key: each.message for each in stored}
    return tuple(
        Keyed(key, replace(message, at=known[key].at))
        if key in known and message.is_estimated and known[key].is_estimated
        else Keyed(key, message)
        for key, message in incoming
    )


def begins_alike(one: Sequence[Keyed], other: Sequence[Keyed]) -> bool:
    """Whether one list of keys is a beginning of the other."""
    shared = min(len(one), len(other))
    return [each.key for each in one[:shared]] == [each.key for each in other[:shared]]
