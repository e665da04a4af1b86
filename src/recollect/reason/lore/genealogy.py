"""Genealogy: ancestors, descendants, relatives and family, kinship in words, and the deeds of a life."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId
from recollect.model.labels import BEINGS, kind_of
from recollect.reason.lore.existence import EVENT_TYPES
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import ATTENDANCE_RELATIONS, Relation, RelationSide
from recollect.when.english.words import ORDINALS
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

KinDirection = Literal["up", "down"]

PERSONS = BEINGS | {"unknown"}
_NEAR_SIDE: dict[KinDirection, RelationSide] = {"up": "object", "down": "subject"}
_RELATIVE_NAMES = {(1, 1): "sibling", (2, 1): "aunt_or_uncle", (1, 2): "niece_or_nephew", (2, 2): "cousin"}


class LinealKin(NamedTuple):
    """A lineal relative: generations away, the persons on the path, and its relations."""

    entity: Entity
    generation: int
    path: tuple[EntityId, ...]
    relations: tuple[Relation, ...]


def find_lineal_kin(lore: LoreReader, person: Entity, way: KinDirection, generations: int) -> list[LinealKin]:
    """Ancestors or descendants, each once at the shortest distance."""

    def expand(level: list[EntityId]) -> list[Step[EntityId, Relation]]:
        relations = lore.relations_of(level, ["parent_of"], _NEAR_SIDE[way])
        entities = lore.ends_of(relations)
        return sorted(
            _parent_steps(relations, way), key=lambda step: (entities[step.here].name, step.here, step.edge.id)
        )

    search = breadth_first([person.id], expand, depth=generations)
    entities = lore.entities(search.reached)
    kin = [
        _lineal_kin(entities[each], search.path_to(each)) for each, step in search.reached.items() if step is not None
    ]
    return sorted(kin, key=lambda each: (each.generation, each.entity.name, each.entity.id))


def _lineal_kin(entity: Entity, steps: list[Step[EntityId, Relation]]) -> LinealKin:
    path = (*(step.here for step in steps), entity.id)
    return LinealKin(entity, len(steps), path, tuple(step.edge for step in steps))


def _parent_steps(relations: Iterable[Relation], way: KinDirection) -> Iterator[Step[EntityId, Relation]]:
    for each in relations:
        if each.object is not None:
            yield Step(each.object, each.subject, each) if way == "up" else Step(each.subject, each.object, each)


def generation_name(generation: int, way: KinDirection) -> str:
    """`parent`, `grandparent`, `great-grandparent` and so on; or children."""
    base = "parent" if way == "up" else "child"
    return base if generation == 1 else "great-" * (generation - 2) + "grand" + base


class Relative(NamedTuple):
    """A blood relative of a person: so many steps up, then so many down.

    `by_descent` says that a step was DESCENDED_FROM, which spans an unknown number of generations; `turned`, that the
    path goes up again after it went down.
    """

    entity: Entity
    hops: int = 0
    up: int = 0
    down: int = 0
    by_descent: bool = False
    turned: bool = False

    @property
    def relation(self) -> str:
        """The name of the kinship."""
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
        """The relative one step away from this one."""
        up, down = (self.up + 1, self.down) if way == "up" else (self.up, self.down + 1)
        turned = self.turned or (way == "up" and self.down > 0)
        return Relative(entity, self.hops + 1, up, down, self.by_descent or by_descent, turned)


def find_relatives(lore: LoreReader, person: Entity, depth: int) -> list[Relative]:
    """The person first, then all relatives within some hops over parenthood and descent, by hops, then name."""
    relatives = {person.id: Relative(person)}

    def expand(level: list[EntityId]) -> Iterator[Step[EntityId, None]]:
        relations = lore.relations_of(level, ["parent_of", "descended_from"])
        entities = lore.ends_of(relations)
        near = {each: relatives[each] for each in level}
        for here, there in sorted(_next_relatives(relations, near, entities), key=_relative_order):
            if kind_of(there.entity).type in PERSONS:
                relatives.setdefault(there.entity.id, there)
                yield Step(here, there.entity.id, None)

    breadth_first([person.id], expand, depth=depth)
    return sorted(relatives.values(), key=lambda each: (each.hops, each.entity.name, each.entity.id))


def _next_relatives(
    relations: Sequence[Relation], near: Mapping[EntityId, Relative], entities: Mapping[EntityId, Entity]
) -> Iterator[tuple[EntityId, Relative]]:
    """Each relative one hop further, with the entity that the hop leaves."""
    for each in relations:
        if each.object is None:
            continue
        by_descent = each.name != "parent_of"
        # The older end is the subject of a parenthood, but the object of a descent.
        older, younger = (each.object, each.subject) if by_descent else (each.subject, each.object)
        if younger in near:
            yield younger, near[younger].step(entities[older], "up", by_descent=by_descent)
        if older in near:
            yield older, near[older].step(entities[younger], "down", by_descent=by_descent)


def _relative_order(hop: tuple[EntityId, Relative]) -> tuple[EntityId, bool, bool, int, int]:
    """Of several ways to a relative the closest kinship comes first."""
    _, each = hop
    return each.entity.id, each.turned, each.by_descent, each.up, each.down


class Family(NamedTuple):
    """Family of a person at any time, each with the relation that states it, if one does."""

    parents: dict[EntityId, Relation]
    children: dict[EntityId, Relation]
    siblings: dict[EntityId, Relation | None]
    spouses: dict[EntityId, Relation]


def family_of(lore: LoreReader, person: Entity, relations: Iterable[Relation]) -> Family:
    """Parents, children and spouses; siblings are stated as such or share a parent."""
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


class LifeEvent(NamedTuple):
    event: Entity
    at: Time | None
    relation: Relation


def life_events_of(lore: LoreReader, person: Entity, relations: Iterable[Relation]) -> list[LifeEvent]:
    """The events a person took part in or witnessed, in order of time, undated ones last."""
    own = [
        each
        for each in relations
        if each.name in ATTENDANCE_RELATIONS and each.subject == person.id and each.object is not None
    ]
    entities = lore.entities(each.object for each in own if each.object is not None)
    times = lore.event_times(entities)
    found = [
        LifeEvent(entities[each.object], _event_time(each, times), each)
        for each in own
        if each.object is not None and kind_of(entities[each.object]).type in EVENT_TYPES
    ]
    return sorted(
        found, key=lambda event: (MAX if event.at is None else event.at.lo, event.event.name, event.relation.id)
    )


def _event_time(relation: Relation, times: Mapping[EntityId, Bounds | None]) -> Time | None:
    time = None if relation.object is None else times[relation.object]
    return (None if time is None else time.valid_from) or relation.fact.valid_from


def sort_life_relations(person: Entity, relations: Iterable[Relation]) -> list[Relation]:
    """Relations in narrative order: the birth, undated ones, then by time, the death last."""

    def order(each: Relation) -> tuple[int, int, int, str]:
        own = each.subject == person.id
        part = 0 if own and each.name == "born" else 2 if own and each.name == "died" else 1
        bounds = each.fact.bounds
        return part, bounds.lo, bounds.hi, each.id

    return sorted(relations, key=order)


MAX_GENERATIONS = 30
PARTNERSHIPS = {"partner_of": "partner", "spouse_of": "spouse"}
_ORDINALS = list(ORDINALS)[:10]
_TIMES = {1: "once", 2: "twice"}
_BY_SEX: Mapping[str, tuple[str, str]] = {
    "parent": ("mother", "father"),
    "child": ("daughter", "son"),
    "sibling": ("sister", "brother"),
    "aunt or uncle": ("aunt", "uncle"),
    "niece or nephew": ("niece", "nephew"),
    "spouse": ("wife", "husband"),
}


class Kinship(NamedTuple):
    """What one person is to another, and the nearest ancestors they share."""

    name: str
    ancestors: tuple[Entity, ...] = ()
    up: int = 0
    """Generations from the one up to the shared ancestors."""
    down: int = 0
    """Generations from there down to the other."""


def find_kinship(lore: LoreReader, one: Entity, other: Entity) -> Kinship | None:
    """What `one` is to `other`: by blood, else by partnership; None if neither is known."""
    blood = _blood_kinship(lore, one, other)
    if blood is not None:
        return blood
    partners = _partners(lore, one)
    for partner, role in partners:
        if partner.id == other.id:
            return Kinship(_word_by_sex(role, one))
    for partner, role in partners:
        kinship = _blood_kinship(lore, partner, other)
        if kinship is not None:
            return kinship._replace(name=f"{kinship.name}'s {_word_by_sex(role, one)}")
    return None


def _blood_kinship(lore: LoreReader, one: Entity, other: Entity) -> Kinship | None:
    mine, theirs = _ancestors(lore, one), _ancestors(lore, other)
    shared = mine.keys() & theirs.keys()
    if not shared:
        return None
    nearest = min(mine[each][0] + theirs[each][0] for each in shared)
    common = sorted(each for each in shared if mine[each][0] + theirs[each][0] == nearest)
    up, down = mine[common[0]][0], theirs[common[0]][0]
    is_half = (up, down) == (1, 1) and len(common) == 1 and _parents(mine) == _parents(theirs) == 2
    name = kinship_name(up, down)
    return Kinship(
        f"half-{_word_by_sex(name, one)}" if is_half else _word_by_sex(name, one),
        tuple(mine[each][1] for each in common),
        up,
        down,
    )


def kinship_name(up: int, down: int) -> str:
    """The word for a relative that is `up` generations below a shared ancestor, the other being `down` below."""
    if not up and not down:
        return "same person"
    if not up or not down:
        return generation_name(up + down, "down" if up else "up")
    if min(up, down) > 1:
        return _cousin(min(up, down) - 1, abs(up - down))
    if up == down:
        return "sibling"
    greats = "great-" * (max(up, down) - 2)
    return greats + ("aunt or uncle" if up < down else "niece or nephew")


def _cousin(degree: int, removed: int) -> str:
    ordinal = _ORDINALS[degree - 1] if degree <= len(_ORDINALS) else f"{degree}th"
    times = _TIMES.get(removed, f"{removed} times")
    return f"{ordinal} cousin{f' {times} removed' if removed else ''}"


def _word_by_sex(name: str, person: Entity) -> str:
    """The word for a woman or a man, where the sex of the person is known."""
    sex = str(person.properties.get("sex", "")).strip().upper()[:1]
    if sex not in ("F", "M"):
        return name
    for neutral, words in _BY_SEX.items():
        if name.endswith(neutral):
            return name.removesuffix(neutral) + words[sex == "M"]
    return name


def _ancestors(lore: LoreReader, person: Entity) -> dict[EntityId, tuple[int, Entity]]:
    """The person and all ancestors, each with the generations between."""
    kin = find_lineal_kin(lore, person, "up", MAX_GENERATIONS)
    return {person.id: (0, person)} | {each.entity.id: (each.generation, each.entity) for each in kin}


def _parents(ancestors: Mapping[EntityId, tuple[int, Entity]]) -> int:
    return sum(generation == 1 for generation, _ in ancestors.values())


def _partners(lore: LoreReader, person: Entity) -> list[tuple[Entity, str]]:
    """The partners of a person, each with the word for one."""
    relations = lore.relations_of([person.id], list(PARTNERSHIPS))
    entities = lore.ends_of(relations)
    return [(entities[end], PARTNERSHIPS[each.name]) for each in relations for end in each.ends if end != person.id]
