"""Stored conversations with their messages, and the difference between one and a newer export."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, cast

from recollect.ingest.chats.conversation import ChatConversation, ChatMessage, Role, message_keys, messages_digest
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.model.document import CONVERSATION, Document
from recollect.model.trust import suspicions_in, without_marks
from recollect.store import document_queries
from recollect.store.change import Change
from recollect.store.document_queries import MessageRow
from recollect.store.view import View
from recollect.text.prompt_injection import find_suspicions
from recollect.when.instant import Instant

SPEAKER: Mapping[Role, str] = {"user": "User", "assistant": "Assistant"}
SEPARATOR = "\n\n"


class KeyedMessage(NamedTuple):
    """A message and its key."""

    key: str
    message: ChatMessage


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A stored conversation; its messages are loaded on demand."""

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


def find_conversation(view: View, key: str) -> StoredConversation | None:
    """The conversation of this id, unless it is deleted."""
    document = view.document_named(CONVERSATION, key)
    return None if document is None or document.deleted else StoredConversation(document)


def conversations_with_fingerprint(view: View, fingerprint: str) -> Iterator[StoredConversation]:
    """The conversations with the same first messages; the keys of all but the first are numbered."""
    number = 1
    while (found := find_conversation(view, conversation_key(fingerprint, number))) is not None:
        yield found
        number += 1


def conversation_key(fingerprint: str, number: int) -> str:
    return fingerprint if number == 1 else f"{fingerprint}-{number}"


def messages_of(view: View, stored: StoredConversation) -> list[KeyedMessage]:
    """The messages of a conversation in order."""
    text = view.text_of(stored.document) or ""
    return [_read_message(row, text) for row in document_queries.messages_of(view, stored.document.id)]


def _read_message(row: MessageRow, text: str) -> KeyedMessage:
    more = json.loads(row.more)
    message = ChatMessage(
        cast(Role, row.role),
        text[row.start : row.stop],
        more.get("id"),
        row.at,
        row.estimated == 1,
        more.get("model"),
        more.get("reasoning"),
    )
    return KeyedMessage(row.key, message)


def store_conversation(
    change: Change, key: str, found: ChatConversation, messages: Sequence[KeyedMessage], file: str
) -> Document:
    """A new version of a conversation, or its first; unchanged messages keep their version."""
    text, spans = render_transcript(messages)
    times = [each.message.at for each in messages if each.message.at is not None]
    updated = found.updated_at if found.updated_at is not None else max(times, default=None)
    created = found.created_at if found.created_at is not None else min(times, default=None)
    properties: dict[str, Any] = {
        "createdAt": created,
        "updatedAt": updated,
        "systemPrompts": list(found.system_prompts),
        "metadata": dict(found.metadata),
        "file": file,
        "digest": messages_digest((each.key for each in messages), (each.message.content for each in messages)),
        "messages": len(messages),
    }
    source_at = Instant(max(times, default=created or change.now))
    draft = DocumentDraft(
        CONVERSATION,
        found.platform,
        key,
        found.display_title,
        None,
        None,
        source_at,
        text,
        properties,
        said=spoken_text(messages),
    )
    old = change.document_named(CONVERSATION, key)
    document = store_document(change, draft, old)
    _put_messages(change, document, messages, spans, is_new=old is None)
    return document


def has_false_mark(view: View, stored: StoredConversation) -> bool:
    """Whether a conversation was marked for speakers that we named ourselves, as releases before 0.2 did."""
    return "markup" in suspicions_in(stored.document.properties) and "markup" not in find_suspicions(
        spoken_text(messages_of(view, stored))
    )


def renew_marks(change: Change, stored: StoredConversation) -> None:
    """Mark a stored conversation by what was said in it."""
    old = stored.document
    draft = DocumentDraft(
        CONVERSATION, old.type, old.key, old.title, old.author, old.url, old.source_at, change.text_of(old),
        without_marks(old.properties), said=spoken_text(messages_of(change, stored)),
    )  # fmt: skip
    store_document(change, draft, old)


