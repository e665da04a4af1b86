"""Everything one character can know at one time, gathered by the ways of knowing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import FactId
from recollect.reason.lore.knowing.groups import memberships
from recollect.reason.lore.knowing.heard import Meeting, by_hearing, by_telling, is_over, meetings
from recollect.reason.lore.knowing.moment import Moment, begun
from recollect.reason.lore.knowing.open import (
    Meant,
    common_relations,
    commonly,
    open_documents,
    public_relations,
    publicly,
)
from recollect.reason.lore.knowing.passages import ReadPassage, passages, readable
from recollect.reason.lore.knowing.presence import WHEN_AND_WHERE, of_events, of_oneself, of_places, own_relations
from recollect.reason.lore.knowing.way import Channel, Way, strongest_first
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import visibility_of
from recollect.when.period import Time


class KnownRelation(NamedTuple):
    """A relation in somebody's knowledge, the strongest way first."""

    relation: Relation
    ways: tuple[Way, ...]
    last: int

    @property
    def way(self) -> Way:
        return self.ways[0]

    @property
    def valid_until(self) -> Time | None:
        """The end, if it had come and could be seen by some way of knowing."""
        end = self.relation.fact.valid_until
        if end is None or end.hi > self.last or all(end.hi > way.until for way in self.ways):
            return None
        return end


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The facts, encounters and passages that somebody can know."""

    relations: tuple[KnownRelation, ...] = ()
    encounters: tuple[Meeting, ...] = ()
    passages: tuple[ReadPassage, ...] = ()


NOTHING = Knowledge()


def knowledge_of(lore: Lore, npc: Entity, moment: Moment | None) -> Knowledge:
    """What somebody can know at a moment; nothing before they exist."""
    if moment is None:
        return NOTHING
    own = own_relations(lore, npc, moment)
    met = meetings(lore, own)
    belongs, meant = memberships(lore, npc, moment), Meant(lore)
    public, common = open_documents(lore, "public"), open_documents(lore, "common")
    open_to_all = public_relations(lore, public)
    open_to_some = common_relations(lore, common, belongs, meant)
    lore.sources(each.id for each in (*open_to_all, *open_to_some))
    channels = [
        *of_oneself(own, moment),
        *of_events(lore, own),
        *of_places(lore, npc, own, lambda each: _level(lore, each) == "secret"),
        *by_telling(lore, npc),
        *by_hearing(lore, met),
        *commonly(lore, open_to_some, belongs, meant),
        *publicly(lore, open_to_all, moment),
    ]
    known = _admitted(lore, channels, moment)
    read = readable(lore, public, common, belongs, meant, moment)
    return Knowledge(
        known,
        tuple(each for each in met if is_over(each, moment)),
        tuple(passages(lore, read, {each.relation.id for each in known})),
    )


def _admitted(lore: Lore, channels: Iterable[Channel], moment: Moment) -> tuple[KnownRelation, ...]:
    """The relations that some way leads to which counts by then, once they had certainly begun."""
    ways: dict[FactId, set[Way]] = {}
    relations: dict[FactId, Relation] = {}
    for relation, way in channels:
        if way.since <= moment.last:
            relations[relation.id] = relation
            ways.setdefault(relation.id, set()).add(way)
    lore.sources(relations)
    found = begun(lore, relations.values(), moment)
    allowed = ((each, _allowed(each, _level(lore, each), ways[each.id])) for each in found)
    return tuple(KnownRelation(each, strongest_first(left), moment.last) for each, left in allowed if left)


def _level(lore: Lore, relation: Relation) -> str:
    return visibility_of(relation.fact, lore.sources([relation.id]).get(relation.id, ()))


def _allowed(relation: Relation, level: str, ways: set[Way]) -> list[Way]:
    """A secret is known to oneself and by being told; when and where it was, to those who were in it."""
    if level != "secret":
        return list(ways)
    open_ways = {"self", "told"}
    if relation.name in WHEN_AND_WHERE:
        open_ways |= {"participated", "witnessed"}
    return [way for way in ways if way.how in open_ways]
