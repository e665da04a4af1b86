"""Links derived between memories from shared entities, sessions, commits, time, facts and origins."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from recollect.keep.artifacts.artifact import DARK, artifact_date, can_have_links, summary_of, tier_of
from recollect.keep.memory_index.stored_memory import is_memory
from recollect.model.document import COMMIT_ID, DERIVED_FROM, FOLIO_ID, SESSION, STREAM, Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact, ends_of_facts
from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.model.memory_links import LinkType, MemoryLink, make_link
from recollect.resolve.name_finder import find_names
from recollect.store import network_queries
from recollect.store.change import Change
from recollect.store.network_queries import TimelinePlace, TraitKind
from recollect.store.view import View
from recollect.when.instant import DAY

_SEPARATOR = "\n¶\n"
_BATCH_CHARACTERS = 100_000


class MemoryTraits(NamedTuple):
    """What links a memory to others that have the same."""

    entities: frozenset[str] = frozenset()
    sessions: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()

    def rows(self) -> Iterator[tuple[TraitKind, str]]:
        kinds: Mapping[TraitKind, frozenset[str]] = {
            "entity": self.entities,
            "session": self.sessions,
            "commit": self.commits,
            "origin": self.origins,
        }
        return ((kind, value) for kind, values in kinds.items() for value in sorted(values))


def is_linkable(document: Document | None, view: View) -> bool:
    """Whether it is a memory that tools may show."""
    return (
        document is not None
        and can_have_links(document)
        and not document.deleted
        and tier_of(document, view.now) < DARK
    )


def timeline_place(view: View, document: Document) -> TimelinePlace:
    """Dated memories of one author and granularity share a stream, other memories that of their folio."""
    properties = document.properties
    if is_memory(document) and "date" in properties:
        stream = f"{document.type}:{document.author or ''}"
        at = artifact_date(document, view.world.zone).first
    else:
        stream, at = _stream(properties), document.source_at
    commit = properties.get(COMMIT_ID)
    return TimelinePlace(document.id, stream, at, document.id, commit if isinstance(commit, str) else None)


def _stream(properties: Mapping[str, object]) -> str:
    if isinstance(properties.get(STREAM), str) and properties[STREAM]:
        return f"stream:{properties[STREAM]}"
    return f"folio:{properties[FOLIO_ID]}" if properties.get(FOLIO_ID) else "bundle"


def traits_of(change: Change, documents: Sequence[Document]) -> dict[DocumentId, MemoryTraits]:
    """By memory, its current traits."""
    named = _entities(change, documents)
    return {
        each.id: MemoryTraits(named[each.id], _sessions(each), _commit(each), frozenset(_origins(change, each)))
        for each in documents
    }


def _sessions(document: Document) -> frozenset[str]:
    chats = document.properties.get("chatIds")
    sessions = [*(chats if isinstance(chats, list) else ()), document.properties.get(SESSION)]
    return frozenset(each for each in sessions if isinstance(each, str) and each)


def _commit(document: Document) -> frozenset[str]:
    commit = document.properties.get(COMMIT_ID)
    return frozenset({commit}) if isinstance(commit, str) else frozenset()


def _origins(change: Change, document: Document) -> Iterator[str]:
    """The documents that a memory was derived from: by id, or by the memory ids of a consolidation."""
    ids = document.properties.get(DERIVED_FROM)
    yield from (each for each in (ids if isinstance(ids, list) else ()) if isinstance(each, str))
    provenance = document.properties.get("summary")
    keys = provenance.get("sources", ()) if isinstance(provenance, dict) else ()
    for key in keys:
        found = change.document_named("memory", key)
        if found is not None:
            yield found.id


def _entities(change: Change, documents: Sequence[Document]) -> dict[DocumentId, frozenset[str]]:
    """By memory, the entities it mentions, without the speaker and the speaker's organization."""
    named: dict[DocumentId, set[EntityId]] = {each.id: set(change.mentioned(each.id)) for each in documents}
    for each in documents:
        facts = (change.fact(assertion.fact) for assertion in change.assertions_from(each.id))
        named[each.id] |= ends_of_facts(fact for fact in facts if fact)
    for document, spotted in _spot_entities(change, documents):
        named[document] |= spotted
    entities = change.entities({entity for found in named.values() for entity in found})
    return {
        document: frozenset(each for each in found if each in entities and not _has_role(entities[each]))
        for document, found in named.items()
    }


def _has_role(entity: Entity) -> bool:
    return entity.type == "self" or entity.properties.get("concept_role") in ("self", "primary_org")


