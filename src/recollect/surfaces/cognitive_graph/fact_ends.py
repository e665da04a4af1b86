"""Subject and object of `record_fact`: parsed from the call, then resolved in the graph."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import ALIAS_TAG
from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, parse_entity_id
from recollect.model.json_limits import is_storable, json_object
from recollect.model.names import NameKind, clean
from recollect.store.change import Change
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.error_codes import AmbiguousEnd, EndRejected, TypeUnknown, quote
from recollect.surfaces.cognitive_graph.vocabulary import LITERAL_LIMIT, NAME_LIMIT, TYPES, EntityType, Projection
from recollect.write.entity_refs import AmbiguousName, NamedRef, ResolvedRef, complete, find_by_policy, resolve_ref
from recollect.write.lookup import ALIAS_OR_IDENTIFIER, NAME, LookupPolicy, LookupStep, has_unknown_type, is_untyped
from recollect.write.names import name_text

_ENTITY_KEYS = frozenset({"type", "id", "name"})
_TYPES_BY_NAME: Mapping[str, EntityType] = {known: known for known in TYPES}
_HINT_UNKNOWN_ID = "Send the type and the name instead, or an id that recall_entity prints."
_OTHER_NAME: frozenset[NameKind] = frozenset({"alias", "email", "domain"})


class NamedEnd(NamedTuple):
    """An entity by name, to be created if there is none."""

    side: str
    end: NamedRef


class KnownEnd(NamedTuple):
    """An entity by its id."""

    side: str
    type: EntityType
    id: EntityId | None


class LiteralEnd(NamedTuple):
    text: str


EntityEnd = NamedEnd | KnownEnd


def parse_subject(given: Any) -> EntityEnd:
    return _parse_entity("subject", _parse_fields("subject", given))


def parse_object(given: Any, predicate: str) -> EntityEnd | LiteralEnd:
    found = _parse_fields("object", given)
    return _parse_literal(found, predicate) if "literal" in found else _parse_entity("object", found)


def _parse_fields(side: str, given: Any) -> Mapping[str, Any]:
    """The fields of an object, also of one given as JSON, without those that are null."""
    value = json_object(given) if isinstance(given, str) else given
    if isinstance(value, dict):
        return {key: each for key, each in value.items() if each is not None}
    if isinstance(given, str):
        raise EndRejected(side, "is a plain string, where an object was expected")
    raise EndRejected(side, "is missing" if given is None else f"is not an object but {quote(given)}")


def _parse_entity(side: str, found: Mapping[str, Any]) -> EntityEnd:
    if not found.keys() <= _ENTITY_KEYS:
        unknown = min(found.keys() - _ENTITY_KEYS)
        raise EndRejected(side, f"has a key that is not known here, {quote(unknown)}")
    if "type" not in found:
        raise EndRejected(side, "has no type")
    type_ = parse_type(side, found["type"])
    end = _parse_name(side, found["name"], type_) if "name" in found else None
    if "id" in found:
        return KnownEnd(side, type_, _parse_id(found["id"]))
    if end is None:
        raise EndRejected(side, "has neither an id nor a name")
    return KnownEnd(side, type_, _parse_id(end.name)) if is_id(end.name, ENTITY_PREFIX) else NamedEnd(side, end)


def parse_type(side: str, given: Any) -> EntityType:
    known = _TYPES_BY_NAME.get(given.strip().casefold()) if isinstance(given, str) else None
    if known is None:
        raise TypeUnknown(side, given)
    return known


def _parse_name(side: str, given: Any, type_: EntityType) -> NamedRef:
    if not isinstance(given, str):
        raise EndRejected(side, f"has a name that is not a string but {quote(given)}")
    name = name_text(given).spelling
    if not name or not is_storable(name):
        raise EndRejected(side, "has a blank name" if not name else "has a name that cannot be stored")
    if len(name) > NAME_LIMIT:
        raise EndRejected(side, f"has a name of {len(name)} characters")
    return NamedRef(name, type_)


def _parse_id(given: Any) -> EntityId | None:
    """The id in its stored form; none for what can be nobody's id."""
    return parse_entity_id(given) if isinstance(given, str) else None


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


def _printed_as(projection: Projection, printed: str | None) -> LookupPolicy:
    """By name and then by alias among entities printed with this type, then among those without a type."""

    def is_printed(entity: Entity) -> bool:
        return projection.type_of(entity.type) == printed

    return LookupPolicy(
        (
            *(LookupStep(kinds, test) for test in (is_printed, has_unknown_type) for kinds in (NAME, _OTHER_NAME)),
            *(LookupStep(kinds, is_untyped) for kinds in (NAME, ALIAS_OR_IDENTIFIER)),
        )
    )


def find_end(view: View, projection: Projection, given: EntityEnd) -> Entity | None:
    """The entity an end refers to, by id or by name; none if it is new."""
    if isinstance(given, KnownEnd):
        return _entity_by_id(view, projection, given)
    side, end = given
    try:
        return find_by_policy(view, end, _printed_as(projection, end.type))
    except AmbiguousName as several:
        raise AmbiguousEnd(side, end.name, several.candidates) from several


def _entity_by_id(view: View, projection: Projection, end: KnownEnd) -> Entity:
    entity = view.survivor(end.id) if end.id is not None else None
    if entity is None:
        raise EndRejected(end.side, "has an id that is not known here", _HINT_UNKNOWN_ID)
    printed = projection.type_of(entity.type)
    if printed != end.type and entity.type != UNKNOWN_TYPE:
        why = f"has the type {end.type}, but the entity of that id is a {printed}"
        raise EndRejected(end.side, why, f"Send the type {printed} with this id, or another id.")
    return entity


def find_or_make_end(change: Change, projection: Projection, given: EntityEnd) -> ResolvedRef:
    """The entity an end refers to, with the end's type if it had none; created if it is new."""
    if isinstance(given, KnownEnd):
        entity = _entity_by_id(change, projection, given)
        return ResolvedRef(complete(change, entity, NamedRef(entity.name, given.type)))
    side, end = given
    try:
        return resolve_ref(change, end, _printed_as(projection, end.type))
    except AmbiguousName as several:
        raise AmbiguousEnd(side, end.name, several.candidates) from several
