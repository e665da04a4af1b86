"""Everything a character can know at one time, gathered from all channels."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import FactId
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS
from recollect.reason.lore.knowledge.channels import (
    Acquisition,
    KnowledgeChannel,
    KnowledgeMoment,
    filter_begun,
    find_memberships,
    sort_by_strength,
)
from recollect.reason.lore.knowledge.experience import (
    RememberedEncounter,
    event_channels,
    find_encounters,
    hearsay_channels,
    is_encounter_over,
    overheard_channels,
    own_channels,
    own_relations,
    place_channels,
)
from recollect.reason.lore.knowledge.visibility import (
    AudienceResolver,
    ReadPassage,
    common_channels,
    common_relations,
    public_channels,
    public_relations,
    readable_documents,
    readable_passages,
)
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import visibility_of
from recollect.store.lore_queries import documents_at_level
from recollect.when.period import Time


class KnownRelation(NamedTuple):
    """A relation that a character knows, the strongest acquisition first."""

    relation: Relation
    ways: tuple[Acquisition, ...]
    last: int

    @property
    def way(self) -> Acquisition:
        return self.ways[0]

    @property
    def valid_until(self) -> Time | None:
        """The end, if it is past and within reach of some acquisition."""
        end = self.relation.fact.valid_until
        if end is None or end.hi > self.last or all(end.hi > way.until for way in self.ways):
            return None
        return end


@dataclass(frozen=True, slots=True)
class CharacterKnowledge:
    """The relations, encounters and passages that a character can know."""

    relations: tuple[KnownRelation, ...] = ()
    encounters: tuple[RememberedEncounter, ...] = ()
    passages: tuple[ReadPassage, ...] = ()


NO_KNOWLEDGE = CharacterKnowledge()


def knowledge_of(lore: LoreReader, character: Entity, moment: KnowledgeMoment | None) -> CharacterKnowledge:
    """What a character can know at a moment; nothing before they exist."""
    if moment is None:
        return NO_KNOWLEDGE
    own = own_relations(lore, character, moment)
    met = find_encounters(lore, own)
    belongs, audience = find_memberships(lore, character, moment), AudienceResolver(lore)
    public, common = documents_at_level(lore.view, "public"), documents_at_level(lore.view, "common")
    open_to_all = public_relations(lore, public)
    open_to_some = common_relations(lore, common, belongs, audience)
    lore.sources(each.id for each in (*open_to_all, *open_to_some))
    channels = [
        *own_channels(own, moment),
        *event_channels(lore, own),
        *place_channels(lore, character, own, lambda each: _visibility_level(lore, each) == "secret"),
        *hearsay_channels(lore, character),
        *overheard_channels(lore, met),
        *common_channels(lore, open_to_some, belongs, audience),
        *public_channels(lore, open_to_all, moment),
    ]
    known = _admit_channels(lore, channels, moment)
    read = readable_documents(lore, public, common, belongs, audience, moment)
    return CharacterKnowledge(
        known,
        tuple(each for each in met if is_encounter_over(each, moment)),
        tuple(readable_passages(lore, read, {each.relation.id for each in known})),
    )


def _admit_channels(
    lore: LoreReader, channels: Iterable[KnowledgeChannel], moment: KnowledgeMoment
) -> tuple[KnownRelation, ...]:
    """The relations with an acquisition that counts by then, once they have certainly begun."""
    ways: dict[FactId, set[Acquisition]] = {}
    relations: dict[FactId, Relation] = {}
    for relation, way in channels:
        if way.since <= moment.last:
            relations[relation.id] = relation
            ways.setdefault(relation.id, set()).add(way)
    lore.sources(relations)
    found = filter_begun(lore, relations.values(), moment)
    allowed = ((each, _allowed_acquisitions(each, _visibility_level(lore, each), ways[each.id])) for each in found)
    return tuple(KnownRelation(each, sort_by_strength(left), moment.last) for each, left in allowed if left)


def _visibility_level(lore: LoreReader, relation: Relation) -> str:
    return visibility_of(relation.fact, lore.sources([relation.id]).get(relation.id, ()))


def _allowed_acquisitions(relation: Relation, level: str, ways: set[Acquisition]) -> list[Acquisition]:
    """A secret is known to oneself and by being told; its time and place also to those who attended."""
    if level != "secret":
        return list(ways)
    open_ways = {"self", "told"}
    if relation.name in EVENT_TIME_RELATIONS:
        open_ways |= {"participated", "witnessed"}
    return [way for way in ways if way.how in open_ways]
