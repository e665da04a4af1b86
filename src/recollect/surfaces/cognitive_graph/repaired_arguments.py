"""Corrected arguments of `record_fact`, derived from rejected ones."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.model.certainty import is_number
from recollect.model.entity import Entity
from recollect.model.ids import ENTITY_PREFIX, EntityId, format_entity_id, is_id, read_id
from recollect.model.json_limits import is_storable, json_object
from recollect.model.names import clean, fold
from recollect.store.view import View
from recollect.surfaces.cognitive_graph.error_codes import AmbiguousEnd, FactRejected
from recollect.surfaces.cognitive_graph.fact_ends import (
    EntityEnd,
    LiteralEnd,
    alias_of_tag,
    find_end,
    parse_object,
    parse_subject,
)
from recollect.surfaces.cognitive_graph.vocabulary import (
    SOURCE_LIMIT,
    EntityType,
    Projection,
    known_predicate,
)
from recollect.text.fold import shorten

_FALLBACK_TYPE: EntityType = "concept"
_TAGGED = "tagged"
_EndJson = dict[str, Any]
_ParsedEnd = EntityEnd | LiteralEnd
_ENTITY_KEYS = ("type", "id", "name")


class FactArguments(NamedTuple):
    """The arguments of a rejected call."""

    subject: Any
    predicate: Any
    object: Any
    source: Any = None
    confidence: Any = 1.0


@dataclass(frozen=True, slots=True)
class ArgumentRepairer:
    """Builds arguments that would be accepted and make the same claim."""

    view: View
    projection: Projection

    def keeping(self, given: FactArguments) -> dict[str, Any] | None:
        """Complete arguments for the same claim; none if a part is missing or ambiguous."""
        predicate = known_predicate(given.predicate) if _says_something(given.predicate) else _TAGGED
        target = _only_member(_decode_object(given.object))
        try:
            subject = self._subject(_only_member(_decode_object(given.subject)))
            object_ = self._tag(given.predicate, target) if predicate is None else self._object(predicate, target)
        except AmbiguousEnd:
            return None  # only the caller knows which one is meant
        if subject is None or object_ is None:
            return None
        return {"subject": subject, "predicate": predicate or _TAGGED, "object": object_, **_other_arguments(given)}

    def _subject(self, value: Any) -> _EndJson | None:
        if not isinstance(value, Mapping):
            return self._first_accepted([self._with_known_type(_usable_text(value))], parse_subject)
        return self._first_accepted(self._interpretations(value), parse_subject)

    def _object(self, predicate: str, value: Any) -> _EndJson | None:
        if not isinstance(value, Mapping) or "literal" in value:
            readings = [_literal_json(_usable_literal(value))]
        else:
            readings = self._interpretations(value)
        return self._first_accepted(readings, lambda end: parse_object(end, predicate))

    def _tag(self, predicate: Any, value: Any) -> _EndJson | None:
        """A claim with an unknown predicate as a tag in words."""
        said = clean(predicate.replace("_", " ")) if isinstance(predicate, str) else ""
        target = self._target(value)
        literal = f"{said} {target}"
        if not said or target is None or alias_of_tag(literal, _TAGGED) is not None:
            return None
        return self._first_accepted([_literal_json(literal)], lambda end: parse_object(end, _TAGGED))

    def _target(self, value: Any) -> str | None:
        """The name or literal of the object."""
        if not isinstance(value, Mapping) or "literal" in value:
            return _usable_literal(value)
        known = self._by_id(value.get("id"))
        return known.name if known is not None else _usable_text(value.get("name"))

    def _interpretations(self, value: Mapping[str, Any]) -> list[_EndJson | None]:
        """Possible interpretations of an end, most likely first."""
        kept = {key: value[key] for key in _ENTITY_KEYS if value.get(key) is not None}
        name = _usable_text(kept.get("name"))
        named = {key: each for key, each in (("type", kept.get("type")), ("name", name)) if each is not None}
        return [kept, self._known_end(kept.get("id")), named, self._with_known_type(name)]

    def _first_accepted(
        self, readings: Iterable[_EndJson | None], read: Callable[[_EndJson], _ParsedEnd]
    ) -> _EndJson | None:
        return next((end for end in readings if end is not None and self._is_accepted(end, read)), None)

    def _is_accepted(self, end: _EndJson, read: Callable[[_EndJson], _ParsedEnd]) -> bool:
        try:
            found = read(end)
            if not isinstance(found, LiteralEnd):
                find_end(self.view, self.projection, found)
        except AmbiguousEnd:
            raise
        except FactRejected:
            return False
        return True

    def _with_known_type(self, name: str | None) -> _EndJson | None:
        """An entity of this name with its only known type, or the default type."""
        if name is None or not is_storable(name):
            return None
        types = {self.projection.type_of(row.type) for row in self.view.names_matching(fold(name))} or {_FALLBACK_TYPE}
        return {"type": types.pop(), "name": name} if len(types) == 1 else None

    def _known_end(self, given: Any) -> _EndJson | None:
        """The entity of an id with its stored type."""
        entity = self._by_id(given)
        return {"type": self.projection.type_of(entity.type), "id": format_entity_id(entity.id)} if entity else None

    def _by_id(self, given: Any) -> Entity | None:
        if not isinstance(given, str) or not is_id(given, ENTITY_PREFIX):
            return None
        return self.view.survivor(EntityId(read_id(given, ENTITY_PREFIX)))


def _usable_text(value: Any) -> str | None:
    """A text, or a number as text; none for anything else."""
    if is_number(value):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def _literal_json(text: str | None) -> _EndJson | None:
    return None if text is None else {"literal": text}


def _usable_literal(value: Any) -> str | None:
    return _usable_text(value.get("literal") if isinstance(value, Mapping) else value)


def _decode_object(given: Any) -> Any:
    """The object that a JSON text holds; anything else as it is."""
    found = json_object(given) if isinstance(given, str) else None
    return given if found is None else found


def _only_member(value: Any) -> Any:
    """The member of a list of one; anything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _says_something(predicate: Any) -> bool:
    return isinstance(predicate, str) and bool(predicate.strip())


def _other_arguments(given: FactArguments) -> dict[str, Any]:
    """The given source and confidence, if they are valid."""
    source, confidence = given.source, _usable_confidence(given.confidence)
    rest: dict[str, Any] = {}
    if isinstance(source, str) and source.strip() and is_storable(source):
        rest["source"] = shorten(source, SOURCE_LIMIT)
    if confidence is not None and 0 <= confidence < 1:
        rest["confidence"] = confidence
    return rest


def _usable_confidence(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value if is_number(value) else None
