"""Rows to frozen records and back: the one place that knows how a value is stored in a column."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from recollect.model.certainty import Certainty, SourceKind
from recollect.model.document import Document, DocumentKind
from recollect.model.entity import Entity
from recollect.model.fact import Assertion, Fact, Label, Policy
from recollect.model.ids import AssertionId, DocumentId, EntityId, FactId
from recollect.model.names import Name, digits
from recollect.store.port import Row
from recollect.when.instant import Instant
from recollect.when.period import Time

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
_EMPTY: Mapping[str, Any] = {}
_NO_TIME: Row = (None, None, None, None)
FACT_WIDTH = 36
ASSERTION_WIDTH = 28
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


class FactColumns(NamedTuple):
    """The columns of `@fact_columns`."""

    id: FactId
    tx_from: int
    subject: EntityId
    predicate: str
    object: EntityId | None
    literal: str | None
    label: Label
    fact_type: str
    policy: Policy
    slot: int
    is_alias: int
    words: str | None
    evidence: str | None
    valid_from: str | None
    from_lo: int | None
    from_hi: int | None
    from_grain: str | None
    valid_until: str | None
    until_lo: int | None
    until_hi: int | None
    until_grain: str | None
    begins: int
    until_said_at: Instant | None
    source_at: Instant
    recorded_at: Instant
    confirmed_at: Instant
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    stale: int
    replaced_by: FactId | None
    disputed: int
    supersedes: FactId | None
    attributes: str
    newest: AssertionId
    source_count: int

    def to_fact(self) -> Fact:
        # Bulk reads pass here: one unpacking, which is checked against the fields, costs half of forty attributes.
        (
            id_, tx_from, subject, predicate, object_, literal, label, fact_type, policy, slot, is_alias, words,
            evidence, since, since_lo, since_hi, since_grain, until, until_lo, until_hi, until_grain, begins,
            until_said_at, source_at, recorded_at, confirmed_at, confidence, certainty, source_kind, stale,
            replaced_by, disputed, supersedes, attributes, newest, source_count,
        ) = self  # fmt: skip
        return Fact(
            id_, tx_from, subject, predicate, object_, literal, label, fact_type, policy, slot, is_alias == 1, words,
            evidence,
            None if since is None else _read_time(since, since_lo, since_hi, since_grain),
            None if until is None else _read_time(until, until_lo, until_hi, until_grain),
            begins, until_said_at, source_at, recorded_at, confirmed_at, confidence, certainty, source_kind, stale == 1,
            replaced_by, disputed == 1, supersedes,
            _EMPTY if attributes == "{}" else read_json(attributes), newest, source_count,
        )  # fmt: skip


def to_facts(rows: Iterable[FactColumns]) -> list[Fact]:
    return [row.to_fact() for row in rows]


def fact_of(row: Row) -> Fact:
    """The fact of a row that begins with its columns."""
    return FactColumns._make(row[:FACT_WIDTH]).to_fact()


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


class AssertionColumns(NamedTuple):
    """The columns of `@assertion_columns`."""

    id: AssertionId
    tx_from: int
    fact: FactId
    document: DocumentId | None
    source_key: str
    source_url: str | None
    given: str | None
    quote: str | None
    evidence: str | None
    extracted_by: str
    surface: str
    tool: str
    actor: str
    source_at: Instant
    recorded_at: Instant
    confidence: float
    certainty: Certainty
    source_kind: SourceKind
    valid_from: str | None
    from_lo: int | None
    from_hi: int | None
    from_grain: str | None
    valid_until: str | None
    until_lo: int | None
    until_hi: int | None
    until_grain: str | None
    begins: int
    attributes: str

    def to_assertion(self) -> Assertion:
        return Assertion(
            self.id, self.tx_from, self.fact, self.document, self.source_key, self.source_url, self.given, self.quote,
            self.evidence, self.extracted_by, self.surface, self.tool, self.actor, self.source_at, self.recorded_at,
            self.confidence, self.certainty, self.source_kind,
            _read_time(self.valid_from, self.from_lo, self.from_hi, self.from_grain),
            _read_time(self.valid_until, self.until_lo, self.until_hi, self.until_grain),
            self.begins, read_json(self.attributes),
        )  # fmt: skip


def assertion_of(row: Row) -> Assertion:
    """The assertion of a row that begins with its columns."""
    return AssertionColumns._make(row[:ASSERTION_WIDTH]).to_assertion()


def assertion_row(ws: int, tx_to: int, said: Assertion) -> Row:
    since, until, attributes = said.valid_from, said.valid_until, said.attributes
    return (
        ws, said.id, said.tx_from, tx_to, said.fact, said.document, said.source_key, said.source_url, said.given,
        said.quote, said.evidence, said.extracted_by, said.surface, said.tool, said.actor, said.source_at,
        said.recorded_at, said.confidence, said.certainty, said.source_kind,
        *(_NO_TIME if since is None else _time_columns(since)), *(_NO_TIME if until is None else _time_columns(until)),
        said.begins, write_json(attributes) if attributes else "{}",
    )  # fmt: skip


class EntityColumns(NamedTuple):
    """The columns of `@entity_columns`."""

    id: EntityId
    tx_from: int
    type: str
    name: str
    folded: str
    provisional: int
    confidence: float
    properties: str
    created_at: Instant
    confirmed_at: Instant
    reason: str
    merged_into: EntityId | None
    deleted: str | None

    def to_entity(self) -> Entity:
        (
            id_, tx_from, type_, name, folded, provisional, confidence, properties, created_at, confirmed_at, reason,
            merged_into, deleted,
        ) = self  # fmt: skip
        return Entity(
            id_, tx_from, type_, name, folded, provisional == 1, confidence,
            _EMPTY if properties == "{}" else read_json(properties),
            created_at, confirmed_at, reason, merged_into, deleted,
        )  # fmt: skip


def entity_of(row: Row) -> Entity:
    return EntityColumns._make(row).to_entity()


def entity_row(ws: int, tx_to: int, entity: Entity) -> Row:
    return (
        ws, entity.id, entity.tx_from, tx_to, entity.type, entity.name, entity.folded, int(entity.provisional),
        entity.confidence, write_json(entity.properties), entity.created_at, entity.confirmed_at, entity.reason,
        entity.merged_into, entity.deleted,
    )  # fmt: skip


def name_row(ws: int, tx_from: int, tx_to: int, name: Name, place: int = 0) -> Row:
    entity, type_, spelling, kind, folded, key, trust = name
    return ws, folded, entity, kind, tx_from, tx_to, spelling, key, digits(folded), type_, place, trust


class DocumentColumns(NamedTuple):
    """The columns of `@document_columns`."""

    id: DocumentId
    tx_from: int
    kind: DocumentKind
    type: str
    key: str
    title: str | None
    author: str | None
    url: str | None
    source_at: Instant
    content: str | None
    properties: str
    deleted: str | None

    def to_document(self) -> Document:
        return Document(
            self.id, self.tx_from, self.kind, self.type, self.key, self.title, self.author, self.url, self.source_at,
            self.content, read_json(self.properties), self.deleted,
        )  # fmt: skip


def document_of(row: Row) -> Document:
    """The document of a row that begins with its columns."""
    return DocumentColumns._make(row[:DOCUMENT_WIDTH]).to_document()


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
