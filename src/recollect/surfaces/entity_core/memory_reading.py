"""Listing memories and reading one."""
# ruff: noqa: A002, N803 the published names

from datetime import date as day

from recollect.errors import Refused
from recollect.keep.artifacts.versions import version_at
from recollect.keep.memories.address import read_address, the_memory
from recollect.keep.memories.keeping import Kept, kept, kept_one
from recollect.keep.memories.listing import Where, list_memories
from recollect.keep.problems import NotFound
from recollect.memory import Memory
from recollect.store.view import View
from recollect.surfaces.entity_core.memory_inputs import (
    AfterDate,
    BeforeDate,
    MemoryDate,
    MemoryId,
    Offset,
    PageLimit,
    Version,
)
from recollect.surfaces.entity_core.memory_results import MemoryPage, MemoryRead, show_memory, show_row
from recollect.surfaces.entity_core.shapes import Granularity, InstanceId, Slug
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf, Flag


class RangeReversed(Refused):
    def __init__(self) -> None:
        super().__init__("afterDate lies after beforeDate; swap them or drop one", field="afterDate")


class VersionWithAsOf(Refused):
    def __init__(self) -> None:
        super().__init__("version and as_of both name a moment; give one of them", field="version")


def between(after: str | None, before: str | None) -> tuple[day | None, day | None]:
    """The days of a range, which may be open."""
    if after is not None and before is not None and after > before:
        raise RangeReversed
    return day.fromisoformat(after) if after else None, day.fromisoformat(before) if before else None


@surface.tool("read", example={"granularity": "daily", "afterDate": "2026-05-01"})
def memory_list(
    memory: Memory,
    granularity: Granularity | None = None,
    limit: PageLimit = 20,
    offset: Offset = 0,
    beforeDate: BeforeDate | None = None,
    afterDate: AfterDate | None = None,
    instanceId: InstanceId | None = None,
    includeDeleted: Flag = False,
    as_of: AsOf = None,
) -> MemoryPage:
    """I use this to list my memories, the latest first."""
    after, before = between(afterDate, beforeDate)
    where = Where(frozenset([granularity] if granularity else []), after, before, instanceId)
    with memory.read(as_of) as view:
        found = list_memories(view, where, limit, offset, deleted=includeDeleted)
        rows = [show_row(view, each, deleted=includeDeleted) for each in kept(view, found.documents)]
        return {"memories": rows, "total": found.total}


@surface.tool("read", example={"granularity": "daily", "date": "2026-05-12"})
def memory_read(
    memory: Memory,
    granularity: Granularity | None = None,
    date: MemoryDate | None = None,
    instanceId: InstanceId | None = None,
    slug: Slug | None = None,
    id: MemoryId | None = None,
    version: Version | None = None,
    as_of: AsOf = None,
) -> MemoryRead:
    """I use this to read one memory in full, as it is or as it was."""
    if version is not None and as_of is not None:
        raise VersionWithAsOf
    address = read_address(granularity, date, instanceId, slug, id)
    with memory.read(as_of) as view:
        held = the_memory(view, address)
        if version is None or version == held.version:
            return {"success": True, "memory": show_memory(view, held, deleted=as_of is not None)}
        earlier = _version(view, held, version)
    with memory.read(earlier.document.tx_from) as then:
        return {"success": True, "memory": show_memory(then, earlier, deleted=earlier.document.deleted is not None)}


def _version(view: View, held: Kept, number: int) -> Kept:
    document = version_at(view, held.document, number)
    if document is None:
        raise NotFound(f"{held.id} has no version {number}; it is at version {held.version}", field="version")
    found = kept_one(view, document)
    return Kept(found.draft, found.content, number, document)
