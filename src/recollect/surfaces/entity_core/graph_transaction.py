"""`graph_write_transaction`: many nodes and edges at once, or none."""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal, Required, cast

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    with_config,
)
from typing_extensions import TypedDict

from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.graph.edges import (
    DEFAULT_WEIGHT,
    EdgeDraft,
    EdgeEnd,
    StatedEdge,
    UnresolvedEnd,
    check_period_order,
    resolve_end,
    state_edge,
)
from recollect.keep.graph.node_vectors import index_nodes, node_model
from recollect.keep.graph.nodes import DEFAULT_CONFIDENCE, NodeDraft, NodeUpsert, source_memory, upsert_node
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.ids import EntityId, format_fact_id
from recollect.store.change import Change
from recollect.surfaces.entity_core.graph_parameters import (
    Aliases,
    CustomNodeType,
    CustomType,
    Description,
    EdgeProperties,
    EdgeType,
    Embedding,
    Evidence,
    MemoryId,
    MomentText,
    NodeId,
    NodeLabel,
    NodeProperties,
    NodeType,
    TimeText,
    UnitInterval,
    check_width,
    parse_bound,
    parse_moment,
)
from recollect.surfaces.entity_core.graph_rendering import node_ref
from recollect.surfaces.entity_core.graph_results import (
    GraphTransactionResult,
    SkippedEdgeView,
    SkipReason,
    WrittenEdgeView,
)
from recollect.surfaces.entity_core.parameters import InstanceId, to_camel_keys
from recollect.surfaces.entity_core.surface import acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import bad_value
from recollect.surfaces.views import format_count

MAX_NODES = 1_000
MAX_EDGES = 5_000

_STRICT_CONFIG = ConfigDict(extra="forbid", strict=True)


@with_config(_STRICT_CONFIG)
class NodeItem(TypedDict, total=False):
    """A node as `graph_node_create` takes it."""

    type: Required[NodeType]
    customType: CustomNodeType
    label: Required[NodeLabel]
    description: Description
    properties: NodeProperties
    confidence: UnitInterval
    sourceMemoryId: MemoryId
    firstLearnedAt: MomentText
    embedding: Embedding
    aliases: Aliases


@with_config(_STRICT_CONFIG)
class EdgeItem(TypedDict, total=False):
    """An edge between two nodes, each given by label or id."""

    fromLabel: NodeLabel
    toLabel: NodeLabel
    type: Required[EdgeType]
    customType: CustomType
    properties: EdgeProperties
    weight: UnitInterval
    evidence: Evidence
    occurredAt: TimeText
    validUntil: TimeText
    fromType: NodeType
    toType: NodeType
    fromId: NodeId
    toId: NodeId
    confidence: UnitInterval
    sourceMemoryId: MemoryId


def _check_ends(item: Any) -> Any:
    if isinstance(item, dict):
        for end in ("from", "to"):
            if f"{end}Label" not in item and f"{end}Id" not in item:
                raise bad_value(f"should have {end}Label or {end}Id")
    return item


def _members_up_to(limit: int) -> WrapValidator:
    """A list with at most so many members; errors name the index of the member."""

    def check(members: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        name = info.field_name or "list"
        if isinstance(members, list) and len(members) > limit:
            raise ContentTooLarge(name, f"{limit} members")
        try:
            return handler(members)
        except ContentTooLarge as problem:
            raise _locate_too_large(members, handler, name, problem) from problem

    return WrapValidator(check)


def _locate_too_large(
    members: list[Any], handler: ValidatorFunctionWrapHandler, name: str, problem: ContentTooLarge
) -> ContentTooLarge:
    for place, member in enumerate(members):
        try:
            handler([member])
        except ContentTooLarge as found:
            return ContentTooLarge(f"{name}[{place}].{found.field}", found.accepted[0])
        except ValidationError:
            continue
    return problem


NodeItems = Annotated[
    list[Annotated[NodeItem, BeforeValidator(to_camel_keys)]],
    _members_up_to(MAX_NODES),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
    Field(description="Nodes, each with the arguments of graph_node_create but instanceId"),
]

EdgeItems = Annotated[
    list[Annotated[EdgeItem, BeforeValidator(_check_ends), BeforeValidator(to_camel_keys)]],
    _members_up_to(MAX_EDGES),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
    Field(
        description="Edges: fromLabel or fromId, toLabel or toId, type; also fromType, toType and the arguments of "
        "graph_edge_create but instanceId"
    ),
]


# ruff: noqa: N803 the published names


Side = Literal["from", "to"]
ResolvedEdge = tuple[Entity, Entity, StatedEdge]

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
) -> GraphTransactionResult:
    """I use this to remember many nodes and edges at once; if one is malformed, none is written.

    An edge whose end I do not find, or find twice, is left out and listed.
    """
    for place, item in enumerate(nodes or ()):
        check_width(memory, item.get("embedding"), f"nodes[{place}].embedding")
    with acting_as(memory, instanceId).write() as change:
        model = node_model(memory.embedder)
        made = [upsert_node(change, _node_draft(change, item, at), model) for at, item in enumerate(nodes or ())]
        new = {each.entity.id for each in made}
        told = [_state_edge(change, item, at, new) for at, item in enumerate(edges or ())]
        answer = _render_transaction(change, made, told)
    index_nodes(memory, [each.entity for each in made])
    return answer


