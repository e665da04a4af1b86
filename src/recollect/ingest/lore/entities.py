"""Describing and merging entities of a world."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from recollect.ingest.lore.lore_errors import BadStatement
from recollect.ingest.lore.relation_ends import read_world_time
from recollect.model.entity import NAME_LIMIT, Entity
from recollect.model.fact import NOTHING
from recollect.model.ids import FactId
from recollect.model.labels import NO_ENTITY_LABELS, EntityKind, kind_of, read_label
from recollect.model.names import clean, fold
from recollect.reason.lore.existence import TIME_PROPERTIES
from recollect.store.change import Change
from recollect.store.world import World
from recollect.write.entity_edits import edit_entity
from recollect.write.entity_refs import AmbiguousName, NamedRef, create, find
from recollect.write.lookup import entities_named
from recollect.write.merge import merge
from recollect.write.record_statement import decide_timeline
from recollect.write.retract import retract_fact

MAX_KEYS = 64
MAX_BYTES = 16 * 1024
MAX_DEPTH = 4
_TOOL_FOR_LABEL = {
    "lore_source": "add_lore_source",
    "chunk": "add_lore_source",
    "relation": "add_relation",
    "era": "define_era",
    "calendar": "define_calendar",
    "date": "define_date",
    "ontology_rule": "add_ontology_rule",
}


class EntityInput(NamedTuple):
    """The description of an entity; a property with the value none is removed."""

    label: str
    name: str
    properties: Mapping[str, Any] = NOTHING
    provisional: bool = False


class EntityResult(NamedTuple):
    """The entity as written, whether it is new, and whether it was provisional before."""

    entity: Entity
    is_new: bool
    is_confirmed: bool


class ReservedLabel(BadStatement):
    def __init__(self, label: str, kind: EntityKind) -> None:
        tool = _TOOL_FOR_LABEL.get(kind.type, "run_consistency_check")
        super().__init__(f"{label!r} is not an entity label; use {tool}", field="label")
        self.hint = f"use {tool}"


def parse_entity_label(text: str) -> EntityKind:
    """The kind of a label; labels that entities cannot have are rejected."""
    kind = read_label(text)
    if kind.type in NO_ENTITY_LABELS:
        raise ReservedLabel(text, kind)
    return kind


def describe_entity(change: Change, wanted: EntityInput) -> EntityResult:
    """Create or confirm an entity: the one of that label and name, else one of unknown type."""
    kind = parse_entity_label(wanted.label)
    name = _check_name(wanted.name)
    properties = check_properties(change, wanted.properties)
    if kind.subtype and properties.get("subtype") is None:
        properties["subtype"] = kind.subtype
    given = {key: value for key, value in properties.items() if value is not None}
    known = _find_known(change, name, kind, given)
    if known is None:
        end = NamedRef(name, kind.type, (), given, reason="given", stays_provisional=wanted.provisional)
        return EntityResult(create(change, end), True, False)
    return _complete_entity(change, known, kind, properties, wanted.provisional)


def _find_known(change: Change, name: str, kind: EntityKind, properties: Mapping[str, Any]) -> Entity | None:
    telling = {key: properties[key] for key in ("disambiguator", "gedcom_id", "email", "domain") if key in properties}
    try:
        return find(change, NamedRef(name, kind.type, (), telling), lambda each: kind_of(each).type == kind.type)
    except AmbiguousName as several:
        fitting = [each for each in several.candidates if kind_of(each).type == kind.type]
        if not fitting:
            return None  # Several whose type nobody gave: none of them is meant for sure.
        several.field = "name"
        raise


def _complete_entity(
    change: Change, known: Entity, kind: EntityKind, given: Mapping[str, Any], provisional: bool
) -> EntityResult:
    merged = {key: value for key, value in {**known.properties, **given}.items() if value is not None}
    is_confirmed = known.provisional and not provisional
    stored = known.type if kind_of(known).type == kind.type else kind.type
    wanted = known._replace(type=stored, properties=merged, provisional=known.provisional and provisional)
    if wanted == known:
        return EntityResult(known, False, False)
    if is_confirmed:
        wanted = wanted._replace(confirmed_at=change.now)
    return EntityResult(edit_entity(change, known, wanted), False, is_confirmed)


def _check_name(text: str) -> str:
    name = clean(text)
    if not name or len(name) > NAME_LIMIT:
        raise BadStatement(f"a name has 1 to {NAME_LIMIT} characters", field="name")
    return name


def check_properties(change: Change, given: Mapping[str, Any]) -> dict[str, Any]:
    """The properties, their times in canonical form; too many, too large or too deep ones are refused."""
    plain = {str(key): to_json_value(value) for key, value in given.items()}
    check_size(plain, "properties")
    for key in TIME_PROPERTIES & plain.keys():
        if plain[key] is not None:
            plain[key] = _time_text(change.world, key, plain[key])
            decide_timeline(change)
    return plain


def _time_text(world: World, key: str, value: Any) -> str:
    field = f"properties.{key}"
    return read_world_time(world, parse_time_value(value, field) or "", field).text


def parse_time_value(value: Any, field: str) -> str | None:
    """A time as given, where a bare number is a year; anything else is rejected."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadStatement(f"{field} should be a time, written as a text", field=field)
    return time_as_text(value)


