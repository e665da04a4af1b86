"""Tools that create, update and delete memories."""
# ruff: noqa: A002, N803 the published names

from recollect.keep.formats import parse_period
from recollect.keep.graph.extraction_queue import ExtractionState, extraction_state
from recollect.keep.memories.editing import (
    NewMemory,
    correct_memory,
    delete_memory,
    parse_address,
    resolve_edited_memory,
    resolve_memory,
    upsert_memory,
)
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.surfaces.entity_core.memory_types import (
    MemoryCreateResult,
    MemoryDate,
    MemoryDeleteResult,
    MemoryId,
    MemoryUpdateResult,
    OnExisting,
    SlugView,
)
from recollect.surfaces.entity_core.parameters import (
    Author,
    ChatIds,
    Content,
    ExpectedVersion,
    Granularity,
    InstanceId,
    Instances,
    Slug,
)
from recollect.surfaces.entity_core.surface import acting_as, surface, write_receipt


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
) -> MemoryCreateResult:
    """I use this to record a memory; a day that I remember already gains what is new.

    I write in the first person, one bullet for each thing, ending with [chat:id] and [via:instanceId].
    """
    new = NewMemory(
        parse_period(granularity, date),
        content,
        instanceId,
        tuple(chatIds or ()),
        tuple(participatingInstances) if participatingInstances else None,
        slug,
        onExisting,
    )
    with acting_as(memory, instanceId).write() as change:
        made = upsert_memory(change, new)
        kept = made.memory
        slug_shown: SlugView = {"slug": kept.draft.slug} if kept.draft.slug else {}
        return {
            "success": True,
            "message": _describe_write(
                kept.id, made.is_new, change.has_changed, "rewrote" if onExisting == "replace" else "added to"
            ),
            "memoryId": kept.id,
            "created": made.is_new,
            "version": kept.version,
            "bulletsAdded": made.added,
            "bulletsRepeated": made.duplicates,
            "extraction": _extraction_state(memory, change, kept.document),
            **slug_shown,
            **write_receipt(change),
        }


def _extraction_state(memory: Memory, change: Change, document: Document) -> ExtractionState:
    if not change.has_changed:
        return "not_needed"
    return extraction_state(change, document, can_read=memory.endpoint is not None)


def _describe_write(id_: str, is_new: bool, has_changed: bool, verb: str) -> str:
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
) -> MemoryUpdateResult:
    """I use this to correct a memory: its whole text is replaced, nothing is merged."""
    address = parse_address(granularity, date, instanceId, slug, id)
    with acting_as(memory, instanceId).write() as change:
        held = resolve_edited_memory(change, address)
        kept = correct_memory(change, held, content, editedBy, expectedVersion)
        return {
            "success": True,
            "message": f"I corrected {kept.id}." if change.has_changed else f"{kept.id} says that already.",
            "memoryId": kept.id,
            "version": kept.version,
            "extraction": _extraction_state(memory, change, kept.document),
            **write_receipt(change),
        }


@surface.tool("destroy", example={"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk"})
def memory_delete(
    memory: Memory,
    granularity: Granularity | None = None,
    date: MemoryDate | None = None,
    instanceId: InstanceId | None = None,
    slug: Slug | None = None,
    id: MemoryId | None = None,
) -> MemoryDeleteResult:
    """I use this to remove a memory; a snapshot can bring it back.

    memory_update corrects one instead.
    """
    address = parse_address(granularity, date, instanceId, slug, id)
    with acting_as(memory, instanceId).write() as change:
        held = resolve_memory(change, address, strict=True)
        snapshot = delete_memory(change, held)
        return {
            "success": True,
            "message": f"I deleted {held.id}.",
            "snapshotId": snapshot.id,
            **write_receipt(change),
        }
