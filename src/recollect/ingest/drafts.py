"""Drafts of documents, and of the entities and relations that one states, before anything is resolved."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from recollect.model.document import DocumentKind
from recollect.model.fact import NOTHING
from recollect.model.ids import DocumentId
from recollect.when.instant import Instant

ExtractionMethod = Literal[
    "front_matter", "structured", "gedcom", "dialogue", "fact_line", "pattern", "link", "model", "given"
]


class NameRef(NamedTuple):
    """An end of a relation by name or id; `type` only if the document gave one, `guess` where its place tells it.

    `reason` says what brings it in, if nobody knows it yet.
    """

    name: str
    type: str | None = None
    guess: str | None = None
    reason: str | None = None


class KeyRef(NamedTuple):
    """An end that the document itself describes under a key of its own."""

    key: str


class LiteralTarget(NamedTuple):
    """A literal."""

    text: str


DraftEnd = NameRef | KeyRef
DraftTarget = NameRef | KeyRef | LiteralTarget | None


class EntityDraft(NamedTuple):
    """A thing that the document describes; `key` tells namesakes apart inside the document."""

    name: str
    label: str
    line: int
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, Any] = NOTHING
    key: str | None = None


class SupersededDraft(NamedTuple):
    """A relation that the document declares replaced, by its ends in place of an id."""

    subject: NameRef
    relation: str
    target: NameRef
    valid_from: str | None = None


class RelationDraft(NamedTuple):
    """A relation that the document states; times are texts, the relation's name is as written."""

    subject: DraftEnd
    relation: str
    target: DraftTarget
    line: int
    item: str
    valid_from: str | None = None
    valid_until: str | None = None
    confidence: float = 1.0
    attributes: Mapping[str, Any] = NOTHING
    quote: str | None = None
    supersedes: str | SupersededDraft | None = None
    extraction: ExtractionMethod = "structured"
    is_event: bool = False


class UnreadableItem(NamedTuple):
    """A line or item that could not be read, and why."""

    line: int
    item: str
    reason: str


class SourceDraft(NamedTuple):
    """All that a document states, what of it could not be read, and what its own text does not bear out."""

    entities: tuple[EntityDraft, ...] = ()
    relations: tuple[RelationDraft, ...] = ()
    links: tuple[tuple[str, int], ...] = ()
    unread: tuple[UnreadableItem, ...] = ()
    warnings: tuple[str, ...] = ()
    dropped: tuple[UnreadableItem, ...] = ()


class DocumentDraft(NamedTuple):
    """A document to be stored.

    `found_by` is indexed in place of a text that is not stored; `said` is the part of a text that is not ours.
    """

    kind: DocumentKind
    type: str
    key: str
    title: str | None
    author: str | None
    url: str | None
    source_at: Instant
    text: str | None
    properties: Mapping[str, Any] = NOTHING
    found_by: str | None = None
    id: DocumentId | None = None
    said: str | None = None
