"""A memory as it is stored: a document of kind `memory` with its draft, provenance and fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NotRequired, cast

from typing_extensions import TypedDict

from recollect.keep.memory_formats import GRANULARITIES, Granularity, MemoryPeriod, parse_period
from recollect.model.document import Document
from recollect.when.instant import Instant, format_millis

MEMORY_KIND: Final = "memory"
SUMMARY_GRANULARITIES: tuple[Granularity, ...] = ("weekly", "monthly", "yearly")


@dataclass(frozen=True, slots=True)
class SummaryProvenance:
    """How a weekly, monthly or yearly memory came about, and from what."""

    method: str
    sources: tuple[str, ...] = ()

    def to_json(self) -> "SummaryFields":
        return {"method": self.method, "sources": list(self.sources)}


class SummaryFields(TypedDict):
    method: str
    sources: list[str]


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """All that a version of a memory says beside its text."""

    period: MemoryPeriod
    instance: str
    participants: tuple[str, ...]
    chats: tuple[str, ...]
    created_at: Instant
    updated_at: Instant
    slug: str | None = None
    edited_by: str | None = None
    summary: SummaryProvenance | None = None

    @property
    def id(self) -> str:
        tail = {"daily": f"_{self.instance}", "significant": f"_{self.slug}"}.get(self.period.granularity, "")
        return f"{self.period.granularity}-{self.period.text}{tail}"


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """One memory as a view shows it."""

    draft: MemoryDraft
    content: str
    version: int
    document: Document

    @property
    def id(self) -> str:
        return self.document.key

    @property
    def title(self) -> str | None:
        return self.document.title


class EntryFields(TypedDict):
    """What every form of an entry says of a memory, under the published names."""

    id: str
    granularity: str
    date: str
    content: str
    chatIds: list[str]
    sourceInstance: str
    participatingInstances: list[str]
    version: int
    createdAt: str
    updatedAt: str
    slug: NotRequired[str]
    title: str | None
    editedBy: str | None


def entry_fields(memory: StoredMemory) -> EntryFields:
    draft = memory.draft
    fields: EntryFields = {
        "id": memory.id,
        "granularity": draft.period.granularity,
        "date": draft.period.text,
        "content": memory.content,
        "chatIds": list(draft.chats),
        "sourceInstance": draft.instance,
        "participatingInstances": list(draft.participants),
        "version": memory.version,
        "createdAt": format_millis(draft.created_at),
        "updatedAt": format_millis(draft.updated_at),
        "title": memory.title,
        "editedBy": draft.edited_by,
    }
    if draft.slug is not None:
        fields["slug"] = draft.slug
    return fields


def is_memory(document: Document) -> bool:
    """Whether it has a granularity; memories that came by a bundle have none."""
    return document.kind == MEMORY_KIND and document.type in GRANULARITIES


def draft_of(document: Document) -> MemoryDraft:
    """What a stored version says beside its text."""
    properties = document.properties
    granularity = cast(Granularity, document.type)
    made = properties.get("summary") or {}
    summary = (
        SummaryProvenance(made.get("method", "hand"), tuple(made.get("sources", ())))
        if granularity in SUMMARY_GRANULARITIES
        else None
    )
    return MemoryDraft(
        parse_period(granularity, properties["date"]),
        document.author or "unknown",
        tuple(properties["participatingInstances"]),
        tuple(properties["chatIds"]),
        Instant(properties["createdAt"]),
        Instant(properties["updatedAt"]),
        properties.get("slug"),
        properties.get("editedBy"),
        summary,
    )


def draft_properties(draft: MemoryDraft) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "date": draft.period.text,
        "chatIds": list(draft.chats),
        "participatingInstances": list(draft.participants),
        "createdAt": draft.created_at,
        "updatedAt": draft.updated_at,
    }
    optional: Mapping[str, Any] = {"slug": draft.slug, "editedBy": draft.edited_by}
    properties |= {key: value for key, value in optional.items() if value is not None}
    if draft.summary is not None:
        properties["summary"] = draft.summary.to_json()
    return properties
