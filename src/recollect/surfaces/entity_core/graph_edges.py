"""Tools that create, read, update and delete edges."""
# ruff: noqa: N803 the published names

from typing import Annotated

from pydantic import Field

from recollect.keep.call_conflicts import check_version
from recollect.keep.graph.edges import (
    DEFAULT_WEIGHT,
    EdgeDraft,
    EdgeEdit,
    check_period_order,
    edit_edge,
    find_edge,
    require_live_edge,
    state_edge,
)
from recollect.keep.graph.nodes import find_node, require_live_node, source_memory
from recollect.memory import Memory
from recollect.model.ids import EntityId, FactId
from recollect.model.page import ResultPage
from recollect.reason.items.item_lookup import closed_anywhere, closed_items
from recollect.store.edge_queries import EdgeQuery, GraphEdge, edge_versions, find_edges
from recollect.store.fact_rows import NO_LIMIT
from recollect.store.view import View
from recollect.surfaces.entity_core.graph_parameters import (
    EXAMPLE_EDGE,
    EXAMPLE_OTHER_PERSON,
    EXAMPLE_PERSON,
    EXAMPLE_STAGE_EDGE,
    CustomType,
    EdgeId,
    EdgeParts,
    EdgeProperties,
    EdgeType,
    Evidence,
    MemoryId,
    MomentText,
    NodeId,
    NothingToChange,
    Offset,
    Reason,
    TimeText,
    UnitInterval,
    parse_at_time,
    parse_bound,
    parse_moment,
)
from recollect.surfaces.entity_core.graph_rendering import render_edge, render_edges
from recollect.surfaces.entity_core.graph_results import (
    EdgeCreateResult,
    EdgeGetResult,
    EdgeUpdateResult,
)
from recollect.surfaces.entity_core.parameters import ExpectedVersion, InstanceId
from recollect.surfaces.entity_core.surface import WriteResult, acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import AsOf, AtTime, IntegralFloat
from recollect.surfaces.views import fact_id_or_none
from recollect.write.retract import retract_fact


@surface.tool(
    "write",
    example={"fromId": EXAMPLE_PERSON, "toId": EXAMPLE_OTHER_PERSON, "type": "works_with", "occurredAt": "2026-03"},
    idempotent=False,
)
def graph_edge_create(
    memory: Memory,
    fromId: NodeId,
    toId: NodeId,
    type: EdgeType,  # noqa: A002
    properties: EdgeProperties | None = None,
    weight: UnitInterval = DEFAULT_WEIGHT,
    evidence: Evidence | None = None,
    occurredAt: TimeText | None = None,
    validUntil: TimeText | None = None,
    instanceId: InstanceId | None = None,
    confidence: UnitInterval | None = None,
    sourceMemoryId: MemoryId | None = None,
    customType: CustomType | None = None,
) -> EdgeCreateResult:
    """I use this to state how two nodes are related, and since or until when.

    Saying the same again confirms it; saying it after it ended opens a new interval.
    """
    with acting_as(memory, instanceId).write() as change:
        one, other = require_live_node(change, fromId, "fromId"), require_live_node(change, toId, "toId")
        source = None if sourceMemoryId is None else source_memory(change, sourceMemoryId)
        start = parse_bound(change.world, occurredAt, "occurredAt")
        end = parse_bound(change.world, validUntil, "validUntil")
        check_period_order(start, end)
        kind = customType or type
        draft = EdgeDraft(one.id, other.id, kind, properties or {}, weight, evidence, start, end, confidence, source)
        stated = state_edge(change, draft)
        return {
            "success": True,
            "message": f"{one.name} {kind} {other.name}.",
            "edge": render_edge(change, stated.fact, change.world.now),
            "created": stated.is_new,
            "reopened": stated.previous is not None,
            "previousEdgeId": fact_id_or_none(stated.previous),
            **write_receipt(change),
        }


