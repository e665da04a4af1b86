"""One line of a bundle, read into types; nothing here looks at the store."""

import json
import re
from collections.abc import Container, Mapping
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, SourceKind
from recollect.model.entity import NAME_LIMIT
from recollect.model.fact import LABELS, NOTHING, Label
from recollect.model.names import clean
from recollect.model.wording import snake
from recollect.write.ends import End

LITERAL_LIMIT = 10_000
VISIBILITIES = ("public", "common", "private", "secret")
RELIABILITIES = ("canonical", "factional", "rumor", "dialogue", "fanon")
_FACT_KEYS = frozenset(
    "edge_label fact_type predicate from to fact confidence valid_from valid_until source_kind attributes quote "
    "supersedes source_at source_url visibility known_to".split()
)
_FACT_TEXTS = tuple("fact_type predicate fact valid_from valid_until quote supersedes source_at source_url".split())
_ATTRIBUTES = frozenset({"attributes", "visibility", "known_to"})
_ENTITY_KEYS = frozenset("name type aliases metadata properties".split())
_BARE_ENTITY = frozenset({"name", "type"})
_RECORD_KEYS = frozenset("id type title source_at url content metadata classification author".split())
_COMMON = frozenset({"record", "entities", "facts"})
DefinitionKind = Literal["calendar", "era", "date"]
DEFINITIONS: tuple[DefinitionKind, ...] = ("calendar", "era", "date")
_SAME_TYPE = {"company": "organization"}
_PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
_SUSPECT = re.compile(r"\\u(?:0000|d[89a-f])")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
DEEPEST = 64


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

    label: Label | None
    fact_type: str | None
    predicate: str | None
    subject: End
    target: End | str | None
    words: str | None
    certainty: Certainty | None
    confidence: float | None
    source_kind: SourceKind | None
    valid_from: str | None
    valid_until: str | None
    quote: str | None
    supersedes: str | None
    source_at: str | None
    source_url: str | None
    attributes: Mapping[str, Any] = NOTHING


class Line(NamedTuple):
    hash: str
    record: RecordPart | None = None
    entities: tuple[End, ...] = ()
    facts: tuple[FactPart, ...] = ()
    definition: tuple[DefinitionKind, Json] | None = None
    further: tuple[str, Json] | None = None
    is_alone: bool = False


def read_line(text: str, further: Container[str] = ()) -> Line:
    """What one line says; a `BadLine` says what is wrong with it."""
    try:
        value = json.loads(text)
    except ValueError as problem:
        raise BadLine("line", f"is not JSON ({problem})") from None
    except RecursionError:
        raise BadLine("line", "is nested too deeply") from None
    return line_of(value, further)


def line_of(value: Any, further: Container[str] = ()) -> Line:
    line = Fields(value, "line")
    digest = hash_of(value)
    defined = [key for key in DEFINITIONS if key in line.values]
    if defined:
        line.only({defined[0]})
        return Line(digest, definition=(defined[0], Fields(line.values[defined[0]], defined[0]).values))
    other = [key for key in line.values if key in further]
    if other:
        line.only({other[0]})
        return Line(digest, further=(other[0], Fields(line.values[other[0]], other[0]).values))
    line.only(_COMMON)
    if not line.values:
        raise BadLine("line", "is empty; it needs a record, entities or facts")
    record = _record(Fields(line.values["record"], "record")) if line.values.get("record") is not None else None
    entities = tuple(_entity(item, f"entities[{i}]") for i, item in enumerate(line.items("entities")))
    facts = tuple(_fact(item, f"facts[{i}]") for i, item in enumerate(line.items("facts")))
    is_alone = record is not None and record.type != "memory" and line.values.keys() == {"record"}
    return Line(digest, record, entities, facts, is_alone=is_alone)


def hash_of(value: Any) -> str:
    """The hash of what a line says, whatever the order of its keys."""
    try:
        plain = _PLAIN.encode(value)
    except ValueError:
        raise BadLine("line", "holds a number that JSON has no form for") from None
    if _SUSPECT.search(plain) or plain.count("[") + plain.count("{") > DEEPEST:
        _check_storable(value, DEEPEST)
    return blake2b(plain.encode(), digest_size=16).hexdigest()


def _check_storable(value: Any, levels: int) -> None:
    """No store holds a NUL or half of a surrogate pair, and no reader wants endless nesting."""
    if levels < 0:
        raise BadLine("line", f"is nested too deeply; {DEEPEST} levels are enough")
    if isinstance(value, str) and _UNSTORABLE.search(value):
        raise BadLine("line", "holds a character that cannot be stored: a NUL, or half of a surrogate pair")
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for inner in value:
            _check_storable(inner, levels - 1)


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
    given = fields.text("type") or "generic"
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


def _entity(value: Any, path: str) -> End:
    fields = Fields(value, path)
    fields.only(_ENTITY_KEYS)
    name = _name(fields.needed("name"), path)
    has_more = not _BARE_ENTITY.issuperset(fields.values)
    aliases = fields.texts("aliases") if has_more else ()
    for alias in aliases:
        _name(alias, path)
    properties = {**fields.table("properties"), **fields.table("metadata")} if has_more else NOTHING
    return End(name, stored_type(fields.text("type")), aliases, properties, confirmed=True, reason="given")


def _name(text: str, path: str) -> str:
    name = clean(text)
    if len(name) > NAME_LIMIT:
        raise BadLine(path, f"a name has at most {NAME_LIMIT} characters")
    return name


def stored_type(given: str | None) -> str | None:
    """The type as it is stored: lower_snake_case, a company being an organization."""
    if given is None:
        return None
    name = snake(given)
    return _SAME_TYPE.get(name, name) or None


def _fact(value: Any, path: str) -> FactPart:
    fields = Fields(value, path)
    fields.only(_FACT_KEYS)
    certainty, confidence = _confidence(fields)
    subject = _end(fields.values.get("from"), f"{path}.from")
    if not isinstance(subject, End):
        raise BadLine(f"{path}.from", "should be a name or an object with a name")
    fact_type, predicate, words, *rest = fields.many(_FACT_TEXTS)
    valid_from, valid_until, quote, supersedes, source_at, source_url = rest
    return FactPart(
        fields.word("edge_label", LABELS),
        fact_type,
        predicate,
        subject,
        _end(fields.values.get("to"), f"{path}.to"),
        words,
        certainty,
        confidence,
        fields.word("source_kind", SOURCE_KINDS),
        valid_from,
        valid_until,
        quote,
        supersedes,
        source_at,
        source_url,
        NOTHING if _ATTRIBUTES.isdisjoint(fields.values) else _attributes(fields),
    )


def _attributes(fields: Fields) -> Json:
    return {**fields.table("attributes"), **_audience(fields)}


def _confidence(fields: Fields) -> tuple[Certainty | None, float | None]:
    value = fields.values.get("confidence")
    if isinstance(value, str):
        return fields.word("confidence", CERTAINTIES), None
    if value is None:
        return None, None
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
            raise BadLine(f"{path}.literal", f"has at most {LITERAL_LIMIT} characters")
        return literal
    fields.only({"name", "type"})
    return _named(fields.needed("name"), stored_type(fields.text("type")), path)


def _named(text: str, type_: str | None, path: str) -> End:
    name = _name(text, path)
    if not name:
        raise BadLine(path, "should not be blank")
    return End(name, type_)
