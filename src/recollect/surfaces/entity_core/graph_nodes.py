"""Tools that create, read, update and delete nodes."""
# ruff: noqa: N803 the published names

from collections.abc import Collection
from typing import Annotated, cast

from pydantic import Field

from recollect.indexing import index_before_read
from recollect.keep.call_conflicts import ItemNotFound, NeedsForget, check_version
from recollect.keep.graph.node_vectors import index_nodes, node_model
from recollect.keep.graph.nodes import (
    DEFAULT_CONFIDENCE,
    NodeDraft,
    NodeEdit,
    delete_node,
    edit_node,
    find_node,
    memories_naming,
    node_version,
    require_live_node,
    restore_node,
    source_memory,
    upsert_node,
)
from recollect.memory import Memory
from recollect.model.entity import Entity
from recollect.model.ids import format_entity_id, parse_entity_id
from recollect.store.change import Change
from recollect.store.edge_queries import statements_of
from recollect.surfaces.entity_core.graph_parameters import (
    EXAMPLE_PERSON,
    EXAMPLE_UNUSED_PERSON,
    Aliases,
    CustomNodeType,
    Description,
    Embedding,
    MemoryId,
    MomentText,
    NodeId,
    NodeLabel,
    NodeParts,
    NodeProperties,
    NodeType,
    NothingToChange,
    Reason,
    UnitInterval,
    check_width,
    parse_at_time,
    parse_moment,
)
from recollect.surfaces.entity_core.graph_rendering import render_node, render_statement
from recollect.surfaces.entity_core.graph_results import (
    FullNodeView,
    NodeCreateResult,
    NodeDeleteResult,
    NodeGetResult,
    NodeUpdateResult,
)
from recollect.surfaces.entity_core.parameters import ExpectedVersion, InstanceId
from recollect.surfaces.entity_core.surface import acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import AsOf, AtTime


@surface.tool(
    "write",
    example={"type": "person", "label": "Ilse Brandt", "description": "Noor's friend", "aliases": ["Ilse"]},
    idempotent=True,
)
def graph_node_create(
    memory: Memory,
    type: NodeType,  # noqa: A002
    label: NodeLabel,
    description: Description | None = None,
    properties: NodeProperties | None = None,
    instanceId: InstanceId | None = None,
    confidence: UnitInterval = DEFAULT_CONFIDENCE,
    sourceMemoryId: MemoryId | None = None,
    firstLearnedAt: MomentText | None = None,
    embedding: Embedding | None = None,
    aliases: Aliases | None = None,
    customType: CustomNodeType | None = None,
) -> NodeCreateResult:
    """I use this to remember someone or something, or to find out that I already do.

    The same type and label, or alias, is the same node: only what it lacked is filled in.
    """
    check_width(memory, embedding, "embedding")
    with acting_as(memory, instanceId).write() as change:
        draft = NodeDraft(
            customType or type,
            label,
            properties or {},
            _visible(description),
            confidence,
            tuple(aliases or ()),
            parse_moment(change.world, firstLearnedAt, "firstLearnedAt"),
            None if sourceMemoryId is None else source_memory(change, sourceMemoryId),
            embedding,
        )
        made = upsert_node(change, draft, node_model(memory.embedder))
        known = f"I know {made.entity.name} now." if made.is_new else f"I knew {made.entity.name} already."
        answer: NodeCreateResult = {
            "success": True,
            "message": known,
            "node": render_node(change, made.entity),
            "created": made.is_new,
            "matchedBy": made.matched_by,
            **write_receipt(change),
        }
    index_nodes(memory, (made.entity,))
    return answer