@surface.tool("read", example={"fromId": EXAMPLE_PERSON, "onlyValid": True})
def graph_edge_get(
    memory: Memory,
    id: EdgeId | None = None,  # noqa: A002
    fromId: NodeId | None = None,
    toId: NodeId | None = None,
    type: EdgeType | None = None,  # noqa: A002
    includeDeleted: Annotated[bool, Field(description="Deleted ones too")] = False,
    onlyValid: Annotated[bool, Field(description="Only those valid at at_time")] = False,
    limit: Annotated[int, Field(ge=1, le=5000, description="At most this many; default: all"), IntegralFloat]
    | None = None,
    offset: Offset = 0,
    as_of: AsOf = None,
    at_time: AtTime = None,
) -> EdgeGetResult:
    """I use this to read edges: one, those of a node, of a type, or all."""
    with memory.read(as_of) as view:
        at = parse_at_time(view.world, at_time)
        ends = [None if given is None else find_node(view, given) for given in (fromId, toId)]
        if (fromId is not None and ends[0] is None) or (toId is not None and ends[1] is None):
            return {"edges": [], "total": 0}
        one, other = (None if end is None else end.id for end in ends)
        closed = _closed_items(view, one, other) if onlyValid else frozenset()
        wanted = EdgeQuery(at.span, one, other, type, includeDeleted, onlyValid, limit or NO_LIMIT, offset, closed)
        found = find_edges(view, wanted) if id is None else _edge_page(view, id, wanted)
        return {"edges": render_edges(view, found.items, at), "total": found.total}


def _closed_items(view: View, one: EntityId | None, other: EntityId | None) -> frozenset[FactId]:
    near = one or other
    return frozenset(closed_anywhere(view) if near is None else closed_items(view, {near}))


def _edge_page(view: View, text: str, wanted: EdgeQuery) -> ResultPage[GraphEdge]:
    edge = find_edge(view, text)
    if edge is None or not _matches_filter(edge, wanted):
        return ResultPage([], 0)
    return ResultPage([edge] if wanted.offset == 0 else [], 1)


def _matches_filter(edge: GraphEdge, wanted: EdgeQuery) -> bool:
    fact = edge.fact
    return (
        wanted.subject in (None, fact.subject)
        and wanted.object in (None, fact.object)
        and wanted.type in (None, fact.predicate)
        and (wanted.deleted or not edge.is_deleted)
        and (not wanted.valid or (edge.is_valid(wanted.at) and fact.id not in wanted.closed))
    )


@surface.tool("destroy", example={"id": EXAMPLE_EDGE, "validUntil": "2026-05-10"}, idempotent=True)
def graph_edge_update(
    memory: Memory,
    id: EdgeId,  # noqa: A002
    type: EdgeType | None = None,  # noqa: A002
    weight: UnitInterval | None = None,
    evidence: Evidence | None = None,
    validUntil: TimeText | None = None,
    properties: EdgeProperties | None = None,
    lastConfirmedAt: MomentText | None = None,
    instanceId: InstanceId | None = None,
    occurredAt: TimeText | None = None,
    clear: EdgeParts | None = None,
    expectedVersion: ExpectedVersion | None = None,
    customType: CustomType | None = None,
) -> EdgeUpdateResult:
    """I use this to correct an edge or to say that it ended; what I leave out stays."""
    type = customType or type  # noqa: A001 the published name
    given = (type, weight, evidence, validUntil, properties, lastConfirmedAt, occurredAt)
    if not clear and all(each is None for each in given):
        raise NothingToChange(("type", "weight", "evidence", "validUntil", "occurredAt", "properties", "clear"))
    with acting_as(memory, instanceId).write() as change:
        fact = require_live_edge(change, id).fact
        check_version(expectedVersion, edge_versions(change, (fact.id,))[fact.id], f"edge {id}")
        edit = EdgeEdit(
            type,
            weight,
            evidence,
            parse_bound(change.world, occurredAt, "occurredAt"),
            parse_bound(change.world, validUntil, "validUntil"),
            properties,
            parse_moment(change.world, lastConfirmedAt, "lastConfirmedAt"),
            frozenset(clear or ()),
        )
        edge = edit_edge(change, fact, edit)
        said = "I updated the edge." if change.has_changed else "The edge is so already."
        shown = render_edge(change, edge, change.world.now)
        return {"success": True, "message": said, "edge": shown, **write_receipt(change)}


@surface.tool("destroy", example={"id": EXAMPLE_STAGE_EDGE}, idempotent=False)
def graph_edge_delete(
    memory: Memory,
    id: EdgeId,  # noqa: A002
    reason: Reason | None = None,
    instanceId: InstanceId | None = None,
) -> WriteResult:
    """I use this to withdraw an edge that was never right.

    For what merely ended, I set `validUntil` with `graph_edge_update`.
    """
    with acting_as(memory, instanceId).write() as change:
        fact = require_live_edge(change, id).fact
        retract_fact(change, fact.id)
        because = f": {reason}" if reason else ""
        return {"success": True, "message": f"I withdrew it{because}.", **write_receipt(change)}
