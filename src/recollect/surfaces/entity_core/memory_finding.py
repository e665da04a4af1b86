"""Finding memories by meaning and by words."""
# ruff: noqa: N803 the published names

from recollect.embed.port import EmbeddingFailed
from recollect.errors import Refused
from recollect.keep.indexing import index_before_read
from recollect.keep.memories.columns import MemoryColumns
from recollect.keep.memories.excerpt import excerpt
from recollect.keep.memories.found import Found
from recollect.keep.memories.grep import Match, grep
from recollect.keep.memories.keeping import Kept, kept
from recollect.keep.memories.listing import Where
from recollect.keep.memories.query import Asked, QueryVector, read_question
from recollect.keep.memories.search import search_memories
from recollect.memory import Memory
from recollect.model.ids import DocumentId
from recollect.store.index import StoredIndex
from recollect.store.view import View
from recollect.surfaces.entity_core.memory_inputs import (
    AfterDate,
    BeforeDate,
    Granularities,
    MaxResults,
    MinScore,
    Query,
    Vector,
)
from recollect.surfaces.entity_core.memory_reading import between
from recollect.surfaces.entity_core.memory_results import GrepHit, GrepHits, MemoryHit, MemoryHits, SignalsShown
from recollect.surfaces.entity_core.shapes import InstanceId
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf
from recollect.when.instant import local_day

USUAL_DIMENSIONS = 384
PLACES = 3


class WrongWidth(Refused):
    def __init__(self, given: int, wanted: int) -> None:
        message = f"queryEmbedding has {given} numbers; it should have {wanted}"
        super().__init__(message, field="queryEmbedding", accepted=(str(wanted),))


@surface.tool("read", example={"query": "kiln load", "instanceId": "psy-desk", "maxResults": 3})
def memory_search(
    memory: Memory,
    query: Query,
    instanceId: InstanceId,
    queryEmbedding: Vector | None = None,
    minScore: MinScore = 0.3,
    maxResults: MaxResults = 10,
    granularity: Granularities | None = None,
    afterDate: AfterDate | None = None,
    beforeDate: BeforeDate | None = None,
    sourceInstance: InstanceId | None = None,
    as_of: AsOf = None,
) -> MemoryHits:
    """I use this to find memories by meaning, words, names and times."""
    after, before = between(afterDate, beforeDate)
    vector = _vector(memory, query, queryEmbedding)
    index_before_read(memory)
    with memory.read(as_of) as view:
        asked = Asked(
            instanceId,
            local_day(view.now, view.world.zone),
            read_question(view, query),
            vector,
            Where(frozenset(granularity or ()), after, before, sourceInstance),
            minScore,
            maxResults,
        )
        found = search_memories(view, memory.kept.matrices, memory.kept.one(MemoryColumns), asked)
        memories = _kept(view, [each.document for each in found])
        index = StoredIndex(view, memory.kept.matrices)
        return {
            "results": [_hit(view, index, asked, each, memories[each.document]) for each in found],
            "searchMethod": "text" if vector is None else "vector",
            "vectorAvailable": memory.embedder is not None,
        }


def _vector(memory: Memory, query: str, given: list[float] | None) -> QueryVector | None:
    """The query as a vector: the one that was given, else one made here, if anything can."""
    import numpy as np

    embedder = memory.embedder
    if given is None:
        try:
            return None if embedder is None else QueryVector(embedder.embed([query])[0], embedder.model)
        except EmbeddingFailed:
            return None
    wanted = USUAL_DIMENSIONS if embedder is None else embedder.dimensions
    if len(given) != wanted:
        raise WrongWidth(len(given), wanted)
    values = np.array(given, np.float64)
    unit = values / np.abs(values).max()
    return QueryVector((unit / np.linalg.norm(unit)).astype(np.float32), embedder.model if embedder else None)


def _kept(view: View, ids: list[DocumentId]) -> dict[DocumentId, Kept]:
    return {each.document.id: each for each in kept(view, list(view.documents(ids).values()))}


def _hit(view: View, index: StoredIndex, asked: Asked, found: Found, memory: Kept) -> MemoryHit:
    signals, draft = found.signals, memory.draft
    shown: SignalsShown = {
        "vector": round(signals.vector, PLACES),
        "keyword": round(signals.keyword, PLACES),
        "recency": round(signals.recency, PLACES),
        "graph": round(signals.graph, PLACES),
        "instance": signals.instance,
        "time": signals.time,
    }
    hit: MemoryHit = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "tier": draft.period.granularity,
        "date": draft.period.text,
        "title": memory.title,
        "sourceInstance": draft.instance,
        "score": round(signals.score, PLACES),
        "ageDays": max(0, asked.today - found.last_day),
        "vectorScore": shown["vector"],
        "method": "vector" if found.has_vector else "text",
        "excerpt": excerpt(view, index, memory, asked.vector, asked.question.terms),
        "signals": shown,
    }
    if draft.slug is not None:
        hit["slug"] = draft.slug
    return hit


@surface.tool("read", example={"query": '"kiln load" glaze'})
def memory_grep(
    memory: Memory,
    query: Query,
    maxResults: MaxResults = 20,
    granularity: Granularities | None = None,
    afterDate: AfterDate | None = None,
    beforeDate: BeforeDate | None = None,
    as_of: AsOf = None,
) -> GrepHits:
    """I use this to find exact words in my memories; text in double quotes is one term."""
    after, before = between(afterDate, beforeDate)
    with memory.read(as_of) as view:
        found = grep(view, query, Where(frozenset(granularity or ()), after, before), maxResults)
        memories = _kept(view, [each.document for each in found.matches])
    results = [_match(each, memories[each.document]) for each in found.matches]
    return {"results": results, "totalScanned": found.scanned}


def _match(match: Match, memory: Kept) -> GrepHit:
    draft = memory.draft
    hit: GrepHit = {
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
    return hit
