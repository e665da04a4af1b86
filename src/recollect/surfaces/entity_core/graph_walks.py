"""Walks from a node, and the neighbourhood around it."""
# ruff: noqa: N803 the published names

from typing import Annotated, Literal

from pydantic import Field

from recollect.keep.graph.nodes import find_node
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import say_fact
from recollect.reason.traverse import Reached, Walk, joins_among, traverse
from recollect.store.view import View
from recollect.surfaces.entity_core.graph_examples import AUDIT, ODILE
from recollect.surfaces.entity_core.graph_inputs import Depth, EdgeTypes, NodeId, read_at
from recollect.surfaces.entity_core.graph_results import NodePlaced, NodeRef, StepShown, Subgraph, Traversed
from recollect.surfaces.entity_core.graph_shown import ref, show_join, told
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf, AtTime, Whole

WhichWay = Annotated[Literal["out", "in", "both"], Field(description="Along the edges, against them, or both")]


@surface.tool("read", example={"startNodeId": ODILE, "direction": "both"})
def graph_traverse(
    memory: Memory,
    startNodeId: NodeId,
    direction: WhichWay = "out",
    maxDepth: Depth = 2,
    edgeTypes: EdgeTypes | None = None,
    limit: Annotated[int, Field(ge=1, le=200, description="At most this many nodes"), Whole] = 50,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> Traversed:
    """I use this to walk from a node over valid edges, the nearest nodes first."""
    with memory.read(as_of) as view:
        at = read_at(view.world, at_time)
        start = _start(view, startNodeId)
        if start is None:
            unknown: NodeRef = {"id": startNodeId, "type": "unknown", "label": "Unknown"}
            return {"startNode": unknown, "results": [], "truncated": False, "found": False}
        walk = Walk(at.span, direction, maxDepth, limit, frozenset(edgeTypes or ()))
        walked = traverse(view, start, walk)
        return {
            "startNode": ref(start),
            "results": [_step(each) for each in walked.reached],
            "truncated": walked.is_cut,
            "found": True,
        }


def _start(view: View, text: str) -> Entity | None:
    found = find_node(view, text)
    return found if found is not None and found.is_live else None


def _step(reached: Reached) -> StepShown:
    path = [say_fact(fact) for fact in reached.path]
    return {"node": told(reached.entity), "path": path, "depth": reached.depth}


@surface.tool("read", example={"nodeId": AUDIT, "depth": 1})
def graph_subgraph(
    memory: Memory,
    nodeId: NodeId,
    depth: Annotated[int, Field(ge=1, le=3, description="How far from the node"), Whole] = 2,
    limit: Annotated[int, Field(ge=1, le=500, description="At most this many nodes"), Whole] = 100,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> Subgraph:
    """I use this to see what lies around a node and every valid edge between that."""
    with memory.read(as_of) as view:
        at = read_at(view.world, at_time)
        start = _start(view, nodeId)
        if start is None:
            return {"nodes": [], "edges": [], "truncated": False, "found": False}
        walked = traverse(view, start, Walk(at.span, "both", depth, limit - 1))
        nodes = [_placed(start, 0), *(_placed(each.entity, each.depth) for each in walked.reached)]
        inside = [start.id, *(each.entity.id for each in walked.reached)]
        return {
            "nodes": nodes,
            "edges": [show_join(join) for join in joins_among(view, inside, at.span)],
            "truncated": walked.is_cut,
            "found": True,
        }


def _placed(entity: Entity, depth: int) -> NodePlaced:
    return {**told(entity), "confidence": entity.confidence, "depth": depth}
