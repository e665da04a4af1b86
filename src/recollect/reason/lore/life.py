"""A person's life: family, deeds, and the relations that tell of it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

_DEEDS = ("participated_in", "witnessed")
_HAPPENINGS = frozenset({"event", "encounter"})


class Family(NamedTuple):
    """Kin of a person at any time, each with the relation that makes them so, if one does."""

    parents: dict[EntityId, Relation]
    children: dict[EntityId, Relation]
    siblings: dict[EntityId, Relation | None]
    spouses: dict[EntityId, Relation]


def family_of(lore: Lore, person: Entity, relations: Iterable[Relation]) -> Family:
    """Parents, children and spouses; siblings are told as such or share a parent."""
    own = sorted(relations, key=lambda each: each.id)
    parents = {each.subject: each for each in own if each.name == "parent_of" and each.object == person.id}
    children = {
        each.object: each for each in own if each.name == "parent_of" and each.subject == person.id and each.object
    }
    spouses = _others(own, person.id, "spouse_of")
    siblings: dict[EntityId, Relation | None] = dict(_others(own, person.id, "sibling_of"))
    for each in lore.relations_of(parents, ["parent_of"], "subject"):
        if each.object is not None and each.object != person.id:
            siblings.setdefault(each.object, None)
    return Family(parents, children, siblings, spouses)


def _others(relations: Iterable[Relation], person: EntityId, name: str) -> dict[EntityId, Relation]:
    found = ((each.other_end(person), each) for each in relations if each.name == name)
    return {other: each for other, each in found if other is not None}


class Deed(NamedTuple):
    event: Entity
    at: Time | None
    relation: Relation


def deeds_of(lore: Lore, person: Entity, relations: Iterable[Relation]) -> list[Deed]:
    """The events somebody took part in or saw, in order of time, undated ones last."""
    own = [each for each in relations if each.name in _DEEDS and each.subject == person.id and each.object is not None]
    entities = lore.entities(each.object for each in own if each.object is not None)
    times = lore.event_times(entities)
    found = [
        Deed(entities[each.object], _when(each, times), each)
        for each in own
        if each.object is not None and kind_of(entities[each.object]).type in _HAPPENINGS
    ]
    return sorted(found, key=lambda deed: (MAX if deed.at is None else deed.at.lo, deed.event.name, deed.relation.id))


def _when(relation: Relation, times: Mapping[EntityId, Bounds | None]) -> Time | None:
    time = None if relation.object is None else times[relation.object]
    return (None if time is None else time.valid_from) or relation.fact.valid_from


def told_in_order(person: Entity, relations: Iterable[Relation]) -> list[Relation]:
    """A life as it is told: the birth, what has no date, then by time, the death last."""

    def order(each: Relation) -> tuple[int, int, int, str]:
        own = each.subject == person.id
        part = 0 if own and each.name == "born" else 2 if own and each.name == "died" else 1
        bounds = each.fact.bounds
        return part, bounds.lo, bounds.hi, each.id

    return sorted(relations, key=order)