def time_as_text(value: str | int) -> str:
    """A time as a text; a bare number is a year, which has four digits."""
    return f"{value:05}" if isinstance(value, int) and value < 0 else f"{value:04}" if isinstance(value, int) else value


def check_size(value: Mapping[str, Any], field: str) -> None:
    """Reject a table that exceeds the limits."""
    if len(value) > MAX_KEYS:
        raise BadStatement(f"{field} has more than {MAX_KEYS} keys", field=field)
    if _nesting_depth(value) > MAX_DEPTH:
        raise BadStatement(f"{field} is nested more than {MAX_DEPTH} levels deep", field=field)
    if len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise BadStatement(f"{field} is larger than {MAX_BYTES} bytes", field=field)


def _nesting_depth(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    own = 1 if isinstance(value, Mapping | list) else 0
    return own + max((_nesting_depth(each) for each in inner), default=0)


def to_json_value(value: Any) -> Any:
    """A YAML value as JSON; dates and times become texts."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): to_json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json_value(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def other_alias_holders(change: Change, entity: Entity, alias: str) -> list[Entity]:
    """Other live entities that an alias names already."""
    named = entities_named(change, fold(alias))
    found = {holder.id: holder for kind, holder in named if kind in ("name", "alias") and holder.id != entity.id}
    return list(found.values())


class PropertyConflict(NamedTuple):
    """A property with different values in the two entities."""

    key: str
    kept: Any
    dropped: Any


class EntityMerge(NamedTuple):
    """The surviving entity and the outcome for the other's relations."""

    survivor: Entity
    moved: int
    joined: int
    retracted: int
    conflicts: tuple[PropertyConflict, ...]


def merge_world_entities(change: Change, survivor: Entity, loser: Entity) -> EntityMerge:
    """Merge one entity into another."""
    live = [fact for fact in change.facts_touching(loser.id) if not fact.is_retracted]
    conflicts = tuple(
        PropertyConflict(key, survivor.properties[key], value)
        for key, value in sorted(loser.properties.items())
        if key in survivor.properties and survivor.properties[key] != value
    )
    own = {fact.id for fact in live if {fact.subject, fact.object} == {survivor.id, loser.id}}
    kept = merge(change, loser, survivor)
    for fact in own:
        retract_fact(change, fact)
    joined = sum(_was_joined(change, fact.id) for fact in live if fact.id not in own)
    return EntityMerge(kept, len(live) - len(own) - joined, joined, len(own), conflicts)


def _was_joined(change: Change, fact: FactId) -> bool:
    stored = change.fact(fact)
    return stored is not None and stored.is_retracted and stored.replaced_by is not None
