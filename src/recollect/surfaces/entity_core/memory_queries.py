"""Memory tools that read: list, read one, search by meaning, grep."""

from datetime import date as day

from recollect.embed.port import EmbeddingFailed
from recollect.errors import Refused
from recollect.indexing import index_before_read
from recollect.keep.call_conflicts import ItemNotFound
from recollect.keep.document_versions import version_at
from recollect.keep.memories.editing import parse_address, resolve_memory
from recollect.keep.memories.memory_store import load_memories, load_memory
from recollect.keep.memory_index.index import MemoryColumnCache
from recollect.keep.memory_index.listing import GrepMatch, MemoryFilter, grep, list_memories
from recollect.keep.memory_index.query import MemoryMatch, MemoryQuery, excerpt, parse_memory_query
from recollect.keep.memory_index.search import search_memories
from recollect.keep.memory_index.stored_memory import StoredMemory
from recollect.memory import Memory
from recollect.model.ids import DocumentId
from recollect.search.passage_search import QueryVector, embed_query
from recollect.search.question import Question
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.surfaces.entity_core.memory_types import (
    AfterDate,
    BeforeDate,
    Granularities,
    GrepHitView,
    MaxResults,
    MemoryDate,
    MemoryGrepResult,
    MemoryHitView,
    MemoryId,
    MemoryListResult,
    MemoryOffset,
    MemoryQueryText,
    MemoryReadResult,
    MemorySearchResult,
    MemoryVersion,
    MinScore,
    PageLimit,
    QueryVectorInput,
    SignalsView,
    mark_memory,
    render_memory,
    render_row,
)
from recollect.surfaces.entity_core.parameters import Granularity, InstanceId, Slug
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.parameter_types import AsOf, Flag
from recollect.when.instant import local_day

# ruff: noqa: A002, N803 the published names


class DayRangeReversed(Refused):
    def __init__(self) -> None:
        super().__init__("afterDate lies after beforeDate; swap them or drop one", field="afterDate")


class VersionWithAsOf(Refused):
    def __init__(self) -> None:
        super().__init__("version and as_of both name a moment; give one of them", field="version")


def parse_day_range(after: str | None, before: str | None) -> tuple[day | None, day | None]:
    """The days of a range, which may be open."""
    if after is not None and before is not None and after > before:
        raise DayRangeReversed
    return day.fromisoformat(after) if after else None, day.fromisoformat(before) if before else None


@surface.tool("read", example={"granularity": "daily", "afterDate": "2026-05-01"})
def memory_list(
    memory: Memory,
    granularity: Granularity | None = None,
    limit: PageLimit = 20,
    offset: MemoryOffset = 0,
    beforeDate: BeforeDate | None = None,
    afterDate: AfterDate | None = None,
    instanceId: InstanceId | None = None,
    includeDeleted: Flag = False,
    as_of: AsOf = None,
) -> MemoryListResult:
    """I use this to list my memories, the latest first."""
    after, before = parse_day_range(afterDate, beforeDate)
    where = MemoryFilter(frozenset([granularity] if granularity else []), after, before, instanceId)
    with memory.read(as_of) as view:
        found = list_memories(view, where, limit, offset, deleted=includeDeleted)
        rows = [render_row(view, each, deleted=includeDeleted) for each in load_memories(view, found.items)]
        return {"memories": rows, "total": found.total}


@surface.tool("read", example={"granularity": "daily", "date": "2026-05-12"})
def memory_read(
    memory: Memory,
    granularity: Granularity | None = None,
    date: MemoryDate | None = None,
    instanceId: InstanceId | None = None,
    slug: Slug | None = None,
    id: MemoryId | None = None,
    version: MemoryVersion | None = None,
    as_of: AsOf = None,
) -> MemoryReadResult:
    """I use this to read one memory in full, as it is or as it was."""
    if version is not None and as_of is not None:
        raise VersionWithAsOf
    address = parse_address(granularity, date, instanceId, slug, id)
    with memory.read(as_of) as view:
        found = resolve_memory(view, address)
        if version is None or version == found.version:
            return {"success": True, "memory": render_memory(view, found, deleted=as_of is not None)}
        earlier = _memory_at_version(view, found, version)
    with memory.read(earlier.document.tx_from) as then:
        return {"success": True, "memory": render_memory(then, earlier, deleted=earlier.document.deleted is not None)}


def _memory_at_version(view: View, held: StoredMemory, number: int) -> StoredMemory:
    document = version_at(view, held.document, number)
    if document is None:
        raise ItemNotFound(f"{held.id} has no version {number}; it is at version {held.version}", field="version")
    found = load_memory(view, document)
    return StoredMemory(found.draft, found.content, number, document)


DEFAULT_DIMENSIONS = 384
SCORE_DIGITS = 3


class QueryVectorWidthMismatch(Refused):
    def __init__(self, given: int, wanted: int) -> None:
        message = f"queryEmbedding has {given} numbers; it should have {wanted}"
        super().__init__(message, field="queryEmbedding", accepted=(str(wanted),))


