"""What is told of the chain of events around an entity."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.chain import Strand, follow
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.telling.sentences import NO_TIME, Sentence, sentences_of
from recollect.reason.lore.telling.styles import Style

LEADING = ("caused", "preceded")
STRANDS: tuple[Strand, ...] = ("causes", "effects", "concurrent")
WHEN_AND_WHERE = ("occurred_at", "occurred_during")
_INVOLVED = ("participated_in", "witnessed", "caused")
_OWN_FIRST = frozenset({"bullet", "paragraph"})


class Chain(NamedTuple):
    """The events of a chain, the one asked about first, and the relations that tell of them."""

    events: tuple[EntityId, ...]
    relations: tuple[Relation, ...]


def chain_of(lore: Lore, entity: Entity, depth: int) -> Chain:
    """The chain around an event, or around all events that something else was involved in."""
    if kind_of(entity).type == "event":
        return chain_around(lore, [entity.id], depth)
    own = lore.relations_of([entity.id])
    involved = [each for each in own if each.name in _INVOLVED and each.subject == entity.id]
    events = _events(lore, (each.object for each in involved if each.object is not None))
    around = chain_around(lore, events, depth - 1)
    return Chain(around.events, (*(each.relation for each in sentences_with_time(lore, own)), *around.relations))


def sentences_with_time(lore: Lore, relations: Iterable[Relation]) -> list[Sentence]:
    return [each for each in sentences_of(lore, relations) if each.time != NO_TIME]


def chain_around(lore: Lore, events: Collection[EntityId], depth: int) -> Chain:
    """Where and when these events were, who took part, and what leads to and from them within so many steps."""
    if not events:
        return Chain((), ())
    strands = [follow(lore, event, strand, depth) for event in events for strand in STRANDS]
    edges = {edge.id: edge for strand in strands for edge in strand.edges}
    reached = dict.fromkeys((*events, *(end for edge in edges.values() for end in edge.ends)))
    found = _events(lore, reached)
    told = [
        *lore.relations_of(found, WHEN_AND_WHERE, "subject"),
        *lore.relations_of(list(events), ["participated_in"], "object"),
    ]
    return Chain(tuple(found), (*told, *edges.values()))


def _events(lore: Lore, entities: Iterable[EntityId]) -> list[EntityId]:
    """Those of the entities that are events; who caused one is named, but leads no further."""
    return [each for each, entity in lore.entities(entities).items() if kind_of(entity).type == "event"]


def in_order(sentences: Iterable[Sentence], entity: EntityId, style: Style) -> list[Sentence]:
    """By time, the undated last; where a style does not go by time, the entity's own sentences come first."""
    own_first = style in _OWN_FIRST
    return sorted(sentences, key=lambda each: (own_first and entity not in each.relation.ends, each.order))


def events_in_order(lore: Lore, events: Iterable[EntityId]) -> list[Entity]:
    """Events by their time, the undated last, then by name."""
    entities = lore.entities(events)
    times = lore.event_times(entities)

    def order(entity: Entity) -> tuple[bool, int, str, str]:
        time = times[entity.id]
        return time is None, 0 if time is None else time.lo, entity.name, entity.id

    return sorted(entities.values(), key=order)
