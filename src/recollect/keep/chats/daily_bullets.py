"""Bullets that a conversation adds to daily memories, and their removal when messages are gone."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from recollect.keep.chats.conversations import KeyedMessage
from recollect.keep.markdown import MarkdownBlock, remove_blocks
from recollect.keep.memories.editing import NewMemory, upsert_memory
from recollect.keep.memories.memory_store import find_memory, put_memory
from recollect.keep.memories.summary_text import keep_grounded
from recollect.keep.memory_formats import CONTENT_LIMIT, MemoryPeriod, period_around
from recollect.llm.answers import DATA_RULE, TEXT, ask_with_schema, delimit_text, lists_of
from recollect.llm.port import LanguageModel, ModelRequest, ModelUnavailable
from recollect.model.document import Document, content_hash
from recollect.store.change import Change
from recollect.store.document_queries import BulletPlace, bullets_of, put_bullet
from recollect.store.view import View
from recollect.text.sentences import spans_in_block
from recollect.text.tokens import count_unspaced_letters
from recollect.when.instant import local_date

MIN_WORDS = 4
MIN_UNSPACED_LETTERS = 8
MAX_BULLET_LENGTH = 240
MAX_PROMPT_LENGTH = 60_000
_TAG = re.compile(r"\[(?=(?:chat|via):)")
_UNSAFE_IN_TAG = re.compile(r"[\],%\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
SCHEMA = lists_of(40, bullets=TEXT | {"maxLength": 400})
SYSTEM = f"""You are an AI companion who notes what it remembers of one day's conversation with the user, in the first
person. Write few bullets, each one sentence that begins with I, We, My or Our. Keep to what was said: no name, number
or date that is not in it.

{DATA_RULE}"""


@dataclass(frozen=True, slots=True)
class Bullet:
    """One line of a daily memory, and the keys of its messages."""

    line: str
    messages: tuple[str, ...]

    @property
    def hash(self) -> str:
        return content_hash(self.line)


def make_bullets(
    messages: Sequence[KeyedMessage], chat: str, instance: str, model: LanguageModel | None
) -> list[Bullet]:
    """The bullets for the new messages of one conversation on one day, equal ones merged."""
    texts = _ask_model(model, messages) if model is not None else None
    if texts is None:
        texts = [(text, (each.key,)) for each in messages if (text := first_sentence(each))]
    tail = f" [chat:{escape_chat_id(chat)}] [via:{instance}]"
    found: dict[str, tuple[str, ...]] = {}
    for text, keys in texts:
        line = f"- {text}{tail}"
        found[line] = (*found.get(line, ()), *keys)
    return [Bullet(line, keys) for line, keys in found.items()]


def first_sentence(each: KeyedMessage) -> str | None:
    """The first sentence of a user's message, unless the message is very short."""
    if each.message.role != "user":
        return None
    text = " ".join(each.message.content.split())
    is_long = len(text.split()) >= MIN_WORDS or count_unspaced_letters(text) >= MIN_UNSPACED_LETTERS
    if not is_long:
        return None
    start, stop = next(spans_in_block(text))
    # A tag in the user's text would be parsed as one of ours.
    return _TAG.sub("(", truncate_bullet(text[start:stop]))


def truncate_bullet(text: str) -> str:
    """At most so many characters, cut at a word."""
    if len(text) <= MAX_BULLET_LENGTH:
        return text
    cut = text[:MAX_BULLET_LENGTH].rpartition(" ")[0] or text[: MAX_BULLET_LENGTH - 1]
    return f"{cut.rstrip(' ,;:')[: MAX_BULLET_LENGTH - 1]}…"


def escape_chat_id(chat: str) -> str:
    """An id with the characters escaped that would end a tag."""
    return _UNSAFE_IN_TAG.sub(lambda found: quote(found[0], safe=""), chat)


def _ask_model(model: LanguageModel, messages: Sequence[KeyedMessage]) -> list[tuple[str, tuple[str, ...]]] | None:
    """The bullets of a model as far as the messages support them; none if nothing is left."""
    text = "\n\n".join(f"{each.message.role}: {each.message.content}" for each in messages)
    if len(text) > MAX_PROMPT_LENGTH:
        return None
    try:
        answer = ask_with_schema(model, ModelRequest(SYSTEM, delimit_text(text, "CONVERSATION"), SCHEMA))
    except ModelUnavailable:
        return None
    keys = tuple(each.key for each in messages)
    return [(_TAG.sub("(", line), keys) for line in keep_grounded(answer["bullets"], text)] or None


