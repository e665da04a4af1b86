"""Nodes and edges as members of a list of arguments."""

from typing import Annotated, Any, Required

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

from recollect.keep.problems import TooLarge
from recollect.surfaces.entity_core.graph_inputs import (
    Aliases,
    Description,
    EdgeProperties,
    EdgeType,
    Embedding,
    Evidence,
    Label,
    MemoryId,
    MomentText,
    NodeId,
    NodeProperties,
    NodeType,
    Share,
    TimeText,
)
from recollect.surfaces.entity_core.surface import camel
from recollect.surfaces.shapes import refuse

MOST_NODES = 1_000
MOST_EDGES = 5_000

_STRICT = ConfigDict(extra="forbid", strict=True)


@with_config(_STRICT)
class NodeItem(TypedDict, total=False):
    """A node as `graph_node_create` takes it."""

    type: Required[NodeType]
    label: Required[Label]
    description: Description
    properties: NodeProperties
    confidence: Share
    sourceMemoryId: MemoryId
    firstLearnedAt: MomentText
    embedding: Embedding
    aliases: Aliases


@with_config(_STRICT)
class EdgeItem(TypedDict, total=False):
    """An edge between two nodes, each given by label or id."""

    fromLabel: Label
    toLabel: Label
    type: Required[EdgeType]
    properties: EdgeProperties
    weight: Share
    evidence: Evidence
    occurredAt: TimeText
    validUntil: TimeText
    fromType: NodeType
    toType: NodeType
    fromId: NodeId
    toId: NodeId
    confidence: Share
    sourceMemoryId: MemoryId


def _spelled(item: Any) -> Any:
    """Keys in camelCase, null being absent."""
    if not isinstance(item, dict):
        return item
    found: dict[str, Any] = {}
    for key, value in item.items():
        name = camel(key) if isinstance(key, str) else key
        if value is not None and found.setdefault(name, value) != value:
            raise refuse(f"should not give {name} in two spellings")
    return found


def _with_ends(item: Any) -> Any:
    if isinstance(item, dict):
        for end in ("from", "to"):
            if f"{end}Label" not in item and f"{end}Id" not in item:
                raise refuse(f"should have {end}Label or {end}Id")
    return item


def _members(limit: int) -> WrapValidator:
    """At most so many; a member that is too large is named by its place."""

    def check(members: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        name = info.field_name or "list"
        if isinstance(members, list) and len(members) > limit:
            raise TooLarge(name, f"{limit} members")
        try:
            return handler(members)
        except TooLarge as problem:
            raise _placed(members, handler, name, problem) from problem

    return WrapValidator(check)


def _placed(members: list[Any], handler: ValidatorFunctionWrapHandler, name: str, problem: TooLarge) -> TooLarge:
    for place, member in enumerate(members):
        try:
            handler([member])
        except TooLarge as found:
            return TooLarge(f"{name}[{place}].{found.field}", found.accepted[0])
        except ValidationError:
            continue
    return problem


NodeItems = Annotated[
    list[Annotated[NodeItem, BeforeValidator(_spelled)]],
    _members(MOST_NODES),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
    Field(description="Nodes, each with the arguments of graph_node_create but instanceId"),
]

EdgeItems = Annotated[
    list[Annotated[EdgeItem, BeforeValidator(_with_ends), BeforeValidator(_spelled)]],
    _members(MOST_EDGES),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
    Field(
        description="Edges: fromLabel or fromId, toLabel or toId, type; also fromType, toType and the arguments of "
        "graph_edge_create but instanceId"
    ),
]
