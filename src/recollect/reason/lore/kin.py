"""Kin: parents and children, ancestors and descendants, the blood around a person. Kinship knows no time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import BEINGS, kind_of
from recollect.reason.lore.probing import Side
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation

Way = Literal["up", "down"]

PERSONS = BEINGS | {"unknown"}
_NEAR: dict[Way, Side] = {"up": "object", "down": "subject"}
_RELATIVES = {(1, 1): "sibling", (2, 1): "aunt_or_uncle", (1, 2): "niece_or_nephew", (2, 2): "cousin"}


class Kin(NamedTuple):
    """A relative in a straight line: how many generations away, through whom, by which relations."""

    entity: Entity
    generation: int
    path: tuple[EntityId, ...]
    relations: tuple[Relation, ...]


def line(lore: Lore, person: Entity, way: Way, generations: int) -> list[Kin]:
    """Ancestors or descendants, each once at the shortest distance; a cycle ends the walk."""
    found = {person.id: Kin(person, 0, (person.id,), ())}
    level = [person.id]
    for generation in range(1, generations + 1):
        relations = lore.relations_of(level, ["parent_of"], _NEAR[way])
        entities = lore.entities(end for each in relations for end in each.ends)
        level = []
        for here, there, relation in sorted(_steps(relations, way), key=lambda step: _order(step, entities, found)):
            if here in found and there not in found:
                before = found[here]
                path, over = (*before.path, there), (*before.relations, relation)
                found[there] = Kin(entities[there], generation, path, over)
                level.append(there)
        if not level:
            break
    del found[person.id]
    return sorted(found.values(), key=lambda kin: (kin.generation, kin.entity.name, kin.entity.id))


def _steps(relations: Iterable[Relation], way: Way) -> Iterable[tuple[EntityId, EntityId, Relation]]:
    for each in relations:
        if each.object is not None:
            yield (each.object, each.subject, each) if way == "up" else (each.subject, each.object, each)


def _order(
    step: tuple[EntityId, EntityId, Relation], entities: dict[EntityId, Entity], found: dict[EntityId, Kin]
) -> tuple[str, str, FactId]:
    here, _, relation = step
    return (found[here].entity.name if here in found else entities[here].name), here, relation.id


def generation_name(generation: int, way: Way) -> str:
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
        return _RELATIVES.get((self.up, self.down), "kin")

    def further(self, entity: Entity, way: Way, *, by_descent: bool) -> "Relative":
        """The one a step away from this relative."""
        up, down = (self.up + 1, self.down) if way == "up" else (self.up, self.down + 1)
        turned = self.turned or (way == "up" and self.down > 0)
        return Relative(entity, self.hops + 1, up, down, self.by_descent or by_descent, turned)


def around(lore: Lore, person: Entity, depth: int) -> list[Relative]:
    """The person first, then everyone within some hops over parenthood and descent, by hops, then name."""
    found = {person.id: Relative(person)}
    level = [person.id]
    for _ in range(depth):
        relations = lore.relations_of(level, ["parent_of", "descended_from"])
        entities = lore.entities(end for each in relations for end in each.ends)
        near = {each: found[each] for each in level}
        level = []
        for each in sorted(_next(relations, near, entities), key=_nearest_kin):
            if each.entity.id not in found and kind_of(each.entity).type in PERSONS:
                found[each.entity.id] = each
                level.append(each.entity.id)
        if not level:
            break
    return sorted(found.values(), key=lambda each: (each.hops, each.entity.name, each.entity.id))


def _next(
    relations: Sequence[Relation], near: Mapping[EntityId, Relative], entities: Mapping[EntityId, Entity]
) -> Iterable[Relative]:
    for each in relations:
        if each.object is None:
            continue
        by_descent = each.name != "parent_of"
        # The older end is the subject of a parenthood, but the object of a descent.
        older, younger = (each.object, each.subject) if by_descent else (each.subject, each.object)
        if younger in near:
            yield near[younger].further(entities[older], "up", by_descent=by_descent)
        if older in near:
            yield near[older].further(entities[younger], "down", by_descent=by_descent)


def _nearest_kin(each: Relative) -> tuple[EntityId, bool, bool, int, int]:
    return each.entity.id, each.turned, each.by_descent, each.up, each.down
