"""What the snapshot tools answer."""
# ruff: noqa: N815 the published names

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.keep.snapshots.naming import Snapshot
from recollect.keep.snapshots.restore import Restored
from recollect.store.world import World
from recollect.surfaces.entity_core.answers import Written
from recollect.surfaces.entity_core.memory_results import MemoryShown
from recollect.when.instant import local_date, say_millis


class SnapshotNamed(TypedDict):
    id: str
    category: str
    filename: str
    timestamp: str


class SnapshotsMade(TypedDict):
    """The names that were given, one for each thing."""

    success: bool
    snapshots: list[SnapshotNamed]
    momentId: str
    tx: int
    removed: int


class SnapshotListed(SnapshotNamed):
    date: str
    reason: str
    source: str
    tx: int
    flagged: bool
    label: str | None


class Snapshots(TypedDict):
    success: bool
    snapshots: list[SnapshotListed]
    total: int


class MemoryNamed(TypedDict):
    id: str
    version: int


class SnapshotRead(TypedDict):
    """What a snapshot holds."""

    success: bool
    content: str
    category: str
    filename: str
    timestamp: str
    reason: str
    tx: int
    promptLabel: NotRequired[str]
    memory: NotRequired[MemoryShown]
    memories: NotRequired[list[MemoryNamed]]
    files: NotRequired[list[str]]


class Counts(TypedDict):
    identity: int
    memories: int
    unchanged: int
    removed: int


class SnapshotRestored(Written):
    success: bool
    message: str
    restored: Counts
    snapshotId: str | None


def show_name(snapshot: Snapshot) -> SnapshotNamed:
    return {
        "id": snapshot.id,
        "category": snapshot.subject.category,
        "filename": snapshot.subject.filename,
        "timestamp": say_millis(snapshot.at),
    }


def show_listed(snapshot: Snapshot, world: World) -> SnapshotListed:
    return {
        **show_name(snapshot),
        "date": local_date(snapshot.at, world.zone).isoformat(),
        "reason": snapshot.reason,
        "source": snapshot.source,
        "tx": snapshot.tx,
        "flagged": snapshot.flagged,
        "label": snapshot.label,
    }


def show_counts(restored: Restored) -> Counts:
    return {
        "identity": restored.identity,
        "memories": restored.memories,
        "unchanged": restored.unchanged,
        "removed": restored.removed,
    }