@surface.tool("read", example={"id": EXAMPLE_PERSON})
def graph_node_get(
    memory: Memory,
    id: NodeId,  # noqa: A002
    includeDeleted: Annotated[bool, Field(description="Also if it was deleted")] = False,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> NodeGetResult:
    """I use this to look at one node, with what is said of it and the memories behind it."""
    index_before_read(memory, by_meaning=False)
    with memory.read(as_of) as view:
        parse_at_time(view.world, at_time)
        node = find_node(view, id)
        if node is None or not (includeDeleted or node.is_live):
            raise ItemNotFound(f"id: there is no node {id!r}", field="id", listed_by="graph_node_list")
        shown: dict[str, object] = {
            **render_node(view, node),
            "memories": memories_naming(view, node.id),
            "statements": [render_statement(node, fact) for fact in statements_of(view, node.id)],
        }
        if node.id != parse_entity_id(id):
            shown["mergedFrom"] = format_entity_id(parse_entity_id(id) or "")
        return {"success": True, "node": cast(FullNodeView, shown)}


@surface.tool("destroy", example={"id": EXAMPLE_PERSON, "description": "Somebody I keep hearing of"}, idempotent=True)
def graph_node_update(
    memory: Memory,
    id: NodeId,  # noqa: A002
    type: NodeType | None = None,  # noqa: A002
    label: NodeLabel | None = None,
    description: Description | None = None,
    confidence: UnitInterval | None = None,
    embedding: Embedding | None = None,
    properties: NodeProperties | None = None,
    lastConfirmedAt: MomentText | None = None,
    instanceId: InstanceId | None = None,
    mergeProperties: Annotated[bool, Field(description="Add to the properties instead of replacing them")] = False,
    aliases: Aliases | None = None,
    clear: NodeParts | None = None,
    restore: Annotated[bool, Field(description="Bring a deleted node back")] = False,
    expectedVersion: ExpectedVersion | None = None,
    customType: CustomNodeType | None = None,
) -> NodeUpdateResult:
    """I use this to correct a node: what I leave out stays, properties are replaced.

    A new label keeps the old one as an alias. `restore` brings a deleted node back with its edges.
    """
    type = customType or type  # noqa: A001 the published name
    given = (type, label, description, confidence, embedding, properties, lastConfirmedAt, aliases)
    if not restore and not clear and all(each is None for each in given):
        raise NothingToChange(("type", "label", "description", "properties", "aliases", "clear", "restore"))
    check_width(memory, embedding, "embedding")
    with acting_as(memory, instanceId).write() as change:
        edit = NodeEdit(
            type,
            label,
            _visible(description),
            properties,
            mergeProperties,
            confidence,
            parse_moment(change.world, lastConfirmedAt, "lastConfirmedAt"),
            None if aliases is None else tuple(aliases),
            embedding,
            _parts_to_clear(clear or (), description),
        )
        held = _node_to_change(change, id, restore, expectedVersion)
        node = edit_node(change, held, edit, node_model(memory.embedder))
        said = f"I updated {node.name}." if change.has_changed else f"{node.name} is so already."
        answer: NodeUpdateResult = {
            "success": True,
            "message": said,
            "node": render_node(change, node),
            **write_receipt(change),
        }
    if change.has_changed:
        index_nodes(memory, (node,))
    return answer


def _parts_to_clear(clear: Collection[str], description: str | None) -> frozenset[str]:
    """The parts to empty; a blank description empties it."""
    is_emptied = description is not None and _visible(description) is None
    return frozenset({*clear, "description"} if is_emptied else clear)


def _visible(description: str | None) -> str | None:
    return description if description and description.strip() else None


def _node_to_change(change: Change, text: str, restore: bool, expected: int | None) -> Entity:
    """The live node, or the deleted one, restored."""
    held = find_node(change, text)
    is_back = restore and held is not None and not held.is_live
    node = held if is_back and held is not None else require_live_node(change, text)
    check_version(expected, node_version(change, node.id), f"node {text}")
    return restore_node(change, node) if is_back else node


@surface.tool("destroy", example={"id": EXAMPLE_UNUSED_PERSON, "reason": "no longer matters"}, idempotent=False)
def graph_node_delete(
    memory: Memory,
    id: NodeId,  # noqa: A002
    permanent: Annotated[bool, Field(description="Always refused: erasing is not done here")] = False,
    reason: Reason | None = None,
    instanceId: InstanceId | None = None,
) -> NodeDeleteResult:
    """I use this to let go of a node and its edges.

    `graph_node_update` with `restore` brings them back.
    """
    if permanent:
        raise NeedsForget(f"node {id}")
    with acting_as(memory, instanceId).write() as change:
        node = require_live_node(change, id)
        edges = delete_node(change, node, reason or "deleted")
        return {
            "success": True,
            "message": f"I let go of {node.name}.",
            "edgesDeleted": edges,
            **write_receipt(change),
        }
