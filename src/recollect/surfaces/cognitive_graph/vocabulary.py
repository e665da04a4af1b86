"""The closed vocabulary of this surface, its limits, and the projection of stored types onto it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from recollect.model.names import PEOPLE, Types
from recollect.model.similarity import to_snake_case
from recollect.settings import BadSetting, Settings

EntityType = Literal["person", "project", "decision", "concept", "source"]
Predicate = Literal[
    "mentioned_in", "decided_in", "reports_to", "depends_on", "resolved_by", "blocked_by", "tagged", "belongs_to"
]

TYPES: tuple[EntityType, ...] = get_args(EntityType)
PREDICATES: tuple[Predicate, ...] = get_args(Predicate)
_PREDICATES: Mapping[str, Predicate] = {known: known for known in PREDICATES}
NEXT_ACTION = "next-action"

NAME_LIMIT = 200
LITERAL_LIMIT = 1000
SOURCE_LIMIT = 2000
MAX_FACTS = 500
MAX_OTHER_FACTS = 100
MAX_NEIGHBOURS = 20
MAX_DECISIONS = 200
MAX_BLOCKERS = 50
MAX_ROLLUP_DECISIONS = 50
MAX_ACTIONS = 10
ACTION_LIMIT = 500
SUMMARY_LIMIT = 4000


def known_predicate(given: Any) -> Predicate | None:
    """The predicate of a text, in any case and with outer spaces; none if unknown."""
    return _PREDICATES.get(given.strip().casefold()) if isinstance(given, str) else None


EXTENSIONS_SETTING = "cognitive_graph.type_extensions"

_DEFAULT_TYPE: EntityType = "concept"
_SOURCE_TYPES = ("source", "lore_source", "document")
_EXTENSION_SECTIONS = ("entity_types", "predicates")


@dataclass(frozen=True, slots=True)
class Projection:
    """Printed types and predicates by stored ones; unlisted types print as concepts, unlisted predicates not at all."""

    types: Mapping[str, EntityType]
    predicates: Mapping[str, Predicate]

    def type_of(self, stored: str) -> EntityType:
        return self.types.get(stored, _DEFAULT_TYPE)

    def predicate_of(self, stored: str) -> Predicate:
        return self.predicates[stored]

    def stored_types(self, printed: EntityType) -> Types:
        """The stored types that print as this one."""
        if printed == _DEFAULT_TYPE:
            return Types(frozenset(stored for stored, shown in self.types.items() if shown != _DEFAULT_TYPE))
        return Types(frozenset(stored for stored, shown in self.types.items() if shown == printed), others=False)

    def stored_predicates(self, printed: Iterable[str] = PREDICATES) -> list[str]:
        wanted = frozenset(printed)
        return sorted(stored for stored, shown in self.predicates.items() if shown in wanted)


_STANDARD_PROJECTION = Projection(
    {
        **dict.fromkeys(PEOPLE, "person"),
        **dict.fromkeys(_SOURCE_TYPES, "source"),
        "project": "project",
        "decision": "decision",
    },
    {name: name for name in PREDICATES},
)


def projection_from(settings: Settings) -> Projection:
    """The projection of this surface with the extensions that the settings declare."""
    declared = settings.table(EXTENSIONS_SETTING)
    if not declared:
        return _STANDARD_PROJECTION
    unknown = sorted(set(declared) - set(_EXTENSION_SECTIONS))
    if unknown:
        raise BadSetting(EXTENSIONS_SETTING, unknown[0], f"an object with {' and '.join(_EXTENSION_SECTIONS)}")
    types = {name: base for name, base in _declared_bases(declared, "entity_types", EntityType) if name not in TYPES}
    predicates = {
        name: base for name, base in _declared_bases(declared, "predicates", Predicate) if name not in PREDICATES
    }
    return Projection({**_STANDARD_PROJECTION.types, **types}, {**_STANDARD_PROJECTION.predicates, **predicates})


def _declared_bases(declared: Mapping[str, Any], section: str, allowed: Any) -> list[tuple[str, Any]]:
    """Declared names in stored form, with the word they print as."""
    entries = declared.get(section) or {}
    if not isinstance(entries, Mapping):
        raise BadSetting(EXTENSIONS_SETTING, entries, f"an object with {section}")
    return [(to_snake_case(name), _base_of(name, entry, get_args(allowed))) for name, entry in entries.items()]


def _base_of(name: str, entry: Any, allowed: tuple[str, ...]) -> str:
    base = entry.get("base") if isinstance(entry, Mapping) else None
    word = base.strip().lower() if isinstance(base, str) else None
    if word is None or word not in allowed:
        raise BadSetting(f"{EXTENSIONS_SETTING}.{name}.base", base, f"one of {', '.join(allowed)}")
    return word
