"""Names for moments: giving them, listing them, reading what they hold and bringing it back."""
# ruff: noqa: N803 the published names

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from recollect.keep.artifacts.versions import past
from recollect.keep.forms import CATEGORIES, FILENAME, MEMORY_ID, is_form
from recollect.keep.problems import NotFound
from recollect.keep.snapshots.naming import (
    ALL_MEMORIES,
    MEMORIES,
    WHOLE,
    Reason,
    Snapshot,
    Subject,
    drop_expired,
    find_snapshot,
    snapshots_in,
)
from recollect.keep.snapshots.restore import State, covered, held_by, restore, subject_of
from recollect.keep.snapshots.state import name_whole_state
from recollect.memory import Memory
from recollect.store.view import View
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.example_world import SNAPSHOT
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.shapes import InstanceId, text_of
from recollect.surfaces.entity_core.snapshot_content import show_content
from recollect.surfaces.entity_core.snapshot_results import (
    SnapshotRead,
    SnapshotRestored,
    Snapshots,
    SnapshotsMade,
    show_counts,
    show_listed,
    show_name,
)
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.problems import BadArgument
from recollect.surfaces.shapes import AsOf, Flag, Whole, refuse


def _checked_name(text: str) -> str:
    if text in ("all", "everything") or is_form(MEMORY_ID, text) or is_form(FILENAME, text):
        return text.removesuffix(".md")
    if is_form(FILENAME, f"{text}.md"):
        return text
    raise refuse("should be a file name, with or without .md, `all` or a memory id")


def _checked_target(text: str) -> str:
    category, slash, filename = text.partition("/")
    is_file = bool(slash) and category in CATEGORIES and is_form(FILENAME, filename)
    if not is_file and text not in ("memories", "all") and not is_form(MEMORY_ID, text):
        raise refuse("should be category/filename, a memory id, `memories` or `all`")
    return text


SnapshotId = Annotated[
    str, Field(max_length=400, description="Id of a snapshot, such as self/my_wants_2026-05-14T09-30-00-000Z")
]
SnapshotLabel = Annotated[str, text_of(200), Field(description="A note to find it by")]
SnapshotCategory = Annotated[
    Literal["self", "user", "relationship", "custom", "memories", "all"], Field(description="Only these")
]
SnapshotFile = Annotated[
    str, AfterValidator(_checked_name), Field(description="Only this file; for memories `all` or the memory's id")
]
Target = Annotated[
    str,
    AfterValidator(_checked_target),
    Field(description="category/filename, a memory id, `memories` or `all`; with as_of, in place of snapshotId"),
]
Moment = Annotated[
    AsOf, WithJsonSchema({"type": ["string", "integer"]}), Field(description="The past moment for target")
]


@surface.tool("write", example={"label": "before the move"}, idempotent=False)
def snapshot_create(
    memory: Memory,
    flagged: Annotated[Flag, Field(description="Keep this name for good")] = False,
    label: SnapshotLabel | None = None,
    reason: Annotated[Literal["manual", "scheduled"], Field(description="Why it is taken")] = "manual",
) -> SnapshotsMade:
    """I use this to give the present state of my identity and memories a name."""
    with acting_as(memory, None).write() as change:
        removed = drop_expired(change, memory.settings)
        *named, whole = name_whole_state(change, reason, flagged=flagged, label=label)
        shown = [show_name(each) for each in named]
        return {"success": True, "snapshots": shown, "momentId": whole.id, "tx": whole.tx, "removed": removed}


@surface.tool("read", example={"category": "self"})
def snapshot_list(
    memory: Memory,
    category: SnapshotCategory | None = None,
    filename: SnapshotFile | None = None,
    reason: Annotated[Reason, Field(description="Only those taken for this")] | None = None,
    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many"), Whole] = 200,
    offset: Annotated[int, Field(ge=0, description="Leave out so many"), Whole] = 0,
) -> Snapshots:
    """I use this to see which snapshots I can go back to, newest first."""
    with memory.read() as view:
        found = snapshots_in(view, {category} if category else {*CATEGORIES, MEMORIES})
        fitting = [each for each in found if _fits(each, filename, reason)]
        shown = [show_listed(each, view.world) for each in fitting[offset : offset + limit]]
    return {"success": True, "snapshots": shown, "total": len(fitting)}


def _fits(snapshot: Snapshot, stem: str | None, reason: str | None) -> bool:
    return snapshot.subject.stem == (stem or snapshot.subject.stem) and snapshot.reason == (reason or snapshot.reason)


@surface.tool("read", example={"snapshotId": SNAPSHOT})
def snapshot_get(memory: Memory, snapshotId: SnapshotId) -> SnapshotRead:
    """I use this to read what a snapshot holds."""
    with memory.read() as view:
        found = _the_snapshot(view, snapshotId)
        return show_content(view, found, _held(view, found))


@surface.tool("destroy", example={"snapshotId": SNAPSHOT}, idempotent=True, tells=True)
def snapshot_restore(
    memory: Memory,
    snapshotId: SnapshotId | None = None,
    target: Target | None = None,
    as_of: Moment = None,
    exact: Annotated[Flag, Field(description="For whole sets: also remove what did not exist then")] = False,
    instanceId: InstanceId | None = None,
) -> SnapshotRestored:
    """I use this to make an earlier state of my identity or memories current again."""
    _check_which(snapshotId, target, as_of)
    known = None
    if snapshotId is None:
        with memory.read(as_of) as earlier:
            known = earlier.known
    with acting_as(memory, instanceId).write() as change:
        if snapshotId is not None:
            snapshot = _the_snapshot(change, snapshotId)
            subject, then, known = snapshot.subject, held_by(change, snapshot), snapshot.tx
        else:
            subject = subject_of(target or "")
            then = covered(past(change, known or 0), subject)
        restored = restore(change, subject, then, known or 0, exact=exact, tell=memory.tell)
        return {
            "success": True,
            "message": _said(subject, restored.before),
            "restored": show_counts(restored),
            "snapshotId": restored.before.id if restored.before else None,
            **written(change),
        }


def _check_which(snapshot: str | None, target: str | None, as_of: Any) -> None:
    if snapshot is not None and (target is not None or as_of is not None):
        raise BadArgument("snapshotId", "bad_value", "snapshotId should not stand beside target and as_of")
    if snapshot is None and (target is None or as_of is None):
        raise BadArgument("snapshotId", "missing", "snapshotId is required, or target together with as_of")


def _the_snapshot(view: View, text: str) -> Snapshot:
    found = find_snapshot(view, text)
    if found is None:
        raise NotFound(f"there is no snapshot {text}", field="snapshotId")
    return found


def _held(view: View, snapshot: Snapshot) -> list[State]:
    held = held_by(view, snapshot)
    if not held and snapshot.subject not in (ALL_MEMORIES, WHOLE):
        raise NotFound(f"{snapshot.subject.filename} did not exist at the moment of {snapshot.id}", field="snapshotId")
    return held


def _said(subject: Subject, before: Snapshot | None) -> str:
    name = subject.stem if subject.category == MEMORIES else f"{subject.category}/{subject.filename}"
    return f"I brought back {name}." if before else f"{name} is so already."
