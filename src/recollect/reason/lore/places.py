"""Places: which is part of which at a time, and who and what was present."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import COVERAGE_ORDER, Relation, RelationSide
from recollect.when.period import Coverage, Time


class PlaceStep(NamedTuple):
    """A place reached over PART_OF: from where, at what depth, by which relation."""

    place: EntityId
    nearer: EntityId
    depth: int
    relation: Relation
    coverage: Coverage


def places_within(lore: LoreReader, places: Collection[EntityId], at: Time | None) -> frozenset[EntityId]:
    """The places and all places within them at that time; without a time, at any time."""
    return frozenset(breadth_first(places, lambda level: _place_steps(lore, level, "object", at)).reached)


def walk_places(
    lore: LoreReader, place: EntityId, direction: str, at: Time | None, depth: int | None = None
) -> list[PlaceStep]:
    """Each place once, nearest first, over the PART_OF relations that hold at that time."""
    near: RelationSide = "object" if direction == "down" else "subject"
    search = breadth_first([place], lambda level: _place_steps(lore, level, near, at), depth=depth)
    depths = search.depths()
    return [
        PlaceStep(step.there, step.here, depths[step.there], *step.edge)
        for step in search.reached.values()
        if step is not None
    ]


def _place_steps(
    lore: LoreReader, level: list[EntityId], near: RelationSide, at: Time | None
) -> list[Step[EntityId, tuple[Relation, Coverage]]]:
    """The steps away from a level, by the name of the place they lead to."""
    relations = lore.relations_of(level, ["part_of"], near, at=at)
    covered: list[tuple[Relation, Coverage]] = [(each, "full") for each in relations]
    if at is not None:
        covered = lore.holding(relations, at)
    entities = lore.entities(end for each, _ in covered for end in each.ends)
    steps = []
    for edge in covered:
        inner, outer = edge[0].subject, edge[0].object
        if outer is not None:
            steps.append(Step(outer, inner, edge) if near == "object" else Step(inner, outer, edge))
    return sorted(steps, key=lambda step: (entities[step.there].name, step.there, step.edge[0].id))


class PresentEntity(NamedTuple):
    """An entity in a place, and the relation that puts it there."""

    entity: Entity
    place: EntityId
    relation: Relation
    coverage: Coverage


def find_present(lore: LoreReader, places: Collection[EntityId], at: Time) -> list[PresentEntity]:
    """Everything located in one of the places, and the groups that control one; each once per place."""
    relations = lore.relations_of(places, ["located_in", "controls"], "object", at=at)
    entities = lore.entities(each.subject for each in relations)
    presences = [each for each in relations if _counts_as_present(entities[each.subject], each)]
    return best_presences(
        PresentEntity(entities[each.subject], each.object, each, how)
        for each, how in lore.holding(presences, at)
        if each.object is not None
    )


def _counts_as_present(entity: Entity, relation: Relation) -> bool:
    """A place is not present in another; only a group is present by control."""
    type_ = kind_of(entity).type
    return type_ in GROUPS if relation.name == "controls" else type_ != "location"


def best_presences(found: Iterable[PresentEntity]) -> list[PresentEntity]:
    """One entry per entity and place: being located there before controlling it, then the best coverage."""
    by_place: defaultdict[tuple[EntityId, EntityId], list[PresentEntity]] = defaultdict(list)
    for each in found:
        by_place[each.entity.id, each.place].append(each)
    best = (several[0] if len(several) == 1 else min(several, key=_presence_rank) for several in by_place.values())
    return sorted(best, key=lambda each: each.relation.id)


def _presence_rank(each: PresentEntity) -> tuple[bool, int, int, str]:
    relation = each.relation
    return (
        relation.name == "controls",
        COVERAGE_ORDER.index(each.coverage),
        relation.fact.bounds.lo,
        relation.id,
    )
