"""Exchange with my embodiments: bringing one up to date, and taking over what it changed."""
# ruff: noqa: N803 the published names

from typing import Annotated

from pydantic import Field

from recollect.keep.artifacts.versions import past
from recollect.keep.snapshots.naming import drop_expired
from recollect.keep.sync.instances import Instance, known_instance, note_sync
from recollect.keep.sync.pull import BadCursor, Page, first_page, pull, read_page
from recollect.keep.sync.push import push
from recollect.memory import Memory
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.memory_results import show_memory
from recollect.surfaces.entity_core.shapes import InstanceId
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.entity_core.sync_items import FilesGiven, MemoriesGiven, Pusher, items_of
from recollect.surfaces.entity_core.sync_results import (
    PulledShown,
    PushedShown,
    show_conflicts,
    show_files,
    show_gone,
    show_result,
    show_token,
)
from recollect.surfaces.shapes import Whole

LastSync = Annotated[int, Field(ge=0, description="serverVersion of the last token; none: everything"), Whole]
PULL_EXAMPLE = {"instanceId": "st-attic", "lastSyncVersion": 0}
PUSH_EXAMPLE = {
    "instance": {"id": "st-attic", "type": "sillytavern"},
    "identityChanges": [{"category": "user", "filename": "user_notes.md", "content": "Noor likes fog.", "version": 0}],
}


@surface.tool("write", example=PULL_EXAMPLE, idempotent=True)
def sync_pull(
    memory: Memory,
    instanceId: InstanceId,
    lastSyncVersion: LastSync | None = None,
    limit: Annotated[int, Field(ge=1, le=5000, description="At most so many memories; default all"), Whole]
    | None = None,
    cursor: Annotated[str, Field(max_length=80, description="From the previous page")] | None = None,
) -> PulledShown:
    """I use this to bring an embodiment of mine up to date, with all or only what changed."""
    with acting_as(memory, instanceId).write() as change:
        page = _page(cursor, change.last_tx, lastSyncVersion)
        state = past(change, page.known)
        found = pull(state, page, limit)
        note_sync(change, known_instance(change, instanceId), None if found.next else page.known)
        shown: PulledShown = {
            "success": True,
            "full": page.since is None,
            "identityFiles": show_files(found.files),
            "memories": [show_memory(state, each) for each in found.memories],
            "deleted": [show_gone(each) for each in found.gone],
            "newSyncToken": None if found.next else show_token(change, page.known),
            "hasMore": found.next is not None,
        }
        return shown if found.next is None else {**shown, "cursor": found.next.say()}


def _page(cursor: str | None, last_tx: int, since: int | None) -> Page:
    if cursor is None:
        return first_page(last_tx, since)
    page = read_page(cursor, last_tx)
    if since is not None and first_page(page.known, since).since != page.since:
        raise BadCursor
    return page


@surface.tool("write", example=PUSH_EXAMPLE)
def sync_push(
    memory: Memory,
    instance: Pusher,
    identityChanges: FilesGiven | None = None,
    memoryChanges: MemoriesGiven | None = None,
    lastSyncVersion: LastSync | None = None,
) -> PushedShown:
    """I use this to take over what an embodiment of mine changed; no text is ever lost."""
    with acting_as(memory, instance["id"]).write() as change:
        items = items_of(change, instance["id"], identityChanges or [], memoryChanges or [])
        drop_expired(change, memory.settings)
        outcomes = push(change, items, lastSyncVersion)
        server_version = change.tx if change.has_changed else change.last_tx
        pusher = Instance(instance["id"], instance["type"], instance.get("name"), instance.get("version"))
        note_sync(change, pusher, server_version)
        return {
            "success": True,
            "newSyncToken": show_token(change, server_version),
            "conflicts": show_conflicts(outcomes),
            "results": [show_result(each) for each in outcomes],
            **written(change),
        }
