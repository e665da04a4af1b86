"""A conversation as it is stored: one document, its messages beside it, their texts inside its text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

from recollect.ingest.chats.conversation import Conversation, Message, Role, digest_of
from recollect.ingest.documents import DocumentDraft, keep_document
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.tables import MESSAGE, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

KIND: Final = "conversation"
SPEAKER: Mapping[Role, str] = {"user": "User", "assistant": "Assistant"}
BETWEEN = "\n\n"


class Keyed(NamedTuple):
    """A message and what it is known by."""

    key: str
    message: Message


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored conversation; its messages are read when they are needed."""

    document: Document

    @property
    def digest(self) -> str:
        return str(self.document.properties.get("digest", ""))

    @property
    def file(self) -> str | None:
        return self.document.properties.get("file")

    @property
    def updated_at(self) -> Instant | None:
        found = self.document.properties.get("updatedAt")
        return None if found is None else Instant(found)


def find_stored(view: View, key: str) -> Stored | None:
    """The conversation of this id, unless it was taken out."""
    document = view.document_named(KIND, key)
    return None if document is None or document.deleted else Stored(document)


def with_fingerprint(view: View, fingerprint: str) -> Iterator[Stored]:
    """The conversations that begin alike: the first is known by its fingerprint, the others are counted on."""
    number = 1
    while (found := find_stored(view, place_of(fingerprint, number))) is not None:
        yield found
        number += 1


def place_of(fingerprint: str, number: int) -> str:
    return fingerprint if number == 1 else f"{fingerprint}-{number}"


def messages_of(view: View, stored: Stored) -> list[Keyed]:
    """The messages of a conversation in its order."""
    text = view.text_of(stored.document) or ""
    return [_keyed(row, text) for row in view.rows("messages_of", document=stored.document.id)]


def _keyed(row: Row, text: str) -> Keyed:
    _, key, role, at, estimated, start, stop, more = row
    rest = json.loads(more)
    return Keyed(
        key,
        Message(
            cast(Role, role),
            text[start:stop],
            rest.get("id"),
            Instant(at),
            estimated == 1,
            rest.get("model"),
            rest.get("reasoning"),
        ),
    )


def store_conversation(change: Change, key: str, found: Conversation, messages: Sequence[Keyed], file: str) -> Document:
    """A new version of a conversation, or its first; messages that stay as they are keep their version."""
    text, spans = written(messages)
    times = [each.message.at for each in messages if each.message.at is not None]
    updated = found.updated_at if found.updated_at is not None else max(times, default=None)
    created = found.created_at if found.created_at is not None else min(times, default=None)
    properties: dict[str, Any] = {
        "createdAt": created,
        "updatedAt": updated,
        "systemPrompts": list(found.system_prompts),
        "metadata": dict(found.metadata),
        "file": file,
        "digest": digest_of((each.key for each in messages), (each.message.content for each in messages)),
        "messages": len(messages),
    }
    source_at = Instant(max(times, default=created or change.now))
    draft = DocumentDraft(KIND, found.platform, key, found.shown_title, None, None, source_at, text, properties)
    held = change.document_named(KIND, key)
    document = keep_document(change, draft, held)
    _put_messages(change, document, messages, spans, is_new=held is None)
    return document


def written(messages: Sequence[Keyed]) -> tuple[str, list[tuple[int, int]]]:
    """The conversation as a text, and where in it each message stands."""
    parts, spans, at = [], [], 0
    for _, message in messages:
        head = f"{SPEAKER[message.role]}: "
        begin = at + len(head)
        spans.append((begin, begin + len(message.content)))
        parts.append(head + message.content)
        at = spans[-1][1] + len(BETWEEN)
    return BETWEEN.join(parts), spans


def _put_messages(
    change: Change, document: Document, messages: Sequence[Keyed], spans: Sequence[tuple[int, int]], *, is_new: bool
) -> None:
    before: dict[int, tuple[Any, ...]] = {}
    if not is_new:
        before = {row[0]: tuple(row[1:]) for row in change.rows("messages_of", document=document.id)}
    rows = []
    for seq, (each, span) in enumerate(zip(messages, spans, strict=True)):
        row = _row(each, span)
        if before.get(seq) == row:
            continue
        if seq in before:
            change.connection.end(MESSAGE, change.ws, (document.id, seq), change.tx)
        rows.append((change.ws, document.id, seq, change.tx, OPEN, *row))
    for seq in range(len(messages), len(before)):
        change.connection.end(MESSAGE, change.ws, (document.id, seq), change.tx)
    if rows:
        change.connection.insert(MESSAGE, rows)


def _row(each: Keyed, span: tuple[int, int]) -> tuple[Any, ...]:
    message = each.message
    more = {"id": message.id, "model": message.model, "reasoning": message.reasoning}
    said = json.dumps({key: value for key, value in more.items() if value is not None}, ensure_ascii=False)
    return each.key, message.role, message.at, int(message.is_estimated), *span, said
