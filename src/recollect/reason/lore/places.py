"""Which place lies in which, at one time."""

from typing import NamedTuple

from recollect.model.ids import EntityId
from recollect.reason.lore.probing import Side
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Coverage, Time


class Step(NamedTuple):
    """A place reached over PART_OF: from where, how far from the first, by which relation."""

    place: EntityId
    nearer: EntityId
    depth: int
    relation: Relation
    coverage: Coverage


def within(lore: Lore, place: EntityId, at: Time | None) -> frozenset[EntityId]:
    """The place and all that lies in it at that time; without a time, at any."""
    return frozenset((place, *(step.place for step in walk(lore, place, "down", at))))


def walk(lore: Lore, place: EntityId, direction: str, at: Time | None, depth: int = 1_000_000) -> list[Step]:
    """Each place once, nearest first, over the PART_OF that hold at that time; a cycle ends the walk."""
    near: Side = "object" if direction == "down" else "subject"
    seen, level, found = {place}, [place], list[Step]()
    for distance in range(1, depth + 1):
        steps = _steps(lore, level, near, at, distance)
        level = []
        for step in steps:
            if step.place not in seen:
                seen.add(step.place)
                level.append(step.place)
                found.append(step)
        if not level:
            break
    return found


def _steps(lore: Lore, level: list[EntityId], near: Side, at: Time | None, distance: int) -> list[Step]:
    relations = lore.relations_of(level, ["part_of"], near, at=at)
    held: list[tuple[Relation, Coverage]] = [(each, "full") for each in relations]
    if at is not None:
        held = lore.holding(relations, at)
    named = lore.entities(end for each, _ in held for end in each.ends)
    steps = []
    for each, how in held:
        if each.object is not None:
            here, there = (each.object, each.subject) if near == "object" else (each.subject, each.object)
            steps.append(Step(there, here, distance, each, how))
    return sorted(steps, key=lambda step: (named[step.place].name, step.place, step.relation.id))
