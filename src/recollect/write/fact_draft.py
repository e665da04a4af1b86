"""A fact about to be written: its ends resolved and its times read; and the statement it becomes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.model.certainty import Confidence
from recollect.model.document import Document
from recollect.model.fact import NOTHING, Label, Source, Statement
from recollect.model.ids import EntityId, FactId
from recollect.model.trust import trust_in
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.when.period import Time
from recollect.write.predicates import claim

GIVEN = "given"
"""Extractor of facts that somebody stated as facts."""
RULES = "rules"
"""Extractor of facts that the built-in rules found in a record."""


class FactKind(NamedTuple):
    """The predicate of a fact, by name or by label and type, and how certain the fact is."""

    label: Label | None
    fact_type: str | None
    predicate: str | None
    sure: Confidence


class FactDraft(NamedTuple):
    """A fact to be written; every reader of a source produces these."""

    subject: EntityId
    object: EntityId | None
    literal: str | None
    kind: FactKind
    source_at: Instant
    source: Source
    words: str | None = None
    evidence: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    attributes: Mapping[str, Any] = NOTHING
    supersedes: FactId | None = None
    is_open_start: bool | None = None
    """Whether a fact without a start has always held; by default so on a fictional timeline."""


def statement_of(change: Change, draft: FactDraft) -> Statement:
    """The statement that a draft makes in this workspace; it may introduce a predicate."""
    # Every fact passes here; unpacking costs less than attributes, and `_make` half of the constructor.
    (
        subject, object_, literal, kind, source_at, source, words, evidence, start, end, attributes, supersedes,
        is_open_start,
    ) = draft  # fmt: skip
    label, fact_type, predicate, (certainty, source_kind, confidence) = kind
    claimed = claim(change, subject, object_, literal, predicate, label, fact_type)
    if is_open_start is None:
        is_open_start = change.timeline.is_fictional
    return Statement._make(
        (
            claimed, source_at, certainty, source_kind, confidence, words, evidence, start, end, is_open_start,
            source, attributes, supersedes,
        )
    )  # fmt: skip


def document_source(document: Document, extracted_by: str) -> Source:
    """A document as the source of its facts."""
    trust = trust_in(document.properties)
    return Source(document.id, document.key, document.url, None, None, extracted_by, trust)
