"""Nodes: searched for and listed."""
# ruff: noqa: N803 the published names

from typing import Annotated

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.errors import Refused
from recollect.keep.graph.search import NodeHit, NodeQuestion, search_nodes
from recollect.keep.graph.vectors import NodeVectors, unit
from recollect.memory import Memory
from recollect.store.rows import entity_of
from recollect.surfaces.entity_core.graph_inputs import (
    Embedding,
    NodeType,
    Offset,
    Query,
    Share,
    check_width,
    read_at,
)
from recollect.surfaces.entity_core.graph_results import NodeMatch, Nodes, NodesFound
from recollect.surfaces.entity_core.graph_shown import list_nodes, told
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf, AtTime, Whole

_SCORE_DIGITS = 6


class NothingAsked(Refused):
    def __init__(self) -> None:
        super().__init__("query is required, unless queryEmbedding is given", field="query")


@surface.tool("read", example={"query": "bridges over the river"})
def graph_node_search(
    memory: Memory,
    query: Query | None = None,
    queryEmbedding: Embedding | None = None,
    type: NodeType | None = None,  # noqa: A002
    minScore: Share = 0.3,
    limit: Annotated[int, Field(ge=1, le=100, description="At most this many"), Whole] = 10,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> NodesFound:
    """I use this to find nodes by name, by words or by meaning."""
    if query is None and queryEmbedding is None:
        raise NothingAsked
    check_width(memory, queryEmbedding, "queryEmbedding")
    vector = unit(queryEmbedding) if queryEmbedding is not None else _meaning(memory, query or "")
    with memory.read(as_of) as view:
        read_at(view.world, at_time)
        vectors = NodeVectors(view, memory.kept.matrices, memory.embedder)
        hits = search_nodes(view, NodeQuestion(query, vector, type, minScore, limit), vectors)
        return {"results": [_match(hit) for hit in hits], "vectorSearchUsed": vector is not None}


def _meaning(memory: Memory, query: str) -> Vectors | None:
    try:
        row: Vectors | None = memory.embedder.embed([query])[0] if memory.embedder is not None else None
    except EmbeddingFailed:
        return None
    return row


def _match(hit: NodeHit) -> NodeMatch:
    return {
        "node": {**told(hit.entity), "confidence": hit.entity.confidence, "aliases": hit.aliases},
        "score": round(hit.score, _SCORE_DIGITS),
        "matchedBy": hit.matched_by,
    }


@surface.tool("read", example={"type": "person", "limit": 3})
def graph_node_list(
    memory: Memory,
    type: NodeType | None = None,  # noqa: A002
    includeDeleted: Annotated[bool, Field(description="Deleted ones too")] = False,
    limit: Annotated[int, Field(ge=1, le=500, description="At most this many"), Whole] = 100,
    offset: Offset = 0,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> Nodes:
    """I use this to list what I know, the last changed first."""
    asked = {"deleted": int(includeDeleted), "type": type}
    query = "nodes_listed" if type is None else "nodes_listed_of_type"
    with memory.read(as_of) as view:
        read_at(view.world, at_time)
        entities = [entity_of(row) for row in view.rows(query, limit=limit, offset=offset, **asked)]
        [[total]] = view.rows("nodes_counted", **asked)
        return {"nodes": list_nodes(view, entities), "total": int(total)}
