"""Tools that create, update, delete and consolidate memories."""

# ruff: noqa: A002, N803 the published names
from collections.abc import Sequence

from recollect.errors import InvalidField
from recollect.keep.graph.extraction_queue import ExtractionState, extraction_state
from recollect.keep.memories.consolidation import (
    ConsolidationFailure,
    ConsolidationOutcome,
    consolidate,
    consolidate_all,
)
from recollect.keep.memories.editing import (
    NewMemory,
    correct_memory,
    delete_memory,
    parse_address,
    resolve_edited_memory,
    resolve_memory,
    upsert_memory,
)
from recollect.keep.memory_formats import Granularity as MemoryGranularity
from recollect.keep.memory_formats import MemoryPeriod, parse_day, parse_period, period_around
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.store.change import Change
from recollect.surfaces.entity_core.memory_types import (
    ConsolidationResult,
    ConsolidationView,
    MemoryCreateResult,
    MemoryDate,
    MemoryDeleteResult,
    MemoryId,
    MemoryUpdateResult,
    OnExisting,
    SlugView,
    SummaryLevel,
    TargetDate,
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
from recollect.surfaces.parameter_types import Flag
from recollect.surfaces.views import format_count


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
        stored = resolve_edited_memory(change, address)
        kept = correct_memory(change, stored, content, editedBy, expectedVersion)
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


@surface.tool(
    "write",
    example={"granularity": "weekly", "targetDate": "2026-W18"},
    idempotent=True,
    reports_progress=True,
    asks_model=True,
)
def memory_consolidate(
    memory: Memory,
    granularity: SummaryLevel | None = None,
    targetDate: TargetDate | None = None,
    all: Flag = False,
    force: Flag = False,
) -> ConsolidationResult:
    """I use this to sum up days into weeks, weeks into months, months into years."""
    if all and (granularity or targetDate):
        raise InvalidField("all", "cannot be combined with granularity or targetDate")
    if not all and granularity is None:
        raise InvalidField("granularity", "is required, unless all is true")
    acting = acting_as(memory, None)
    if granularity is None:
        return _render_consolidation(consolidate_all(acting, force=force))
    if targetDate is None:
        return _render_consolidation(consolidate_all(acting, (granularity,), force=force))
    return _render_consolidation(consolidate(acting, _target_period(granularity, targetDate), force=force))


def _target_period(granularity: MemoryGranularity, text: str) -> MemoryPeriod:
    try:
        return period_around(granularity, parse_day(text))
    except ValueError:
        return parse_period(granularity, text, "targetDate")


def _render_consolidation(outcomes: Sequence[ConsolidationOutcome]) -> ConsolidationResult:
    made = sum(not isinstance(each, ConsolidationFailure) and each.tx is not None for each in outcomes)
    failed = sum(isinstance(each, ConsolidationFailure) for each in outcomes)
    said = f"I summarised {format_count(made, 'period')}."
    return {
        "success": not failed,
        "message": f"{said} {failed} could not be done." if failed else said,
        "consolidations": [_render_outcome(each) for each in outcomes],
    }


def _render_outcome(outcome: ConsolidationOutcome) -> ConsolidationView:
    period = outcome.period
    item: ConsolidationView = {
        "granularity": period.granularity,
        "dateStr": period.text,
        "success": not isinstance(outcome, ConsolidationFailure),
    }
    if isinstance(outcome, ConsolidationFailure):
        item["error"] = outcome.error
        return item
    summary = outcome.memory.draft.summary
    item |= {"action": outcome.action, "memoryId": outcome.memory.id, "version": outcome.memory.version}
    if summary is not None:
        item |= {"method": summary.method, "sources": list(summary.sources)}
    if outcome.tx is not None:
        item["tx"] = outcome.tx
    return item
