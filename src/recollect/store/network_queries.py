"""Queries of memory links: the links, the place of each memory on its timeline, and the traits that memories share."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.model.memory_links import MemoryLink
from recollect.model.progress import batches
from recollect.store.change import Change
from recollect.store.tables import MEMORY_LINK, OPEN
from recollect.store.view import View
from recollect.when.instant import Instant

TraitKind = Literal["entity", "session", "commit", "origin"]
FACT_BATCH = 500


class TimelinePlace(NamedTuple):
    """The position of a memory in its stream; parts of one commit share `part_of`."""

    memory: DocumentId
    stream: str
    at: Instant
    written: str
    part_of: str | None


class TraitRow(NamedTuple):
    memory: DocumentId
    kind: TraitKind
    value: str


def links_touching(view: View, memories: Collection[DocumentId]) -> list[MemoryLink]:
    """The links that start or end at one of these memories; one between two of them comes twice."""
    if not memories:
        return []
    ids, make = sorted(memories), MemoryLink._make
    return [make(row) for query in ("links_from", "links_to") for row in view.rows(query, memories=ids)]


def links_between(view: View, one: DocumentId, other: DocumentId) -> list[MemoryLink]:
    return view.fetch(MemoryLink, "links_between", one=one, other=other)


def write_links(change: Change, tx: int, added: Iterable[MemoryLink], ended: Iterable[MemoryLink]) -> None:
    for link in ended:
        change.connection.end(MEMORY_LINK, change.ws, link.key, tx)
    rows = [(change.ws, *link.key, tx, OPEN, link.origin, link.confidence) for link in added]
    if rows:
        change.connection.insert(MEMORY_LINK, rows)


def linkable_documents(view: View, documents: Collection[DocumentId]) -> list[Document]:
    """Those of these documents that are memories or artifacts."""
    return view.fetch_documents("linkable_documents", ids=sorted(documents)) if documents else []


def memories_asserting(view: View, facts: Collection[FactId]) -> set[DocumentId]:
    """The memories on a timeline that assert one of these facts."""
    parts = batches(sorted(facts), FACT_BATCH)
    return {memory for part in parts for memory in view.fetch_values("memories_asserting", facts=part)}


def has_places(view: View) -> bool:
    """Whether any memory has a place on a timeline."""
    return bool(view.rows("any_memory_place"))


def places_of(view: View, memories: Collection[DocumentId]) -> list[TimelinePlace]:
    return view.fetch(TimelinePlace, "memory_places", memories=sorted(memories)) if memories else []


def place_before(view: View, place: TimelinePlace) -> TimelinePlace | None:
    return view.fetch_one(TimelinePlace, "memory_before", stream=place.stream, at=place.at, written=place.written)


def place_after(view: View, place: TimelinePlace) -> TimelinePlace | None:
    return view.fetch_one(TimelinePlace, "memory_after", stream=place.stream, at=place.at, written=place.written)


def put_place(change: Change, place: TimelinePlace) -> None:
    change.run("memory_place_put", **place._asdict())


def drop_memory(change: Change, memory: DocumentId) -> None:
    """Remove the place and the traits of a memory."""
    change.run("memory_place_drop", memory=memory)
    change.run("memory_traits_drop", memory=memory)


def replace_traits(change: Change, memory: DocumentId, traits: Iterable[tuple[TraitKind, str]]) -> None:
    change.run("memory_traits_drop", memory=memory)
    change.run_many("memory_trait_add", [{"memory": memory, "kind": kind, "value": value} for kind, value in traits])


def traits_of(view: View, memories: Sequence[DocumentId]) -> list[TraitRow]:
    return view.fetch(TraitRow, "memory_traits", memories=memories) if memories else []


def memories_with_trait(view: View, kind: TraitKind, value: str, limit: int) -> list[DocumentId]:
    """The newest memories that have a trait."""
    return view.fetch_values("memories_with_trait", kind=kind, value=value, limit=limit)
