"""Who and what was in a place."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.truth import BEST_FIRST
from recollect.when.period import Coverage, Time


class Present(NamedTuple):
    """An entity in a place, and the relation that puts it there."""

    entity: Entity
    place: EntityId
    relation: Relation
    coverage: Coverage


def present(lore: Lore, places: Collection[EntityId], at: Time) -> list[Present]:
    """Whatever is located in one of the places, and the groups that control one; each once in each place."""
    relations = lore.relations_of(places, ["located_in", "controls"], "object", at=at)
    entities = lore.entities(each.subject for each in relations)
    there = [each for each in relations if _counts(entities[each.subject], each)]
    return best_of(
        Present(entities[each.subject], each.object, each, how)
        for each, how in lore.holding(there, at)
        if each.object is not None
    )


def _counts(entity: Entity, relation: Relation) -> bool:
    """A place is not present in another; only a group is present by what it controls."""
    type_ = kind_of(entity).type
    return type_ in GROUPS if relation.name == "controls" else type_ != "location"


def best_of(found: Iterable[Present]) -> list[Present]:
    """One entry for each entity and place: by being there before controlling it, by the best coverage."""
    ways: defaultdict[tuple[EntityId, EntityId], list[Present]] = defaultdict(list)
    for each in found:
        ways[each.entity.id, each.place].append(each)
    best = (several[0] if len(several) == 1 else min(several, key=_rank) for several in ways.values())
    return sorted(best, key=lambda each: each.relation.id)


def _rank(each: Present) -> tuple[bool, int, int, str]:
    relation = each.relation
    return (
        relation.name == "controls",
        BEST_FIRST.index(each.coverage),
        relation.fact.bounds.lo,
        relation.id,
    )
