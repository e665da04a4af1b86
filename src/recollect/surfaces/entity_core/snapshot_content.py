"""What a snapshot holds, as it is shown."""

from collections.abc import Sequence

from recollect.keep.artifacts.versions import past, version_number, version_numbers
from recollect.keep.identity.files import KIND as IDENTITY
from recollect.keep.identity.files import label_of, place_of
from recollect.keep.memories.entry import Kept, draft_of, is_memory
from recollect.keep.snapshots.naming import ALL_MEMORIES, WHOLE, Snapshot
from recollect.keep.snapshots.restore import State
from recollect.store.view import View
from recollect.surfaces.entity_core.memory_results import show_memory
from recollect.surfaces.entity_core.snapshot_results import MemoryNamed, SnapshotRead
from recollect.when.instant import say_millis


def show_content(view: View, snapshot: Snapshot, held: Sequence[State]) -> SnapshotRead:
    """The text of one thing, or the list of all that there was."""
    shown: SnapshotRead = {
        "success": True,
        "content": "",
        "category": snapshot.subject.category,
        "filename": snapshot.subject.filename,
        "timestamp": say_millis(snapshot.at),
        "reason": snapshot.reason,
        "tx": snapshot.tx,
    }
    if snapshot.subject in (ALL_MEMORIES, WHOLE):
        return _with_list(shown, view, snapshot, held)
    [(document, text)] = held
    shown["content"] = text
    if document.kind == IDENTITY:
        shown["promptLabel"] = label_of(place_of(document.key), document)
    else:
        then = past(view, snapshot.tx)
        memory = Kept(draft_of(document), text, version_number(then, document), document)
        shown["memory"] = show_memory(then, memory)
    return shown


def _with_list(shown: SnapshotRead, view: View, snapshot: Snapshot, held: Sequence[State]) -> SnapshotRead:
    memories = [state.document for state in held if is_memory(state.document)]
    numbers = version_numbers(past(view, snapshot.tx), memories)
    named: list[MemoryNamed] = [{"id": each.key, "version": numbers[each.id]} for each in memories]
    shown["memories"] = sorted(named, key=lambda each: each["id"])
    shown["content"] = "\n".join(f"- {each['id']} (version {each['version']})" for each in shown["memories"])
    if snapshot.subject == WHOLE:
        shown["files"] = [state.document.key for state in held if state.document.kind == IDENTITY]
    return shown
