"""Graph tools that read: node search and listing, traversal, subgraph, insights and statistics."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from recollect.embed.port import EmbeddingFailed, Vectors
from recollect.errors import Refused
from recollect.keep.graph.node_search import NodeHit, NodeQuery, search_nodes
from recollect.keep.graph.node_vectors import NodeVectorIndex, normalize_vector
from recollect.keep.graph.nodes import find_node
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.reason.insights import Insight, count_graph, find_insights
from recollect.reason.traversal import ReachedNode, TraversalOptions, traverse
from recollect.store.edge_queries import edges_among
from recollect.store.entity_queries import count_entities, list_entities
from recollect.store.view import View
from recollect.surfaces.entity_core.graph_parameters import (
    EXAMPLE_PERSON,
    EXAMPLE_PROJECT,
    Depth,
    EdgeTypes,
    Embedding,
    GraphQueryText,
    NodeId,
    NodeType,
    Offset,
    UnitInterval,
    check_width,
    parse_at_time,
)
from recollect.surfaces.entity_core.graph_rendering import described_ref, node_ref, render_join, render_nodes
from recollect.surfaces.entity_core.graph_results import (
    GraphStatisticsResult,
    InsightsResult,
    InsightView,
    NodeListResult,
    NodeMatchView,
    NodeRef,
    NodeSearchResult,
    SubgraphNodeView,
    SubgraphResult,
    TraversalResult,
    TraversalStepView,
)
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.parameter_types import AsOf, AtTime, IntegralFloat
from recollect.surfaces.views import instant_or_none, mark_worst
from recollect.when.instant import format_millis

# ruff: noqa: N803 the published names


_SCORE_DIGITS = 6


class EmptySearch(Refused):
    def __init__(self) -> None:
        super().__init__("query is required, unless queryEmbedding is given", field="query")


@surface.tool("read", example={"query": "bridges over the river"})
def graph_node_search(
    memory: Memory,
    query: GraphQueryText | None = None,
    queryEmbedding: Embedding | None = None,
    type: NodeType | None = None,  # noqa: A002
    minScore: UnitInterval = 0.3,
    limit: Annotated[int, Field(ge=1, le=100, description="At most this many"), IntegralFloat] = 10,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> NodeSearchResult:
    """I use this to find nodes by name, by words or by meaning."""
    if query is None and queryEmbedding is None:
        raise EmptySearch
    check_width(memory, queryEmbedding, "queryEmbedding")
    vector = normalize_vector(queryEmbedding) if queryEmbedding is not None else _embed_query(memory, query or "")
    with memory.read(as_of) as view:
        parse_at_time(view.world, at_time)
        vectors = NodeVectorIndex(view, memory.cache.vectors, memory.embedder)
        hits = search_nodes(view, NodeQuery(query, vector, type, minScore, limit), vectors)
        return {"results": [_render_match(hit) for hit in hits], "vectorSearchUsed": vector is not None}


def _embed_query(memory: Memory, query: str) -> Vectors | None:
    try:
        row: Vectors | None = memory.embedder.embed([query])[0] if memory.embedder is not None else None
    except EmbeddingFailed:
        return None
    return row


def _render_match(hit: NodeHit) -> NodeMatchView:
    return {
        "node": {**described_ref(hit.entity), "confidence": hit.entity.confidence, "aliases": hit.aliases},
        "score": round(hit.score, _SCORE_DIGITS),
        "matchedBy": hit.matched_by,
    }


@surface.tool("read", example={"type": "person", "limit": 3})
def graph_node_list(
    memory: Memory,
    type: NodeType | None = None,  # noqa: A002
    includeDeleted: Annotated[bool, Field(description="Deleted ones too")] = False,
    limit: Annotated[int, Field(ge=1, le=500, description="At most this many"), IntegralFloat] = 100,
    offset: Offset = 0,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> NodeListResult:
    """I use this to list what I know, the last changed first."""
    with memory.read(as_of) as view:
        parse_at_time(view.world, at_time)
        entities = list_entities(view, type, deleted=includeDeleted, limit=limit, offset=offset)
        return {
            "nodes": render_nodes(view, entities),
            "total": count_entities(view, type, deleted=includeDeleted),
        }


TraversalDirection = Annotated[
    Literal["out", "in", "both"], Field(description="Along the edges, against them, or both")
]


@surface.tool("read", example={"startNodeId": EXAMPLE_PERSON, "direction": "both"})
def graph_traverse(
    memory: Memory,
    startNodeId: NodeId,
    direction: TraversalDirection = "out",
    maxDepth: Depth = 2,
    edgeTypes: EdgeTypes | None = None,
    limit: Annotated[int, Field(ge=1, le=200, description="At most this many nodes"), IntegralFloat] = 50,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> TraversalResult:
    """I use this to walk from a node over valid edges, the nearest nodes first."""
    with memory.read(as_of) as view:
        at = parse_at_time(view.world, at_time)
        start = _live_start(view, startNodeId)
        if start is None:
            unknown: NodeRef = {"id": startNodeId, "type": "unknown", "label": "Unknown"}
            return {"startNode": unknown, "results": [], "truncated": False, "found": False}
        walk = TraversalOptions(at.span, direction, maxDepth, limit, frozenset(edgeTypes or ()))
        walked = traverse(view, start, walk)
        return {
            "startNode": node_ref(start),
            "results": [_render_step(each) for each in walked.reached],
            "truncated": walked.is_cut,
            "found": True,
        }


def _live_start(view: View, text: str) -> Entity | None:
    found = find_node(view, text)
    return found if found is not None and found.is_live else None


def _render_step(reached: ReachedNode) -> TraversalStepView:
    path = [format_fact_id(fact) for fact in reached.path]
    return {"node": described_ref(reached.entity), "path": path, "depth": reached.depth}


@surface.tool("read", example={"nodeId": EXAMPLE_PROJECT, "depth": 1})
def graph_subgraph(
    memory: Memory,
    nodeId: NodeId,
    depth: Annotated[int, Field(ge=1, le=3, description="How far from the node"), IntegralFloat] = 2,
    limit: Annotated[int, Field(ge=1, le=500, description="At most this many nodes"), IntegralFloat] = 100,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> SubgraphResult:
    """I use this to see what lies around a node and every valid edge between that."""
    with memory.read(as_of) as view:
        at = parse_at_time(view.world, at_time)
        start = _live_start(view, nodeId)
        if start is None:
            return {"nodes": [], "edges": [], "truncated": False, "found": False}
        walked = traverse(view, start, TraversalOptions(at.span, "both", depth, limit - 1))
        nodes = [
            _render_subgraph_node(start, 0),
            *(_render_subgraph_node(each.entity, each.depth) for each in walked.reached),
        ]
        inside = [start.id, *(each.entity.id for each in walked.reached)]
        return {
            "nodes": nodes,
            "edges": [render_join(join) for join in edges_among(view, inside, at.span)],
            "truncated": walked.is_cut,
            "found": True,
        }


def _render_subgraph_node(entity: Entity, depth: int) -> SubgraphNodeView:
    return {**described_ref(entity), "confidence": entity.confidence, "depth": depth}


_CONFIDENCE_DIGITS = 6


@surface.tool("read", example={})
def graph_insights(memory: Memory, as_of: AsOf = None, at_time: AtTime = None) -> InsightsResult:
    """I use this to see patterns: what holds together, by whom, and what came back.

    Of a very large graph only the first 50,000 valid edges are looked at.
    """
    with memory.read(as_of) as view:
        found = find_insights(view, parse_at_time(view.world, at_time).span)
        entities = view.entities({node for each in found for node in each.nodes})
    return {"insights": [_render_insight(each, entities) for each in found]}


def _render_insight(insight: Insight, entities: Mapping[EntityId, Entity]) -> InsightView:
    shown: InsightView = {
        "type": insight.kind,
        "description": insight.description,
        "nodeIds": [format_entity_id(node) for node in insight.nodes],
        "edgeIds": [format_fact_id(edge) for edge in insight.edges],
        "confidence": round(insight.confidence, _CONFIDENCE_DIGITS),
    }
    mark_worst(shown, (entities[node].trust for node in insight.nodes if node in entities), insight.description)
    return shown


@surface.tool("read", example={})
def graph_stats(memory: Memory, as_of: AsOf = None, at_time: AtTime = None) -> GraphStatisticsResult:
    """I use this to count what I know: nodes and edges by type, valid and ended ones."""
    with memory.read(as_of) as view:
        counts = count_graph(view, parse_at_time(view.world, at_time).span)
    return {
        "totalNodes": sum(counts.nodes.values()),
        "totalEdges": sum(counts.edges.values()),
        "nodesByType": dict(counts.nodes),
        "edgesByType": dict(counts.edges),
        "oldestNode": instant_or_none(counts.oldest, format_millis),
        "newestNode": instant_or_none(counts.newest, format_millis),
        "vectorSearchAvailable": memory.embedder is not None,
        "validEdges": counts.valid,
        "endedEdges": counts.ended,
    }
