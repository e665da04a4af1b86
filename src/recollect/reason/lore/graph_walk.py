"""Breadth-first walk over relations from one entity, and the shortest paths it found."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
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
    """Over what a walk goes; without a time, over everything ever said."""

    at: Time | None
    names: Collection[str] | None = None
    kinds: Collection[EntityKind] = ()
    direction: Direction = "both"

    def admits(self, entity: Entity) -> bool:
        return not self.kinds or any(kind.admits(kind_of(entity)) for kind in self.kinds)


class WalkStep(NamedTuple):
    here: EntityId
    there: EntityId
    relation: FactId


class WalkNode(NamedTuple):
    """An entity that a walk came to, how far out, and over which relations."""

    entity: Entity
    hops: int
    path: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class LoreWalk:
    """The nodes of a walk, nearest first, and every step that could be taken between them."""

    nodes: list[WalkNode]
    steps: list[WalkStep]
    is_cut: bool


def walk_lore(
    lore: LoreReader, start: Entity, route: WalkFilter, hops: int, limit: int, target: EntityId | None = None
) -> LoreWalk:
    """Each entity once, at its shortest distance; the near ones are kept where a limit cuts.

    Towards a target it goes on beyond the limit until it is reached.
    """
    found = {start.id: WalkNode(start, 0, ())}
    level, steps = [start.id], list[WalkStep]()
    for distance in range(1, hops + 1):
        taken = _walk_steps(lore, level, route)
        level = _enter_level(lore, found, taken, distance, route)
        steps += [step for step in taken if step.there in found]
        is_done = len(found) > limit and (target is None or target in found)
        if not level or is_done or len(found) > _MAX_NODES:
            break
    nodes = sorted(found.values(), key=lambda node: (node.hops, node.entity.name, node.entity.id))
    return LoreWalk(nodes[:limit], steps, len(nodes) > limit)


def _enter_level(
    lore: LoreReader, found: dict[EntityId, WalkNode], taken: Iterable[WalkStep], distance: int, route: WalkFilter
) -> list[EntityId]:
    """The entities that these steps reach for the first time, by name."""
    new = [step for step in taken if step.there not in found]
    entities = lore.entities(step.there for step in new)
    for step in new:
        entity = entities[step.there]
        if step.there not in found and route.admits(entity):
            found[step.there] = WalkNode(entity, distance, (*found[step.here].path, step.relation))
    entered = {step.there for step in new if step.there in found}
    return sorted(entered, key=lambda each: (entities[each].name, each))


def _walk_steps(lore: LoreReader, level: list[EntityId], route: WalkFilter) -> list[WalkStep]:
    """Every step away from a level, in the order of its entities, then of the relations."""
    place = {entity: number for number, entity in enumerate(level)}
    relations = lore.relations_of(level, route.names, _NEAR_SIDE[route.direction], at=route.at)
    if route.at is not None:
        relations = [each for each, _ in lore.showing(relations, route.at)]
    steps = [step for each in relations for step in _steps_over(each, place.keys(), route.direction)]
    return sorted(steps, key=lambda step: (place[step.here], step.relation))


def _steps_over(relation: Relation, level: Collection[EntityId], direction: Direction) -> Iterable[WalkStep]:
    if relation.object is None or relation.object == relation.subject:
        return
    both = direction == "both" or relation.is_symmetric
    if relation.subject in level and (both or direction == "out"):
        yield WalkStep(relation.subject, relation.object, relation.id)
    if relation.object in level and (both or direction == "in"):
        yield WalkStep(relation.object, relation.subject, relation.id)


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
    """The shortest ways from start to target, none through the same entity twice."""
    onward: dict[EntityId, list[WalkStep]] = {}
    for step in dict.fromkeys(steps):
        onward.setdefault(step.here, []).append(step)
    found: list[WalkPath] = []
    tried, level = 0, [WalkPath((start,), ())]
    for _ in range(longest):
        longer: list[WalkPath] = []
        for path in level:
            for step in onward.get(path.entities[-1], ()):
                tried += 1
                if step.there in path.entities:
                    continue
                gone = WalkPath((*path.entities, step.there), (*path.relations, step.relation))
                (found if step.there == target else longer).append(gone)
        if len(found) >= most or tried > _MAX_TRIED:
            break
        level = longer
    return sorted(found, key=lambda path: (len(path.relations), path.relations))[:most]