def render_transcript(messages: Sequence[KeyedMessage]) -> tuple[str, list[tuple[int, int]]]:
    """The transcript of a conversation, and the span of each message in it."""
    parts, spans, at = [], [], 0
    for _, message in messages:
        head = f"{SPEAKER[message.role]}: "
        begin = at + len(head)
        spans.append((begin, begin + len(message.content)))
        parts.append(head + message.content)
        at = spans[-1][1] + len(SEPARATOR)
    return SEPARATOR.join(parts), spans


def spoken_text(messages: Sequence[KeyedMessage]) -> str:
    """What was said, without the speakers that we name."""
    return SEPARATOR.join(each.message.content for each in messages)


def _put_messages(
    change: Change,
    document: Document,
    messages: Sequence[KeyedMessage],
    spans: Sequence[tuple[int, int]],
    *,
    is_new: bool,
) -> None:
    before = {} if is_new else {row.seq: row for row in document_queries.messages_of(change, document.id)}
    placed = enumerate(zip(messages, spans, strict=True))
    rows = [_message_row(seq, each, span) for seq, (each, span) in placed]
    changed = [row for row in rows if before.get(row.seq) != row]
    ended = [row.seq for row in changed if row.seq in before]
    document_queries.write_messages(change, document.id, changed, [*ended, *range(len(messages), len(before))])


def _message_row(seq: int, each: KeyedMessage, span: tuple[int, int]) -> MessageRow:
    message = each.message
    more = {"id": message.id, "model": message.model, "reasoning": message.reasoning}
    given = json.dumps({key: value for key, value in more.items() if value is not None}, ensure_ascii=False)
    return MessageRow(seq, each.key, message.role, message.at, int(message.is_estimated), *span, given)


ImportOutcome = Literal["new", "grown", "changed", "unchanged", "older"]


@dataclass(frozen=True, slots=True)
class ConversationDiff:
    """The outcome, the messages to store, the keys of new ones, and the keys of changed or removed ones."""

    outcome: ImportOutcome
    messages: tuple[KeyedMessage, ...] = ()
    new_keys: frozenset[str] = frozenset()
    removed_keys: frozenset[str] = frozenset()


def key_messages(found: ChatConversation) -> list[KeyedMessage]:
    return [KeyedMessage(*each) for each in zip(message_keys(found.messages), found.messages, strict=True)]


def new_conversation(incoming: Sequence[KeyedMessage]) -> ConversationDiff:
    return ConversationDiff("new", tuple(incoming), frozenset(each.key for each in incoming))


def diff_conversation(
    stored: Sequence[KeyedMessage],
    incoming: Sequence[KeyedMessage],
    *,
    stored_at: Instant | None,
    incoming_at: Instant | None,
) -> ConversationDiff:
    """How an export differs from the stored conversation; an older export never removes messages."""
    old, new = _contents(stored), _contents(incoming)
    if old == new:
        return ConversationDiff("unchanged")
    if new == old[: len(new)]:
        return ConversationDiff("older")
    is_grown = old == new[: len(old)]
    if not is_grown and stored_at is not None and incoming_at is not None and incoming_at < stored_at:
        return ConversationDiff("older")
    texts, before = dict(new), dict(old)
    fresh = frozenset(key for key, text in new if before.get(key) != text)
    gone = frozenset(key for key, text in old if texts.get(key) != text)
    return ConversationDiff("grown" if is_grown else "changed", _keep_estimated_times(stored, incoming), fresh, gone)


def _contents(messages: Sequence[KeyedMessage]) -> list[tuple[str, str]]:
    return [(each.key, each.message.content) for each in messages]


def _keep_estimated_times(stored: Sequence[KeyedMessage], incoming: Sequence[KeyedMessage]) -> tuple[KeyedMessage, ...]:
    """The incoming messages with the times that were estimated for them before."""
    known = {each.key: each.message for each in stored}
    return tuple(
        KeyedMessage(key, replace(message, at=known[key].at))
        if key in known and message.is_estimated and known[key].is_estimated
        else KeyedMessage(key, message)
        for key, message in incoming
    )


def have_common_prefix(one: Sequence[KeyedMessage], other: Sequence[KeyedMessage]) -> bool:
    """Whether one list of keys is a prefix of the other."""
    shared = min(len(one), len(other))
    return [each.key for each in one[:shared]] == [each.key for each in other[:shared]]
