"""`graph_traverse` and `expand_context`: the graph around an entity."""

from collections import Counter
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from recollect.memory import Memory
from recollect.model.ids import EntityId, format_entity_id, format_fact_id
from recollect.model.labels import read_label
from recollect.model.relations import format_relation
from recollect.reason.lore.graph_walk import (
    Direction,
    LoreWalk,
    WalkFilter,
    relations_among,
    shortest_paths,
    walk_lore,
)
from recollect.reason.lore.relation import Relation, by_start
from recollect.surfaces.lore_engine.rendering import RelationRenderer, entity_ref, mark_relation
from recollect.surfaces.lore_engine.results import (
    AsOf,
    EntityName,
    FuzzyResolutionView,
    LabelTexts,
    LoreEntityRef,
    RelationTexts,
    RelationView,
    TimeText,
)
from recollect.surfaces.lore_engine.session import ReadSession, read_session
from recollect.surfaces.lore_engine.surface import RejectedInput, surface
from recollect.surfaces.parameter_types import fold_case_into
from recollect.surfaces.views import TrustMarks
from recollect.when.period import coverage, time_text


class HopNodeRef(LoreEntityRef):
    hops: int
    path: list[str]


_EdgeEnds = TypedDict("_EdgeEnds", {"id": str, "relation": str, "from": str, "to": str})


class RelationEdgeView(_EdgeEnds, TrustMarks):
    """A relation between two of the nodes, by their ids."""


class GraphTraverseResult(TypedDict):
    """Everything within some hops of an entity."""

    start: LoreEntityRef
    nodes: list[HopNodeRef]
    relations: list[RelationEdgeView]
    levels: list[int]
    truncated: bool
    at_time: str | None
    resolution: NotRequired[list[FuzzyResolutionView]]


class NearbyNodeView(LoreEntityRef):
    distance: int


class EntityPathView(TypedDict):
    nodes: list[str]
    relations: list[str]


class NeighbourhoodResult(TypedDict):
    """The neighbourhood of an entity."""

    entity: LoreEntityRef
    hops: int
    nodes: list[NearbyNodeView]
    relations: list[RelationView]
    truncated: bool
    at_time: str | None
    paths: NotRequired[list[EntityPathView]]
    resolution: NotRequired[list[FuzzyResolutionView]]


Hops = Annotated[int, Field(ge=1, le=6, description="How many relations away at most")]
NearHops = Annotated[int, Field(ge=1, le=4, description="How many relations away at most")]
NodeLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many nodes, the start included")]
NearLimit = Annotated[int, Field(ge=1, le=500, description="At most this many nodes, the nearest")]
AllTimes = Annotated[bool, Field(description="Ignore valid time; not together with at_time")]
WalkWay = Annotated[
    Literal["out", "in", "both"],
    fold_case_into("out", "in", "both"),
    Field(description="Follow relations from subject to object, back, or both ways"),
]
PathGoal = Annotated[EntityName, Field(description="Also return the shortest paths to this entity")]

_MAX_PATHS = 5


@surface.tool(
    "read",
    example={"start": "Mira Orrin", "hops": 1, "relations": ["MEMBER_OF"], "at_time": "second_tide.year_50"},
    older={"start": ("entity", "name"), "hops": ("depth",)},
)
def graph_traverse(
    memory: Memory,
    start: EntityName,
    hops: Hops = 2,
    relations: RelationTexts | None = None,
    direction: WalkWay = "both",
    at_time: TimeText | None = None,
    all_times: AllTimes = False,
    types: LabelTexts | None = None,
    limit: NodeLimit = 200,
    as_of: AsOf = None,
) -> GraphTraverseResult:
    """The graph around an entity, hop by hop: each node once, with one shortest path to it."""
    with read_session(memory, as_of) as session:
        route = _parse_route(session, relations, direction, (at_time, all_times), types)
        who = session.entity(start, "start")
        walked = walk_lore(session.lore, who, route, hops, limit)
        said: GraphTraverseResult = {
            "start": entity_ref(who),
            "nodes": [
                {**entity_ref(each.entity), "hops": each.hops, "path": [format_fact_id(fact) for fact in each.path]}
                for each in walked.nodes
            ],
            "relations": [render_edge(each) for each in _relations_between(session, walked, route)],
            "levels": _count_by_hops(walked),
            "truncated": walked.is_cut,
            "at_time": time_text(route.at),
        }
        return session.with_resolution(said)


