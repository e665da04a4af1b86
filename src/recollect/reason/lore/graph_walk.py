"""Breadth-first walk over relations from one entity, and the shortest paths between two."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import EntityKind, kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, RelationSide
from recollect.when.period import Time

Direction = Literal["out", "in", "both"]

_NEAR_SIDE: dict[Direction, RelationSide] = {"out": "subject", "in": "object", "both": "either"}
_MAX_NODES = 20_000
_MAX_TRIED = 20_000


@dataclass(frozen=True, slots=True)
class WalkFilter:
    """Which relations and entities a walk may use; without a time, relations of all times."""

    at: Time | None
    names: Collection[str] | None = None
    kinds: Collection[EntityKind] = ()
    direction: Direction = "both"

    def admits(self, entity: Entity) -> bool:
        return not self.kinds or any(kind.admits(kind_of(entity)) for kind in self.kinds)


WalkStep = Step[EntityId, FactId]


class WalkNode(NamedTuple):
    """An entity that a walk reached, its distance, and the relations of a shortest path to it."""

    entity: Entity
    hops: int
    path: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class LoreWalk:
    """The nodes of a walk, nearest first, and every step between them."""

    nodes: list[WalkNode]
    steps: list[WalkStep]
    is_cut: bool


def walk_lore(
    lore: LoreReader, start: Entity, route: WalkFilter, hops: int, limit: int, target: EntityId | None = None
) -> LoreWalk:
    """Each entity once, at its shortest distance; a limit keeps the nearest.

    With a target the walk continues beyond the limit until it reaches the target.
    """
    steps: list[WalkStep] = []

    def expand(level: list[EntityId]) -> list[WalkStep]:
        found = _walk_steps(lore, level, route)
        entities = lore.entities(step.there for step in found)
        admitted = [step for step in found if step.there == start.id or route.admits(entities[step.there])]
        steps.extend(admitted)
        return admitted

    def is_done(reached: Mapping[EntityId, WalkStep | None]) -> bool:
        return len(reached) > _MAX_NODES or (len(reached) > limit and (target is None or target in reached))

    search = breadth_first([start.id], expand, depth=hops, until=is_done)
    entities = lore.entities(search.reached) | {start.id: start}
    paths = {each: tuple(step.edge for step in search.path_to(each)) for each in search.reached}
    nodes = [WalkNode(entities[each], len(path), path) for each, path in paths.items()]
    nodes.sort(key=lambda node: (node.hops, node.entity.name, node.entity.id))
    return LoreWalk(nodes[:limit], steps, len(nodes) > limit)


def _walk_steps(lore: LoreReader, level: Collection[EntityId], route: WalkFilter) -> list[WalkStep]:
    """Every step away from a level, by the name of the entity it leaves, then by relation."""
    entities = lore.entities(level)
    order = sorted(level, key=lambda each: (entities[each].name if each in entities else "", each))
    position = {entity: number for number, entity in enumerate(order)}
    relations = lore.relations_of(level, route.names, _NEAR_SIDE[route.direction], at=route.at)
    if route.at is not None:
        relations = [each for each, _ in lore.showing(relations, route.at)]
    steps = [step for each in relations for step in _steps_over(each, position.keys(), route.direction)]
    return sorted(steps, key=lambda step: (position[step.here], step.edge))


def _steps_over(relation: Relation, level: Collection[EntityId], direction: Direction) -> Iterable[WalkStep]:
    if relation.object is None or relation.object == relation.subject:
        return
    both = direction == "both" or relation.is_symmetric
    if relation.subject in level and (both or direction == "out"):
        yield Step(relation.subject, relation.object, relation.id)
    if relation.object in level and (both or direction == "in"):
        yield Step(relation.object, relation.subject, relation.id)


def relations_among(lore: LoreReader, nodes: Collection[EntityId], route: WalkFilter) -> list[Relation]:
    """Every relation of the route between two of the nodes."""
    found = lore.among(nodes, at=route.at)
    wanted = [each for each in found if route.names is None or each.name in route.names]
    return wanted if route.at is None else [each for each, _ in lore.showing(wanted, route.at)]


class WalkPath(NamedTuple):
    entities: tuple[EntityId, ...]
    relations: tuple[FactId, ...]


def shortest_paths(
    steps: Iterable[WalkStep], start: EntityId, target: EntityId, longest: int, most: int
) -> list[WalkPath]:
    """The shortest simple paths from start to target."""
    leaving: dict[EntityId, list[WalkStep]] = {}
    for step in dict.fromkeys(steps):
        leaving.setdefault(step.here, []).append(step)
    found: list[WalkPath] = []
    tried, level = 0, [WalkPath((start,), ())]
    for _ in range(longest):
        longer: list[WalkPath] = []
        for path in level:
            for step in leaving.get(path.entities[-1], ()):
                tried += 1
                if step.there in path.entities:
                    continue
                extended = WalkPath((*path.entities, step.there), (*path.relations, step.edge))
                (found if step.there == target else longer).append(extended)
        if len(found) >= most or tried > _MAX_TRIED:
            break
        level = longer
    return sorted(found, key=lambda path: (len(path.relations), path.relations))[:most]
