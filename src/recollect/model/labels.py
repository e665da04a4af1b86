"""Labels: names of entity types, how they are stored, and how they print."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.model.entity import Entity
from recollect.model.names import fold
from recollect.model.similarity import to_snake_case

KNOWN_LABELS = (
    "person creature deity faction lineage culture location plane setting event encounter item material title "
    "language magic_system spell organization unknown"
).split()
NO_ENTITY_LABELS = frozenset(
    "lore_source chunk relation era calendar date ontology_rule consistency_run contradiction anachronism "
    "ontology_violation orphan violation".split()
)
GROUPS = frozenset({"faction", "organization", "culture", "lineage"})
BEINGS = frozenset({"person", "creature", "deity"})

_BASES = {
    "person": "npc pc human character self",
    "location": "place region realm kingdom city town village castle building",
    "event": "battle war siege treaty coronation disaster festival",
    "faction": "house order guild army",
    "item": "weapon artifact relic",
    "creature": "beast monster",
}
_BASE_OF = {word: base for base, words in _BASES.items() for word in words.split()}
_SYNONYMS = {"company": "organization"}


class EntityKind(NamedTuple):
    """The type of an entity: a known label and optionally a subtype."""

    type: str
    subtype: str | None = None

    def admits(self, other: "EntityKind") -> bool:
        """Whether the other kind is the same or a subtype of this one."""
        if self.type != other.type:
            return False
        return self.subtype is None or (other.subtype is not None and fold(other.subtype) == fold(self.subtype))


def read_label(text: str) -> EntityKind:
    """The kind named by a label in any case, with spaces or underscores."""
    return kind_from_stored_type(to_snake_case(text))


def kind_from_stored_type(stored: str, properties: Mapping[str, Any] | None = None) -> EntityKind:
    """The kind of a stored type; the property `subtype` takes precedence over the stored type."""
    named = (properties or {}).get("subtype")
    subtype = named if isinstance(named, str) and named.strip() else None
    base = _BASE_OF.get(stored)
    if base is not None:
        return EntityKind(base, subtype or stored)
    return EntityKind(_SYNONYMS.get(stored, stored), subtype)


def kind_of(entity: Entity) -> EntityKind:
    return kind_from_stored_type(entity.type, entity.properties)


def base_type(stored: str) -> str:
    """The known label that a stored type counts as."""
    return _BASE_OF.get(stored) or _SYNONYMS.get(stored, stored)


def stored_types(*bases: str) -> frozenset[str]:
    """Every stored type that counts as one of these known labels."""
    same = (word for word, base in _SYNONYMS.items() if base in bases)
    return frozenset((*bases, *same, *(word for base in bases for word in _BASES.get(base, "").split())))


@lru_cache(1024)
def format_label(type_: str) -> str:
    """A type in PascalCase."""
    return "".join(part[:1].upper() + part[1:] for part in type_.split("_"))
