"""Result types of the sync tools, and how tokens print."""
# ruff: noqa: N815 the published names

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.keep.client_sync.pull import SyncTombstone, state_hash
from recollect.keep.client_sync.push import PushOutcome
from recollect.keep.identity_files import IdentityFile
from recollect.store.change import Change
from recollect.surfaces.entity_core.identity import IdentityFileView, render_file
from recollect.surfaces.entity_core.memory_types import MemoryView
from recollect.surfaces.entity_core.surface import WriteReceipt
from recollect.when.instant import format_millis


class SyncToken(TypedDict):
    """Where an embodiment stands after a sync."""

    serverVersion: int
    timestamp: str
    hash: str


class PulledFileView(IdentityFileView):
    category: str


class PulledFilesView(TypedDict):
    self: list[PulledFileView]
    user: list[PulledFileView]
    relationship: list[PulledFileView]
    custom: list[PulledFileView]


class TombstoneView(TypedDict):
    entityType: str
    entityId: str
    version: int
    deletedAt: str


class SyncPullResult(TypedDict):
    """What there is to learn; with `full`, what is not here does not exist."""

    success: bool
    full: bool
    identityFiles: PulledFilesView
    memories: list[MemoryView]
    deleted: list[TombstoneView]
    newSyncToken: SyncToken | None
    hasMore: bool
    cursor: NotRequired[str]


class SyncConflictView(TypedDict):
    entityType: str
    entityId: str
    localVersion: int | None
    serverVersion: int
    suggestedResolution: str
    applied: str
    snapshotId: str | None


class SyncItemResult(TypedDict):
    entityType: str
    entityId: str
    status: str
    version: int
    snapshotId: str | None


class SyncPushResult(WriteReceipt):
    """What became of each pushed thing, identity first."""

    success: bool
    newSyncToken: SyncToken
    conflicts: list[SyncConflictView]
    results: list[SyncItemResult]


def render_token(change: Change, server_version: int) -> SyncToken:
    """The token of the state after a transaction."""
    digest = state_hash(change, server_version)
    return {"serverVersion": server_version, "timestamp": format_millis(change.now), "hash": digest}


def render_files(files: list[IdentityFile]) -> PulledFilesView:
    shown: PulledFilesView = {"self": [], "user": [], "relationship": [], "custom": []}
    for file in files:
        shown[file.path.category].append({"category": file.path.category, **render_file(file)})
    return shown


def render_tombstone(gone: SyncTombstone) -> TombstoneView:
    return {
        "entityType": gone.kind,
        "entityId": gone.id,
        "version": gone.version,
        "deletedAt": format_millis(gone.at),
    }


def render_outcome(outcome: PushOutcome) -> SyncItemResult:
    return {
        "entityType": outcome.item.kind,
        "entityId": outcome.item.id,
        "status": outcome.status,
        "version": outcome.version,
        "snapshotId": outcome.snapshot.id if outcome.snapshot else None,
    }


def render_conflicts(outcomes: list[PushOutcome]) -> list[SyncConflictView]:
    return [
        {
            "entityType": outcome.item.kind,
            "entityId": outcome.item.id,
            "localVersion": outcome.conflict.local_version,
            "serverVersion": outcome.conflict.server_version,
            "suggestedResolution": outcome.conflict.suggested,
            "applied": outcome.conflict.applied,
            "snapshotId": outcome.snapshot.id if outcome.snapshot else None,
        }
        for outcome in outcomes
        if outcome.conflict
    ]
