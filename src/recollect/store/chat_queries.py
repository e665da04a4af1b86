"""Queries of conversations: their messages, and the bullets that they added to memories."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.tables import CHAT_BULLET, MESSAGE, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant


class MessageRow(NamedTuple):
    """A message by its position; `start` and `stop` are its span in the transcript, `more` is JSON."""

    seq: int
    key: str
    role: str
    at: Instant | None
    estimated: int
    start: int
    stop: int
    more: str


class BulletPlace(NamedTuple):
    """The memory that holds a bullet, and the hash of the bullet's line."""

    memory: str
    hash: str


def messages_of(view: View, document: DocumentId) -> list[MessageRow]:
    return view.fetch(MessageRow, "messages_of", document=document)


def has_answer_within(view: View, document: DocumentId, since: int, until: int) -> bool:
    """Whether an assistant said some of what stands between two places of a transcript."""
    return bool(view.rows("answered_within", document=document, since=since, until=until))


def write_messages(change: Change, document: DocumentId, messages: Iterable[MessageRow], ended: Iterable[int]) -> None:
    """End the messages at some positions and begin new ones."""
    for seq in ended:
        change.end_row(MESSAGE, (document, seq))
    rows = [(change.ws, document, row.seq, change.tx, OPEN, *row[1:]) for row in messages]
    if rows:
        change.connection.insert(MESSAGE, rows)


def bullets_of(view: View, document: DocumentId) -> dict[BulletPlace, tuple[str, ...]]:
    """The bullets that came from a conversation, each with the keys of its messages."""
    rows = view.rows("chat_bullets_of", document=document)
    return {BulletPlace(memory, digest): tuple(json.loads(messages)) for memory, digest, messages in rows}


def put_bullet(change: Change, document: DocumentId, place: BulletPlace, messages: Sequence[str]) -> None:
    """Record the messages that a bullet came from; without any, the record ends."""
    key = (document, *place)
    change.end_row(CHAT_BULLET, key)
    if messages:
        change.begin_row(CHAT_BULLET, key, json.dumps(list(messages)))
