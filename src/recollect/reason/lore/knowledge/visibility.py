"""What is public or common to a group, and the passages a character may have read."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.document import Chunk, Document
from recollect.model.fact import Assertion
from recollect.model.ids import ENTITY_PREFIX, EntityId, FactId, is_id, read_id
from recollect.model.labels import GROUPS, kind_of
from recollect.model.names import fold
from recollect.reason.lore.knowledge.channels import (
    Acquisition,
    KnowledgeChannel,
    KnowledgeMoment,
    Membership,
    end_or_min,
    latest_time,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.reason.lore.sources import VISIBILITIES, LoreSource, visibility_of
from recollect.store.port import Row
from recollect.store.rows import document_of
from recollect.text.fold import fold_case
from recollect.when.period import Time

OPEN_LEVELS = frozenset({"public", "common"})


class SourceReach(NamedTuple):
    """Through one source: those it is known to by name, and when the source was written."""

    known_to: tuple[str, ...]
    written: Time | None


class RelationReach(NamedTuple):
    level: str
    spreads: tuple[SourceReach, ...]


def reach_of(lore: LoreReader, relation: Relation) -> RelationReach:
    """Who may know a relation; its own word wins, else the most open of its documents decides."""
    sources = lore.sources([relation.id]).get(relation.id, [])
    level = visibility_of(relation.fact, sources)
    if level not in OPEN_LEVELS:
        return RelationReach(level, ())
    own = relation.fact.attributes
    if own.get("visibility") in VISIBILITIES:
        names = known_to_names(own)
        return RelationReach(
            level, tuple(SourceReach(names, world_time_written(lore, each.properties)) for each in sources)
        )
    return RelationReach(level, tuple(_reach_of_source(lore, each) for each in _sources_at_level(sources, level)))


def _sources_at_level(sources: Sequence[LoreSource], level: str) -> list[LoreSource]:
    return [each for each in sources if each.document is not None and each.properties.get("visibility") == level]


def _reach_of_source(lore: LoreReader, source: LoreSource) -> SourceReach:
    return SourceReach(known_to_names(source.properties), world_time_written(lore, source.properties))


def known_to_names(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in a `known_to`, whatever stands there."""
    held = given.get("known_to")
    return tuple(name for name in held if isinstance(name, str)) if isinstance(held, (list, tuple)) else ()


def world_time_written(lore: LoreReader, properties: Mapping[str, Any]) -> Time | None:
    """When a document was written, in the world."""
    return lore.read(properties.get("world_time"))


HEAD_LENGTH = 400

Memberships = Mapping[EntityId, list[Membership]]


class AudienceResolver:
    """Who is meant by the names that things are known to; each asked for once."""

    def __init__(self, lore: LoreReader) -> None:
        self._lore = lore
        self._known: dict[str, EntityId | None] = {}

    def resolve(self, name: str) -> EntityId | None:
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> EntityId | None:
        view = self._lore.view
        if is_id(name, ENTITY_PREFIX):
            held = view.survivor(EntityId(read_id(name, ENTITY_PREFIX)))
            return held.id if held else None
        rows = view.names_matching(fold(name))
        named = {row.entity for row in rows if row.kind == "name"} or {row.entity for row in rows}
        return next(iter(named)) if len(named) == 1 else None


def documents_at_level(lore: LoreReader, level: str) -> list[Document]:
    """The documents of a visibility."""
    found = (document_of(row) for row in lore.view.rows("documents_shown_to", level=level))
    return [each for each in found if each.deleted is None]


def public_relations(lore: LoreReader, documents: Collection[Document]) -> list[Relation]:
    """Relations that say so themselves, and all that public documents tell."""
    own = lore.view.rows("facts_shown_to", level="public")
    return lore.by_id({FactId(row[0]) for row in (*own, *_facts_in_documents(lore, documents))})


def common_relations(
    lore: LoreReader, documents: Collection[Document], belongs: Memberships, meant: AudienceResolver
) -> list[Relation]:
    """Relations that may be common to one of the groups, found by their lists, their ends or their documents."""
    view = lore.view
    heads = [row[0] for row in view.rows("known_to_lists") if _may_name_group(row[0], belongs, meant)]
    listed = view.rows("facts_known_to", heads=heads) if heads else []
    at_ends = view.rows("facts_common_at", groups=sorted(belongs))
    mine = [each for each in documents if _names_any_group(known_to_names(each.properties), belongs, meant)]
    return lore.by_id({FactId(row[0]) for row in (*listed, *at_ends, *_facts_in_documents(lore, mine))})


def _facts_in_documents(lore: LoreReader, documents: Collection[Document]) -> list[Row]:
    ids = sorted(each.id for each in documents)
    return lore.view.rows("facts_of_documents", documents=ids) if ids else []


def _may_name_group(head: str, belongs: Memberships, meant: AudienceResolver) -> bool:
    """Whether a list, of which only the beginning may be known, names one of the groups."""
    if len(head) >= HEAD_LENGTH:
        return True
    names = json.loads(head) if head.startswith("[") else ()
    return _names_any_group(tuple(name for name in names if isinstance(name, str)), belongs, meant)


