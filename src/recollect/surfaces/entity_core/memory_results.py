"""What the memory tools answer."""
# ruff: noqa: N815 the published names

from typing import NotRequired, cast

from typing_extensions import TypedDict

from recollect.keep.memories.entry import EntryFields, Kept, entry_fields
from recollect.keep.reading.jobs import Extraction
from recollect.keep.summaries.periods import is_stale
from recollect.store.view import View
from recollect.surfaces.entity_core.answers import Written
from recollect.when.instant import say_millis

PREVIEW = 100


class SummaryShown(TypedDict):
    method: str
    sources: list[str]
    stale: bool


class MemoryShown(EntryFields):
    """One memory in full."""

    deleted: NotRequired[bool]
    summary: NotRequired[SummaryShown]
    tx: int


class MemoryRead(TypedDict):
    success: bool
    memory: MemoryShown


class SlugShown(TypedDict):
    """The short name of a significant memory."""

    slug: NotRequired[str]


class MemoryMade(Written, SlugShown):
    success: bool
    message: str
    memoryId: str
    created: bool
    version: int
    bulletsAdded: int
    bulletsRepeated: int
    extraction: Extraction


class MemoryUpdated(Written):
    success: bool
    message: str
    memoryId: str
    version: int
    extraction: Extraction


class MemoryDeleted(Written):
    success: bool
    message: str
    snapshotId: str


class MemoryRow(TypedDict):
    id: str
    granularity: str
    date: str
    preview: str
    sourceInstance: str
    slug: NotRequired[str]
    title: str | None
    version: int
    updatedAt: str
    stale: bool
    deleted: NotRequired[bool]


class MemoryPage(TypedDict):
    """Some memories, and how many match in all."""

    memories: list[MemoryRow]
    total: int


class ConsolidationItem(TypedDict):
    granularity: str
    dateStr: str
    success: bool
    error: NotRequired[str]
    action: NotRequired[str]
    method: NotRequired[str]
    memoryId: NotRequired[str]
    version: NotRequired[int]
    sources: NotRequired[list[str]]
    tx: NotRequired[int]


class Consolidated(TypedDict):
    success: bool
    message: str
    consolidations: list[ConsolidationItem]


class SignalsShown(TypedDict):
    vector: float
    keyword: float
    recency: float
    graph: float
    instance: float
    time: float


class MemoryHit(TypedDict):
    id: str
    granularity: str
    tier: str
    date: str
    slug: NotRequired[str]
    title: str | None
    sourceInstance: str
    score: float
    ageDays: int
    vectorScore: float
    method: str
    excerpt: str
    signals: SignalsShown


class MemoryHits(TypedDict):
    results: list[MemoryHit]
    searchMethod: str
    vectorAvailable: bool


class GrepHit(TypedDict):
    id: str
    granularity: str
    date: str
    slug: NotRequired[str]
    title: str
    score: float
    context: str
    sourceInstance: str
    matched: list[str]


class GrepHits(TypedDict):
    results: list[GrepHit]
    totalScanned: int


class Purged(TypedDict):
    purged: int
    remaining: int
    message: str


class MemoriesRebuilt(TypedDict):
    rebuilt: int
    failed: int
    total: int
    message: str
    running: bool
    vectorAvailable: bool


class AllRebuilt(TypedDict):
    memoriesRebuilt: int
    memoriesFailed: int
    memoriesTotal: int
    nodesRebuilt: int
    nodesFailed: int
    nodesTotal: int
    message: str
    running: bool
    vectorAvailable: bool


def show_memory(view: View, memory: Kept, *, deleted: bool = False) -> MemoryShown:
    """The whole entry; with `deleted`, also whether it is."""
    shown = cast(MemoryShown, {**entry_fields(memory), "tx": memory.document.tx_from})
    if memory.draft.summary is not None:
        shown["summary"] = {**memory.draft.summary.to_json(), "stale": is_stale(view, memory)}
    if deleted:
        shown["deleted"] = memory.document.deleted is not None
    return shown


def show_row(view: View, memory: Kept, *, deleted: bool) -> MemoryRow:
    draft = memory.draft
    shown: MemoryRow = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "preview": memory.content[:PREVIEW],
        "sourceInstance": draft.instance,
        "title": memory.title,
        "version": memory.version,
        "updatedAt": say_millis(draft.updated_at),
        "stale": is_stale(view, memory),
    }
    if draft.slug is not None:
        shown["slug"] = draft.slug
    if deleted:
        shown["deleted"] = memory.document.deleted is not None
    return shown
