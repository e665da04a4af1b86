"""The kinship between two people in words, such as "second cousin once removed"."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.reason.lore.genealogy import find_lineal_kin, generation_name
from recollect.reason.lore.lore_reader import LoreReader
from recollect.when.english.words import ORDINALS

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
    entities = lore.entities(end for each in relations for end in each.ends)
    return [(entities[end], PARTNERSHIPS[each.name]) for each in relations for end in each.ends if end != person.id]
