"""Parser of one bundle line: JSON, content digest, record, entities, facts and definitions."""

import json
import re
from collections.abc import Callable, Container, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import orjson
from pydantic_core import from_json, to_json

from recollect.ingest.fields import BadLine, Json, JsonFields
from recollect.ingest.line_parts import FactPart, audience_fields, parse_entity, parse_fact
from recollect.model.certainty import is_confidence
from recollect.model.entity import TYPE_LIMIT
from recollect.model.json_limits import Flaw, Limits, find_flaw
from recollect.model.similarity import to_snake_case
from recollect.write.entity_refs import NamedRef

MAX_DEPTH = 64
_LIMITS = Limits(MAX_DEPTH + 1)

# What was read from JSON holds no circles.
_CANONICAL_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
)
_NON_FINITE = re.compile(b"NaN|Infinity")
_FLAW_MESSAGES: Mapping[Flaw, str] = {
    "character": "contains a character that cannot be stored: a NUL, or half of a surrogate pair",
    "number": "contains a number that JSON cannot represent",
    "depth": f"is nested too deeply; {MAX_DEPTH} levels are enough",
}


def read_json(text: bytes) -> Any:
    """The value of a line of JSON."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return _read_json_strictly(text)


def _read_json_strictly(text: bytes) -> Any:
    """Parse a line that the fast parser rejects: some are valid JSON, for the others the error says why not."""
    try:
        return json.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadLine("line", "is not UTF-8") from None
    except ValueError as problem:
        raise BadLine("line", f"is not JSON ({problem}); each line must be one whole object") from None
    except RecursionError:
        raise BadLine("line", "is nested too deeply") from None


def content_digest(value: Json) -> str:
    """The hash of a line's content, independent of the order of its keys."""
    plain = _canonical_json(value)
    # Nearly every line holds no backslash, and too few brackets to be deep.
    opened = plain.count(b"[") + plain.count(b"{")
    if (opened > MAX_DEPTH and opened - _count_siblings(value) > MAX_DEPTH) or (b"\\" in plain and b"\\u" in plain):
        _check_storable(value)
    return blake2b(plain, digest_size=16).hexdigest()


def _canonical_json(value: Json) -> bytes:
    """The value in the one form that all orders of its keys share."""
    try:
        plain = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        # Whole numbers beyond 64 bits, halves of surrogate pairs, nesting without end: rare, and slower.
        return _encode_slowly(value)
    if b"null" in plain and _NON_FINITE.search(to_json(value, inf_nan_mode="constants")):
        _encode_slowly(value)
    return plain


def _encode_slowly(value: Json) -> bytes:
    try:
        return _CANONICAL_ENCODER.encode(value).encode()
    except ValueError:
        raise BadLine("line", _FLAW_MESSAGES["number"]) from None


def _count_siblings(value: Json) -> int:
    """How many items stand beside the first in the lists of a line; what is nested deepest goes through one of them.

    What is no object among them opens nothing, and has the line refused when its parts are read.
    """
    return sum([len(items) - 1 for items in value.values() if type(items) is list and items])


def _check_storable(value: Json) -> None:
    flaw = find_flaw(value, _LIMITS)
    if flaw is not None:
        raise BadLine("line", _FLAW_MESSAGES[flaw])


RELIABILITIES = ("canonical", "factional", "rumor", "dialogue", "fanon")
_CORE_RECORD_KEYS = frozenset("id type title source_at url content".split())
_RECORD_KEYS = _CORE_RECORD_KEYS | {"metadata", "classification", "author"}
_LINE_KEYS = frozenset({"record", "entities", "facts"})
DefinitionKind = Literal["calendar", "era", "date"]
DEFINITION_KINDS: tuple[DefinitionKind, ...] = get_args(DefinitionKind)

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


class IngestItem(NamedTuple):
    """What a line of a bundle, a mail, a note or another item of a source gives, before it is written."""

    hash: str
    record: RecordPart | None = None
    entities: tuple[NamedRef, ...] = ()
    facts: tuple[FactPart, ...] = ()
    definition: tuple[DefinitionKind, Json] | None = None
    extension: tuple[str, Json] | None = None
    is_standalone: bool = False


