"""Filing metadata of a record: folio, tags, tier, retention, provenance and world time."""

import math
from typing import Any

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.fields import BadLine, Json, JsonFields, too_long_error
from recollect.ingest.statements import parse_time
from recollect.model.certainty import SOURCE_KINDS, is_confidence
from recollect.model.document import (
    CONFIDENCE,
    DERIVED_FROM,
    FOLIO,
    FOLIO_ID,
    KEY_LIMIT,
    MESH_URI,
    MIME,
    RETENTION_DAYS,
    SESSION,
    SOURCE_KIND,
    STREAM,
    SUMMARY,
    TAGS,
    TIER,
    WORLD_TIME,
)
from recollect.model.ids import DocumentId, parse_document_id
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.folios import NAME_LIMIT, find_or_create_folio, name_of_folio, set_readme
from recollect.write.record_statement import decide_timeline

_TEXT_KEYS = (MIME, SESSION, STREAM, SUMMARY, MESH_URI, WORLD_TIME)
FILING_KEYS = frozenset({*_TEXT_KEYS, FOLIO, TAGS, TIER, RETENTION_DAYS, DERIVED_FROM, SOURCE_KIND, CONFIDENCE})
DARK_TIER = 3
_KEYS_KEPT_WHEN_DARK = frozenset({TIER, MESH_URI, RETENTION_DAYS})


def file_record(change: Change, draft: DocumentDraft) -> DocumentDraft:
    """The record as it is stored: its text or a summary in its place; only its location if it is dark.

    A `BadLine` names the invalid field.
    """
    if FILING_KEYS.isdisjoint(draft.properties):
        return draft
    properties = {**draft.properties, **_checked_fields(draft.properties)}
    if FOLIO in properties:
        folio, _ = find_or_create_folio(change, properties[FOLIO])
        properties |= {FOLIO: folio.name, FOLIO_ID: folio.id}
    if DERIVED_FROM in properties:
        properties[DERIVED_FROM] = [require_document(change, each) for each in properties[DERIVED_FROM]]
    if WORLD_TIME in properties:
        properties[WORLD_TIME] = parse_time(change, properties[WORLD_TIME], f"record.{WORLD_TIME}").text
        decide_timeline(change)
    tier = properties.get(TIER, 0 if draft.text else 2)
    if tier == DARK_TIER:
        left = {key: properties[key] for key in _KEYS_KEPT_WHEN_DARK & properties.keys()}
        return draft._replace(title=None, author=None, url=None, text=None, properties=left)
    return draft._replace(
        text=draft.text if tier == 0 else None, properties=properties, found_by=properties.get(SUMMARY)
    )


def _checked_fields(given: Json) -> dict[str, Any]:
    """The filing keys that are present, in canonical form."""
    found: dict[str, Any] = {key: _text_field(given, key) for key in _TEXT_KEYS if key in given}
    if FOLIO in given:
        found[FOLIO] = parse_folio_name(given[FOLIO], f"record.{FOLIO}")
    if TAGS in given:
        found[TAGS] = parse_tags(given[TAGS], f"record.{TAGS}")
    if TIER in given:
        found[TIER] = _parse_tier(given[TIER])
    if RETENTION_DAYS in given:
        found[RETENTION_DAYS] = _parse_days(given[RETENTION_DAYS])
    if DERIVED_FROM in given:
        found[DERIVED_FROM] = _string_list(given[DERIVED_FROM], f"record.{DERIVED_FROM}")
    return found | certainty_fields(given, "record")


def certainty_fields(given: Json, path: str) -> dict[str, Any]:
    """The source_kind and confidence that a document is given."""
    found: dict[str, Any] = {}
    if SOURCE_KIND in given:
        kind = given[SOURCE_KIND]
        if not isinstance(kind, str) or kind.strip().casefold() not in SOURCE_KINDS:
            raise BadLine(f"{path}.{SOURCE_KIND}", f"should be one of {', '.join(SOURCE_KINDS)}")
        found[SOURCE_KIND] = kind.strip().casefold()
    if CONFIDENCE in given:
        sure = given[CONFIDENCE]
        if not is_confidence(sure):
            raise BadLine(f"{path}.{CONFIDENCE}", "should be a number 0..1")
        found[CONFIDENCE] = float(sure)
    return found


def _text_field(given: Json, key: str) -> str:
    value = given[key]
    if not isinstance(value, str):
        raise BadLine(f"record.{key}", "should be a string")
    return _limit_length(value.strip(), f"record.{key}") if key != SUMMARY else value.strip()


def _limit_length(text: str, path: str) -> str:
    if len(text) > KEY_LIMIT:
        raise too_long_error(path, text, KEY_LIMIT)
    return text


def parse_folio_name(value: Any, path: str) -> str:
    name = name_of_folio(value) if isinstance(value, str) else ""
    if not 1 <= len(name) <= NAME_LIMIT or not name.isprintable():
        raise BadLine(path, f"should be a name of 1..{NAME_LIMIT} characters")
    return name


def parse_tags(value: Any, path: str) -> list[str]:
    """Tags without their leading hash, each once."""
    found = (_limit_length(each.removeprefix("#").strip(), path) for each in _string_list(value, path))
    return list(dict.fromkeys(tag for tag in found if tag))


def _string_list(value: Any, path: str) -> list[str]:
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in found):
        raise BadLine(path, "should be a string or a list of strings")
    return [each.strip() for each in found if each.strip()]


def _parse_tier(value: Any) -> int:
    if isinstance(value, bool) or value not in (0, 1, 2, 3):
        raise BadLine(f"record.{TIER}", "should be 0, 1, 2 or 3")
    return int(value)


def _parse_days(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise BadLine(f"record.{RETENTION_DAYS}", "should be a number of days")
    return value


def require_document(view: View, named: str) -> DocumentId:
    """The document that a record id or a UUID names."""
    found = find_document(view, named)
    if found is None:
        raise BadLine(f"record.{DERIVED_FROM}", f"no document {named!r} in this workspace")
    return found


def find_document(view: View, named: str) -> DocumentId | None:
    """The live document of a UUID or a record id."""
    by_id = view.document(id_) if (id_ := parse_document_id(named)) else None
    found = by_id or view.document_named("record", named) or view.document_named("memory", named)
    return found.id if found is not None and not found.deleted else None


def write_folio_line(change: Change, given: Json) -> bool:
    """Whether the line created a folio or changed its readme."""
    fields = JsonFields(given, "folio")
    fields.reject_unknown({"name", "readme"})
    readme = fields.raw_text("readme")
    folio, is_new = find_or_create_folio(change, parse_folio_name(fields.required_text("name"), "folio.name"))
    changed = folio if readme is None else set_readme(change, folio, readme)
    return is_new or changed != folio
