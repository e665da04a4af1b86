"""Relations of the lore vocabulary: their names in every tense and direction, and their constraints."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple
from unicodedata import category

from recollect.model.entity import UNKNOWN_TYPE
from recollect.model.labels import GROUPS
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import built_in_predicates

ObjectKind = Literal["entity", "entity or none", "time"]

_LONGEST_NAME = 64
_ROLES = {"father_of": "father", "mother_of": "mother"}

# relation | also | reversed | from | to | marks
_TABLE = """
rules | ruled rules_over ruled_over ruler_of | ruled_by | faction organization person | location | life self
controls | controlled | controlled_by | faction organization person | location | life self
member_of | was_member_of | has_member | person faction organization | faction organization lineage | life self
belongs_to | belonged_to | | person faction | culture | life self
serves | served | served_by | person faction | person faction deity | life self
worships | worshipped worshiped | worshipped_by | person faction culture | deity | life self
practices | practiced practises practised | practiced_by | person faction culture | magic_system | life self
speaks | spoke | spoken_by | person culture faction | language | life self
located_in | was_located_in located_at | location_of | | location | life self
resided_in | resides_in lived_in lives_in | had_resident | person faction | location | life self
holds_title | held_title | held_by | person | title | life self
claims_title | claimed_title | claimed_by | person | title | life self
possesses | possessed owns owned | possessed_by owned_by | person faction | item | life self
allied_with | ally_of | | | | life self
enemy_of | enemies_with | | | | life self
at_war_with | warred_with | | | | life self
spouse_of | married married_to husband_of wife_of | | person | person | life self
partner_of | | | person | person | life self
sibling_of | brother_of sister_of | | person | person |
parent_of | father_of mother_of | child_of son_of daughter_of | person | person |
descended_from | | ancestor_of | person lineage | person lineage |
cadet_of | cadet_branch_of | | lineage | lineage |
born | born_in born_at | birthplace_of | person creature deity | location | none
died | died_in died_at | deathplace_of | person creature deity | location | none
buried_at | buried_in | | person | location |
founded | founder_of | founded_by | | | none
dissolved | destroyed | dissolved_by destroyed_by | | | none
existed_during | exists_during | | | | time
created | made forged | created_by made_by forged_by | | |
inherited_by | | inherited | item title | person faction |
part_of | in_system | has_part contains | | | like
capital_of | was_capital_of | has_capital | location | location |
occurred_at | occurs_at happened_at took_place_at | site_of | event | location |
occurred_during | occurs_during happened_during | | event | | time
caused | causes led_to | caused_by | | event |
preceded | precedes | preceded_by followed follows | event | event |
concurrent_with | | | event | event |
participated_in | participates_in took_part_in fought_in | had_participant | person creature deity groups | event | self
witnessed | witnesses saw | witnessed_by | person creature deity groups | event encounter | self
"""


class RelationKind(NamedTuple):
    """One relation of the table; an empty set of types means all."""

    name: str
    also: tuple[str, ...] = ()
    reversed: tuple[str, ...] = ()
    subjects: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    takes: ObjectKind = "entity"
    life: bool = False
    known_to_self: bool = False
    like: bool = False

    def fits(self, subject: str, object_: str | None) -> bool:
        """Whether subject and object types fit the relation; no object and unknown types fit every one."""
        if self.like:
            is_open = object_ is None or UNKNOWN_TYPE in (subject, object_)
            return is_open or subject == object_ or (subject, object_) == ("spell", "magic_system")
        return _is_among(subject, self.subjects) and (object_ is None or _is_among(object_, self.objects))


def _is_among(type_: str, types: frozenset[str]) -> bool:
    return not types or type_ in types or type_ == UNKNOWN_TYPE


class RelationName(NamedTuple):
    """A relation as written: its canonical name, whether subject and object are swapped, and the role it implies."""

    name: str
    swapped: bool = False
    role: str | None = None


@dataclass(frozen=True, slots=True)
class PredicatesByDirection:
    """The stored predicates of a relation, by direction."""

    forward: tuple[str, ...]
    swapped: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        return self.forward + self.swapped


@cache
def relation_kinds() -> Mapping[str, RelationKind]:
    """The relations of the table, by name."""
    rows = (line.split("|") for line in _TABLE.strip().splitlines())
    return {kind.name: kind for kind in (_kind(*(part.split() for part in row)) for row in rows)}


def _kind(
    name: list[str], also: list[str], back: list[str], subjects: list[str], objects: list[str], marks: list[str]
) -> RelationKind:
    takes: ObjectKind = "time" if "time" in marks else "entity or none" if "none" in marks else "entity"
    return RelationKind(
        name[0],
        tuple(also),
        tuple(back),
        _types(subjects),
        _types(objects),
        takes,
        life="life" in marks,
        known_to_self="self" in marks,
        like="like" in marks,
    )


def _types(words: list[str]) -> frozenset[str]:
    return frozenset(words) - {"groups"} | (GROUPS if "groups" in words else frozenset())


@cache
def _names() -> Mapping[str, RelationName]:
    found: dict[str, RelationName] = {}
    for kind in relation_kinds().values():
        found[kind.name] = RelationName(kind.name)
        found |= {other: RelationName(kind.name, False, _ROLES.get(other)) for other in kind.also}
        found |= {other: RelationName(kind.name, True) for other in kind.reversed}
    return found


def read_relation(text: str) -> RelationName:
    """The relation named by a text in any case, tense or direction; an unknown name is a relation of its own."""
    return relation_from_predicate(to_snake_case(text))


def relation_from_predicate(predicate: str) -> RelationName:
    """The relation of a stored predicate."""
    found = _names().get(predicate)
    return RelationName(predicate) if found is None else found


def spellings_of(name: str) -> PredicatesByDirection:
    """Every stored predicate that is read as this relation."""
    kind = relation_kinds().get(name)
    return PredicatesByDirection((name,)) if kind is None else PredicatesByDirection((name, *kind.also), kind.reversed)


def all_relation_names() -> tuple[str, ...]:
    """Every name in the table, in either direction."""
    return tuple(_names())


def is_writable(name: str) -> bool:
    """Whether this is a valid name for a new relation."""
    letters = [each for each in name if not category(each).startswith("M")]
    is_spelled = name[:1].isalpha() and all(each.isalnum() or each == "_" for each in letters)
    return is_spelled and len(name) <= _LONGEST_NAME


def format_relation(name: str) -> str:
    """A relation as it prints: upper case, with underscores."""
    return name.upper()


@lru_cache(4096)
def is_bounded_by_lifetime(name: str) -> bool:
    """Whether open bounds of this relation end with the lifetimes of its entities."""
    kind = relation_kinds().get(name)
    return kind is not None and kind.life


@lru_cache(4096)
def is_point(name: str) -> bool:
    """Whether the relation happens at one time."""
    known = built_in_predicates().get(name)
    return known is not None and known.point


@lru_cache(4096)
def is_symmetric(name: str) -> bool:
    """Whether a built-in relation is symmetric; others are symmetric if the workspace says so."""
    known = built_in_predicates().get(name)
    return known is not None and known.symmetric