def _names_any_group(names: Collection[str], belongs: Memberships, meant: AudienceResolver) -> bool:
    return any(meant.resolve(name) in belongs for name in names)


def public_channels(lore: LoreReader, relations: list[Relation], moment: KnowledgeMoment) -> Iterator[KnowledgeChannel]:
    """What everyone knows."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "public" else ():
            learned = latest_time(stated_bounds(each).valid_from, spread.written)
            yield KnowledgeChannel(each, Acquisition("public", learned, end_or_min(learned), moment.last))


def common_channels(
    lore: LoreReader, relations: list[Relation], belongs: Memberships, meant: AudienceResolver
) -> Iterator[KnowledgeChannel]:
    """What somebody knows as one of those that a thing is known to."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "common" else ():
            for group in _audience_groups(lore, each, spread, meant):
                for member in belongs.get(group, ()):
                    way = shared_acquisition(member, stated_bounds(each).valid_from, spread.written)
                    if way is not None:
                        yield KnowledgeChannel(each, way)


def shared_acquisition(member: Membership, start: Time | None, written: Time | None) -> Acquisition | None:
    """How a member came to know a thing; what came up after they left, they did not."""
    learned = latest_time(start, member.start, written)
    since = max(end_or_min(start), member.since, end_or_min(written))
    if since > member.until:
        return None
    shown = learned if learned is not None and learned.hi == since else None
    return Acquisition("common", shown, since, member.until, member.name)


def _audience_groups(
    lore: LoreReader, relation: Relation, spread: SourceReach, meant: AudienceResolver
) -> list[EntityId]:
    if spread.known_to:
        found = dict.fromkeys(meant.resolve(name) for name in spread.known_to)
        return [each for each in found if each is not None]
    ends = lore.entities(relation.ends)
    return [end for end, entity in ends.items() if kind_of(entity).type in GROUPS]


_HIDDEN_LEVELS = frozenset({"private", "secret"})


class ReadPassage(NamedTuple):
    """A passage that somebody may have read."""

    document: Document
    chunk: Chunk
    written: Time

    @property
    def text(self) -> str:
        return passage_body(self.chunk)


def passage_body(chunk: Chunk) -> str:
    """The words of a passage without the title and heading that stand before them for the indexes."""
    length = chunk.stop - chunk.start
    return chunk.text[-length:] if 0 < length < len(chunk.text) else chunk.text


def readable_documents(
    lore: LoreReader,
    public: list[Document],
    common: list[Document],
    belongs: Memberships,
    meant: AudienceResolver,
    moment: KnowledgeMoment,
) -> list[tuple[Document, Time]]:
    """The documents that were written by then, for everyone or for a group one was in."""
    dated = [(each, world_time_written(lore, each.properties)) for each in (*public, *common)]
    past = [(each, time) for each, time in dated if time is not None and moment.is_past(time)]
    shown = {each.id for each in public}
    return [
        (each, time)
        for each, time in past
        if each.id in shown or _is_readable_by_member(each, time, belongs, meant, moment)
    ]


def _is_readable_by_member(
    document: Document, time: Time, belongs: Memberships, meant: AudienceResolver, moment: KnowledgeMoment
) -> bool:
    groups = {meant.resolve(name) for name in known_to_names(document.properties)}
    members = [member for group in groups if group is not None for member in belongs.get(group, ())]
    ways = (shared_acquisition(member, None, time) for member in members)
    return any(way is not None and way.since <= moment.last for way in ways)


def readable_passages(
    lore: LoreReader, read: list[tuple[Document, Time]], known: Collection[FactId]
) -> Iterator[ReadPassage]:
    """The passages of these documents from which no unknown relation was taken."""
    for document, time in read:
        chunks = lore.view.chunks(document.id)
        revealing = [each for each in _revealing_assertions(lore, document) if each.fact not in known]
        for chunk in chunks:
            if not any(_is_stated_in(each, chunk, chunks) for each in revealing):
                yield ReadPassage(document, chunk, time)


def _revealing_assertions(lore: LoreReader, document: Document) -> list[Assertion]:
    """What the document says, but for what is timeless and not kept back."""
    said = lore.view.assertions_from(document.id)
    relations = {each.id: each for each in lore.by_id({each.fact for each in said}, superseded=True)}
    return [each for each in said if not _is_harmless(relations.get(each.fact))]


def _is_harmless(relation: Relation | None) -> bool:
    if relation is None or relation.fact.stale:
        return False
    fact = relation.fact
    is_timeless = fact.valid_from is None and fact.valid_until is None
    return is_timeless and fact.attributes.get("visibility") not in _HIDDEN_LEVELS


def _is_stated_in(assertion: Assertion, chunk: Chunk, chunks: list[Chunk]) -> bool:
    """Whether a passage says it; words that are found nowhere may stand anywhere."""
    quote = fold_case(assertion.quote or "")
    if not quote or not any(quote in fold_case(each.text) for each in chunks):
        return True
    return quote in fold_case(chunk.text)
