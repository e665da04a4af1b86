"""Places: which lies in which at a time, and who and what was present."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import COVERAGE_ORDER, Relation, RelationSide
from recollect.when.period import Coverage, Time


class PlaceStep(NamedTuple):
    """A place reached over PART_OF: from where, how far from the first, by which relation."""

    place: EntityId
    nearer: EntityId
    depth: int
    relation: Relation
    coverage: Coverage


def places_within(lore: LoreReader, place: EntityId, at: Time | None) -> frozenset[EntityId]:
    """The place and all that lies in it at that time; without a time, at any."""
    return frozenset((place, *(step.place for step in walk_places(lore, place, "down", at))))


def walk_places(
    lore: LoreReader, place: EntityId, direction: str, at: Time | None, depth: int = 1_000_000
) -> list[PlaceStep]:
    """Each place once, nearest first, over the PART_OF that hold at that time; a cycle ends the walk."""
    near: RelationSide = "object" if direction == "down" else "subject"
    seen, level, found = {place}, [place], list[PlaceStep]()
    for distance in range(1, depth + 1):
        steps = _place_steps(lore, level, near, at, distance)
        level = []
        for step in steps:
            if step.place not in seen:
                seen.add(step.place)
                level.append(step.place)
                found.append(step)
        if not level:
            break
    return found


def _place_steps(
    lore: LoreReader, level: list[EntityId], near: RelationSide, at: Time | None, distance: int
) -> list[PlaceStep]:
    relations = lore.relations_of(level, ["part_of"], near, at=at)
    held: list[tuple[Relation, Coverage]] = [(each, "full") for each in relations]
    if at is not None:
        held = lore.holding(relations, at)
    named = lore.entities(end for each, _ in held for end in each.ends)
    steps = []
    for each, how in held:
        if each.object is not None:
            here, there = (each.object, each.subject) if near == "object" else (each.subject, each.object)
            steps.append(PlaceStep(there, here, distance, each, how))
    return sorted(steps, key=lambda step: (named[step.place].name, step.place, step.relation.id))


class PresentEntity(NamedTuple):
    """An entity in a place, and the relation that puts it there."""

    entity: Entity
    place: EntityId
    relation: Relation
    coverage: Coverage


def find_present(lore: LoreReader, places: Collection[EntityId], at: Time) -> list[PresentEntity]:
    """Whatever is located in one of the places, and the groups that control one; each once in each place."""
    relations = lore.relations_of(places, ["located_in", "controls"], "object", at=at)
    entities = lore.entities(each.subject for each in relations)
    there = [each for each in relations if _counts_as_present(entities[each.subject], each)]
    return best_presences(
        PresentEntity(entities[each.subject], each.object, each, how)
        for each, how in lore.holding(there, at)
        if each.object is not None
    )


def _counts_as_present(entity: Entity, relation: Relation) -> bool:
    """A place is not present in another; only a group is present by what it controls."""
    type_ = kind_of(entity).type
    return type_ in GROUPS if relation.name == "controls" else type_ != "location"


def best_presences(found: Iterable[PresentEntity]) -> list[PresentEntity]:
    """One entry for each entity and place: by being there before controlling it, by the best coverage."""
    ways: defaultdict[tuple[EntityId, EntityId], list[PresentEntity]] = defaultdict(list)
    for each in found:
        ways[each.entity.id, each.place].append(each)
    best = (several[0] if len(several) == 1 else min(several, key=_presence_rank) for several in ways.values())
    return sorted(best, key=lambda each: each.relation.id)


def _presence_rank(each: PresentEntity) -> tuple[bool, int, int, str]:
    relation = each.relation
    return (
        relation.name == "controls",
        COVERAGE_ORDER.index(each.coverage),
        relation.fact.bounds.lo,
        relation.id,
    )
