"""Parameter and result types of the memory tools."""

import math
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from typing_extensions import TypedDict

from recollect.keep.graph.extraction_queue import ExtractionState
from recollect.keep.memories.consolidation import is_stale
from recollect.keep.memory_formats import GRANULARITIES, MEMORY_ID, matches_format, parse_day
from recollect.keep.memory_index.stored_memory import EntryFields, StoredMemory, entry_fields
from recollect.store.view import View
from recollect.surfaces.entity_core.parameters import text_up_to
from recollect.surfaces.entity_core.surface import WriteReceipt, WriteResult
from recollect.surfaces.parameter_types import IntegralFloat, bad_value
from recollect.surfaces.views import TrustMarks, mark_trust
from recollect.when.instant import format_millis

MAX_QUERY_LENGTH = 2000


def _check_day(text: str) -> str:
    try:
        return parse_day(text).isoformat()
    except ValueError:
        raise bad_value("should be a day that exists, of the form YYYY-MM-DD", accepted=("YYYY-MM-DD",)) from None


def _check_memory_id(text: str) -> str:
    if not matches_format(MEMORY_ID, text):
        raise bad_value("should be as it was printed, such as daily-2026-05-12_psy-desk")
    return text


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _check_query_vector(values: list[float]) -> list[float]:
    if not all(map(math.isfinite, values)) or not any(values):
        raise bad_value("should hold finite numbers, not all of them zero")
    return values


MemoryDate = Annotated[
    str,
    Field(
        description="YYYY-MM-DD for daily and significant, YYYY-Www for weekly, YYYY-MM for monthly, YYYY for yearly"
    ),
]
MemoryId = Annotated[str, AfterValidator(_check_memory_id), Field(description="Id of a memory; suffices alone")]
OnExisting = Annotated[
    Literal["merge", "replace", "error"], Field(description="If it exists; default merge for daily, else error")
]
MemoryQueryText = Annotated[str, text_up_to(MAX_QUERY_LENGTH), Field(description="What I look for")]
QueryVectorInput = Annotated[
    list[float],
    AfterValidator(_check_query_vector),
    WithJsonSchema({"type": "array", "items": {"type": "number"}}),
    Field(description="The query's embedding, if it is there already"),
]
MinScore = Annotated[float, Field(ge=0, le=1, description="Least score of a result")]
MaxResults = Annotated[int, Field(ge=1, le=50, description="At most this many"), IntegralFloat]
Granularities = Annotated[
    list[Literal["daily", "weekly", "monthly", "yearly", "significant"]],
    BeforeValidator(_as_list),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "enum": list(GRANULARITIES)},
                {"type": "array", "items": {"type": "string", "enum": list(GRANULARITIES)}},
            ]
        }
    ),
    Field(description="Only these granularities"),
]
AfterDate = Annotated[str, AfterValidator(_check_day), Field(description="From this day on, YYYY-MM-DD")]
BeforeDate = Annotated[str, AfterValidator(_check_day), Field(description="Up to this day, YYYY-MM-DD")]
PageLimit = Annotated[int, Field(ge=1, le=100, description="At most this many"), IntegralFloat]
MemoryOffset = Annotated[int, Field(ge=0, le=2**53, description="Leave out this many at the beginning"), IntegralFloat]
MemoryVersion = Annotated[int, Field(ge=1, le=2**53, description="An earlier version; not with as_of"), IntegralFloat]
SummaryLevel = Annotated[Literal["weekly", "monthly", "yearly"], Field(description="Which summaries")]
TargetDate = Annotated[str, Field(description="One period, in its form or by a day inside it; needs granularity")]


# ruff: noqa: N815 the published names


PREVIEW_LENGTH = 100


class SummaryView(TypedDict):
    method: str
    sources: list[str]
    stale: bool


class MemoryView(EntryFields, TrustMarks):
    """One memory in full."""

    deleted: NotRequired[bool]
    summary: NotRequired[SummaryView]
    tx: int


class MemoryReadResult(TypedDict):
    success: bool
    memory: MemoryView


class SlugView(TypedDict):
    """The short name of a significant memory."""

    slug: NotRequired[str]


class MemoryCreateResult(WriteReceipt, SlugView):
    success: bool
    message: str
    memoryId: str
    created: bool
    version: int
    bulletsAdded: int
    bulletsRepeated: int
    extraction: ExtractionState


class MemoryUpdateResult(WriteResult):
    memoryId: str
    version: int
    extraction: ExtractionState


class MemoryDeleteResult(WriteResult):
    snapshotId: str


class MemoryRowView(TrustMarks):
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


class MemoryListResult(TypedDict):
    """Some memories, and how many match in all."""

    memories: list[MemoryRowView]
    total: int


class ConsolidationView(TypedDict):
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


class ConsolidationResult(TypedDict):
    success: bool
    message: str
    consolidations: list[ConsolidationView]


class SignalsView(TypedDict):
    vector: float
    keyword: float
    recency: float
    graph: float
    instance: float
    time: float
    context: NotRequired[float]


class MemoryHitView(TrustMarks):
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
    signals: SignalsView


class MemorySearchResult(TypedDict):
    results: list[MemoryHitView]
    searchMethod: str
    vectorAvailable: bool


class GrepHitView(TrustMarks):
    id: str
    granularity: str
    date: str
    slug: NotRequired[str]
    title: str
    score: float
    context: str
    sourceInstance: str
    matched: list[str]


class MemoryGrepResult(TypedDict):
    results: list[GrepHitView]
    totalScanned: int


class EmbeddingPurgeResult(TypedDict):
    purged: int
    remaining: int
    message: str


class MemoryRebuildResult(TypedDict):
    rebuilt: int
    failed: int
    total: int
    message: str
    running: bool
    vectorAvailable: bool


class FullRebuildResult(TypedDict):
    memoriesRebuilt: int
    memoriesFailed: int
    memoriesTotal: int
    nodesRebuilt: int
    nodesFailed: int
    nodesTotal: int
    message: str
    running: bool
    vectorAvailable: bool


def render_memory(view: View, memory: StoredMemory, *, deleted: bool = False) -> MemoryView:
    """A memory in full; with `deleted`, also whether it is deleted."""
    shown = cast(MemoryView, {**entry_fields(memory), "tx": memory.document.tx_from})
    if memory.draft.summary is not None:
        shown["summary"] = {**memory.draft.summary.to_json(), "stale": is_stale(view, memory)}
    if deleted:
        shown["deleted"] = memory.document.deleted is not None
    mark_memory(shown, memory)
    return shown


def mark_memory(shown: TrustMarks, memory: StoredMemory) -> None:
    """Tell of a memory that its writer is not trusted, and that its words look like an attack."""
    mark_trust(shown, memory.document.properties, f"{memory.title or ''}\n{memory.content}")


def render_row(view: View, memory: StoredMemory, *, deleted: bool) -> MemoryRowView:
    draft = memory.draft
    shown: MemoryRowView = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "preview": memory.content[:PREVIEW_LENGTH],
        "sourceInstance": draft.instance,
        "title": memory.title,
        "version": memory.version,
        "updatedAt": format_millis(draft.updated_at),
        "stale": is_stale(view, memory),
    }
    if draft.slug is not None:
        shown["slug"] = draft.slug
    if deleted:
        shown["deleted"] = memory.document.deleted is not None
    mark_memory(shown, memory)
    return shown
