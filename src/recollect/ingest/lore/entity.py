"""Describing an entity: made, or confirmed and completed if it is known."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from recollect.ingest.lore.bounds import read
from recollect.ingest.lore.problems import BadStatement
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import NOTHING
from recollect.model.labels import NO_ENTITY_LABELS, Kind, kind_of, read_label
from recollect.model.names import clean, fold
from recollect.reason.lore.existence import TIME_PROPERTIES
from recollect.store.change import Change
from recollect.store.world import World
from recollect.write.edit import edit_entity
from recollect.write.ends import AmbiguousName, End, find, make
from recollect.write.record import fix_timeline

MOST_KEYS = 64
MOST_BYTES = 16 * 1024
DEEPEST = 4
_RIGHT_TOOL = {
    "lore_source": "add_lore_source",
    "chunk": "add_lore_source",
    "relation": "add_relation",
    "era": "define_era",
    "calendar": "define_calendar",
    "date": "define_date",
    "ontology_rule": "add_ontology_rule",
}


class EntityWanted(NamedTuple):
    """An entity as somebody describes it; a property that is none is removed."""

    label: str
    name: str
    properties: Mapping[str, Any] = NOTHING
    provisional: bool = False


class Described(NamedTuple):
    """The entity as it now stands, whether it is new, and whether it was provisional until now."""

    entity: Entity
    is_new: bool
    is_confirmed: bool


class ReservedLabel(BadStatement):
    def __init__(self, label: str, kind: Kind) -> None:
        tool = _RIGHT_TOOL.get(kind.type, "run_consistency_check")
        super().__init__(f"{label!r} is no label of entities; use {tool}", field="label")
        self.hint = f"use {tool}"


def label_of(text: str) -> Kind:
    """What a label stands for, if entities can have it."""
    kind = read_label(text)
    if kind.type in NO_ENTITY_LABELS:
        raise ReservedLabel(text, kind)
    return kind


def describe(change: Change, wanted: EntityWanted) -> Described:
    """Create or confirm an entity: the one of that label and name, else one whose type nobody gave."""
    kind = label_of(wanted.label)
    name = _sound_name(wanted.name)
    properties = sound_properties(change, wanted.properties)
    if kind.subtype and properties.get("subtype") is None:
        properties["subtype"] = kind.subtype
    given = {key: value for key, value in properties.items() if value is not None}
    known = _known(change, name, kind, given)
    if known is None:
        end = End(name, kind.type, (), given, reason="given", stays_provisional=wanted.provisional)
        return Described(make(change, end), True, False)
    return _completed(change, known, kind, properties, wanted.provisional)


def _known(change: Change, name: str, kind: Kind, properties: Mapping[str, Any]) -> Entity | None:
    telling = {key: properties[key] for key in ("disambiguator", "gedcom_id", "email", "domain") if key in properties}
    try:
        return find(change, End(name, kind.type, (), telling), lambda each: kind_of(each).type == kind.type)
    except AmbiguousName as several:
        fitting = [each for each in several.candidates if kind_of(each).type == kind.type]
        if not fitting:
            return None  # Several whose type nobody gave: none of them is meant for sure.
        several.field = "name"
        raise


def _completed(change: Change, known: Entity, kind: Kind, given: Mapping[str, Any], provisional: bool) -> Described:
    merged = {key: value for key, value in {**known.properties, **given}.items() if value is not None}
    is_confirmed = known.provisional and not provisional
    stored = known.type if kind_of(known).type == kind.type else kind.type
    wanted = known._replace(type=stored, properties=merged, provisional=known.provisional and provisional)
    if wanted == known:
        return Described(known, False, False)
    if is_confirmed:
        wanted = wanted._replace(confirmed_at=change.now)
    return Described(edit_entity(change, known, wanted), False, is_confirmed)


def _sound_name(text: str) -> str:
    name = clean(text)
    if not name or len(name) > NAME_LIMIT:
        raise BadStatement(f"a name has 1 to {NAME_LIMIT} characters", field="name")
    return name


def sound_properties(change: Change, given: Mapping[str, Any]) -> dict[str, Any]:
    """The properties, their times in canonical form; too many, too large or too deep ones are refused."""
    plain = {str(key): plain_value(value) for key, value in given.items()}
    check_size(plain, "properties")
    for key in TIME_PROPERTIES & plain.keys():
        if plain[key] is not None:
            plain[key] = _time_text(change.world, key, plain[key])
            fix_timeline(change)
    return plain


def _time_text(world: World, key: str, value: Any) -> str:
    field = f"properties.{key}"
    return read(world, time_given(value, field) or "", field).text


def time_given(value: Any, field: str) -> str | None:
    """A time as somebody wrote it, a bare number being a year; anything else is refused."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadStatement(f"{field} is a time, written as a text", field=field)
    return time_words(value)


def time_words(value: str | int) -> str:
    """A time as a text; a bare number is a year, which has four digits."""
    return f"{value:05}" if isinstance(value, int) and value < 0 else f"{value:04}" if isinstance(value, int) else value


def check_size(value: Mapping[str, Any], field: str) -> None:
    """Refuse a table that is too large to be meant."""
    if len(value) > MOST_KEYS:
        raise BadStatement(f"{field} may have {MOST_KEYS} keys", field=field)
    if _depth(value) > DEEPEST:
        raise BadStatement(f"{field} may be nested {DEEPEST} deep", field=field)
    if len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise BadStatement(f"{field} may take {MOST_BYTES} bytes", field=field)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    own = 1 if isinstance(value, Mapping | list) else 0
    return own + max((_depth(each) for each in inner), default=0)


def plain_value(value: Any) -> Any:
    """What JSON has for a value that YAML may have: days and instants become texts."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_value(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def other_holders(change: Change, entity: Entity, alias: str) -> list[Entity]:
    """Other live entities that an alias names already."""
    named = change.entities_named(fold(alias))
    found = {held.id: held for kind, held in named if kind in ("name", "alias") and held.id != entity.id}
    return list(found.values())
