"""How a record asks to be filed: folio, tags, how much of it is held, what it was made from, when in its world."""

import math
from collections.abc import Mapping
from typing import Any

from recollect.ingest.documents import DocumentDraft
from recollect.ingest.fields import Json
from recollect.ingest.problems import BadLine, too_long
from recollect.ingest.stating import time_of
from recollect.model.certainty import SOURCE_KINDS
from recollect.model.document import KEY_LIMIT
from recollect.model.filing import (
    CONFIDENCE,
    DERIVED_FROM,
    FOLIO,
    FOLIO_ID,
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
from recollect.model.ids import DocumentId, is_id, read_id
from recollect.store.change import Change
from recollect.store.view import View
from recollect.write.folio import NAME_LIMIT, bare_name, find_or_make_folio
from recollect.write.record import fix_timeline

_TEXTS = (MIME, SESSION, STREAM, SUMMARY, MESH_URI, WORLD_TIME)
KEYS = frozenset({*_TEXTS, FOLIO, TAGS, TIER, RETENTION_DAYS, DERIVED_FROM, SOURCE_KIND, CONFIDENCE})
DARK = 3
_LEFT_OF_DARK = frozenset({TIER, MESH_URI, RETENTION_DAYS})


def file_record(change: Change, draft: DocumentDraft) -> DocumentDraft:
    """The record as it is to be held: its text or, in its place, a summary; nothing but its place if it is dark.

    A `BadLine` names what cannot be taken.
    """
    if KEYS.isdisjoint(draft.properties):
        return draft
    held = {**draft.properties, **_checked(draft.properties)}
    if FOLIO in held:
        folio, _ = find_or_make_folio(change, held[FOLIO])
        held |= {FOLIO: folio.name, FOLIO_ID: folio.id}
    if DERIVED_FROM in held:
        held[DERIVED_FROM] = [the_document(change, each) for each in held[DERIVED_FROM]]
    if WORLD_TIME in held:
        held[WORLD_TIME] = time_of(change, held[WORLD_TIME], f"record.{WORLD_TIME}").text
        fix_timeline(change)
    tier = held.get(TIER, 0 if draft.text else 2)
    if tier == DARK:
        left = {key: held[key] for key in _LEFT_OF_DARK & held.keys()}
        return draft._replace(title=None, author=None, url=None, text=None, properties=left)
    return draft._replace(text=draft.text if tier == 0 else None, properties=held, found_by=held.get(SUMMARY))


def _checked(given: Json) -> dict[str, Any]:
    """The keys of filing that are present, each in its one form."""
    found: dict[str, Any] = {key: _text(given, key) for key in _TEXTS if key in given}
    if FOLIO in given:
        found[FOLIO] = folio_name(given[FOLIO], f"record.{FOLIO}")
    if TAGS in given:
        found[TAGS] = tags(given[TAGS], f"record.{TAGS}")
    if TIER in given:
        found[TIER] = _tier(given[TIER])
    if RETENTION_DAYS in given:
        found[RETENTION_DAYS] = _days(given[RETENTION_DAYS])
    if DERIVED_FROM in given:
        found[DERIVED_FROM] = _listed(given[DERIVED_FROM], f"record.{DERIVED_FROM}")
    return found | how_sure_of(given, "record")


def how_sure_of(given: Json, path: str) -> dict[str, Any]:
    """The source_kind and confidence that a document is given."""
    found: dict[str, Any] = {}
    if SOURCE_KIND in given:
        kind = given[SOURCE_KIND]
        if not isinstance(kind, str) or kind.strip().casefold() not in SOURCE_KINDS:
            raise BadLine(f"{path}.{SOURCE_KIND}", f"should be one of {', '.join(SOURCE_KINDS)}")
        found[SOURCE_KIND] = kind.strip().casefold()
    if CONFIDENCE in given:
        sure = given[CONFIDENCE]
        if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
            raise BadLine(f"{path}.{CONFIDENCE}", "should be a number 0..1")
        found[CONFIDENCE] = float(sure)
    return found


def _text(given: Json, key: str) -> str:
    value = given[key]
    if not isinstance(value, str):
        raise BadLine(f"record.{key}", "should be a string")
    return _short(value.strip(), f"record.{key}") if key != SUMMARY else value.strip()


def _short(text: str, path: str) -> str:
    if len(text) > KEY_LIMIT:
        raise too_long(path, text, KEY_LIMIT)
    return text


def folio_name(value: Any, path: str) -> str:
    name = bare_name(value) if isinstance(value, str) else ""
    if not 1 <= len(name) <= NAME_LIMIT or not name.isprintable():
        raise BadLine(path, f"should be a name of 1..{NAME_LIMIT} characters")
    return name


def tags(value: Any, path: str) -> list[str]:
    """Tags without the mark before them, each once."""
    found = (_short(each.removeprefix("#").strip(), path) for each in _listed(value, path))
    return list(dict.fromkeys(tag for tag in found if tag))


def _listed(value: Any, path: str) -> list[str]:
    found = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in found):
        raise BadLine(path, "should be a string or a list of strings")
    return [each.strip() for each in found if each.strip()]


def _tier(value: Any) -> int:
    if isinstance(value, bool) or value not in (0, 1, 2, 3):
        raise BadLine(f"record.{TIER}", "should be 0, 1, 2 or 3")
    return int(value)


def _days(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise BadLine(f"record.{RETENTION_DAYS}", "should be a number of days")
    return value


def the_document(view: View, named: str) -> DocumentId:
    """The document that a record id or a UUID names."""
    found = document_named(view, named)
    if found is None:
        raise BadLine(f"record.{DERIVED_FROM}", f"{named!r} names no document that is here")
    return found


def document_named(view: View, named: str) -> DocumentId | None:
    """The live document of a UUID or a record id."""
    by_id = view.document(DocumentId(read_id(named))) if is_id(named) else None
    found = by_id or view.document_named("record", named) or view.document_named("memory", named)
    return found.id if found is not None and not found.deleted else None


def summary_of(properties: Mapping[str, Any]) -> str | None:
    said = properties.get(SUMMARY)
    return said if isinstance(said, str) else None
