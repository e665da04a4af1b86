"""`graph_traverse` and `expand_context`: the graph around an entity."""

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field

from recollect.memory import Memory
from recollect.model.ids import EntityId, say_entity, say_fact
from recollect.model.labels import read_label
from recollect.model.relations import say_relation
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.walk import Direction, Node, Route, Walked, among, paths, walk
from recollect.surfaces.lore_engine.asking import Asking, asking
from recollect.surfaces.lore_engine.problems import BadInput
from recollect.surfaces.lore_engine.shapes import AsOf, EntityName, LabelTexts, RelationTexts, TimeText
from recollect.surfaces.lore_engine.shown import Printer, say_ref, start_order
from recollect.surfaces.lore_engine.surface import surface
from recollect.surfaces.lore_engine.walk_results import EdgeShown, Expanded, NearShown, NodeShown, PathShown, Traversed
from recollect.surfaces.shapes import folded_into
from recollect.when.period import coverage

Hops = Annotated[int, Field(ge=1, le=6, description="How many relations away at most")]
NearHops = Annotated[int, Field(ge=1, le=4, description="How many relations away at most")]
NodeLimit = Annotated[int, Field(ge=1, le=1000, description="At most this many nodes, the start included")]
NearLimit = Annotated[int, Field(ge=1, le=500, description="At most this many nodes, the nearest")]
AllTimes = Annotated[bool, Field(description="Ignore valid time; not together with at_time")]
Ways = Annotated[
    Literal["out", "in", "both"],
    folded_into("out", "in", "both"),
    Field(description="Follow relations from subject to object, back, or both ways"),
]
Goal = Annotated[EntityName, Field(description="Also return the shortest paths to this entity")]

_MOST_PATHS = 5


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
    direction: Ways = "both",
    at_time: TimeText | None = None,
    all_times: AllTimes = False,
    types: LabelTexts | None = None,
    limit: NodeLimit = 200,
    as_of: AsOf = None,
) -> Traversed:
    """The graph around an entity, hop by hop: each node once, with one shortest path to it."""
    with asking(memory, as_of) as asked:
        route = _route(asked, relations, direction, (at_time, all_times), types)
        who = asked.entity(start, "start")
        walked = walk(asked.lore, who, route, hops, limit)
        said: Traversed = {
            "start": say_ref(who),
            "nodes": [_node(each) for each in walked.nodes],
            "relations": [_edge(each) for each in _between(asked, walked, route)],
            "levels": _levels(walked),
            "truncated": walked.is_cut,
            "at_time": None if route.at is None else route.at.text,
        }
        return asked.with_resolution(said)


def _route(
    asked: Asking,
    relations: list[str] | None,
    direction: Direction,
    when: tuple[str | None, bool],
    types: list[str] | None,
) -> Route:
    at_time, all_times = when
    if all_times and at_time is not None:
        raise BadInput("give at_time or all_times, not both", field="all_times")
    at = None if all_times else asked.time(at_time)
    named = None if relations is None else frozenset(asked.relation(each, "relations").name for each in relations)
    return Route(at, named, tuple(read_label(each) for each in types or ()), direction)


def _between(asked: Asking, walked: Walked, route: Route) -> list[Relation]:
    return sorted(among(asked.lore, [each.entity.id for each in walked.nodes], route), key=start_order)


def _node(node: Node) -> NodeShown:
    return {**say_ref(node.entity), "hops": node.hops, "path": [say_fact(fact) for fact in node.path]}


def _edge(relation: Relation) -> EdgeShown:
    return {
        "id": say_fact(relation.id),
        "relation": say_relation(relation.name),
        "from": say_entity(relation.subject),
        "to": say_entity(relation.object or relation.subject),
    }


def _levels(walked: Walked) -> list[int]:
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
    target: Goal | None = None,
    at_time: TimeText | None = None,
    all_times: AllTimes = False,
    types: LabelTexts | None = None,
    limit: NearLimit = 100,
    as_of: AsOf = None,
) -> Expanded:
    """The neighbourhood of an entity: every relation in it with its sources, paths to a target."""
    with asking(memory, as_of) as asked:
        route = _route(asked, relations, "both", (at_time, all_times), types)
        who = asked.entity(entity, "entity")
        goal = None if target is None else asked.entity(target, "target").id
        walked = walk(asked.lore, who, route, hops, limit + 1, goal)
        between = _between(asked, walked, route)
        printer = Printer(asked.lore, between)
        intervals = asked.lore.shown_intervals(between)
        said: Expanded = {
            "entity": say_ref(who),
            "hops": hops,
            "nodes": [_near(each) for each in walked.nodes[1:]],
            "relations": [
                printer.relation(each, None if route.at is None else coverage(intervals[each.id], route.at))
                for each in between
            ],
            "truncated": walked.is_cut,
            "at_time": None if route.at is None else route.at.text,
        }
        if goal is not None:
            said["paths"] = _paths(asked, walked, who.id, goal, hops)
        return asked.with_resolution(said)


def _near(node: Node) -> NearShown:
    return {**say_ref(node.entity), "distance": node.hops}


def _paths(asked: Asking, walked: Walked, start: EntityId, goal: EntityId, hops: int) -> list[PathShown]:
    found = paths(walked.steps, start, goal, hops, _MOST_PATHS)
    named = asked.lore.entities(entity for path in found for entity in path.entities)
    return [
        {
            "nodes": [named[entity].name for entity in path.entities],
            "relations": [say_fact(fact) for fact in path.relations],
        }
        for path in found
    ]
