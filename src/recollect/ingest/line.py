"""One line of a bundle, read into types; nothing here looks at the store."""

from collections.abc import Callable, Container, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from recollect.ingest.fields import Fields, Json
from recollect.ingest.plain import hash_of, read_json
from recollect.ingest.problems import BadLine, too_long
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, Sureness, how_sure
from recollect.model.entity import NAME_LIMIT, PROPERTY_LIMIT, TYPE_LIMIT
from recollect.model.fact import LABELS, NOTHING, Label
from recollect.model.names import NAMES_REMEMBERED, clean
from recollect.model.vocabulary import PREDICATE_LIMIT
from recollect.model.wording import snake
from recollect.write.ends import End

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

LITERAL_LIMIT = 10_000
VISIBILITIES = ("public", "common", "private", "secret")
RELIABILITIES = ("canonical", "factional", "rumor", "dialogue", "fanon")
_FACT_KEYS = frozenset(
    "edge_label fact_type predicate from to fact confidence valid_from valid_until source_kind attributes quote "
    "supersedes source_at source_url visibility known_to".split()
)
_KIND_KEYS = tuple("edge_label fact_type predicate source_kind confidence".split())
_RARER_TEXTS = tuple("valid_from valid_until quote supersedes source_at source_url".split())
_RARER = frozenset(_RARER_TEXTS)
_NOTHING_RARER = (None,) * len(_RARER_TEXTS)
_ATTRIBUTES = frozenset({"attributes", "visibility", "known_to"})
_ENTITY_KEYS = frozenset("name type aliases metadata properties".split())
_BARE_ENTITY = frozenset({"name", "type"})
_RECORD_KEYS = frozenset("id type title source_at url content metadata classification author".split())
_COMMON = frozenset({"record", "entities", "facts"})
DefinitionKind = Literal["calendar", "era", "date"]
DEFINITIONS: tuple[DefinitionKind, ...] = ("calendar", "era", "date")
_SAME_TYPE = {"company": "organization"}

Part = TypeVar("Part")


class RecordPart(NamedTuple):
    id: str
    type: str
    title: str | None
    author: str | None
    source_at: str | None
    url: str | None
    content: str | None
    properties: Json


class FactPart(NamedTuple):
    """A fact as a line gives it: ends by name, times as texts."""

    subject: End
    target: End | str | None
    label: Label | None
    fact_type: str | None
    predicate: str | None
    sure: Sureness
    attributes: Mapping[str, Any]
    words: str | None
    valid_from: str | None
    valid_until: str | None
    quote: str | None
    supersedes: str | None
    source_at: str | None
    source_url: str | None


class Line(NamedTuple):
    hash: str
    record: RecordPart | None = None
    entities: tuple[End, ...] = ()
    facts: tuple[FactPart, ...] = ()
    definition: tuple[DefinitionKind, Json] | None = None
    further: tuple[str, Json] | None = None
    is_alone: bool = False


def read_line(text: bytes, further: Container[str] = ()) -> Line:
    """What one line says; a `BadLine` says what is wrong with it."""
    return line_of(read_json(text), further)


def line_of(value: Any, further: Container[str] = ()) -> Line:
    line = Fields(value, "line")
    digest = hash_of(line.values)
    if not line.values.keys() <= _COMMON:
        return _other_line(line, digest, further)
    if not line.values:
        raise BadLine("line", "is empty; it needs a record, entities or facts")
    record = _record(Fields(line.values["record"], "record")) if line.values.get("record") is not None else None
    entities, facts = _each(line, "entities", _entity), _each(line, "facts", _fact)
    is_alone = record is not None and record.type != "memory" and len(line.values) == 1
    return Line(digest, record, entities, facts, None, None, is_alone)


def _other_line(line: Fields, digest: str, further: Container[str]) -> Line:
    for kind in DEFINITIONS:
        if kind in line.values:
            return Line(digest, definition=(kind, _only_part(line, kind)))
    for key in line.values:
        if key in further:
            return Line(digest, further=(key, _only_part(line, key)))
    line.only(_COMMON)
    raise BadLine("line", "is of no known kind")


def _only_part(line: Fields, key: str) -> Json:
    line.only({key})
    return Fields(line.values[key], key).values


def _each(line: Fields, key: str, read: Callable[[Any], Part]) -> tuple[Part, ...]:
    """What every item of a list says; parts name their fields from themselves on, so a good one costs no path."""
    items, parts = line.items(key), list[Part]()
    if not items:
        return ()
    try:
        for item in items:
            parts.append(read(item))
    except BadLine as problem:
        raise problem.within(f"{key}[{len(parts)}]") from None
    return tuple(parts)


def _record(fields: Fields) -> RecordPart:
    metadata = dict(fields.table("metadata"))
    beside = {key: value for key, value in fields.values.items() if key not in _RECORD_KEYS and value is not None}
    properties = {**beside, **_audience(fields), **metadata}
    _check_reliability(fields)
    if fields.values.get("classification") is not None:
        properties["classification"] = fields.word("classification", ("relevant", "noise"))
    author = _author(fields, metadata)
    if isinstance(fields.values.get("author"), Mapping):
        properties.setdefault("author", fields.values["author"])
    url = fields.text("url") or _text_of(metadata.get("url"))
    given = fields.short("type", TYPE_LIMIT) or "generic"
    if given != snake(given):
        properties["record_type"] = given
    return RecordPart(
        fields.needed("id"),
        snake(given),
        fields.text("title"),
        author,
        fields.text("source_at"),
        url,
        fields.verbatim("content"),
        properties,
    )


