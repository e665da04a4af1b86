"""One line of a bundle, read into types; nothing here looks at the store."""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from recollect.ingest.fields import Fields, Json
from recollect.ingest.problems import BadLine
from recollect.model.certainty import CERTAINTIES, SOURCE_KINDS, Certainty, SourceKind
from recollect.model.entity import NAME_LIMIT
from recollect.model.fact import LABELS, NOTHING, Label
from recollect.model.names import clean
from recollect.model.wording import snake
from recollect.write.ends import End

LITERAL_LIMIT = 10_000
_FACT_KEYS = frozenset(
    "edge_label fact_type predicate from to fact confidence valid_from valid_until source_kind attributes quote "
    "supersedes source_at source_url visibility known_to".split()
)
_ENTITY_KEYS = frozenset("name type aliases metadata properties".split())
_RECORD_KEYS = frozenset("id type title source_at url content metadata classification author".split())
_COMMON = frozenset({"record", "entities", "facts"})
DEFINITIONS = ("calendar", "era", "date")
_SAME_TYPE = {"company": "organization"}


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
    definition: tuple[str, Json] | None = None


def read_line(text: str) -> Line:
    """What one line says; a `BadLine` says what is wrong with it."""
    try:
        value = json.loads(text)
    except ValueError as problem:
        raise BadLine("line", f"is not JSON ({problem})") from None
    except RecursionError:
        raise BadLine("line", "is nested too deeply") from None
    return line_of(value)


def line_of(value: Any) -> Line:
    line = Fields(value, "line")
    digest = hash_of(value)
    defined = [key for key in DEFINITIONS if key in line.values]
    if defined:
        line.only(defined[:1])
        return Line(digest, definition=(defined[0], Fields(line.values[defined[0]], defined[0]).values))
    line.only(_COMMON)
    if not line.values:
        raise BadLine("line", "is empty; it needs a record, entities or facts")
    record = _record(Fields(line.values["record"], "record")) if line.values.get("record") is not None else None
    entities = tuple(_entity(item, f"entities[{i}]") for i, item in enumerate(line.items("entities")))
    facts = tuple(_fact(item, f"facts[{i}]") for i, item in enumerate(line.items("facts")))
    return Line(digest, record, entities, facts)


def hash_of(value: Any) -> str:
    """The hash of what a line says, whatever the order of its keys."""
    plain = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return blake2b(plain.encode(), digest_size=16).hexdigest()


def _record(fields: Fields) -> RecordPart:
    metadata = dict(fields.table("metadata"))
    beside = {key: value for key, value in fields.values.items() if key not in _RECORD_KEYS and value is not None}
    properties = {**beside, **metadata}
    if fields.values.get("classification") is not None:
        properties["classification"] = fields.word("classification", ("relevant", "noise"))
    author = fields.text("author") or _text_of(metadata.get("author"))
    url = fields.text("url") or _text_of(metadata.get("url"))
    return RecordPart(
        fields.needed("id"),
        snake(fields.text("type") or "generic"),
        fields.text("title"),
        author,
        fields.text("source_at"),
        url,
        fields.verbatim("content"),
        properties,
    )


def _text_of(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _entity(value: Any, path: str) -> End:
    fields = Fields(value, path)
    fields.only(_ENTITY_KEYS)
    aliases = fields.texts("aliases")
    for name in (fields.needed("name"), *aliases):
        _check_name(name, path)
    return End(
        clean(fields.needed("name")),
        stored_type(fields.text("type")),
        aliases,
        {**fields.table("properties"), **fields.table("metadata")},
        confirmed=True,
        reason="given",
    )


def _check_name(name: str, path: str) -> None:
    if len(clean(name)) > NAME_LIMIT:
        raise BadLine(path, f"a name has at most {NAME_LIMIT} characters")


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
    extra = {key: fields.values[key] for key in ("visibility", "known_to") if fields.values.get(key) is not None}
    subject = _end(fields.values.get("from"), f"{path}.from")
    if not isinstance(subject, End):
        raise BadLine(f"{path}.from", "should be a name or an object with a name")
    return FactPart(
        fields.word("edge_label", LABELS),
        fields.text("fact_type"),
        fields.text("predicate"),
        subject,
        _end(fields.values.get("to"), f"{path}.to"),
        fields.text("fact"),
        certainty,
        confidence,
        fields.word("source_kind", SOURCE_KINDS),
        fields.text("valid_from"),
        fields.text("valid_until"),
        fields.text("quote"),
        fields.text("supersedes"),
        fields.text("source_at"),
        fields.text("source_url"),
        {**fields.table("attributes"), **extra},
    )


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
        fields.only(("literal",))
        literal = fields.needed("literal")
        if len(literal) > LITERAL_LIMIT:
            raise BadLine(f"{path}.literal", f"has at most {LITERAL_LIMIT} characters")
        return literal
    fields.only(("name", "type"))
    return _named(fields.needed("name"), stored_type(fields.text("type")), path)


def _named(name: str, type_: str | None, path: str) -> End:
    if not clean(name):
        raise BadLine(path, "should not be blank")
    _check_name(name, path)
    return End(clean(name), type_)
