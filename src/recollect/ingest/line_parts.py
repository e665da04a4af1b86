"""Parsers of the entities and facts of a bundle line; nothing here reads the store."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from recollect.ingest.fields import BadLine, JsonFields, too_long_error
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, complete_confidence, is_confidence
from recollect.model.entity import NAME_LIMIT, PROPERTY_LIMIT, TYPE_LIMIT
from recollect.model.fact import LABELS, NOTHING
from recollect.model.names import FOLD_CACHE_SIZE, clean
from recollect.model.similarity import to_snake_case
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.write.entity_refs import NamedRef
from recollect.write.fact_draft import FactKind

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

LITERAL_LIMIT = 10_000
_ENTITY_KEYS = frozenset("name type aliases metadata properties".split())
_SIMPLE_ENTITY_KEYS = frozenset({"name", "type"})
_TYPE_SYNONYMS = {"company": "organization"}

Part = TypeVar("Part")


def parse_entity(value: Any) -> NamedRef:
    """An entity that a line declares."""
    if type(value) is dict and _SIMPLE_ENTITY_KEYS.issuperset(value):
        return call_cached(_declared_end, value.get("name"), value.get("type"))
    fields = JsonFields(value, "")
    fields.reject_unknown(_ENTITY_KEYS)
    end = call_cached(_declared_end, fields.values.get("name"), fields.values.get("type"))
    aliases = fields.texts("aliases")
    for alias in aliases:
        _clean_name(alias)
    properties = {**fields.object_of("properties", PROPERTY_LIMIT), **fields.object_of("metadata", PROPERTY_LIMIT)}
    return NamedRef(end.name, end.type, aliases, properties, end.confirmed, end.reason)


@lru_cache(FOLD_CACHE_SIZE)
def _declared_end(name: Any, type_: Any) -> NamedRef:
    """An end that a line declares, and so confirms."""
    fields = JsonFields({"name": name, "type": type_}, "")
    known_as = stored_type(fields.limited_text("type", TYPE_LIMIT))
    return NamedRef(_clean_name(fields.required_text("name")), known_as, confirmed=True, reason="given")


def call_cached(read: "_lru_cache_wrapper[Part]", *given: Any) -> Part:
    """Call a cached parser; an unhashable value goes to the parser itself, which rejects it."""
    try:
        return read(*given)
    except TypeError:
        return read.__wrapped__(*given)


def parse_end(value: Any, path: str) -> NamedRef | str | None:
    """An end by name, a literal, or none."""
    if value is None:
        return None
    try:
        return _end_by_name(value) if isinstance(value, str) else _parse_end_object(value)
    except BadLine as problem:
        raise problem.with_prefix(path) from None


def _parse_end_object(value: Any) -> NamedRef | str:
    fields = JsonFields(value, "")
    if "literal" in fields.values:
        fields.reject_unknown({"literal"})
        literal = fields.required_text("literal")
        if len(literal) > LITERAL_LIMIT:
            raise too_long_error(".literal", literal, LITERAL_LIMIT)
        return literal
    fields.reject_unknown({"name", "type"})
    return replace(
        _end_by_name(fields.required_text("name")), type=stored_type(fields.limited_text("type", TYPE_LIMIT))
    )


@lru_cache(FOLD_CACHE_SIZE)
def _end_by_name(text: str) -> NamedRef:
    name = _clean_name(text)
    if not name:
        raise BadLine("", "should not be blank")
    return NamedRef(name)


def _clean_name(text: str) -> str:
    name = clean(text)
    if len(name) > NAME_LIMIT:
        raise too_long_error("", name, NAME_LIMIT)
    return name


@lru_cache(1024)
def stored_type(given: str | None) -> str | None:
    """The type as it is stored: lower_snake_case, a company being an organization."""
    if given is None:
        return None
    name = to_snake_case(given)
    return _TYPE_SYNONYMS.get(name, name) or None


VISIBILITIES = ("public", "common", "private", "secret")


class FactDetails(NamedTuple):
    """The optional fields of a fact, as written; most facts have none of them."""

    valid_from: str | None = None
    valid_until: str | None = None
    quote: str | None = None
    supersedes: str | None = None
    source_at: str | None = None
    source_url: str | None = None


class FactPart(NamedTuple):
    """A fact of a line as parsed: ends by name, times as text."""

    subject: NamedRef
    target: NamedRef | str | None
    kind: FactKind
    words: str | None
    attributes: Mapping[str, Any]
    details: FactDetails


NO_DETAILS = FactDetails()
_KIND_KEYS = tuple("edge_label fact_type predicate source_kind confidence".split())
_SIMPLE_FACT_KEYS = frozenset({*_KIND_KEYS, "from", "to", "fact"})
_FACT_KEYS = frozenset({*_SIMPLE_FACT_KEYS, *FactDetails._fields, "attributes", "visibility", "known_to"})


def parse_fact(value: Any) -> FactPart:
    """Parse one fact of a line."""
    fields = JsonFields(value, "")
    values = fields.values
    is_plain = values.keys() <= _SIMPLE_FACT_KEYS
    if not is_plain:
        fields.reject_unknown(_FACT_KEYS)
    subject = parse_end(values.get("from"), ".from")
    if not isinstance(subject, NamedRef):
        raise BadLine(".from", "should be a name or an object with a name")
    words = values.get("fact")
    return FactPart._make(
        (
            subject,
            parse_end(values.get("to"), ".to"),
            call_cached(_parse_kind, *map(values.get, _KIND_KEYS)),
            words.strip() or None if type(words) is str else fields.text("fact"),
            NOTHING if is_plain else {**fields.object_of("attributes"), **audience_fields(fields)},
            NO_DETAILS if is_plain else FactDetails._make(fields.texts_of(FactDetails._fields)),
        )
    )


@lru_cache(1024, typed=True)
def _parse_kind(*given: Any) -> FactKind:
    fields = JsonFields(dict(zip(_KIND_KEYS, given, strict=True)), "")
    certainty, confidence = _parse_confidence(fields)
    return FactKind(
        fields.choice("edge_label", LABELS),
        fields.limited_text("fact_type", PREDICATE_LIMIT),
        fields.limited_text("predicate", PREDICATE_LIMIT),
        complete_confidence(certainty, fields.choice("source_kind", SOURCE_KINDS), confidence),
    )


def _parse_confidence(fields: JsonFields) -> tuple[Certainty | None, float | None]:
    value = fields.values.get("confidence")
    if value is None:
        return None, None
    if isinstance(value, str):
        return fields.choice("confidence", CERTAINTIES), None
    if not is_confidence(value):
        raise BadLine(f"{fields.path}.confidence", f"should be one of {', '.join(CERTAINTIES)}, or a number 0..1")
    return None, float(value)


def audience_fields(fields: JsonFields) -> dict[str, Any]:
    """Who may know a record or a fact, as far as that is given."""
    given: dict[str, Any] = {}
    if fields.values.get("visibility") is not None:
        given["visibility"] = fields.choice("visibility", VISIBILITIES)
    if fields.values.get("known_to") is not None:
        given["known_to"] = list(fields.texts("known_to"))
    return given
