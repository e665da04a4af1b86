"""Identity files and memories out of an archive, in place of what is here or joined with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from recollect.keep.archive.entries import ArchivedFile, ArchivedMemory
from recollect.keep.artifacts.versions import EARLIER, live
from recollect.keep.forgetting.tombstones import left_of
from recollect.keep.forms import CONTENT_LIMIT
from recollect.keep.identity.blocks import title_of
from recollect.keep.identity.files import (
    KIND,
    LABEL,
    MODIFIED_BY,
    IdentityFile,
    find_file,
    identity_files,
    put_file,
    remove_file,
    set_label,
)
from recollect.keep.memories.daily_merge import merge_texts
from recollect.keep.memories.entry import KIND as MEMORY
from recollect.keep.memories.entry import Kept, MemoryDraft, properties_of
from recollect.keep.memories.keeping import find_memory, kept, put_memory, remove_memory, union
from recollect.keep.memories.remembered import memory_documents
from recollect.keep.problems import TooLarge
from recollect.keep.snapshots.naming import Subject, name_state, of_file, of_memory, snapshots_of
from recollect.model.progress import Told, counted
from recollect.store.change import Change

Mode = Literal["overwrite", "merge"]
Became = Literal["current", "merged", "conflict"]


@dataclass(frozen=True, slots=True)
class Taken:
    """How many things of an archive are current now, joined with others or kept aside, and how many are gone."""

    current: int = 0
    merged: int = 0
    conflicts: int = 0
    removed: int = 0


def _taken(became: Sequence[Became], removed: int) -> Taken:
    conflicts = became.count("conflict")
    return Taken(len(became) - conflicts, became.count("merged"), conflicts, removed)


def take_files(change: Change, files: Sequence[ArchivedFile], mode: Mode) -> Taken:
    """The files of an archive made current; in mode overwrite, those that it lacks are gone."""
    removed = 0
    left = [file for file in files if left_of(change, KIND, file.text) is not None]
    if mode == "overwrite":
        kept_places = {file.place for file in left}
        gone = [file for file in identity_files(change) if file.place not in kept_places]
        for file in gone:
            remove_file(change, file.document)
        removed = len(gone)
    return _taken([_take_file(change, file, mode) for file in left], removed)


def _take_file(change: Change, file: ArchivedFile, mode: Mode) -> Became:
    held = find_file(change, file.place)
    if held is None:
        return _put_file(change, file)
    if mode == "overwrite":
        same_label = held.document.properties.get(LABEL) == file.label
        return "current" if held.content == file.text and same_label else _put_file(change, file)
    return _join_file(change, held, file)


def _put_file(change: Change, file: ArchivedFile) -> Became:
    is_new = change.document_named(KIND, file.place.key) is None
    earlier = {EARLIER: file.version - 1} if is_new and file.version is not None and file.version > 1 else {}
    at = None if file.at is None else min(file.at, change.now)
    put_file(change, file.place, file.text, earlier | _labelled(file), file.by, at)
    return "current"


def _labelled(file: ArchivedFile) -> dict[str, Any]:
    return {} if file.label is None else {LABEL: file.label}


def _join_file(change: Change, held: IdentityFile, file: ArchivedFile) -> Became:
    if file.label is not None and LABEL not in held.document.properties:
        set_label(change, file.place, file.label)
    if held.content == file.text:
        return "current"
    belonging = {"title": file.place.key, "properties": _labelled(file) | {MODIFIED_BY: file.by or change.actor.name}}
    _keep_aside(change, of_file(*file.place), file.text, file.label or file.place.default_label, belonging)
    return "conflict"


def _keep_aside(change: Change, subject: Subject, text: str, label: str | None, belonging: Mapping[str, Any]) -> None:
    """Keep a text that did not become a version under a name that stays; the same text once."""
    if any(known.held and known.held["text"] == text for known in snapshots_of(change, subject)):
        return
    # A text that can be read is more than bookkeeping, so it has its transaction.
    held = {"text": text, "label": label, "tx": change.tx, **belonging}
    name_state(change, (subject,), "conflict", flagged=True, held=held)


def take_memories(change: Change, memories: Sequence[ArchivedMemory], mode: Mode, tell: Told) -> Taken:
    """The memories of an archive made current; in mode overwrite, those that it lacks are gone."""
    removed = 0
    left = [replace(each, text=text) for each in memories if (text := left_of(change, MEMORY, each.text)) is not None]
    if mode == "overwrite":
        ids = {memory.id for memory in left}
        gone = kept(change, [each for each in live(memory_documents(change)) if each.key not in ids])
        for memory in gone:
            remove_memory(change, memory)
        removed = len(gone)
    return _taken([_take_memory(change, memory, mode) for memory in counted(left, tell)], removed)


def _take_memory(change: Change, memory: ArchivedMemory, mode: Mode) -> Became:
    held = find_memory(change, memory.id)
    if held is None:
        return _put_first(change, memory)
    if mode == "overwrite":
        return _replace(change, held, memory)
    if held.draft.period.granularity == "daily":
        return _join_daily(change, held, memory)
    if held.content == memory.text:
        return "current"
    belonging = {"title": title_of(memory.text), "properties": properties_of(memory.draft)}
    _keep_aside(change, of_memory(memory.id), memory.text, None, belonging)
    return "conflict"


def _put_first(change: Change, memory: ArchivedMemory) -> Became:
    """A memory that is not here; one that never was keeps the number of its version."""
    is_new = change.document_named(MEMORY, memory.id) is None
    created, updated = min(memory.draft.created_at, change.now), min(memory.draft.updated_at, change.now)
    made = put_memory(change, replace(memory.draft, created_at=created, updated_at=updated), memory.text).document
    if is_new and memory.version is not None and memory.version > 1:
        change.put_document(made._replace(properties={**made.properties, EARLIER: memory.version - 1}))
    return "current"


def _replace(change: Change, held: Kept, memory: ArchivedMemory) -> Became:
    """The memory as the archive has it; when it was made never changes."""
    draft = _told(held.draft, memory)
    timeless = replace(draft, updated_at=held.draft.updated_at)
    if held.content != memory.text or timeless != held.draft:
        at = min(memory.draft.updated_at, change.now) if memory.has_info else change.now
        put_memory(change, replace(draft, updated_at=at), memory.text)
    return "current"


def _told(held: MemoryDraft, memory: ArchivedMemory) -> MemoryDraft:
    if memory.has_info:
        return replace(memory.draft, created_at=held.created_at)
    return replace(held, chats=union(held.chats, memory.draft.chats))


def _join_daily(change: Change, held: Kept, memory: ArchivedMemory) -> Became:
    joined = merge_texts(held.content, memory.text)
    draft = replace(
        held.draft,
        chats=union(held.draft.chats, memory.draft.chats),
        participants=union(held.draft.participants, memory.draft.participants),
    )
    if held.content == memory.text or not joined.has_new:
        if draft != held.draft:
            put_memory(change, replace(draft, updated_at=change.now), held.content)
        return "current"
    if len(joined.text.encode()) > CONTENT_LIMIT:
        raise TooLarge("data", f"1 MiB of UTF-8 in each text, which {memory.id} exceeds with what is there already")
    put_memory(change, replace(draft, updated_at=change.now), joined.text)
    return "merged"
