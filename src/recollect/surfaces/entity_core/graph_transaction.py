"""Many nodes and edges at once, or none."""
# ruff: noqa: N803 the published names

from collections.abc import Collection, Sequence
from typing import Literal

from recollect.keep.graph.edges import USUAL_WEIGHT, EdgeDraft, Stated, check_order, state_edge
from recollect.keep.graph.ends import EndGiven, EndUnclear, Missing, find_end
from recollect.keep.graph.indexing import index_nodes
from recollect.keep.graph.nodes import USUAL_CONFIDENCE, Made, NodeDraft, make_node, source_memory
from recollect.keep.graph.vectors import node_model
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, say_fact
from recollect.store.change import Change
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.graph_inputs import check_width, read_bound, read_moment
from recollect.surfaces.entity_core.graph_items import EdgeItem, EdgeItems, NodeItem, NodeItems
from recollect.surfaces.entity_core.graph_results import EdgeSkipped, EdgeWritten, GraphWritten, NodeWritten, SkipReason
from recollect.surfaces.entity_core.graph_shown import ref
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.shapes import InstanceId
from recollect.surfaces.entity_core.surface import surface

Side = Literal["from", "to"]
Told = tuple[Entity, Entity, Stated]

_EXAMPLE_NODES = [{"type": "person", "label": "Noor"}, {"type": "topic", "label": "Raku firing"}]
_EXAMPLE_EDGES = [
    {"fromLabel": "Noor", "toLabel": "raku firing", "type": "learning"},
    {"fromLabel": "Noor", "toLabel": "Jo", "type": "friend_of"},
]


@surface.tool("write", example={"nodes": _EXAMPLE_NODES, "edges": _EXAMPLE_EDGES}, idempotent=False)
def graph_write_transaction(
    memory: Memory,
    nodes: NodeItems | None = None,
    edges: EdgeItems | None = None,
    instanceId: InstanceId | None = None,
) -> GraphWritten:
    """I use this to remember many nodes and edges at once; if one is malformed, none is written.

    An edge whose end I do not find, or find twice, is left out and listed.
    """
    for place, item in enumerate(nodes or ()):
        check_width(memory, item.get("embedding"), f"nodes[{place}].embedding")
    with acting_as(memory, instanceId).write() as change:
        model = node_model(memory.embedder)
        made = [make_node(change, _node(change, item, at), model) for at, item in enumerate(nodes or ())]
        new = {each.entity.id for each in made}
        told = [_edge(change, item, at, new) for at, item in enumerate(edges or ())]
        answer = _answer(change, made, told)
    index_nodes(memory, [each.entity for each in made])
    return answer


def _answer(change: Change, made: Sequence[Made], told: Sequence[Told | EdgeSkipped]) -> GraphWritten:
    joined = [each for each in told if not isinstance(each, dict)]
    skipped = [each for each in told if isinstance(each, dict)]
    new_nodes = len({each.entity.id for each in made if each.is_new})
    new_edges = sum(stated.is_new for _, _, stated in joined)
    return {
        "success": True,
        "message": _message(new_nodes, new_edges, len(skipped)),
        "nodesCreated": new_nodes,
        "edgesCreated": new_edges,
        "nodes": [_show_node(each) for each in made],
        "edges": [_show_edge(each) for each in joined],
        "nodesReused": len(made) - new_nodes,
        "edgesConfirmed": len(joined) - new_edges,
        "skippedEdges": skipped,
        **written(change),
    }


def _message(nodes: int, edges: int, skipped: int) -> str:
    counted = [_count(nodes, "node"), _count(edges, "edge")]
    return ", ".join([*counted, f"{_count(skipped, 'edge')} skipped"] if skipped else counted) + "."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _show_node(made: Made) -> NodeWritten:
    return {**ref(made.entity), "created": made.is_new}


def _show_edge(told: Told) -> EdgeWritten:
    one, other, stated = told
    return {
        "id": say_fact(stated.fact.id),
        "type": stated.fact.predicate,
        "fromLabel": one.name,
        "toLabel": other.name,
        "created": stated.is_new,
    }


def _node(change: Change, item: NodeItem, place: int) -> NodeDraft:
    return NodeDraft(
        item["type"],
        item["label"],
        item.get("properties", {}),
        item.get("description"),
        item.get("confidence", USUAL_CONFIDENCE),
        tuple(item.get("aliases", ())),
        read_moment(change.world, item.get("firstLearnedAt"), f"nodes[{place}].firstLearnedAt"),
        _memory(change, item.get("sourceMemoryId"), f"nodes[{place}].sourceMemoryId"),
        item.get("embedding"),
    )


def _memory(change: Change, memory_id: str | None, name: str) -> Document | None:
    return None if memory_id is None else source_memory(change, memory_id, name)


def _edge(change: Change, item: EdgeItem, place: int, made: Collection[EntityId]) -> Told | EdgeSkipped:
    """The edge as it was stated, or why it was left out; its own faults come first."""
    name = f"edges[{place}]"
    start = read_bound(change.world, item.get("occurredAt"), f"{name}.occurredAt")
    end = read_bound(change.world, item.get("validUntil"), f"{name}.validUntil")
    check_order(start, end, f"{name}.validUntil")
    source = _memory(change, item.get("sourceMemoryId"), f"{name}.sourceMemoryId")
    one = find_end(change, EndGiven(item.get("fromId"), item.get("fromLabel"), item.get("fromType")), made)
    if isinstance(one, EndUnclear):
        return _skipped(item, place, "from", one)
    other = find_end(change, EndGiven(item.get("toId"), item.get("toLabel"), item.get("toType")), made)
    if isinstance(other, EndUnclear):
        return _skipped(item, place, "to", other)
    draft = EdgeDraft(
        one.id,
        other.id,
        item["type"],
        item.get("properties", {}),
        item.get("weight", USUAL_WEIGHT),
        item.get("evidence"),
        start,
        end,
        item.get("confidence"),
        source,
    )
    return one, other, state_edge(change, draft)


def _reason(side: Side, why: Missing) -> SkipReason:
    if side == "from":
        return "from_not_found" if why == "not_found" else "from_ambiguous"
    return "to_not_found" if why == "not_found" else "to_ambiguous"


def _skipped(item: EdgeItem, place: int, side: Side, unclear: EndUnclear) -> EdgeSkipped:
    skipped: EdgeSkipped = {
        "index": place,
        "fromLabel": item.get("fromLabel", item.get("fromId")),
        "toLabel": item.get("toLabel", item.get("toId")),
        "type": item["type"],
        "reason": _reason(side, unclear.why),
    }
    return {**skipped, "choices": [ref(each) for each in unclear.candidates]} if unclear.candidates else skipped