def _audience(fields: Fields) -> dict[str, Any]:
    """Who may know a record or a fact, as far as that is given."""
    given: dict[str, Any] = {}
    if fields.values.get("visibility") is not None:
        given["visibility"] = fields.word("visibility", VISIBILITIES)
    if fields.values.get("known_to") is not None:
        given["known_to"] = list(fields.texts("known_to"))
    return given


def _check_reliability(fields: Fields) -> None:
    value = fields.values.get("reliability")
    is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    if value is not None and not is_share:
        fields.word("reliability", RELIABILITIES)


def _author(fields: Fields, metadata: Json) -> str | None:
    """The author's name; one given with an address stays whole among the properties."""
    for given in (fields.values.get("author"), metadata.get("author")):
        name = given.get("name") or given.get("email") if isinstance(given, Mapping) else given
        if name is not None and not isinstance(name, str):
            raise BadLine(f"{fields.path}.author", "should be a string, or an object with a name or an email")
        if name and name.strip():
            return str(name).strip()
    return None


def _text_of(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _entity(value: Any) -> End:
    fields = Fields(value, "")
    fields.only(_ENTITY_KEYS)
    end = _cached(_given, fields.values.get("name"), fields.values.get("type"))
    if _BARE_ENTITY.issuperset(fields.values):
        return end
    aliases = fields.texts("aliases")
    for alias in aliases:
        _name(alias, "")
    properties = {**fields.table("properties", PROPERTY_LIMIT), **fields.table("metadata", PROPERTY_LIMIT)}
    return end._replace(aliases=aliases, properties=properties)


@lru_cache(NAMES_REMEMBERED)
def _given(name: Any, type_: Any) -> End:
    """An end that somebody declares, and so vouches for."""
    fields = Fields({"name": name, "type": type_}, "")
    known_as = stored_type(fields.short("type", TYPE_LIMIT))
    return End(_name(fields.needed("name"), ""), known_as, confirmed=True, reason="given")


def _cached(read: "_lru_cache_wrapper[Part]", *given: Any) -> Part:
    """What is read of these values, now or before; a list or an object is read anew, and refused."""
    try:
        return read(*given)
    except TypeError:
        return read.__wrapped__(*given)


def _name(text: str, path: str) -> str:
    name = clean(text)
    if len(name) > NAME_LIMIT:
        raise too_long(path, name, NAME_LIMIT)
    return name


@lru_cache(1024)
def stored_type(given: str | None) -> str | None:
    """The type as it is stored: lower_snake_case, a company being an organization."""
    if given is None:
        return None
    name = snake(given)
    return _SAME_TYPE.get(name, name) or None


def _fact(value: Any) -> FactPart:
    fields = Fields(value, "")
    fields.only(_FACT_KEYS)
    values = fields.values
    subject = _end(values.get("from"), ".from")
    if not isinstance(subject, End):
        raise BadLine(".from", "should be a name or an object with a name")
    return FactPart._make(
        (
            subject,
            _end(values.get("to"), ".to"),
            *_cached(_kind, *map(values.get, _KIND_KEYS)),
            NOTHING if _ATTRIBUTES.isdisjoint(values) else _attributes(fields),
            fields.text("fact"),
            *(_NOTHING_RARER if _RARER.isdisjoint(values) else fields.many(_RARER_TEXTS)),
        )
    )


@lru_cache(1024, typed=True)
def _kind(*given: Any) -> tuple[Label | None, str | None, str | None, Sureness]:
    """What of a fact is a choice among few, and so the same in many lines."""
    fields = Fields(dict(zip(_KIND_KEYS, given, strict=True)), "")
    certainty, confidence = _confidence(fields)
    return (
        fields.word("edge_label", LABELS),
        fields.short("fact_type", PREDICATE_LIMIT),
        fields.short("predicate", PREDICATE_LIMIT),
        how_sure(certainty, fields.word("source_kind", SOURCE_KINDS), confidence),
    )


def _attributes(fields: Fields) -> Json:
    return {**fields.table("attributes"), **_audience(fields)}


def _confidence(fields: Fields) -> tuple[Certainty | None, float | None]:
    value = fields.values.get("confidence")
    if value is None:
        return None, None
    if isinstance(value, str):
        return fields.word("confidence", CERTAINTIES), None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadLine(f"{fields.path}.confidence", f"should be one of {', '.join(CERTAINTIES)}, or a number 0..1")
    return None, float(value)


def _end(value: Any, path: str) -> End | str | None:
    """An end by name, a literal, or none."""
    if value is None:
        return None
    if isinstance(value, str):
        return _named(value, None, path)
    fields = Fields(value, path)
    if "literal" in fields.values:
        fields.only({"literal"})
        literal = fields.needed("literal")
        if len(literal) > LITERAL_LIMIT:
            raise too_long(f"{path}.literal", literal, LITERAL_LIMIT)
        return literal
    fields.only({"name", "type"})
    return _named(fields.needed("name"), stored_type(fields.short("type", TYPE_LIMIT)), path)


@lru_cache(NAMES_REMEMBERED)
def _named(text: str, type_: str | None, path: str) -> End:
    name = _name(text, path)
    if not name:
        raise BadLine(path, "should not be blank")
    return End(name, type_)