def remove_bullets(text: str, hashes: Collection[str]) -> str:
    """The text of a memory without unedited imported bullets."""
    return remove_blocks(text, lambda block: is_imported_bullet(block, hashes))


def is_imported_bullet(block: MarkdownBlock, hashes: Collection[str]) -> bool:
    return block.kind == "bullet" and content_hash(block.text) in hashes


SPARE_BYTES = 1024


@dataclass(slots=True)
class DailyMemoryChanges:
    """Which daily memories an import created or updated."""

    created: set[str] = field(default_factory=set)
    updated: set[str] = field(default_factory=set)
    bullets_left_out: int = 0
    """Bullets that exceeded the size limit of a memory."""

    def record(self, id_: str, *, is_new: bool) -> None:
        if is_new:
            self.created.add(id_)
        elif id_ not in self.created:
            self.updated.add(id_)


def group_by_day(view: View, messages: Sequence[KeyedMessage]) -> dict[MemoryPeriod, list[KeyedMessage]]:
    """Messages by local day, in their order."""
    found: dict[MemoryPeriod, list[KeyedMessage]] = {}
    for each in messages:
        if each.message.at is not None:
            day = period_around("daily", local_date(each.message.at, view.world.zone))
            found.setdefault(day, []).append(each)
    return found


def add_bullets(
    change: Change,
    document: Document,
    instance: str,
    days: Mapping[MemoryPeriod, Sequence[Bullet]],
    changes: DailyMemoryChanges,
) -> None:
    """Add the bullets of new messages to the memories of their days."""
    stored = bullets_of(change, document.id)
    for day, bullets in days.items():
        id_ = f"daily-{day.text}_{instance}"
        held = find_memory(change, id_)
        added = _bullets_that_fit(bullets, len(held.content.encode()) if held else 0)
        changes.bullets_left_out += len(bullets) - len(added)
        if not added:
            continue
        title = "" if held else f"{_daily_title(day.text)}\n"
        content = title + "".join(f"{bullet.line}\n" for bullet in added)
        memory = upsert_memory(change, NewMemory(day, content, instance, on_existing="merge")).memory
        if memory.document.tx_from == change.tx:
            changes.record(id_, is_new=held is None)
        _record_bullets(change, document, stored, {BulletPlace(id_, bullet.hash): bullet for bullet in added})


def _daily_title(day: str) -> str:
    return f"# Daily Memory - {day}\n"


def _bullets_that_fit(bullets: Sequence[Bullet], taken: int) -> list[Bullet]:
    """The first bullets that a memory of this size still has room for."""
    found, room = [], CONTENT_LIMIT - taken - SPARE_BYTES
    for bullet in bullets:
        room -= len(bullet.line.encode()) + 1
        if room < 0:
            break
        found.append(bullet)
    return found


def _record_bullets(
    change: Change,
    document: Document,
    stored: Mapping[BulletPlace, tuple[str, ...]],
    bullets: Mapping[BulletPlace, Bullet],
) -> None:
    """Record which messages each bullet came from."""
    for place, bullet in bullets.items():
        before = stored.get(place, ())
        keys = tuple(dict.fromkeys((*before, *bullet.messages)))
        if keys != before:
            put_bullet(change, document.id, place, keys)


def remove_stale_bullets(change: Change, document: Document, gone: frozenset[str], changes: DailyMemoryChanges) -> None:
    """Remove unedited bullets that came only from messages that were changed or removed."""
    stale: dict[str, set[str]] = {}
    for place, keys in bullets_of(change, document.id).items():
        left = [key for key in keys if key not in gone]
        if len(left) < len(keys):
            put_bullet(change, document.id, place, left)
        if not left:
            stale.setdefault(place.memory, set()).add(place.hash)
    for id_, hashes in stale.items():
        memory = find_memory(change, id_)
        text = remove_bullets(memory.content, hashes) if memory else ""
        if memory and text != memory.content:
            content = text if text.strip() else _daily_title(memory.draft.period.text)
            put_memory(change, replace(memory.draft, updated_at=change.now), content)
            changes.record(id_, is_new=False)
