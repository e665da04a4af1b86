"""Snapshots: named moments that can be listed, read and restored."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AfterValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.keep.call_conflicts import ItemNotFound
from recollect.keep.document_versions import version_number, version_numbers
from recollect.keep.identity_files import KIND as IDENTITY
from recollect.keep.identity_files import label_of, path_of_key
from recollect.keep.memories.restore import (
    DocumentState,
    RestoreResult,
    parse_target,
    restore,
    snapshot_everything,
    snapshot_states,
    states_covered_by,
)
from recollect.keep.memory_formats import CATEGORIES, FILENAME, MEMORY_ID, matches_format
from recollect.keep.memory_index.stored_memory import StoredMemory, draft_of, is_memory
from recollect.keep.snapshot_store import (
    ALL_MEMORIES,
    MEMORIES,
    WHOLE_STATE,
    Snapshot,
    SnapshotReason,
    SnapshotSubject,
    drop_expired,
    find_snapshot,
    snapshots_in,
)
from recollect.memory import Memory
from recollect.store.view import View
from recollect.store.world import World
from recollect.surfaces.call_errors import BadArgument
from recollect.surfaces.entity_core.memory_types import MemoryView, render_memory
from recollect.surfaces.entity_core.parameters import InstanceId, text_up_to
from recollect.surfaces.entity_core.surface import WriteResult, acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import AsOf, Flag, IntegralFloat, bad_value
from recollect.when.instant import format_millis, local_date

# ruff: noqa: N803, N815 the published names

EXAMPLE_SNAPSHOT = "self/my_wants_2026-05-20T10-00-00-000Z"


class SnapshotRef(TypedDict):
    id: str
    category: str
    filename: str
    timestamp: str


class SnapshotCreateResult(TypedDict):
    """The names that were given, one for each thing."""

    success: bool
    snapshots: list[SnapshotRef]
    momentId: str
    tx: int
    removed: int


class SnapshotView(SnapshotRef):
    date: str
    reason: str
    source: str
    tx: int
    flagged: bool
    label: str | None


class SnapshotListResult(TypedDict):
    success: bool
    snapshots: list[SnapshotView]
    total: int


class MemoryVersionRef(TypedDict):
    id: str
    version: int


class SnapshotGetResult(TypedDict):
    """What a snapshot holds."""

    success: bool
    content: str
    category: str
    filename: str
    timestamp: str
    reason: str
    tx: int
    promptLabel: NotRequired[str]
    memory: NotRequired[MemoryView]
    memories: NotRequired[list[MemoryVersionRef]]
    files: NotRequired[list[str]]


class RestoredCounts(TypedDict):
    identity: int
    memories: int
    unchanged: int
    removed: int


class SnapshotRestoreResult(WriteResult):
    restored: RestoredCounts
    snapshotId: str | None


def snapshot_ref(snapshot: Snapshot) -> SnapshotRef:
    return {
        "id": snapshot.id,
        "category": snapshot.subject.category,
        "filename": snapshot.subject.filename,
        "timestamp": format_millis(snapshot.at),
    }


def render_snapshot(snapshot: Snapshot, world: World) -> SnapshotView:
    return {
        **snapshot_ref(snapshot),
        "date": local_date(snapshot.at, world.zone).isoformat(),
        "reason": snapshot.reason,
        "source": snapshot.source,
        "tx": snapshot.tx,
        "flagged": snapshot.flagged,
        "label": snapshot.label,
    }


def render_counts(restored: RestoreResult) -> RestoredCounts:
    return {
        "identity": restored.identity,
        "memories": restored.memories,
        "unchanged": restored.unchanged,
        "removed": restored.removed,
    }


def render_content(view: View, snapshot: Snapshot, held: Sequence[DocumentState]) -> SnapshotGetResult:
    """The text of one item, or the list of all items."""
    shown: SnapshotGetResult = {
        "success": True,
        "content": "",
        "category": snapshot.subject.category,
        "filename": snapshot.subject.filename,
        "timestamp": format_millis(snapshot.at),
        "reason": snapshot.reason,
        "tx": snapshot.tx,
    }
    if snapshot.subject in (ALL_MEMORIES, WHOLE_STATE):
        return _with_list(shown, view, snapshot, held)
    [(document, text)] = held
    shown["content"] = text
    if document.kind == IDENTITY:
        shown["promptLabel"] = label_of(path_of_key(document.key), document)
    else:
        then = view.at(snapshot.tx)
        memory = StoredMemory(draft_of(document), text, version_number(then, document), document)
        shown["memory"] = render_memory(then, memory)
    return shown


def _with_list(
    shown: SnapshotGetResult, view: View, snapshot: Snapshot, held: Sequence[DocumentState]
) -> SnapshotGetResult:
    memories = [state.document for state in held if is_memory(state.document)]
    numbers = version_numbers(view.at(snapshot.tx), memories)
    named: list[MemoryVersionRef] = [{"id": each.key, "version": numbers[each.id]} for each in memories]
    shown["memories"] = sorted(named, key=lambda each: each["id"])
    shown["content"] = "\n".join(f"- {each['id']} (version {each['version']})" for each in shown["memories"])
    if snapshot.subject == WHOLE_STATE:
        shown["files"] = [state.document.key for state in held if state.document.kind == IDENTITY]
    return shown


def _check_name(text: str) -> str:
    if text in ("all", "everything") or matches_format(MEMORY_ID, text) or matches_format(FILENAME, text):
        return text.removesuffix(".md")
    if matches_format(FILENAME, f"{text}.md"):
        return text
    raise bad_value("should be a file name, with or without .md, `all` or a memory id")


def _check_target(text: str) -> str:
    category, slash, filename = text.partition("/")
    is_file = bool(slash) and category in CATEGORIES and matches_format(FILENAME, filename)
    if not is_file and text not in ("memories", "all") and not matches_format(MEMORY_ID, text):
        raise bad_value("should be category/filename, a memory id, `memories` or `all`")
    return text


SnapshotId = Annotated[
    str, Field(max_length=400, description="Id of a snapshot, such as self/my_wants_2026-05-14T09-30-00-000Z")
]
SnapshotLabel = Annotated[str, text_up_to(200), Field(description="A note to find it by")]
SnapshotCategory = Annotated[
    Literal["self", "user", "relationship", "custom", "memories", "all"], Field(description="Only these")
]
SnapshotFile = Annotated[
    str, AfterValidator(_check_name), Field(description="Only this file; for memories `all` or the memory's id")
]
RestoreTarget = Annotated[
    str,
    AfterValidator(_check_target),
    Field(description="category/filename, a memory id, `memories` or `all`; with as_of, in place of snapshotId"),
]
PastMoment = Annotated[
    AsOf, WithJsonSchema({"type": ["string", "integer"]}), Field(description="The past moment for target")
]


@surface.tool("write", example={"label": "before the move"}, idempotent=False)
def snapshot_create(
    memory: Memory,
    flagged: Annotated[Flag, Field(description="Keep this name for good")] = False,
    label: SnapshotLabel | None = None,
    reason: Annotated[Literal["manual", "scheduled"], Field(description="Why it is taken")] = "manual",
) -> SnapshotCreateResult:
    """I use this to give the present state of my identity and memories a name."""
    with acting_as(memory, None).write() as change:
        removed = drop_expired(change, memory.settings)
        *named, whole = snapshot_everything(change, reason, flagged=flagged, label=label)
        shown = [snapshot_ref(each) for each in named]
        return {"success": True, "snapshots": shown, "momentId": whole.id, "tx": whole.tx, "removed": removed}


@surface.tool("read", example={"category": "self"})
def snapshot_list(
    memory: Memory,
    category: SnapshotCategory | None = None,
    filename: SnapshotFile | None = None,
    reason: Annotated[SnapshotReason, Field(description="Only those taken for this")] | None = None,
    limit: Annotated[int, Field(ge=1, le=1000, description="At most this many"), IntegralFloat] = 200,
    offset: Annotated[int, Field(ge=0, description="Leave out so many"), IntegralFloat] = 0,
) -> SnapshotListResult:
    """I use this to see which snapshots I can go back to, newest first."""
    with memory.read() as view:
        found = snapshots_in(view, {category} if category else {*CATEGORIES, MEMORIES})
        fitting = [each for each in found if _matches_filter(each, filename, reason)]
        shown = [render_snapshot(each, view.world) for each in fitting[offset : offset + limit]]
    return {"success": True, "snapshots": shown, "total": len(fitting)}


def _matches_filter(snapshot: Snapshot, stem: str | None, reason: str | None) -> bool:
    return snapshot.subject.stem == (stem or snapshot.subject.stem) and snapshot.reason == (reason or snapshot.reason)


@surface.tool("read", example={"snapshotId": EXAMPLE_SNAPSHOT})
def snapshot_get(memory: Memory, snapshotId: SnapshotId) -> SnapshotGetResult:
    """I use this to read what a snapshot holds."""
    with memory.read() as view:
        found = _require_snapshot(view, snapshotId)
        return render_content(view, found, _states_in(view, found))


@surface.tool("destroy", example={"snapshotId": EXAMPLE_SNAPSHOT}, idempotent=True, reports_progress=True)
def snapshot_restore(
    memory: Memory,
    snapshotId: SnapshotId | None = None,
    target: RestoreTarget | None = None,
    as_of: PastMoment = None,
    exact: Annotated[Flag, Field(description="For whole sets: also remove what did not exist then")] = False,
    instanceId: InstanceId | None = None,
) -> SnapshotRestoreResult:
    """I use this to make an earlier state of my identity or memories current again."""
    _check_exclusive(snapshotId, target, as_of)
    known = None
    if snapshotId is None:
        with memory.read(as_of) as earlier:
            known = earlier.as_of_tx
    with acting_as(memory, instanceId).write() as change:
        if snapshotId is not None:
            snapshot = _require_snapshot(change, snapshotId)
            subject, then, known = snapshot.subject, snapshot_states(change, snapshot), snapshot.tx
        else:
            subject = parse_target(target or "")
            then = states_covered_by(change.at(known or 0), subject)
        restored = restore(change, subject, then, known or 0, exact=exact, tell=memory.report_progress)
        return {
            "success": True,
            "message": _describe_restore(subject, restored.before),
            "restored": render_counts(restored),
            "snapshotId": restored.before.id if restored.before else None,
            **write_receipt(change),
        }


def _check_exclusive(snapshot: str | None, target: str | None, as_of: Any) -> None:
    if snapshot is not None and (target is not None or as_of is not None):
        raise BadArgument("snapshotId", "bad_value", "snapshotId cannot be combined with target and as_of")
    if snapshot is None and (target is None or as_of is None):
        raise BadArgument("snapshotId", "missing", "snapshotId is required, or target together with as_of")


def _require_snapshot(view: View, text: str) -> Snapshot:
    found = find_snapshot(view, text)
    if found is None:
        raise ItemNotFound(f"there is no snapshot {text}", field="snapshotId", listed_by="snapshot_list")
    return found


def _states_in(view: View, snapshot: Snapshot) -> list[DocumentState]:
    states = snapshot_states(view, snapshot)
    if not states and snapshot.subject not in (ALL_MEMORIES, WHOLE_STATE):
        raise ItemNotFound(
            f"{snapshot.subject.filename} did not exist at the moment of {snapshot.id}", field="snapshotId"
        )
    return states


def _describe_restore(subject: SnapshotSubject, before: Snapshot | None) -> str:
    name = subject.stem if subject.category == MEMORIES else f"{subject.category}/{subject.filename}"
    return f"I brought back {name}." if before else f"{name} is so already."