def _spot_entities(change: Change, documents: Iterable[Document]) -> Iterator[tuple[DocumentId, set[EntityId]]]:
    batch: list[tuple[DocumentId, str]] = []
    size = 0
    for document in documents:
        body = summary_of(document) if tier_of(document, change.now) else change.text_of(document)
        text = "\n".join(filter(None, (document.title, body)))
        batch.append((document.id, text))
        size += len(text)
        if size > _BATCH_CHARACTERS:
            yield from _spot_in_batch(change, batch)
            batch, size = [], 0
    yield from _spot_in_batch(change, batch)


def _spot_in_batch(change: Change, batch: Sequence[tuple[DocumentId, str]]) -> list[tuple[DocumentId, set[EntityId]]]:
    found: list[tuple[DocumentId, set[EntityId]]] = [(document, set()) for document, _ in batch]
    ends: list[int] = []
    for _, text in batch:
        ends.append((ends[-1] if ends else 0) + len(text) + len(_SEPARATOR))
    place = 0
    for each in find_names(change, _SEPARATOR.join(text for _, text in batch)) if batch else ():
        while each.start >= ends[place]:
            place += 1
        if each.entity is not None:
            found[place][1].add(each.entity)
    return found


MAX_LINKS_PER_TYPE = 20
COMMON_ENTITY = 200
MIN_JACCARD = 0.1
MAX_GAP = 7 * DAY
SAME_COMMIT_CONFIDENCE = 1.0
SAME_SESSION_CONFIDENCE = 0.8


class LinkDeriver:
    """Derives links; caches the entities of each memory and the memories of each entity until one is written."""

    def __init__(self, change: Change) -> None:
        self._change = change
        self._named: dict[DocumentId, frozenset[str]] = {}
        self._holders: dict[str, list[DocumentId]] = {}

    def note_entities(self, memory: DocumentId, entities: frozenset[str]) -> None:
        """Replace the entities that are cached for a memory."""
        for entity in entities | self._named.get(memory, frozenset()):
            self._holders.pop(entity, None)
        self._named[memory] = entities

    def links(self, place: TimelinePlace, traits: MemoryTraits) -> list[MemoryLink]:
        """All links of one memory, a limited number of each type: the strongest, then the newest."""
        memory = place.memory
        found = [
            *self._by_entities(memory, traits.entities),
            *self._by_sessions(memory, traits),
            *self._by_time(place),
            *self._by_facts(memory),
            *self._by_origin(memory, traits.origins),
        ]
        return strongest_links((each for each in found if each.one != each.other), memory)

    def _by_entities(self, memory: DocumentId, entities: frozenset[str]) -> Iterator[MemoryLink]:
        own = frozenset(entity for entity in entities if not self._is_common(entity))
        others = {each for entity in own for each in self._memories_naming(entity)} - {memory}
        for other, named in self._entities_of(others).items():
            theirs = {entity for entity in named if not self._is_common(entity)}
            jaccard = len(own & theirs) / len(own | theirs)
            if jaccard >= MIN_JACCARD:
                yield _derived_link(memory, other, "same_entity", jaccard)

    def _memories_naming(self, entity: str) -> list[DocumentId]:
        if entity not in self._holders:
            self._holders[entity] = self._memories_with_trait("entity", entity, COMMON_ENTITY + 1)
        return self._holders[entity]

    def _is_common(self, entity: str) -> bool:
        return len(self._memories_naming(entity)) > COMMON_ENTITY

    def _entities_of(self, memories: set[DocumentId]) -> dict[DocumentId, frozenset[str]]:
        unread = sorted(memories - self._named.keys())
        found: dict[DocumentId, set[str]] = {memory: set() for memory in unread}
        for trait in network_queries.traits_of(self._change, unread):
            if trait.kind == "entity":
                found[trait.memory].add(trait.value)
        self._named |= {memory: frozenset(named) for memory, named in found.items()}
        return {memory: self._named[memory] for memory in sorted(memories)}

    def _memories_with_trait(
        self, kind: TraitKind, value: str, limit: int = MAX_LINKS_PER_TYPE + 1
    ) -> list[DocumentId]:
        return network_queries.memories_with_trait(self._change, kind, value, limit)

    def _by_sessions(self, memory: DocumentId, traits: MemoryTraits) -> list[MemoryLink]:
        found: dict[DocumentId, float] = {}
        for session in sorted(traits.sessions):
            found |= dict.fromkeys(self._memories_with_trait("session", session), SAME_SESSION_CONFIDENCE)
        for commit in sorted(traits.commits):
            found |= dict.fromkeys(self._memories_with_trait("commit", commit), SAME_COMMIT_CONFIDENCE)
        return [_derived_link(memory, other, "same_session", confidence) for other, confidence in found.items()]

    def _by_time(self, place: TimelinePlace) -> Iterator[MemoryLink]:
        """Links to the neighbours in the same stream, except within one commit."""
        before, after = self._timeline_neighbours(place)
        if before is not None and not _are_same_commit(before, place):
            yield from _precedes_link(before, place)
        if after is not None and not _are_same_commit(place, after):
            yield from _precedes_link(place, after)

    def _timeline_neighbours(self, place: TimelinePlace) -> tuple[TimelinePlace | None, TimelinePlace | None]:
        return network_queries.place_before(self._change, place), network_queries.place_after(self._change, place)

    def link_to_split(self, place: TimelinePlace) -> list[MemoryLink]:
        """The link between the two neighbours that a memory now separates."""
        before, after = self._timeline_neighbours(place)
        return [] if before is None or after is None else [_derived_link(before.memory, after.memory, "precedes", 0)]

    def links_closing_gap(self, place: TimelinePlace) -> list[MemoryLink]:
        """The link between the two neighbours that a memory no longer separates."""
        before, after = self._timeline_neighbours(place)
        if before is None or after is None or _are_same_commit(before, after):
            return []
        return list(_precedes_link(before, after))

    def _by_facts(self, memory: DocumentId) -> Iterator[MemoryLink]:
        change = self._change
        facts = [fact for fact in map(change.fact, self._facts_of(memory)) if fact is not None]
        for fact in facts:
            yield from self._supersession_links(memory, fact)
            for pair in change.disputes_of(fact.id):
                rival = change.fact(pair.other if pair.one == fact.id else pair.one)
                if rival is not None:
                    confidence = min(fact.confidence, rival.confidence)
                    for each in self._memories_asserting(rival.id):
                        yield _derived_link(memory, each, "contradicts", confidence)

    def _facts_of(self, memory: DocumentId) -> list[FactId]:
        return list(dict.fromkeys(each.fact for each in self._change.assertions_from(memory)))

    def _supersession_links(self, memory: DocumentId, fact: Fact) -> Iterator[MemoryLink]:
        change = self._change
        newer = change.fact(fact.replaced_by) if fact.stale and fact.replaced_by is not None else None
        if newer is not None:
            for each in self._memories_asserting(newer.id):
                yield _derived_link(each, memory, "supersedes", newer.confidence)
        older = {each.id for each in change.facts_in_slot(fact.slot) if each.stale and each.replaced_by == fact.id}
        declared = change.fact(fact.supersedes) if fact.supersedes is not None else None
        if declared is not None and declared.replaced_by == fact.id:
            older.add(declared.id)
        for replaced in sorted(older):
            for each in self._memories_asserting(replaced):
                yield _derived_link(memory, each, "supersedes", fact.confidence)

    def _memories_asserting(self, fact: FactId) -> list[DocumentId]:
        sources = {each.document for each in self._change.assertions(fact) if each.document is not None}
        return self._placed_memories(sources)

    def _placed_memories(self, documents: Collection[DocumentId]) -> list[DocumentId]:
        return sorted(place.memory for place in network_queries.places_of(self._change, documents))

    def _by_origin(self, memory: DocumentId, origins: frozenset[str]) -> Iterator[MemoryLink]:
        for origin in self._placed_memories({DocumentId(each) for each in origins}):
            yield _derived_link(memory, origin, "derived_from", 1.0)
        for derived in self._memories_with_trait("origin", memory):
            yield _derived_link(derived, memory, "derived_from", 1.0)


