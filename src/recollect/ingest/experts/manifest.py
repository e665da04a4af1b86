"""The manifest of an expert, and its validation."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.errors import Refused
from recollect.ingest.line_parts import stored_type
from recollect.model.similarity import to_snake_case
from recollect.text.patterns import BadPattern, UserPattern, user_pattern

_VERSION = re.compile(r"\d+\.\d+\.\d+")
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}", re.IGNORECASE)
REQUIRED_KEYS = ("name", "version", "source_type", "record_types")
KNOWN_KEYS = frozenset(
    (
        *REQUIRED_KEYS,
        *"schemas dedup_key relevancy_check new_entity_types fact_types identifier_patterns author description".split(),
    )
)
RELEVANCY = ("skip", "required")
SCOPES = ("global", "source")


class BadManifest(Refused):
    code = "bad_manifest"

    def __init__(self, faults: list[str]) -> None:
        super().__init__(f"its manifest is wrong: {'; '.join(faults)}")
        self.faults = faults


@dataclass(frozen=True, slots=True)
class IdentifierPattern:
    """What identifies entities of one type: a property, or a name or property of a certain form."""

    entity_type: str
    is_global: bool
    """Whether it means the same in every source, or only among records of the expert's own."""
    field: str | None
    pattern: UserPattern | None


@dataclass(frozen=True, slots=True)
class ExpertManifest:
    """A validated manifest."""

    name: str
    version: str
    source_type: str
    record_types: tuple[str, ...]
    schemas: Mapping[str, Any]
    dedup_key: str | None
    requires_relevancy_check: bool
    """Whether its `classify` is called before it reads a record."""
    description: str | None
    entity_types: tuple[str, ...] = ()
    fact_types: tuple[str, ...] = ()
    identifiers: tuple[IdentifierPattern, ...] = ()


def parse_manifest(given: Any) -> ExpertManifest:
    """Parse a manifest; the error lists every problem."""
    if not isinstance(given, Mapping):
        raise BadManifest(["it is not a mapping"])
    faults = list(_faults(given))
    if faults:
        raise BadManifest(faults)
    schemas = given.get("schemas") or {}
    return ExpertManifest(
        given["name"],
        given["version"],
        given["source_type"],
        tuple(to_snake_case(each) for each in given["record_types"]),
        {to_snake_case(name): schema for name, schema in schemas.items()},
        given.get("dedup_key"),
        given.get("relevancy_check") == "required",
        given.get("description"),
        tuple(given.get("new_entity_types") or ()),
        tuple(to_snake_case(each) for each in given.get("fact_types") or ()),
        tuple(_parse_identifier(each) for each in given.get("identifier_patterns") or ()),
    )


def _parse_identifier(given: Mapping[str, Any]) -> IdentifierPattern:
    pattern = user_pattern(given["pattern"]) if given.get("pattern") is not None else None
    return IdentifierPattern(
        stored_type(given["entity_type"]) or "", given["scope"] == "global", given.get("field"), pattern
    )


def _faults(given: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{key} is required" for key in REQUIRED_KEYS if not given.get(key))
    yield from (f"{key} is not known" for key in given if key not in KNOWN_KEYS)
    for key in ("name", "version", "source_type", "dedup_key", "author", "description"):
        if given.get(key) is not None and not isinstance(given[key], str):
            yield f"{key} should be a string"
    if isinstance(given.get("name"), str) and not _NAME.fullmatch(given["name"]):
        yield "name should be letters, digits, dots, hyphens or underscores"
    if isinstance(given.get("version"), str) and not _VERSION.fullmatch(given["version"]):
        yield "version should be X.Y.Z"
    for key in ("record_types", "new_entity_types", "fact_types"):
        if given.get(key) is not None and not _is_string_list(given[key]):
            yield f"{key} should be a list of strings"
    if given.get("relevancy_check") not in (None, *RELEVANCY):
        yield f"relevancy_check should be one of {', '.join(RELEVANCY)}"
    yield from _schema_faults(given)
    yield from _pattern_faults(given)


def _is_string_list(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) and each.strip() for each in value)


def _schema_faults(given: Mapping[str, Any]) -> Iterator[str]:
    schemas = given.get("schemas")
    if schemas is None:
        return
    if not isinstance(schemas, Mapping):
        yield "schemas should map record types to JSON Schemas"
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    owned = given.get("record_types") if _is_string_list(given.get("record_types")) else ()
    for name, schema in schemas.items():
        if name not in (owned or ()):
            yield f"schemas: {name} is not one of its record types"
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as problem:
            yield f"schemas: {name} is not a valid JSON Schema ({problem.message[:80]})"
        if "patternProperties" in str(schema):
            yield f"schemas: {name} uses patternProperties; name the properties instead"


def _pattern_faults(given: Mapping[str, Any]) -> Iterator[str]:
    patterns = given.get("identifier_patterns")
    if patterns is None:
        return
    if not isinstance(patterns, list | tuple):
        yield "identifier_patterns should be a list"
        return
    for place, each in enumerate(patterns):
        if not isinstance(each, Mapping) or not isinstance(each.get("entity_type"), str):
            yield f"identifier_patterns[{place}] needs an entity_type"
        elif each.get("scope") not in SCOPES:
            yield f"identifier_patterns[{place}].scope should be one of {', '.join(SCOPES)}"
        elif (each.get("pattern") is None) is (each.get("field") is None):
            yield f"identifier_patterns[{place}] needs either a pattern or a field"
        elif not isinstance(each.get("field") or each.get("pattern"), str):
            yield f"identifier_patterns[{place}] needs a text as its pattern or field"
        elif each.get("pattern") is not None and not _compiles(each["pattern"]):
            yield f"identifier_patterns[{place}].pattern is not a valid regular expression"


def _compiles(pattern: str) -> bool:
    try:
        user_pattern(pattern)
    except BadPattern:
        return False
    return True
