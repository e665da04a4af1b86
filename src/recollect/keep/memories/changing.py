"""Correcting a memory, and taking it out under a name that can bring it back."""

from dataclasses import replace

from recollect.keep.memories.keeping import Kept, Summary, put_memory, remove_memory
from recollect.keep.problems import VersionConflict
from recollect.keep.snapshots.naming import Snapshot, name_one, of_memory
from recollect.store.change import Change


def correct_memory(change: Change, held: Kept, content: str, editor: str | None, expected: int | None) -> Kept:
    """The memory with another text; all else about it stays."""
    if expected is not None and expected != held.version:
        raise VersionConflict(held.id, expected, held.version)
    if content == held.content:
        return held
    made = held.draft.summary
    draft = replace(
        held.draft,
        updated_at=change.now,
        edited_by=editor,
        summary=Summary("hand", made.sources) if made else None,
    )
    return put_memory(change, draft, content)


def delete_memory(change: Change, held: Kept) -> Snapshot:
    """Take a memory out; the returned name stands for the state before."""
    snapshot = name_one(change, of_memory(held.id), "pre-delete")
    remove_memory(change, held)
    return snapshot