def _derived_link(one: DocumentId, other: DocumentId, type_: LinkType, confidence: float) -> MemoryLink:
    return make_link(one, other, type_, "derived", confidence)


def _are_same_commit(one: TimelinePlace, other: TimelinePlace) -> bool:
    return one.part_of is not None and one.part_of == other.part_of


def _precedes_link(before: TimelinePlace, after: TimelinePlace) -> Iterator[MemoryLink]:
    gap = after.at - before.at
    if gap <= MAX_GAP:
        yield _derived_link(before.memory, after.memory, "precedes", 1 / (1 + gap / DAY))


def strongest_links(links: Iterable[MemoryLink], memory: DocumentId) -> list[MemoryLink]:
    """The strongest link of each pair and type, at most MAX_LINKS_PER_TYPE of a type, then by age."""
    best: dict[tuple[DocumentId, DocumentId, LinkType], MemoryLink] = {}
    for each in links:
        if each.key not in best or best[each.key].confidence < each.confidence:
            best[each.key] = each
    strongest: list[MemoryLink] = []
    ordered = sorted(best.values(), key=lambda each: each.type)
    for _, of_type in groupby(ordered, key=lambda each: each.type):
        newest = sorted(of_type, key=lambda each: _other_end(each, memory), reverse=True)
        strongest += sorted(newest, key=lambda each: -each.confidence)[:MAX_LINKS_PER_TYPE]
    return strongest


def _other_end(each: MemoryLink, memory: DocumentId) -> str:
    return each.other if each.one == memory else each.one
