"""Import of identity files and memories from an archive, by overwriting or merging."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from recollect.keep.archive.export import ArchivedFile, ArchivedMemory
from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.document_versions import EARLIER_VERSIONS, live_documents, remaining_text
from recollect.keep.identity_files import (
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
from recollect.keep.markdown import first_heading
from recollect.keep.memories.daily_merge import merge_daily_texts
from recollect.keep.memories.memory_store import (
    extend_draft,
    find_memory,
    load_memories,
    memory_documents,
    merge_unique,
    put_memory,
    remove_memory,
)
from recollect.keep.memory_formats import CONTENT_LIMIT
from recollect.keep.memory_index.stored_memory import MEMORY_KIND as MEMORY
from recollect.keep.memory_index.stored_memory import MemoryDraft, StoredMemory, draft_properties
from recollect.keep.snapshot_store import file_subject, keep_losing_text, memory_subject
from recollect.model.progress import ProgressListener, report_each
from recollect.store.change import Change

ImportMode = Literal["overwrite", "merge"]
ItemOutcome = Literal["current", "merged", "conflict"]


@dataclass(frozen=True, slots=True)
class ArchiveImportCounts:
    """How many items of an archive are current now, merged or in conflict, and how many others were removed."""

    current: int = 0
    merged: int = 0
    conflicts: int = 0
    removed: int = 0


def _count_outcomes(outcomes: Sequence[ItemOutcome], removed: int) -> ArchiveImportCounts:
    conflicts = outcomes.count("conflict")
    return ArchiveImportCounts(len(outcomes) - conflicts, outcomes.count("merged"), conflicts, removed)


def import_files(change: Change, files: Sequence[ArchivedFile], mode: ImportMode) -> ArchiveImportCounts:
    """Import the files of an archive; in mode overwrite, files that it lacks are deleted."""
    removed = 0
    left = [file for file in files if remaining_text(change, KIND, file.text) is not None]
    if mode == "overwrite":
        places = {file.place for file in left}
        gone = [file for file in identity_files(change) if file.path not in places]
        for file in gone:
            remove_file(change, file.document)
        removed = len(gone)
    return _count_outcomes([_import_file(change, file, mode) for file in left], removed)


def _import_file(change: Change, file: ArchivedFile, mode: ImportMode) -> ItemOutcome:
    stored = find_file(change, file.place)
    if stored is None:
        return _put_file(change, file)
    if mode == "overwrite":
        same_label = stored.document.properties.get(LABEL) == file.label
        return "current" if stored.content == file.text and same_label else _put_file(change, file)
    return _merge_file(change, stored, file)


def _put_file(change: Change, file: ArchivedFile) -> ItemOutcome:
    is_new = change.document_named(KIND, file.place.key) is None
    earlier = {EARLIER_VERSIONS: file.version - 1} if is_new and file.version is not None and file.version > 1 else {}
    at = None if file.at is None else min(file.at, change.now)
    put_file(change, file.place, file.text, earlier | _label_property(file), file.by, at)
    return "current"


def _label_property(file: ArchivedFile) -> dict[str, Any]:
    return {} if file.label is None else {LABEL: file.label}


def _merge_file(change: Change, stored: IdentityFile, file: ArchivedFile) -> ItemOutcome:
    if file.label is not None and LABEL not in stored.document.properties:
        set_label(change, file.place, file.label)
    if stored.content == file.text:
        return "current"
    label = file.label or file.place.default_label
    properties = _label_property(file) | {MODIFIED_BY: file.by or change.actor.name}
    metadata = {"title": file.place.key, "properties": properties}
    keep_losing_text(change, file_subject(*file.place), file.text, label, metadata)
    return "conflict"


def import_memories(
    change: Change, memories: Sequence[ArchivedMemory], mode: ImportMode, tell: ProgressListener
) -> ArchiveImportCounts:
    """Import the memories of an archive; in mode overwrite, memories that it lacks are deleted."""
    removed = 0
    left = [
        replace(each, text=text) for each in memories if (text := remaining_text(change, MEMORY, each.text)) is not None
    ]
    if mode == "overwrite":
        ids = {memory.id for memory in left}
        gone = load_memories(change, [each for each in live_documents(memory_documents(change)) if each.key not in ids])
        for memory in gone:
            remove_memory(change, memory)
        removed = len(gone)
    return _count_outcomes([_import_memory(change, memory, mode) for memory in report_each(left, tell)], removed)


def _import_memory(change: Change, memory: ArchivedMemory, mode: ImportMode) -> ItemOutcome:
    stored = find_memory(change, memory.id)
    if stored is None:
        return _create_memory(change, memory)
    if mode == "overwrite":
        return _overwrite_memory(change, stored, memory)
    if stored.draft.period.granularity == "daily":
        return _merge_daily(change, stored, memory)
    if stored.content == memory.text:
        return "current"
    metadata = {"title": first_heading(memory.text), "properties": draft_properties(memory.draft)}
    keep_losing_text(change, memory_subject(memory.id), memory.text, None, metadata)
    return "conflict"


def _create_memory(change: Change, memory: ArchivedMemory) -> ItemOutcome:
    """Create a memory; one that never existed here keeps its version number."""
    is_new = change.document_named(MEMORY, memory.id) is None
    created, updated = min(memory.draft.created_at, change.now), min(memory.draft.updated_at, change.now)
    document = put_memory(change, replace(memory.draft, created_at=created, updated_at=updated), memory.text).document
    if is_new and memory.version is not None and memory.version > 1:
        properties = {**document.properties, EARLIER_VERSIONS: memory.version - 1}
        change.put_document(document._replace(properties=properties))
    return "current"


def _overwrite_memory(change: Change, stored: StoredMemory, memory: ArchivedMemory) -> ItemOutcome:
    """Make a memory as it is in the archive, except for its creation time."""
    draft = _archived_draft(stored.draft, memory)
    timeless = replace(draft, updated_at=stored.draft.updated_at)
    if stored.content != memory.text or timeless != stored.draft:
        at = min(memory.draft.updated_at, change.now) if memory.has_info else change.now
        put_memory(change, replace(draft, updated_at=at), memory.text)
    return "current"


def _archived_draft(stored: MemoryDraft, memory: ArchivedMemory) -> MemoryDraft:
    if memory.has_info:
        return replace(memory.draft, created_at=stored.created_at)
    return replace(stored, chats=merge_unique(stored.chats, memory.draft.chats))


def _merge_daily(change: Change, stored: StoredMemory, memory: ArchivedMemory) -> ItemOutcome:
    joined = merge_daily_texts(stored.content, memory.text)
    draft = extend_draft(stored.draft, memory.draft.chats, memory.draft.participants)
    if stored.content == memory.text or not joined.has_new:
        if draft != stored.draft:
            put_memory(change, replace(draft, updated_at=change.now), stored.content)
        return "current"
    if len(joined.text.encode()) > CONTENT_LIMIT:
        raise ContentTooLarge(
            "data", f"1 MiB of UTF-8 in each text, which {memory.id} exceeds with what is there already"
        )
    put_memory(change, replace(draft, updated_at=change.now), joined.text)
    return "merged"
