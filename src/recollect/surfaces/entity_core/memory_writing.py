"""Recording, correcting and removing memories."""
# ruff: noqa: A002, N803 the published names

from recollect.keep.memories.address import read_address, the_memory
from recollect.keep.memories.changing import correct_memory, delete_memory
from recollect.keep.memories.dates import read_period
from recollect.keep.memories.making import NewMemory, make_memory
from recollect.keep.reading.jobs import Extraction, extraction_of
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.memory_inputs import MemoryDate, MemoryId, OnExisting
from recollect.surfaces.entity_core.memory_results import MemoryDeleted, MemoryMade, MemoryUpdated, SlugShown
from recollect.surfaces.entity_core.shapes import (
    Author,
    ChatIds,
    Content,
    ExpectedVersion,
    Granularity,
    InstanceId,
    Instances,
    Slug,
)
from recollect.surfaces.entity_core.surface import surface


@surface.tool(
    "write",
    example={
        "granularity": "daily",
        "date": "2026-05-12",
        "instanceId": "psy-desk",
        "content": "# Daily Memory - 2026-05-12\n\n- Noor fired the first kiln load [chat:c7] [via:psy-desk]",
    },
    idempotent=True,
)
def memory_create(
    memory: Memory,
    granularity: Granularity,
    date: MemoryDate,
    content: Content,
    instanceId: InstanceId,
    chatIds: ChatIds | None = None,
    participatingInstances: Instances | None = None,
    slug: Slug | None = None,
    onExisting: OnExisting | None = None,
) -> MemoryMade:
    """I use this to record a memory; a day that I remember already gains what is new.

    I write in the first person, one bullet for each thing, ending with [chat:id] and [via:instanceId].
    """
    new = NewMemory(
        read_period(granularity, date),
        content,
        instanceId,
        tuple(chatIds or ()),
        tuple(participatingInstances) if participatingInstances else None,
        slug,
        onExisting,
    )
    with acting_as(memory, instanceId).write() as change:
        made = make_memory(change, new)
        kept = made.memory
        slug_shown: SlugShown = {"slug": kept.draft.slug} if kept.draft.slug else {}
        return {
            "success": True,
            "message": _said(
                kept.id, made.is_new, change.has_changed, "rewrote" if onExisting == "replace" else "added to"
            ),
            "memoryId": kept.id,
            "created": made.is_new,
            "version": kept.version,
            "bulletsAdded": made.added,
            "bulletsRepeated": made.repeated,
            "extraction": _extraction(memory, change, kept.document),
            **slug_shown,
            **written(change),
        }


def _extraction(memory: Memory, change: Change, document: Document) -> Extraction:
    if not change.has_changed:
        return "not_needed"
    return extraction_of(change, document, can_read=memory.endpoint is not None)


def _said(id_: str, is_new: bool, has_changed: bool, verb: str) -> str:
    if is_new:
        return f"I recorded {id_}."
    return f"I {verb} {id_}." if has_changed else f"{id_} says that already."


@surface.tool(
    "destroy",
    example={
        "granularity": "daily",
        "date": "2026-05-12",
        "content": "- Noor fired the second kiln load [chat:c7]",
        "editedBy": "human",
    },
    idempotent=True,
)
def memory_update(
    memory: Memory,
    content: Content,
    granularity: Granularity | None = None,
    date: MemoryDate | None = None,
    instanceId: InstanceId | None = None,
    slug: Slug | None = None,
    id: MemoryId | None = None,
    editedBy: Author | None = None,
    expectedVersion: ExpectedVersion | None = None,
) -> MemoryUpdated:
    """I use this to correct a memory: its whole text is replaced, nothing is merged."""
    address = read_address(granularity, date, instanceId, slug, id)
    with acting_as(memory, instanceId).write() as change:
        held = the_memory(change, address)
        kept = correct_memory(change, held, content, editedBy, expectedVersion)
        return {
            "success": True,
            "message": f"I corrected {kept.id}." if change.has_changed else f"{kept.id} says that already.",
            "memoryId": kept.id,
            "version": kept.version,
            "extraction": _extraction(memory, change, kept.document),
            **written(change),
        }


@surface.tool("destroy", example={"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk"})
def memory_delete(
    memory: Memory,
    granularity: Granularity | None = None,
    date: MemoryDate | None = None,
    instanceId: InstanceId | None = None,
    slug: Slug | None = None,
    id: MemoryId | None = None,
) -> MemoryDeleted:
    """I use this to remove a memory; a snapshot can bring it back.

    memory_update corrects one instead.
    """
    address = read_address(granularity, date, instanceId, slug, id)
    with acting_as(memory, instanceId).write() as change:
        held = the_memory(change, address, strict=True)
        snapshot = delete_memory(change, held)
        return {
            "success": True,
            "message": f"I deleted {held.id}.",
            "snapshotId": snapshot.id,
            **written(change),
        }