def _parse_route(
    session: ReadSession,
    relations: list[str] | None,
    direction: Direction,
    when: tuple[str | None, bool],
    types: list[str] | None,
) -> WalkFilter:
    at_time, all_times = when
    if all_times and at_time is not None:
        raise RejectedInput("give at_time or all_times, not both", field="all_times")
    at = None if all_times else session.time(at_time)
    named = None if relations is None else frozenset(session.relation(each, "relations").name for each in relations)
    return WalkFilter(at, named, tuple(read_label(each) for each in types or ()), direction)


def _relations_between(session: ReadSession, walked: LoreWalk, route: WalkFilter) -> list[Relation]:
    return sorted(relations_among(session.lore, [each.entity.id for each in walked.nodes], route), key=by_start)


def render_edge(relation: Relation) -> RelationEdgeView:
    shown: RelationEdgeView = {
        "id": format_fact_id(relation.id),
        "relation": format_relation(relation.name),
        "from": format_entity_id(relation.subject),
        "to": format_entity_id(relation.object or relation.subject),
    }
    mark_relation(shown, relation)
    return shown


def _count_by_hops(walked: LoreWalk) -> list[int]:
    counted = Counter(node.hops for node in walked.nodes)
    return [counted[hops] for hops in range(max(counted) + 1)]


@surface.tool(
    "read",
    example={
        "entity": "Sela Orrin",
        "hops": 2,
        "relations": ["PARENT_OF", "MEMBER_OF"],
        "target": "House Orrin",
        "all_times": True,
    },
    older={"entity": ("name",)},
)
def expand_context(
    memory: Memory,
    entity: EntityName,
    hops: NearHops = 2,
    relations: RelationTexts | None = None,
    target: PathGoal | None = None,
    at_time: TimeText | None = None,
    all_times: AllTimes = False,
    types: LabelTexts | None = None,
    limit: NearLimit = 100,
    as_of: AsOf = None,
) -> NeighbourhoodResult:
    """The neighbourhood of an entity: every relation in it with its sources, paths to a target."""
    with read_session(memory, as_of) as session:
        route = _parse_route(session, relations, "both", (at_time, all_times), types)
        who = session.entity(entity, "entity")
        goal = None if target is None else session.entity(target, "target").id
        walked = walk_lore(session.lore, who, route, hops, limit + 1, goal)
        between = _relations_between(session, walked, route)
        printer = RelationRenderer(session.lore, between)
        intervals = session.lore.shown_intervals(between)
        said: NeighbourhoodResult = {
            "entity": entity_ref(who),
            "hops": hops,
            "nodes": [{**entity_ref(each.entity), "distance": each.hops} for each in walked.nodes[1:]],
            "relations": [
                printer.relation(each, None if route.at is None else coverage(intervals[each.id], route.at))
                for each in between
            ],
            "truncated": walked.is_cut,
            "at_time": time_text(route.at),
        }
        if goal is not None:
            said["paths"] = _render_paths(session, walked, who.id, goal, hops)
        return session.with_resolution(said)


def _render_paths(
    session: ReadSession, walked: LoreWalk, start: EntityId, goal: EntityId, hops: int
) -> list[EntityPathView]:
    found = shortest_paths(walked.steps, start, goal, hops, _MAX_PATHS)
    named = session.lore.entities(entity for path in found for entity in path.entities)
    return [
        {
            "nodes": [named[entity].name for entity in path.entities],
            "relations": [format_fact_id(fact) for fact in path.relations],
        }
        for path in found
    ]