def read_line(text: bytes, further: Container[str] = ()) -> IngestItem:
    """Parse one line; a `BadLine` explains what is wrong with it."""
    return parse_line(read_json(text), further)


def parse_line(value: Any, further: Container[str] = ()) -> IngestItem:
    line = JsonFields(value, "line")
    values = line.values
    digest = content_digest(values)
    if not values.keys() <= _LINE_KEYS:
        return _parse_definition_or_extension(line, digest, further)
    if not values:
        raise BadLine("line", "is empty; it needs a record, entities or facts")
    record = _parse_record(JsonFields(values["record"], "record")) if values.get("record") is not None else None
    entities = _parse_items(line, "entities", parse_entity) if "entities" in values else ()
    facts = _parse_items(line, "facts", parse_fact) if "facts" in values else ()
    is_alone = record is not None and record.type != "memory" and len(values) == 1
    return IngestItem(digest, record, entities, facts, None, None, is_alone)


def _parse_definition_or_extension(line: JsonFields, digest: str, further: Container[str]) -> IngestItem:
    for kind in DEFINITION_KINDS:
        if kind in line.values:
            return IngestItem(digest, definition=(kind, _single_part(line, kind)))
    for key in line.values:
        if key in further:
            return IngestItem(digest, extension=(key, _single_part(line, key)))
    line.reject_unknown(_LINE_KEYS)
    raise BadLine("line", "has an unknown kind")


def _single_part(line: JsonFields, key: str) -> Json:
    line.reject_unknown({key})
    return JsonFields(line.values[key], key).values


def _parse_items(line: JsonFields, key: str, read: Callable[[Any], Part]) -> tuple[Part, ...]:
    """Parse every item of a list; errors get the path of their item afterwards, so that valid items cost nothing."""
    items = line.items(key)
    try:
        return tuple(map(read, items))
    except BadLine:
        raise _first_error(key, items, read) from None


def _first_error(key: str, items: Sequence[Any], read: Callable[[Any], Part]) -> BadLine:
    for place, item in enumerate(items):
        try:
            read(item)
        except BadLine as problem:
            return problem.with_prefix(f"{key}[{place}]")
    raise LookupError(key)


def _parse_record(fields: JsonFields) -> RecordPart:
    is_bare = _CORE_RECORD_KEYS.issuperset(fields.values)
    properties = {} if is_bare else _record_properties(fields)
    author = None if is_bare else _record_author(fields, properties)
    given = fields.limited_text("type", TYPE_LIMIT) or "generic"
    type_ = to_snake_case(given)
    if given != type_:
        properties["record_type"] = given
    return RecordPart(
        fields.required_text("id"),
        type_,
        fields.text("title"),
        author,
        fields.text("source_at"),
        fields.text("url") or _text_of(properties.get("url")),
        fields.raw_text("content"),
        properties,
    )


def _record_properties(fields: JsonFields) -> dict[str, Any]:
    """The fields of a record beyond the common ones; its metadata takes precedence."""
    values = fields.values
    beside = {key: value for key, value in values.items() if key not in _RECORD_KEYS and value is not None}
    properties = {**beside, **audience_fields(fields), **fields.object_of("metadata")}
    _check_reliability(fields)
    if values.get("classification") is not None:
        properties["classification"] = fields.choice("classification", ("relevant", "noise"))
    if isinstance(values.get("author"), Mapping):
        properties.setdefault("author", values["author"])
    return properties


def _check_reliability(fields: JsonFields) -> None:
    value = fields.values.get("reliability")
    if value is not None and not is_confidence(value):
        fields.choice("reliability", RELIABILITIES)


def _record_author(fields: JsonFields, properties: Json) -> str | None:
    """The author's name; an author given as an object is also kept among the properties."""
    for given in (fields.values.get("author"), properties.get("author")):
        name = given.get("name") or given.get("email") if isinstance(given, Mapping) else given
        if name is not None and not isinstance(name, str):
            raise BadLine(f"{fields.path}.author", "should be a string, or an object with a name or an email")
        if name and name.strip():
            return str(name).strip()
    return None


def _text_of(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None
