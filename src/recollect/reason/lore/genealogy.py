"""Genealogy: ancestors, descendants, relatives and family, and the deeds of a life."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import BEINGS, kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, RelationSide
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

KinDirection = Literal["up", "down"]

PERSONS = BEINGS | {"unknown"}
_NEAR_SIDE: dict[KinDirection, RelationSide] = {"up": "object", "down": "subject"}
_RELATIVE_NAMES = {(1, 1): "sibling", (2, 1): "aunt_or_uncle", (1, 2): "niece_or_nephew", (2, 2): "cousin"}


class LinealKin(NamedTuple):
    """A relative in a straight line: how many generations away, through whom, by which relations."""

    entity: Entity
    generation: int
    path: tuple[EntityId, ...]
    relations: tuple[Relation, ...]


def find_lineal_kin(lore: LoreReader, person: Entity, way: KinDirection, generations: int) -> list[LinealKin]:
    """Ancestors or descendants, each once at the shortest distance; a cycle ends the walk."""
    found = {person.id: LinealKin(person, 0, (person.id,), ())}
    level = [person.id]
    for generation in range(1, generations + 1):
        relations = lore.relations_of(level, ["parent_of"], _NEAR_SIDE[way])
        entities = lore.entities(end for each in relations for end in each.ends)
        level = []
        for here, there, relation in sorted(
            _parent_steps(relations, way), key=lambda step: _step_order(step, entities, found)
        ):
            if here in found and there not in found:
                before = found[here]
                path, over = (*before.path, there), (*before.relations, relation)
                found[there] = LinealKin(entities[there], generation, path, over)
                level.append(there)
        if not level:
            break
    del found[person.id]
    return sorted(found.values(), key=lambda kin: (kin.generation, kin.entity.name, kin.entity.id))


def _parent_steps(relations: Iterable[Relation], way: KinDirection) -> Iterable[tuple[EntityId, EntityId, Relation]]:
    for each in relations:
        if each.object is not None:
            yield (each.object, each.subject, each) if way == "up" else (each.subject, each.object, each)


def _step_order(
    step: tuple[EntityId, EntityId, Relation], entities: dict[EntityId, Entity], found: dict[EntityId, LinealKin]
) -> tuple[str, str, FactId]:
    here, _, relation = step
    return (found[here].entity.name if here in found else entities[here].name), here, relation.id


def generation_name(generation: int, way: KinDirection) -> str:
    """`parent`, `grandparent`, `great-grandparent` and so on; or children."""
    base = "parent" if way == "up" else "child"
    return base if generation == 1 else "great-" * (generation - 2) + "grand" + base


class Relative(NamedTuple):
    """Somebody of the blood around a person: so many steps up, then so many down.

    `by_descent` says that a step was one of descent, which counts no generations; `turned`, that the way went up
    again after it went down.
    """

    entity: Entity
    hops: int = 0
    up: int = 0
    down: int = 0
    by_descent: bool = False
    turned: bool = False

    @property
    def relation(self) -> str:
        """What the relative is to the person."""
        if not self.hops:
            return "self"
        if self.turned or (self.by_descent and self.up and self.down):
            return "kin"
        if self.by_descent:
            return "ancestor" if self.up else "descendant"
        if not self.up or not self.down:
            return generation_name(self.hops, "up" if self.up else "down")
        return _RELATIVE_NAMES.get((self.up, self.down), "kin")

    def step(self, entity: Entity, way: KinDirection, *, by_descent: bool) -> "Relative":
        """The one a step away from this relative."""
        up, down = (self.up + 1, self.down) if way == "up" else (self.up, self.down + 1)
        turned = self.turned or (way == "up" and self.down > 0)
        return Relative(entity, self.hops + 1, up, down, self.by_descent or by_descent, turned)


def find_relatives(lore: LoreReader, person: Entity, depth: int) -> list[Relative]:
    """The person first, then everyone within some hops over parenthood and descent, by hops, then name."""
    found = {person.id: Relative(person)}
    level = [person.id]
    for _ in range(depth):
        relations = lore.relations_of(level, ["parent_of", "descended_from"])
        entities = lore.entities(end for each in relations for end in each.ends)
        near = {each: found[each] for each in level}
        level = []
        for each in sorted(_next_relatives(relations, near, entities), key=_relative_order):
            if each.entity.id not in found and kind_of(each.entity).type in PERSONS:
                found[each.entity.id] = each
                level.append(each.entity.id)
        if not level:
            break
    return sorted(found.values(), key=lambda each: (each.hops, each.entity.name, each.entity.id))


def _next_relatives(
    relations: Sequence[Relation], near: Mapping[EntityId, Relative], entities: Mapping[EntityId, Entity]
) -> Iterable[Relative]:
    for each in relations:
        if each.object is None:
            continue
        by_descent = each.name != "parent_of"
        # The older end is the subject of a parenthood, but the object of a descent.
        older, younger = (each.object, each.subject) if by_descent else (each.subject, each.object)
        if younger in near:
            yield near[younger].step(entities[older], "up", by_descent=by_descent)
        if older in near:
            yield near[older].step(entities[younger], "down", by_descent=by_descent)


def _relative_order(each: Relative) -> tuple[EntityId, bool, bool, int, int]:
    return each.entity.id, each.turned, each.by_descent, each.up, each.down


_DEED_RELATIONS = ("participated_in", "witnessed")
_EVENT_TYPES = frozenset({"event", "encounter"})


class Family(NamedTuple):
    """Kin of a person at any time, each with the relation that makes them so, if one does."""

    parents: dict[EntityId, Relation]
    children: dict[EntityId, Relation]
    siblings: dict[EntityId, Relation | None]
    spouses: dict[EntityId, Relation]


def family_of(lore: LoreReader, person: Entity, relations: Iterable[Relation]) -> Family:
    """Parents, children and spouses; siblings are told as such or share a parent."""
    own = sorted(relations, key=lambda each: each.id)
    parents = {each.subject: each for each in own if each.name == "parent_of" and each.object == person.id}
    children = {
        each.object: each for each in own if each.name == "parent_of" and each.subject == person.id and each.object
    }
    spouses = _other_ends(own, person.id, "spouse_of")
    siblings: dict[EntityId, Relation | None] = dict(_other_ends(own, person.id, "sibling_of"))
    for each in lore.relations_of(parents, ["parent_of"], "subject"):
        if each.object is not None and each.object != person.id:
            siblings.setdefault(each.object, None)
    return Family(parents, children, siblings, spouses)


def _other_ends(relations: Iterable[Relation], person: EntityId, name: str) -> dict[EntityId, Relation]:
    found = ((each.other_end(person), each) for each in relations if each.name == name)
    return {other: each for other, each in found if other is not None}


class Deed(NamedTuple):
    event: Entity
    at: Time | None
    relation: Relation


def deeds_of(lore: LoreReader, person: Entity, relations: Iterable[Relation]) -> list[Deed]:
    """The events somebody took part in or saw, in order of time, undated ones last."""
    own = [
        each
        for each in relations
        if each.name in _DEED_RELATIONS and each.subject == person.id and each.object is not None
    ]
    entities = lore.entities(each.object for each in own if each.object is not None)
    times = lore.event_times(entities)
    found = [
        Deed(entities[each.object], _deed_time(each, times), each)
        for each in own
        if each.object is not None and kind_of(entities[each.object]).type in _EVENT_TYPES
    ]
    return sorted(found, key=lambda deed: (MAX if deed.at is None else deed.at.lo, deed.event.name, deed.relation.id))


def _deed_time(relation: Relation, times: Mapping[EntityId, Bounds | None]) -> Time | None:
    time = None if relation.object is None else times[relation.object]
    return (None if time is None else time.valid_from) or relation.fact.valid_from


def sort_life_relations(person: Entity, relations: Iterable[Relation]) -> list[Relation]:
    """A life as it is told: the birth, what has no date, then by time, the death last."""

    def order(each: Relation) -> tuple[int, int, int, str]:
        own = each.subject == person.id
        part = 0 if own and each.name == "born" else 2 if own and each.name == "died" else 1
        bounds = each.fact.bounds
        return part, bounds.lo, bounds.hi, each.id

    return sorted(relations, key=order)
