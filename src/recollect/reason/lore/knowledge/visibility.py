"""Visibility: what is public or common to a group, and which passages a character may have read."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.model.document import Chunk, Document, passage_body
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
from recollect.store import lore_queries
from recollect.text.fold import fold_case
from recollect.when.period import Time

OPEN_LEVELS = frozenset({"public", "common"})


class SourceReach(NamedTuple):
    """The reach of one source: the names in its audience, and when it was written."""

    known_to: tuple[str, ...]
    written: Time | None


class RelationReach(NamedTuple):
    level: str
    spreads: tuple[SourceReach, ...]


def reach_of(lore: LoreReader, relation: Relation) -> RelationReach:
    """Who may know a relation: by its own visibility, else by the most open of its documents."""
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
    """The names in `known_to`; entries of other types are ignored."""
    names = given.get("known_to")
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, (list, tuple)) else ()


def world_time_written(lore: LoreReader, properties: Mapping[str, Any]) -> Time | None:
    """When a document was written, in world time."""
    return lore.read(properties.get("world_time"))


HEAD_LENGTH = 400

Memberships = Mapping[EntityId, list[Membership]]


class AudienceResolver:
    """Resolves the names in `known_to` to entities, each name once."""

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
            survivor = view.survivor(EntityId(read_id(name, ENTITY_PREFIX)))
            return survivor.id if survivor else None
        rows = view.names_matching(fold(name))
        named = {row.entity for row in rows if row.kind == "name"} or {row.entity for row in rows}
        return next(iter(named)) if len(named) == 1 else None


def public_relations(lore: LoreReader, documents: Collection[Document]) -> list[Relation]:
    """Relations marked as public, and all relations that public documents assert."""
    marked = lore_queries.facts_at_level(lore.view, "public")
    return lore.by_id({*marked, *lore_queries.facts_in_documents(lore.view, documents)})


def common_relations(
    lore: LoreReader, documents: Collection[Document], belongs: Memberships, audience: AudienceResolver
) -> list[Relation]:
    """Relations that may be common to one of the groups, found by their audience, their ends or their documents."""
    view = lore.view
    heads = [head for head in lore_queries.audience_list_heads(view) if _may_name_group(head, belongs, audience)]
    listed = lore_queries.facts_with_audience(view, heads)
    at_ends = lore_queries.common_facts_at(view, belongs)
    own = [each for each in documents if _names_any_group(known_to_names(each.properties), belongs, audience)]
    return lore.by_id({*listed, *at_ends, *lore_queries.facts_in_documents(view, own)})


def _may_name_group(head: str, belongs: Memberships, audience: AudienceResolver) -> bool:
    """Whether an audience list, of which only the head may be known, names one of the groups."""
    if len(head) >= HEAD_LENGTH:
        return True
    names = json.loads(head) if head.startswith("[") else ()
    return _names_any_group(tuple(name for name in names if isinstance(name, str)), belongs, audience)


def _names_any_group(names: Collection[str], belongs: Memberships, audience: AudienceResolver) -> bool:
    return any(audience.resolve(name) in belongs for name in names)


def public_channels(lore: LoreReader, relations: list[Relation], moment: KnowledgeMoment) -> Iterator[KnowledgeChannel]:
    """Public knowledge."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "public" else ():
            learned = latest_time(stated_bounds(each).valid_from, spread.written)
            yield KnowledgeChannel(each, Acquisition("public", learned, end_or_min(learned), moment.last))


def common_channels(
    lore: LoreReader, relations: list[Relation], belongs: Memberships, audience: AudienceResolver
) -> Iterator[KnowledgeChannel]:
    """What a character knows as a member of the audience of a relation."""
    for each in relations:
        reach = reach_of(lore, each)
        for spread in reach.spreads if reach.level == "common" else ():
            for group in _audience_groups(lore, each, spread, audience):
                for member in belongs.get(group, ()):
                    way = shared_acquisition(member, stated_bounds(each).valid_from, spread.written)
                    if way is not None:
                        yield KnowledgeChannel(each, way)


