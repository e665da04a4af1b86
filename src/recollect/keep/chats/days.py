"""The daily memories of a conversation: gained bullets go in, bullets of what is gone go out, all else stays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recollect.keep.chats.bullets import Bullet, without_bullets
from recollect.keep.chats.stored import Keyed
from recollect.keep.forms import CONTENT_LIMIT
from recollect.keep.memories.dates import Period, around
from recollect.keep.memories.keeping import find_memory, put_memory
from recollect.keep.memories.making import NewMemory, make_memory
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.store.tables import CHAT_BULLET, OPEN
from recollect.store.view import View
from recollect.when.instant import local_date

SPARE = 1024


class Place(NamedTuple):
    """Where a bullet stands: in a memory, by the hash of its line."""

    memory: str
    hash: str


@dataclass(slots=True)
class Days:
    """Which daily memories a run made, and which it changed."""

    created: set[str] = field(default_factory=set)
    updated: set[str] = field(default_factory=set)
    left_out: int = 0
    """Bullets that a memory had no room for."""

    def note(self, id_: str, *, is_new: bool) -> None:
        if is_new:
            self.created.add(id_)
        elif id_ not in self.created:
            self.updated.add(id_)


def by_day(view: View, messages: Sequence[Keyed]) -> dict[Period, list[Keyed]]:
    """Messages by the local day of their time, in their order."""
    found: dict[Period, list[Keyed]] = {}
    for each in messages:
        if each.message.at is not None:
            day = around("daily", local_date(each.message.at, view.world.zone))
            found.setdefault(day, []).append(each)
    return found


def remember(
    change: Change, document: Document, instance: str, days: Mapping[Period, Sequence[Bullet]], made: Days
) -> None:
    """Put the bullets of new messages into the memories of their days."""
    noted = bullets_in(change, document)
    for day, bullets in days.items():
        id_ = f"daily-{day.text}_{instance}"
        held = find_memory(change, id_)
        fitting = _fitting(bullets, len(held.content.encode()) if held else 0)
        made.left_out += len(bullets) - len(fitting)
        if not fitting:
            continue
        title = "" if held else f"{_title(day.text)}\n"
        content = title + "".join(f"{bullet.line}\n" for bullet in fitting)
        kept = make_memory(change, NewMemory(day, content, instance, on_existing="merge")).memory
        if kept.document.tx_from == change.tx:
            made.note(id_, is_new=held is None)
        _note_bullets(change, document, noted, {Place(id_, bullet.hash): bullet for bullet in fitting})


def _title(day: str) -> str:
    return f"# Daily Memory - {day}\n"


def _fitting(bullets: Sequence[Bullet], taken: int) -> list[Bullet]:
    """Those that a memory of this size still has room for, the first ones first."""
    found, room = [], CONTENT_LIMIT - taken - SPARE
    for bullet in bullets:
        room -= len(bullet.line.encode()) + 1
        if room < 0:
            break
        found.append(bullet)
    return found


def _note_bullets(
    change: Change, document: Document, noted: Mapping[Place, tuple[str, ...]], bullets: Mapping[Place, Bullet]
) -> None:
    """Keep which messages each bullet came from."""
    for place, bullet in bullets.items():
        before = noted.get(place, ())
        keys = tuple(dict.fromkeys((*before, *bullet.messages)))
        if keys != before:
            _put(change, document, place, keys)


def bullets_in(view: View, document: Document) -> dict[Place, tuple[str, ...]]:
    """Every bullet that came from a conversation, with the messages it came from."""
    rows = view.rows("chat_bullets_of", document=document.id)
    return {Place(memory, hash_): tuple(json.loads(messages)) for memory, hash_, messages in rows}


def _put(change: Change, document: Document, place: Place, keys: Sequence[str]) -> None:
    key = (document.id, *place)
    change.connection.end(CHAT_BULLET, change.ws, key, change.tx)
    if keys:
        change.connection.insert(CHAT_BULLET, [(change.ws, *key, change.tx, OPEN, json.dumps(list(keys)))])


def forget_gone(change: Change, document: Document, gone: frozenset[str], made: Days) -> None:
    """Take out the bullets that came only from messages that changed or are gone, if nobody edited them."""
    leaving: dict[str, set[str]] = {}
    for place, keys in bullets_in(change, document).items():
        left = [key for key in keys if key not in gone]
        if len(left) < len(keys):
            _put(change, document, place, left)
        if not left:
            leaving.setdefault(place.memory, set()).add(place.hash)
    for id_, hashes in leaving.items():
        held = find_memory(change, id_)
        text = without_bullets(held.content, hashes) if held else ""
        if held and text != held.content:
            kept = text if text.strip() else _title(held.draft.period.text)
            put_memory(change, replace(held.draft, updated_at=change.now), kept)
            made.note(id_, is_new=False)
