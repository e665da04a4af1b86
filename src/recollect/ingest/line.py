"""One line of a bundle, read into types; nothing here looks at the store."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from recollect.ingest.fact_part import FactPart, audience, fact_of
from recollect.ingest.fields import Fields, Json
from recollect.ingest.named import entity_of
from recollect.ingest.plain import hash_of, read_json
from recollect.ingest.problems import BadLine
from recollect.model.entity import TYPE_LIMIT
from recollect.model.wording import snake
from recollect.write.ends import End

RELIABILITIES = ("canonical", "factional", "rumor", "dialogue", "fanon")
_BARE_RECORD = frozenset("id type title source_at url content".split())
_RECORD_KEYS = _BARE_RECORD | {"metadata", "classification", "author"}
_COMMON = frozenset({"record", "entities", "facts"})
DefinitionKind = Literal["calendar", "era", "date"]
DEFINITIONS: tuple[DefinitionKind, ...] = ("calendar", "era", "date")

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
    values = line.values
    digest = hash_of(values)
    if not values.keys() <= _COMMON:
        return _other_line(line, digest, further)
    if not values:
        raise BadLine("line", "is empty; it needs a record, entities or facts")
    record = _record(Fields(values["record"], "record")) if values.get("record") is not None else None
    entities = _each(line, "entities", entity_of) if "entities" in values else ()
    facts = _each(line, "facts", fact_of) if "facts" in values else ()
    is_alone = record is not None and record.type != "memory" and len(values) == 1
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
    items = line.items(key)
    try:
        return tuple(map(read, items))
    except BadLine:
        raise _first_problem(key, items, read) from None


def _first_problem(key: str, items: Sequence[Any], read: Callable[[Any], Part]) -> BadLine:
    for place, item in enumerate(items):
        try:
            read(item)
        except BadLine as problem:
            return problem.within(f"{key}[{place}]")
    raise LookupError(key)


def _record(fields: Fields) -> RecordPart:
    is_bare = _BARE_RECORD.issuperset(fields.values)
    properties = {} if is_bare else _properties(fields)
    author = None if is_bare else _author(fields, properties)
    given = fields.short("type", TYPE_LIMIT) or "generic"
    type_ = snake(given)
    if given != type_:
        properties["record_type"] = given
    return RecordPart(
        fields.needed("id"),
        type_,
        fields.text("title"),
        author,
        fields.text("source_at"),
        fields.text("url") or _text_of(properties.get("url")),
        fields.verbatim("content"),
        properties,
    )


def _properties(fields: Fields) -> dict[str, Any]:
    """What a record has beside what every record has; its metadata wins."""
    values = fields.values
    beside = {key: value for key, value in values.items() if key not in _RECORD_KEYS and value is not None}
    properties = {**beside, **audience(fields), **fields.table("metadata")}
    _check_reliability(fields)
    if values.get("classification") is not None:
        properties["classification"] = fields.word("classification", ("relevant", "noise"))
    if isinstance(values.get("author"), Mapping):
        properties.setdefault("author", values["author"])
    return properties


def _check_reliability(fields: Fields) -> None:
    value = fields.values.get("reliability")
    is_share = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    if value is not None and not is_share:
        fields.word("reliability", RELIABILITIES)


def _author(fields: Fields, properties: Json) -> str | None:
    """The author's name; one given with an address stays whole among the properties."""
    for given in (fields.values.get("author"), properties.get("author")):
        name = given.get("name") or given.get("email") if isinstance(given, Mapping) else given
        if name is not None and not isinstance(name, str):
            raise BadLine(f"{fields.path}.author", "should be a string, or an object with a name or an email")
        if name and name.strip():
            return str(name).strip()
    return None


def _text_of(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