def shared_acquisition(member: Membership, start: Time | None, written: Time | None) -> Acquisition | None:
    """How a member learned a fact; none if it became known after they left."""
    learned = latest_time(start, member.start, written)
    since = max(end_or_min(start), member.since, end_or_min(written))
    if since > member.until:
        return None
    exact = learned if learned is not None and learned.hi == since else None
    return Acquisition("common", exact, since, member.until, member.name)


def _audience_groups(
    lore: LoreReader, relation: Relation, spread: SourceReach, audience: AudienceResolver
) -> list[EntityId]:
    if spread.known_to:
        found = dict.fromkeys(audience.resolve(name) for name in spread.known_to)
        return [each for each in found if each is not None]
    ends = lore.entities(relation.ends)
    return [end for end, entity in ends.items() if kind_of(entity).type in GROUPS]


_HIDDEN_LEVELS = frozenset({"private", "secret"})


class ReadPassage(NamedTuple):
    """A passage that a character may have read."""

    document: Document
    chunk: Chunk
    written: Time

    @property
    def text(self) -> str:
        return passage_body(self.chunk)


def readable_documents(
    lore: LoreReader,
    public: list[Document],
    common: list[Document],
    belongs: Memberships,
    audience: AudienceResolver,
    moment: KnowledgeMoment,
) -> list[tuple[Document, Time]]:
    """The documents that were written by then, public ones and those for a group the character was in."""
    dated = [(each, world_time_written(lore, each.properties)) for each in (*public, *common)]
    past = [(each, time) for each, time in dated if time is not None and moment.is_past(time)]
    public_ids = {each.id for each in public}
    return [
        (each, time)
        for each, time in past
        if each.id in public_ids or _is_readable_by_member(each, time, belongs, audience, moment)
    ]


def _is_readable_by_member(
    document: Document, time: Time, belongs: Memberships, audience: AudienceResolver, moment: KnowledgeMoment
) -> bool:
    groups = {audience.resolve(name) for name in known_to_names(document.properties)}
    members = [member for group in groups if group is not None for member in belongs.get(group, ())]
    ways = (shared_acquisition(member, None, time) for member in members)
    return any(way is not None and way.since <= moment.last for way in ways)


def readable_passages(
    lore: LoreReader, read: list[tuple[Document, Time]], known: Collection[FactId]
) -> Iterator[ReadPassage]:
    """The passages of these documents that state no relation unknown to the character."""
    for document, time in read:
        chunks = lore.view.chunks(document.id)
        revealing = [each for each in _revealing_assertions(lore, document) if each.fact not in known]
        for chunk in chunks:
            if not any(_is_stated_in(each, chunk, chunks) for each in revealing):
                yield ReadPassage(document, chunk, time)


def _revealing_assertions(lore: LoreReader, document: Document) -> list[Assertion]:
    """The assertions of a document, without those of timeless relations that are not hidden."""
    assertions = lore.view.assertions_from(document.id)
    relations = {each.id: each for each in lore.by_id({each.fact for each in assertions}, superseded=True)}
    return [each for each in assertions if not _is_harmless(relations.get(each.fact))]


def _is_harmless(relation: Relation | None) -> bool:
    if relation is None or relation.fact.stale:
        return False
    fact = relation.fact
    is_timeless = fact.valid_from is None and fact.valid_until is None
    return is_timeless and fact.attributes.get("visibility") not in _HIDDEN_LEVELS


def _is_stated_in(assertion: Assertion, chunk: Chunk, chunks: list[Chunk]) -> bool:
    """Whether a passage states it; a quote that no passage contains may come from any of them."""
    quote = fold_case(assertion.quote or "")
    if not quote or not any(quote in fold_case(each.text) for each in chunks):
        return True
    return quote in fold_case(chunk.text)
