"""What an entity belongs to, holds and does at one time, sorted into the lists people ask for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Coverage, Time

LISTS = (
    "factions",
    "locations",
    "cultures",
    "titles",
    "languages",
    "magic_systems",
    "deities",
    "items_possessed",
)
_PAGE = 200
_LIST_OF: Mapping[str, str] = {
    "member_of": "factions",
    "located_in": "locations",
    "controls": "locations",
    "rules": "locations",
    "part_of": "locations",
    "belongs_to": "cultures",
    "holds_title": "titles",
    "claims_title": "titles",
    "speaks": "languages",
    "practices": "magic_systems",
    "worships": "deities",
    "possesses": "items_possessed",
}
_BODIES = frozenset({"faction", "organization"})

Held = list[tuple[Relation, Coverage]]


class Context(NamedTuple):
    """The lists, and of the other relations the first few."""

    lists: Mapping[str, Held]
    others: Held
    is_cut: bool


def context_of(lore: Lore, entity: Entity, at: Time, limit: int) -> Context:
    """The context of an entity at a time; at most `limit` relations beside those of the lists."""
    sorted_out: dict[str, list[Relation]] = {name: [] for name in LISTS}
    others: list[Relation] = []
    for relation in lore.around(entity.id, at):
        name = _list_of(lore, entity, relation)
        (others if name is None else sorted_out[name]).append(relation)
    shown = {name: lore.holding(found, at) for name, found in sorted_out.items()}
    rest = first_showing(lore, sorted(others, key=_order), at, limit + 1)
    return Context(shown, rest[:limit], len(rest) > limit)


def _order(relation: Relation) -> tuple[int, int, str]:
    bounds = relation.fact.bounds
    return bounds.lo, bounds.hi, relation.id


def _list_of(lore: Lore, entity: Entity, relation: Relation) -> str | None:
    if relation.subject != entity.id or relation.object is None:
        return None
    kind = kind_of(entity).type
    match relation.name:
        case "member_of" if _type(lore, relation.object) not in _BODIES:
            return None
        case "controls" | "rules" if kind not in GROUPS:
            return None
        case "part_of" if kind != "location":
            return None
        case name:
            return _LIST_OF.get(name)


def _type(lore: Lore, entity: EntityId) -> str:
    return kind_of(lore.entities([entity])[entity]).type


def first_showing(lore: Lore, relations: Sequence[Relation], at: Time, limit: int) -> Held:
    """The first of the relations that show at a time, looked at page by page: a hub has very many."""
    found: Held = []
    for start in range(0, len(relations), _PAGE):
        found += lore.showing(relations[start : start + _PAGE], at)
        if len(found) >= limit:
            break
    return found[:limit]
