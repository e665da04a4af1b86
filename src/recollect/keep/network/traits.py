"""What links between memories are derived from: the place of each in time, whom it names, where it was said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from recollect.keep.artifacts.artifact import DARK, dated, is_dated_memory, is_memory, summary_of, tier_of
from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.filing import COMMIT_ID, DERIVED_FROM, FOLIO_ID, SESSION, STREAM
from recollect.model.ids import DocumentId, EntityId
from recollect.resolve.spot import spot
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import Instant

TraitKind = Literal["entity", "session", "commit", "origin"]
_BETWEEN = "\n¶\n"
_AT_ONCE = 100_000


class Place(NamedTuple):
    """Where a memory stands in time; the parts of one commit stand together."""

    memory: DocumentId
    stream: str
    at: Instant
    written: str
    part_of: str | None


class Traits(NamedTuple):
    """What a memory has in common with others."""

    entities: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()

    def rows(self) -> Iterator[tuple[TraitKind, str]]:
        held: Mapping[TraitKind, frozenset[str]] = {
            "entity": self.entities,
            "session": self.sessions,
            "commit": self.commits,
            "origin": self.origins,
        }
        return ((kind, value) for kind, values in held.items() for value in sorted(values))


def is_linkable(document: Document | None, view: View) -> bool:
    """Whether it is a memory that any tool may show."""
    return document is not None and is_memory(document) and not document.deleted and tier_of(document, view.now) < DARK


def place_of(view: View, document: Document) -> Place:
    held = document.properties
    if is_dated_memory(document) and "date" in held:
        stream = f"{document.type}:{document.author or ''}"
        at = dated(document, view.world.zone).first
    else:
        stream, at = _stream(held), document.source_at
    commit = held.get(COMMIT_ID)
    return Place(document.id, stream, at, document.id, commit if isinstance(commit, str) else None)


def _stream(held: Mapping[str, object]) -> str:
    if isinstance(held.get(STREAM), str) and held[STREAM]:
        return f"stream:{held[STREAM]}"
    return f"folio:{held[FOLIO_ID]}" if held.get(FOLIO_ID) else "bundle"


def traits_of(change: Change, documents: Sequence[Document]) -> dict[DocumentId, Traits]:
    """By memory what it has in common with others, as of now."""
    named = _entities(change, documents)
    return {
        each.id: Traits(named[each.id], _sessions(each), _commit(each), frozenset(_origins(change, each)))
        for each in documents
    }


def _sessions(document: Document) -> frozenset[str]:
    held = document.properties
    chats = held.get("chatIds")
    said = [*(chats if isinstance(chats, list) else ()), held.get(SESSION)]
    return frozenset(each for each in said if isinstance(each, str) and each)


def _commit(document: Document) -> frozenset[str]:
    commit = document.properties.get(COMMIT_ID)
    return frozenset({commit}) if isinstance(commit, str) else frozenset()


def _origins(change: Change, document: Document) -> Iterator[str]:
    """The documents that a memory was made from: by id, or by the readable ids of a consolidation."""
    said = document.properties.get(DERIVED_FROM)
    yield from (each for each in (said if isinstance(said, list) else ()) if isinstance(each, str))
    made = document.properties.get("summary")
    keys = made.get("sources", ()) if isinstance(made, dict) else ()
    for key in keys:
        found = change.document_named("memory", key)
        if found is not None:
            yield found.id


def _entities(change: Change, documents: Sequence[Document]) -> dict[DocumentId, frozenset[str]]:
    """By memory the entities it mentions, without those that stand for the speaker or where they belong."""
    named: dict[DocumentId, set[EntityId]] = {each.id: set(change.mentioned(each.id)) for each in documents}
    told = {each.id: change.assertions_from(each.id) for each in documents}
    for document, said in told.items():
        facts = (change.fact(each.fact) for each in said)
        named[document] |= {end for fact in facts if fact for end in (fact.subject, fact.object) if end is not None}
    for document, spotted in _spotted(change, documents):
        named[document] |= spotted
    entities = change.entities({entity for found in named.values() for entity in found})
    return {
        document: frozenset(each for each in found if each in entities and not _has_role(entities[each]))
        for document, found in named.items()
    }


def _has_role(entity: Entity) -> bool:
    return entity.type == "self" or entity.properties.get("concept_role") in ("self", "primary_org")


def _spotted(change: Change, documents: Iterable[Document]) -> Iterator[tuple[DocumentId, set[EntityId]]]:
    held: list[tuple[DocumentId, str]] = []
    size = 0
    for document in documents:
        body = summary_of(document) if tier_of(document, change.now) else change.text_of(document)
        text = "\n".join(filter(None, (document.title, body)))
        held.append((document.id, text))
        size += len(text)
        if size > _AT_ONCE:
            yield from _spotted_in(change, held)
            held, size = [], 0
    yield from _spotted_in(change, held)


def _spotted_in(change: Change, held: Sequence[tuple[DocumentId, str]]) -> list[tuple[DocumentId, set[EntityId]]]:
    found: list[tuple[DocumentId, set[EntityId]]] = [(document, set()) for document, _ in held]
    ends: list[int] = []
    for _, text in held:
        ends.append((ends[-1] if ends else 0) + len(text) + len(_BETWEEN))
    place = 0
    for each in spot(change, _BETWEEN.join(text for _, text in held)) if held else ():
        while each.start >= ends[place]:
            place += 1
        if each.entity is not None:
            found[place][1].add(each.entity)
    return found
