"""Rows to frozen records and back: the one place that knows how a value lies in a column."""

import json
from collections.abc import Mapping
from typing import Any

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.names import Name, digits
from recollect.store.port import Row
from recollect.when.period import Time

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_NOTHING: Mapping[str, Any] = {}
_NO_TIME: Row = (None, None, None, None)


def read_json(text: str) -> Mapping[str, Any]:
    return _NOTHING if text == "{}" else json.loads(text)


def write_json(value: Mapping[str, Any]) -> str:
    return _JSON.encode(value) if value else "{}"


def _time(text: str | None, lo: int, hi: int, grain: Any) -> Time | None:
    if text is None:
        return None
    return Time(text, lo, hi, "~" in text or "[" in text, grain)


def _columns(time: Time) -> Row:
    return time.text, time.lo, time.hi, time.grain


def fact_of(row: Row) -> Fact:
    since, until, attributes = row[13], row[17], row[33]
    return Fact._make(
        (
            *row[:10],
            row[10] == 1,
            *row[11:13],
            None if since is None else _time(*row[13:17]),
            None if until is None else _time(*row[17:21]),
            *row[21:29],
            row[29] == 1,
            row[30],
            row[31] == 1,
            row[32],
            _NOTHING if attributes == "{}" else read_json(attributes),
            *row[34:36],
        )
    )


def fact_row(ws: int, tx_to: int, fact: Fact) -> Row:
    # Every fact passes here: one unpacking costs less than thirty attributes.
    (
        id_, tx_from, subject, predicate, object_, literal, label, fact_type, policy, slot, is_alias, words, evidence,
        since, until, begins, until_said_at, source_at, recorded_at, confirmed_at, confidence, certainty, source_kind,
        stale, replaced_by, disputed, supersedes, attributes, newest, source_count,
    ) = fact  # fmt: skip
    since_text, since_lo, since_hi, since_grain = _NO_TIME if since is None else _columns(since)
    until_text, until_lo, until_hi, until_grain = _NO_TIME if until is None else _columns(until)
    return (
        ws, id_, tx_from, tx_to, subject, predicate, object_, literal, label, fact_type, policy, slot,
        1 if is_alias else 0, words, evidence,
        since_text, since_lo, since_hi, since_grain, until_text, until_lo, until_hi, until_grain,
        begins, until_said_at, source_at, recorded_at, confirmed_at, confidence, certainty, source_kind,
        1 if stale else 0, replaced_by, 1 if disputed else 0, supersedes,
        write_json(attributes) if attributes else "{}", newest, source_count,
    )  # fmt: skip


def assertion_of(row: Row) -> Assertion:
    return Assertion._make((*row[:18], _time(*row[18:22]), _time(*row[22:26]), row[26], read_json(row[27])))


def assertion_row(ws: int, tx_to: int, assertion: Assertion) -> Row:
    (
        id_, tx_from, fact, document, source_key, source_url, given, quote, evidence, extracted_by, surface, tool,
        actor, source_at, recorded_at, confidence, certainty, source_kind, since, until, begins, attributes,
    ) = assertion  # fmt: skip
    since_text, since_lo, since_hi, since_grain = _NO_TIME if since is None else _columns(since)
    until_text, until_lo, until_hi, until_grain = _NO_TIME if until is None else _columns(until)
    return (
        ws, id_, tx_from, tx_to, fact, document, source_key, source_url, given, quote, evidence, extracted_by, surface,
        tool, actor, source_at, recorded_at, confidence, certainty, source_kind,
        since_text, since_lo, since_hi, since_grain, until_text, until_lo, until_hi, until_grain, begins,
        write_json(attributes) if attributes else "{}",
    )  # fmt: skip


def entity_of(row: Row) -> Entity:
    return Entity._make((*row[:5], row[5] == 1, row[6], read_json(row[7]), *row[8:]))


def entity_row(ws: int, tx_to: int, entity: Entity) -> Row:
    return (
        ws,
        entity.id,
        entity.tx_from,
        tx_to,
        entity.type,
        entity.name,
        entity.folded,
        int(entity.provisional),
        entity.confidence,
        write_json(entity.properties),
        *entity[8:],
    )


def name_row(ws: int, tx_from: int, tx_to: int, name: Name, place: int = 0) -> Row:
    return (
        ws,
        name.folded,
        name.entity,
        name.kind,
        tx_from,
        tx_to,
        name.spelling,
        name.key,
        digits(name.folded),
        name.type,
        place,
    )


def document_of(row: Row) -> Document:
    return Document._make((*row[:10], read_json(row[10]), row[11]))


def document_row(ws: int, tx_to: int, document: Document) -> Row:
    return (
        ws,
        document.id,
        document.tx_from,
        tx_to,
        *document[2:10],
        write_json(document.properties),
        document.deleted,
    )
