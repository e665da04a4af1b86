"""What a document states, before anything is looked up or written."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from recollect.model.fact import NOTHING

Extraction = Literal[
    "front_matter", "structured", "gedcom", "dialogue", "fact_line", "pattern", "link", "model", "given"
]


class Named(NamedTuple):
    """An end of a relation by name or id; `type` only if the document gave one, `guess` where its place tells it.

    `reason` says what brings it in, if nobody knows it yet.
    """

    name: str
    type: str | None = None
    guess: str | None = None
    reason: str | None = None


class Keyed(NamedTuple):
    """An end that the document itself describes under a key of its own."""

    key: str


class Text(NamedTuple):
    """A literal."""

    text: str


End = Named | Keyed
Target = Named | Keyed | Text | None


class EntityDraft(NamedTuple):
    """A thing that the document describes; `key` tells namesakes apart inside the document."""

    name: str
    label: str
    line: int
    aliases: tuple[str, ...] = ()
    properties: Mapping[str, Any] = NOTHING
    key: str | None = None


class Retold(NamedTuple):
    """A relation that the document declares replaced, by its ends in place of an id."""

    subject: Named
    relation: str
    target: Named
    valid_from: str | None = None


class RelationDraft(NamedTuple):
    """A relation that the document states; times are texts, the relation's name is as written."""

    subject: End
    relation: str
    target: Target
    line: int
    item: str
    valid_from: str | None = None
    valid_until: str | None = None
    confidence: float = 1.0
    attributes: Mapping[str, Any] = NOTHING
    quote: str | None = None
    supersedes: str | Retold | None = None
    extraction: Extraction = "structured"
    is_event: bool = False


class Unread(NamedTuple):
    """A line or item that could not be read, and why."""

    line: int
    item: str
    reason: str


class Reading(NamedTuple):
    """All that a document states, what of it could not be read, and what its own text does not bear out."""

    entities: tuple[EntityDraft, ...] = ()
    relations: tuple[RelationDraft, ...] = ()
    links: tuple[tuple[str, int], ...] = ()
    unread: tuple[Unread, ...] = ()
    warnings: tuple[str, ...] = ()
    dropped: tuple[Unread, ...] = ()
