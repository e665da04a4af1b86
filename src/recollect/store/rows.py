"""Rows to frozen records and back: the one place that knows how a value is stored in a column."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import DocumentId
from recollect.model.names import Name, digits
from recollect.model.page import Item, ResultPage
from recollect.store.port import Row
from recollect.when.period import Time

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_EMPTY: Mapping[str, Any] = {}
_NO_TIME: Row = (None, None, None, None)
FACT_WIDTH = 36
DOCUMENT_WIDTH = 12


def read_json(text: str) -> Mapping[str, Any]:
    return _EMPTY if text == "{}" else json.loads(text)


def write_json(value: Mapping[str, Any]) -> str:
    return _JSON.encode(value) if value else "{}"


def _read_time(text: str | None, lo: int | None, hi: int | None, grain: Any) -> Time | None:
    if text is None or lo is None or hi is None:
        return None
    return Time(text, lo, hi, "~" in text or "[" in text, grain)


def _time_columns(time: Time) -> Row:
    return time.text, time.lo, time.hi, time.grain


def page_of(rows: Sequence[Row], read: Callable[[Row], Item]) -> ResultPage[Item]:
    """A page of rows whose last column is how many there are in all."""
    return ResultPage([read(row[:-1]) for row in rows], int(rows[0][-1]) if rows else 0)


def fact_of(row: Row) -> Fact:
    """The fact of a row that begins with `@fact_columns`."""
    (
        id_, tx_from, subject, predicate, object_, literal, label, fact_type, policy, slot, is_alias, words, evidence,
        since, since_lo, since_hi, since_grain, until, until_lo, until_hi, until_grain, begins, until_said_at,
        source_at, recorded_at, confirmed_at, confidence, certainty, source_kind, stale, replaced_by, disputed,
        supersedes, attributes, newest, source_count,
    ) = row[:FACT_WIDTH]  # fmt: skip
    return Fact(
        id_, tx_from, subject, predicate, object_, literal, label, fact_type, policy, slot, is_alias == 1, words,
        evidence,
        None if since is None else _read_time(since, since_lo, since_hi, since_grain),
        None if until is None else _read_time(until, until_lo, until_hi, until_grain),
        begins, until_said_at, source_at, recorded_at, confirmed_at, confidence, certainty, source_kind, stale == 1,
        replaced_by, disputed == 1, supersedes,
        _EMPTY if attributes == "{}" else read_json(attributes), newest, source_count,
    )  # fmt: skip


def fact_row(ws: int, tx_to: int, fact: Fact) -> Row:
    # Every ingested fact passes here: no calls for what most facts do not have.
    since, until, attributes = fact.valid_from, fact.valid_until, fact.attributes
    return (
        ws, fact.id, fact.tx_from, tx_to, fact.subject, fact.predicate, fact.object, fact.literal, fact.label,
        fact.fact_type, fact.policy, fact.slot, 1 if fact.is_alias else 0, fact.words, fact.evidence,
        *(_NO_TIME if since is None else _time_columns(since)), *(_NO_TIME if until is None else _time_columns(until)),
        fact.begins, fact.until_said_at, fact.source_at, fact.recorded_at, fact.confirmed_at, fact.confidence,
        fact.certainty, fact.source_kind, 1 if fact.stale else 0, fact.replaced_by, 1 if fact.disputed else 0,
        fact.supersedes, write_json(attributes) if attributes else "{}", fact.newest, fact.source_count,
    )  # fmt: skip


def assertion_of(row: Row) -> Assertion:
    """The assertion of a row with `@assertion_columns`."""
    (
        id_, tx_from, fact, document, source_key, source_url, given, quote, evidence, extracted_by, surface, tool,
        actor, source_at, recorded_at, confidence, certainty, source_kind, since, since_lo, since_hi, since_grain,
        until, until_lo, until_hi, until_grain, begins, attributes,
    ) = row  # fmt: skip
    return Assertion(
        id_, tx_from, fact, document, source_key, source_url, given, quote, evidence, extracted_by, surface, tool,
        actor, source_at, recorded_at, confidence, certainty, source_kind,
        _read_time(since, since_lo, since_hi, since_grain), _read_time(until, until_lo, until_hi, until_grain),
        begins, read_json(attributes),
    )  # fmt: skip


def assertion_row(ws: int, tx_to: int, assertion: Assertion) -> Row:
    since, until, attributes = assertion.valid_from, assertion.valid_until, assertion.attributes
    return (
        ws, assertion.id, assertion.tx_from, tx_to, assertion.fact, assertion.document, assertion.source_key,
        assertion.source_url, assertion.given, assertion.quote, assertion.evidence, assertion.extracted_by,
        assertion.surface, assertion.tool, assertion.actor, assertion.source_at, assertion.recorded_at,
        assertion.confidence, assertion.certainty, assertion.source_kind,
        *(_NO_TIME if since is None else _time_columns(since)), *(_NO_TIME if until is None else _time_columns(until)),
        assertion.begins, write_json(attributes) if attributes else "{}",
    )  # fmt: skip


def entity_of(row: Row) -> Entity:
    """The entity of a row with `@entity_columns`."""
    (
        id_, tx_from, type_, name, folded, provisional, confidence, properties, created_at, confirmed_at, reason,
        merged_into, deleted,
    ) = row  # fmt: skip
    return Entity(
        id_, tx_from, type_, name, folded, provisional == 1, confidence,
        _EMPTY if properties == "{}" else read_json(properties),
        created_at, confirmed_at, reason, merged_into, deleted,
    )  # fmt: skip


def entity_row(ws: int, tx_to: int, entity: Entity) -> Row:
    return (
        ws, entity.id, entity.tx_from, tx_to, entity.type, entity.name, entity.folded, int(entity.provisional),
        entity.confidence, write_json(entity.properties), entity.created_at, entity.confirmed_at, entity.reason,
        entity.merged_into, entity.deleted,
    )  # fmt: skip


def name_row(ws: int, tx_from: int, tx_to: int, name: Name, place: int = 0) -> Row:
    entity, type_, spelling, kind, folded, key, trust = name
    return ws, folded, entity, kind, tx_from, tx_to, spelling, key, digits(folded), type_, place, trust


def document_of(row: Row) -> Document:
    """The document of a row that begins with `@document_columns`."""
    (
        id_, tx_from, kind, type_, key, title, author, url, source_at, content, properties, deleted,
    ) = row[:DOCUMENT_WIDTH]  # fmt: skip
    return Document(
        id_, tx_from, kind, type_, key, title, author, url, source_at, content, read_json(properties), deleted
    )


def document_row(ws: int, tx_to: int, document: Document) -> Row:
    return (
        ws, document.id, document.tx_from, tx_to, document.kind, document.type, document.key, document.title,
        document.author, document.url, document.source_at, document.content, write_json(document.properties),
        document.deleted,
    )  # fmt: skip


class EndedChunk(NamedTuple):
    """A passage that a transaction ended."""

    document: DocumentId
    seq: int
    start: int
    stop: int
    digest: str
    text: str
