"""What the sync tools answer."""
# ruff: noqa: N815 the published names

from typing import NotRequired

from typing_extensions import TypedDict

from recollect.keep.identity.files import IdentityFile
from recollect.keep.sync.hash import state_hash
from recollect.keep.sync.pull import Gone
from recollect.keep.sync.push import Outcome
from recollect.store.change import Change
from recollect.surfaces.entity_core.answers import Written
from recollect.surfaces.entity_core.identity_results import FileShown, show_file
from recollect.surfaces.entity_core.memory_results import MemoryShown
from recollect.when.instant import say_millis


class SyncToken(TypedDict):
    """Where an embodiment stands after a sync."""

    serverVersion: int
    timestamp: str
    hash: str


class FilePulled(FileShown):
    category: str


class FilesPulled(TypedDict):
    self: list[FilePulled]
    user: list[FilePulled]
    relationship: list[FilePulled]
    custom: list[FilePulled]


class Tombstone(TypedDict):
    entityType: str
    entityId: str
    version: int
    deletedAt: str


class PulledShown(TypedDict):
    """What there is to learn; with `full`, what is not here does not exist."""

    success: bool
    full: bool
    identityFiles: FilesPulled
    memories: list[MemoryShown]
    deleted: list[Tombstone]
    newSyncToken: SyncToken | None
    hasMore: bool
    cursor: NotRequired[str]


class ConflictShown(TypedDict):
    entityType: str
    entityId: str
    localVersion: int | None
    serverVersion: int
    suggestedResolution: str
    applied: str
    snapshotId: str | None


class ResultShown(TypedDict):
    entityType: str
    entityId: str
    status: str
    version: int
    snapshotId: str | None


class PushedShown(Written):
    """What became of each pushed thing, identity first."""

    success: bool
    newSyncToken: SyncToken
    conflicts: list[ConflictShown]
    results: list[ResultShown]


def show_token(change: Change, server_version: int) -> SyncToken:
    """The token of the state after a transaction."""
    digest = state_hash(change, server_version)
    return {"serverVersion": server_version, "timestamp": say_millis(change.now), "hash": digest}


def show_files(files: list[IdentityFile]) -> FilesPulled:
    shown: FilesPulled = {"self": [], "user": [], "relationship": [], "custom": []}
    for file in files:
        shown[file.place.category].append({"category": file.place.category, **show_file(file)})
    return shown


def show_gone(gone: Gone) -> Tombstone:
    return {
        "entityType": gone.kind,
        "entityId": gone.id,
        "version": gone.version,
        "deletedAt": say_millis(gone.at),
    }


def show_result(outcome: Outcome) -> ResultShown:
    return {
        "entityType": outcome.item.kind,
        "entityId": outcome.item.id,
        "status": outcome.status,
        "version": outcome.version,
        "snapshotId": outcome.snapshot.id if outcome.snapshot else None,
    }


def show_conflicts(outcomes: list[Outcome]) -> list[ConflictShown]:
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