@surface.tool("read", example={"query": "kiln load", "instanceId": "psy-desk", "maxResults": 3})
def memory_search(
    memory: Memory,
    query: MemoryQueryText,
    instanceId: InstanceId,
    queryEmbedding: QueryVectorInput | None = None,
    minScore: MinScore = 0.3,
    maxResults: MaxResults = 10,
    granularity: Granularities | None = None,
    afterDate: AfterDate | None = None,
    beforeDate: BeforeDate | None = None,
    sourceInstance: InstanceId | None = None,
    as_of: AsOf = None,
) -> MemorySearchResult:
    """I use this to find memories by meaning, words, names and times."""
    after, before = parse_day_range(afterDate, beforeDate)
    given = None if queryEmbedding is None else _given_vector(memory, queryEmbedding)
    index_before_read(memory)
    with memory.read(as_of) as view:
        index = StoredPassageIndex(view, memory.cache.vectors)
        vector = given or _query_vector(memory, view, index, query)
        asked = MemoryQuery(
            query,
            instanceId,
            local_day(view.now, view.world.zone),
            parse_memory_query(view, query),
            vector,
            MemoryFilter(frozenset(granularity or ()), after, before, sourceInstance),
            minScore,
            maxResults,
        )
        columns = memory.cache.get_or_create(MemoryColumnCache)
        found = search_memories(view, index, columns, asked)
        memories = _stored_memories(view, [each.document for each in found])
        return {
            "results": [_render_hit(view, index, asked, each, memories[each.document]) for each in found],
            "searchMethod": "text" if vector is None else "vector",
            "vectorAvailable": memory.embedder is not None,
        }


def _query_vector(memory: Memory, view: View, index: StoredPassageIndex, query: str) -> QueryVector | None:
    """The vector of a query without the names of instances, which are no part of what their memories say."""
    meaning = Question(query, view.now, view.world.zone, index).meaning
    try:
        return embed_query(memory.embedder, meaning)
    except EmbeddingFailed:
        return None


def _given_vector(memory: Memory, given: list[float]) -> QueryVector:
    import numpy as np

    embedder = memory.embedder
    wanted = DEFAULT_DIMENSIONS if embedder is None else embedder.dimensions
    if len(given) != wanted:
        raise QueryVectorWidthMismatch(len(given), wanted)
    values = np.array(given, np.float64)
    unit = values / np.abs(values).max()
    vector = (unit / np.linalg.norm(unit)).astype(np.float32)
    return QueryVector(vector, embedder.model if embedder else None)


def _stored_memories(view: View, ids: list[DocumentId]) -> dict[DocumentId, StoredMemory]:
    return {each.document.id: each for each in load_memories(view, list(view.documents(ids).values()))}


def _render_hit(
    view: View, index: StoredPassageIndex, asked: MemoryQuery, found: MemoryMatch, memory: StoredMemory
) -> MemoryHitView:
    signals, draft = found.signals, memory.draft
    shown: SignalsView = {
        "vector": round(signals.vector, SCORE_DIGITS),
        "keyword": round(signals.keyword, SCORE_DIGITS),
        "recency": round(signals.recency, SCORE_DIGITS),
        "graph": round(signals.graph, SCORE_DIGITS),
        "instance": signals.instance,
        "time": signals.time,
    }
    if signals.context:
        shown["context"] = round(signals.context, SCORE_DIGITS)
    hit: MemoryHitView = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "tier": draft.period.granularity,
        "date": draft.period.text,
        "title": memory.title,
        "sourceInstance": draft.instance,
        "score": round(signals.score, SCORE_DIGITS),
        "ageDays": max(0, asked.today - found.last_day),
        "vectorScore": shown["vector"],
        "method": "vector" if found.has_vector else "text",
        "excerpt": excerpt(view, index, memory, asked.vector, asked.terms.terms),
        "signals": shown,
    }
    if draft.slug is not None:
        hit["slug"] = draft.slug
    mark_memory(hit, memory)
    return hit


@surface.tool("read", example={"query": '"kiln load" glaze'})
def memory_grep(
    memory: Memory,
    query: MemoryQueryText,
    maxResults: MaxResults = 20,
    granularity: Granularities | None = None,
    afterDate: AfterDate | None = None,
    beforeDate: BeforeDate | None = None,
    as_of: AsOf = None,
) -> MemoryGrepResult:
    """I use this to find exact words in my memories; text in double quotes is one term."""
    after, before = parse_day_range(afterDate, beforeDate)
    with memory.read(as_of) as view:
        found = grep(view, query, MemoryFilter(frozenset(granularity or ()), after, before), maxResults)
        memories = _stored_memories(view, [each.document for each in found.matches])
    results = [_render_match(each, memories[each.document]) for each in found.matches]
    return {"results": results, "totalScanned": found.scanned}


def _render_match(match: GrepMatch, memory: StoredMemory) -> GrepHitView:
    draft = memory.draft
    hit: GrepHitView = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "title": memory.title or draft.period.text,
        "score": match.score,
        "context": match.context,
        "sourceInstance": draft.instance,
        "matched": list(match.matched),
    }
    if draft.slug is not None:
        hit["slug"] = draft.slug
    mark_memory(hit, memory)
    return hit
