"""Source times of an entity's name and properties, so that the order of arrival decides nothing."""

import json
from collections.abc import Mapping
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.write_queries import property_source, put_property_source
from recollect.when.instant import Instant

NAME_KEY = "name"


def property_source_time(change: Change, entity: EntityId, key: str) -> Instant | None:
    """The time of the source behind a property or the name of an entity; none if it is not recorded."""
    known = change.recent.property_times
    if (entity, key) not in known:
        known[entity, key] = property_source(change, entity, key)
    return known[entity, key]


def save_property_source(change: Change, entity: EntityId, key: str, at: Instant) -> None:
    change.recent.property_times[entity, key] = at
    put_property_source(change, entity, key, at)


def newest_properties(change: Change, entity: Entity, properties: Mapping[str, Any], at: Instant) -> dict[str, Any]:
    """The properties of an entity together with those a source gives: of two values the newer source's."""
    merged = dict(entity.properties)
    for key, value in properties.items():
        stored_at = property_source_time(change, entity.id, _source_key(key)) if key in merged else None
        if key not in merged or _wins(value, at, merged[key], stored_at):
            merged[key] = value
            save_property_source(change, entity.id, _source_key(key), at)
        elif stored_at is not None and at > stored_at and merged[key] == value:
            save_property_source(change, entity.id, _source_key(key), at)
    return merged


def save_property_sources(change: Change, entity: EntityId, properties: Mapping[str, Any], at: Instant) -> None:
    """Remember when the source of a new entity spoke."""
    for key in properties:
        save_property_source(change, entity, _source_key(key), at)


def merge_properties(change: Change, one: Entity, other: Entity) -> dict[str, Any]:
    """The properties of two entities that are one: of two values the newer source's, else the first one's."""
    merged = dict(one.properties)
    for key, value in other.properties.items():
        at = property_source_time(change, other.id, _source_key(key))
        stored_at = property_source_time(change, one.id, _source_key(key)) if key in merged else None
        if key not in merged or (at is not None and _wins(value, at, merged[key], stored_at)):
            merged[key] = value
            if at is not None:
                save_property_source(change, one.id, _source_key(key), at)
    return merged


def _source_key(key: str) -> str:
    return f"property:{key}"


def _wins(value: Any, at: Instant, stored: Any, stored_at: Instant | None) -> bool:
    """Whether a value replaces the stored one: from a newer source or, at the same time, the greater of the two."""
    if value == stored or stored_at is None:
        return False
    return at > stored_at or (
        at == stored_at and json.dumps(value, sort_keys=True) > json.dumps(stored, sort_keys=True)
    )
