"""Subject and object of `record_fact`: parsed from the call, then resolved in the graph."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import ALIAS_TAG
from recollect.model.ids import ENTITY_PREFIX, BadId, EntityId, is_id, read_id
from recollect.model.json_limits import is_storable
from recollect.model.names import clean, fold
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.problems import AmbiguousEnd, EndRejected, TypeUnknown, quote
from recollect.surfaces.cognitive_graph.vocabulary import LITERAL_LIMIT, NAME_LIMIT, TYPES, EntityType, Projection
from recollect.write.ends import End, ResolvedEnd, complete, find_or_create

_ENTITY_KEYS = frozenset({"type", "id", "name"})
_TYPES_BY_NAME: Mapping[str, EntityType] = {known: known for known in TYPES}
_NAME_KIND_RUNGS = (frozenset({"name"}), frozenset({"alias", "email", "domain"}))


class NamedEnd(NamedTuple):
    """An entity by name, to be made if there is none."""

    side: str
    type: EntityType
    name: str


class KnownEnd(NamedTuple):
    """An entity by its id."""

    side: str
    type: EntityType
    id: EntityId | None


class LiteralEnd(NamedTuple):
    text: str


EntityEnd = NamedEnd | KnownEnd


def parse_subject(given: Any) -> EntityEnd:
    return _parse_entity("subject", _parse_object("subject", given))


def parse_object(given: Any, predicate: str) -> EntityEnd | LiteralEnd:
    found = _parse_object("object", given)
    return _parse_literal(found, predicate) if "literal" in found else _parse_entity("object", found)


def _parse_object(side: str, given: Any) -> Mapping[str, Any]:
    """The given object, also from its JSON, without the keys that are null."""
    value = decode_json_object(given)
    if isinstance(value, dict):
        return {key: each for key, each in value.items() if each is not None}
    if isinstance(given, str):
        raise EndRejected(side, "is a plain string, where an object was expected")
    raise EndRejected(side, "is missing" if given is None else f"is not an object but {quote(given)}")


def decode_json_object(given: Any) -> Any:
    """The object that a JSON text holds; anything else as it is."""
    if not isinstance(given, str):
        return given
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return given
    return value if isinstance(value, dict) else given


def _parse_entity(side: str, found: Mapping[str, Any]) -> EntityEnd:
    if not found.keys() <= _ENTITY_KEYS:
        unknown = min(found.keys() - _ENTITY_KEYS)
        raise EndRejected(side, f"has a key that is not known here, {quote(unknown)}")
    if "type" not in found:
        raise EndRejected(side, "has no type")
    type_ = parse_type(side, found["type"])
    name = _parse_name(side, found["name"]) if "name" in found else None
    if "id" in found:
        return KnownEnd(side, type_, _parse_id(found["id"]))
    if name is None:
        raise EndRejected(side, "has neither an id nor a name")
    if is_id(name, ENTITY_PREFIX):
        return KnownEnd(side, type_, _parse_id(name))
    return NamedEnd(side, type_, name)


def parse_type(side: str, given: Any) -> EntityType:
    known = _TYPES_BY_NAME.get(given.strip().casefold()) if isinstance(given, str) else None
    if known is None:
        raise TypeUnknown(side, given)
    return known


def _parse_name(side: str, given: Any) -> str:
    if not isinstance(given, str):
        raise EndRejected(side, f"has a name that is not a string but {quote(given)}")
    name = clean(given)
    if not name or not is_storable(name):
        raise EndRejected(side, "has a blank name" if not name else "has a name that cannot be stored")
    if len(name) > NAME_LIMIT:
        raise EndRejected(side, f"has a name of {len(name)} characters")
    return name


def _parse_id(given: Any) -> EntityId | None:
    """The id in its stored form; none for what can be nobody's id."""
    try:
        return EntityId(read_id(given, ENTITY_PREFIX)) if isinstance(given, str) else None
    except BadId:
        return None


def _parse_literal(found: Mapping[str, Any], predicate: str) -> LiteralEnd:
    if len(found) > 1:
        raise EndRejected("object", "has a literal together with other keys")
    given = found["literal"]
    if not isinstance(given, str):
        raise EndRejected("object", f"has a literal that is not a string but {quote(given)}")
    text = given.strip()
    if not text or not is_storable(text):
        raise EndRejected("object", "has a blank literal" if not text else "has a literal that cannot be stored")
    if len(text) > LITERAL_LIMIT:
        raise EndRejected("object", f"has a literal of {len(text)} characters")
    alias = alias_of_tag(text, predicate)
    if alias is not None and not 1 <= len(alias) <= NAME_LIMIT:
        raise EndRejected("object", f"is an alias of {len(alias)} characters, not 1 to {NAME_LIMIT}")
    return LiteralEnd(text)


def alias_of_tag(literal: str, predicate: str) -> str | None:
    """The name that a tag makes an alias of its subject."""
    is_alias = predicate == "tagged" and literal[: len(ALIAS_TAG)].lower() == ALIAS_TAG
    return clean(literal[len(ALIAS_TAG) :]) if is_alias else None


def find_end(view: View, projection: Projection, end: EntityEnd) -> Entity | None:
    """The entity that an end means: by id, or exactly and then by alias among those printed with its type."""
    if isinstance(end, KnownEnd):
        return _entity_by_id(view, projection, end)
    named = [(kind, entity) for kind, entity in _entities_named(view, fold(end.name)) if entity.is_live]
    fitting = [each for each in named if projection.type_of(each[1].type) == end.type]
    return _match_by_rung(end, fitting) or _match_by_rung(end, [each for each in named if each[1].type == UNKNOWN_TYPE])


def _match_by_rung(end: NamedEnd, named: Sequence[tuple[str, Entity]]) -> Entity | None:
    for rung in _NAME_KIND_RUNGS if named else ():
        found = {entity.id: entity for kind, entity in named if kind in rung}
        if found:
            return _only_match(end, tuple(found.values()))
    return None


def _entities_named(view: View, folded: str) -> Sequence[tuple[str, Entity]]:
    """Each entity known by this text, and as what; a change remembers what it looked up."""
    if isinstance(view, Change):
        return view.entities_named(folded)
    rows = view.names_matching(folded)
    entities = view.entities({row.entity for row in rows})
    return [(row.kind, entities[row.entity]) for row in rows]


def _entity_by_id(view: View, projection: Projection, end: KnownEnd) -> Entity:
    entity = view.survivor(end.id) if end.id is not None else None
    if entity is None:
        raise EndRejected(end.side, "has an id that is not known here")
    printed = projection.type_of(entity.type)
    if printed != end.type and entity.type != UNKNOWN_TYPE:
        raise EndRejected(end.side, f"has the type {end.type}, but the entity of that id is a {printed}")
    return entity


def _only_match(end: NamedEnd, found: Sequence[Entity]) -> Entity:
    same = [entity for entity in found if entity.type == end.type]
    chosen = same if len(same) == 1 else found
    if len(chosen) > 1:
        raise AmbiguousEnd(end.side, end.name, chosen)
    return chosen[0]


def find_or_make_end(change: Change, projection: Projection, end: EntityEnd) -> ResolvedEnd:
    """The entity that an end means, given the end's type if it had none; made if it is new."""
    known = find_end(change, projection, end)
    if known is None:
        name = end.name if isinstance(end, NamedEnd) else ""
        return find_or_create(change, End(name, end.type), fits=lambda _: False)
    return ResolvedEnd(complete(change, known, End(known.name, end.type)))
