"""How stored types and predicates look through the five types and eight predicates of this surface."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from recollect.model.names import PEOPLE, Types
from recollect.model.wording import snake
from recollect.settings import BadSetting, Settings
from recollect.surfaces.cognitive_graph.words import PREDICATES, TYPES, EntityType, Predicate

EXTENSIONS = "cognitive_graph.type_extensions"

_OTHER: EntityType = "concept"
_SOURCES = ("source", "lore_source", "document")
_SECTIONS = ("entity_types", "predicates")


@dataclass(frozen=True, slots=True)
class Projection:
    """Printed words by stored ones; a type that is not listed prints as a concept, a predicate not at all."""

    types: Mapping[str, EntityType]
    predicates: Mapping[str, Predicate]

    def type_of(self, stored: str) -> EntityType:
        return self.types.get(stored, _OTHER)

    def predicate_of(self, stored: str) -> Predicate:
        return self.predicates[stored]

    def stored_types(self, printed: EntityType) -> Types:
        """The stored types that print as this one."""
        if printed == _OTHER:
            return Types(frozenset(stored for stored, shown in self.types.items() if shown != _OTHER))
        return Types(frozenset(stored for stored, shown in self.types.items() if shown == printed), others=False)

    def stored_predicates(self, printed: Iterable[str] = PREDICATES) -> list[str]:
        wanted = frozenset(printed)
        return sorted(stored for stored, shown in self.predicates.items() if shown in wanted)


_STANDARD = Projection(
    {
        **dict.fromkeys(PEOPLE, "person"),
        **dict.fromkeys(_SOURCES, "source"),
        "project": "project",
        "decision": "decision",
    },
    {name: name for name in PREDICATES},
)


def projection_from(settings: Settings) -> Projection:
    """The projection of this surface with the extensions that the settings declare."""
    declared = settings.table(EXTENSIONS)
    if not declared:
        return _STANDARD
    unknown = sorted(set(declared) - set(_SECTIONS))
    if unknown:
        raise BadSetting(EXTENSIONS, unknown[0], f"an object with {' and '.join(_SECTIONS)}")
    types = {name: base for name, base in _bases(declared, "entity_types", EntityType) if name not in TYPES}
    predicates = {name: base for name, base in _bases(declared, "predicates", Predicate) if name not in PREDICATES}
    return Projection({**_STANDARD.types, **types}, {**_STANDARD.predicates, **predicates})


def _bases(declared: Mapping[str, Any], section: str, allowed: Any) -> list[tuple[str, Any]]:
    """Each declared name in its stored form, with the word it is shown as."""
    entries = declared.get(section) or {}
    if not isinstance(entries, Mapping):
        raise BadSetting(EXTENSIONS, entries, f"an object with {section}")
    return [(snake(name), _base(name, entry, get_args(allowed))) for name, entry in entries.items()]


def _base(name: str, entry: Any, allowed: tuple[str, ...]) -> str:
    base = entry.get("base") if isinstance(entry, Mapping) else None
    word = base.strip().lower() if isinstance(base, str) else None
    if word is None or word not in allowed:
        raise BadSetting(f"{EXTENSIONS}.{name}.base", base, f"one of {', '.join(allowed)}")
    return word