def _render_transaction(
    change: Change, made: Sequence[NodeUpsert], told: Sequence[ResolvedEdge | SkippedEdgeView]
) -> GraphTransactionResult:
    joined = [each for each in told if not isinstance(each, dict)]
    skipped = [each for each in told if isinstance(each, dict)]
    new_nodes = len({each.entity.id for each in made if each.is_new})
    new_edges = sum(stated.is_new for _, _, stated in joined)
    return {
        "success": True,
        "message": _format_message(new_nodes, new_edges, len(skipped)),
        "nodesCreated": new_nodes,
        "edgesCreated": new_edges,
        "nodes": [{**node_ref(each.entity), "created": each.is_new} for each in made],
        "edges": [_render_written_edge(each) for each in joined],
        "nodesReused": len(made) - new_nodes,
        "edgesConfirmed": len(joined) - new_edges,
        "skippedEdges": skipped,
        **write_receipt(change),
    }


def _format_message(nodes: int, edges: int, skipped: int) -> str:
    counted = [format_count(nodes, "node"), format_count(edges, "edge")]
    return ", ".join([*counted, f"{format_count(skipped, 'edge')} skipped"] if skipped else counted) + "."


def _render_written_edge(told: ResolvedEdge) -> WrittenEdgeView:
    one, other, stated = told
    return {
        "id": format_fact_id(stated.fact.id),
        "type": stated.fact.predicate,
        "fromLabel": one.name,
        "toLabel": other.name,
        "created": stated.is_new,
    }


def _node_draft(change: Change, item: NodeItem, place: int) -> NodeDraft:
    return NodeDraft(
        item.get("customType") or item["type"],
        item["label"],
        item.get("properties", {}),
        item.get("description", "").strip() or None,
        item.get("confidence", DEFAULT_CONFIDENCE),
        tuple(item.get("aliases", ())),
        parse_moment(change.world, item.get("firstLearnedAt"), f"nodes[{place}].firstLearnedAt"),
        _find_source_memory(change, item.get("sourceMemoryId"), f"nodes[{place}].sourceMemoryId"),
        item.get("embedding"),
    )


def _find_source_memory(change: Change, memory_id: str | None, name: str) -> Document | None:
    return None if memory_id is None else source_memory(change, memory_id, name)


def _state_edge(
    change: Change, item: EdgeItem, place: int, made: Collection[EntityId]
) -> ResolvedEdge | SkippedEdgeView:
    """The stated edge, or why it was skipped; errors in the edge itself come first."""
    name = f"edges[{place}]"
    start = parse_bound(change.world, item.get("occurredAt"), f"{name}.occurredAt")
    end = parse_bound(change.world, item.get("validUntil"), f"{name}.validUntil")
    check_period_order(start, end, f"{name}.validUntil")
    source = _find_source_memory(change, item.get("sourceMemoryId"), f"{name}.sourceMemoryId")
    one = resolve_end(change, EdgeEnd(item.get("fromId"), item.get("fromLabel"), item.get("fromType")), made)
    if isinstance(one, UnresolvedEnd):
        return _render_skipped(item, place, "from", one)
    other = resolve_end(change, EdgeEnd(item.get("toId"), item.get("toLabel"), item.get("toType")), made)
    if isinstance(other, UnresolvedEnd):
        return _render_skipped(item, place, "to", other)
    draft = EdgeDraft(
        one.id,
        other.id,
        item.get("customType") or item["type"],
        item.get("properties", {}),
        item.get("weight", DEFAULT_WEIGHT),
        item.get("evidence"),
        start,
        end,
        item.get("confidence"),
        source,
    )
    return one, other, state_edge(change, draft)


def _render_skipped(item: EdgeItem, place: int, side: Side, unclear: UnresolvedEnd) -> SkippedEdgeView:
    skipped: SkippedEdgeView = {
        "index": place,
        "fromLabel": item.get("fromLabel", item.get("fromId")),
        "toLabel": item.get("toLabel", item.get("toId")),
        "type": item["type"],
        "reason": cast(SkipReason, f"{side}_{unclear.why}"),
    }
    return {**skipped, "choices": [node_ref(each) for each in unclear.candidates]} if unclear.candidates else skipped
