"""What is told of each event of a story: where and when, who took part, what caused it, who was there."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import BEINGS, kind_of
from recollect.reason.lore.disputes import at_odds
from recollect.reason.lore.places import within
from recollect.reason.lore.presence import Present, present
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.reason.lore.telling.arc import period_of
from recollect.reason.lore.telling.sentences import Sentence, sentences_of
from recollect.reason.lore.telling.words import say_relation_in_words
from recollect.when.period import Bounds

MOST_PRESENT = 5


class Told(NamedTuple):
    """One event of the story and its sentences."""

    event: Entity
    sentences: tuple[Sentence, ...]


def told_of_events(lore: Lore, events: Collection[Entity], perspective: Entity | None) -> list[Told]:
    """For each event: where and when, who took part, what caused it, who was there; each thing once."""
    ids = [each.id for each in events]
    told: list[Told] = []
    said: set[str] = set()
    where = lore.relations_of(ids, ("occurred_at", "occurred_during"), "subject")
    part = lore.relations_of(ids, ["participated_in"], "object")
    causes = _causes(lore, ids, perspective)
    for event in events:
        relations = [
            *sorted((each for each in where if each.subject == event.id), key=_by_id),
            *sorted((each for each in part if each.object == event.id), key=_by_id),
            *sorted((each for each in causes if each.object == event.id), key=_by_id),
        ]
        barred = said | {each.subject for each in relations} | ({perspective.id} if perspective else set())
        sentences = [*sentences_of(lore, relations), *_presences(lore, event, relations, barred)]
        said |= {each.relation.subject for each in sentences if each.relation.name in ("located_in", "controls")}
        told.append(Told(event, tuple(sentences)))
    return told


def _by_id(relation: Relation) -> str:
    return relation.id


def _causes(lore: Lore, events: list[EntityId], perspective: Entity | None) -> list[Relation]:
    """What the events were caused by; a perspective knows only of causes that it saw."""
    causes = lore.relations_of(events, ["caused"], "object")
    if perspective is None:
        return causes
    kinds = lore.entities(each.subject for each in causes)
    return [each for each in causes if each.subject in events or kind_of(kinds[each.subject]).type != "event"]


def _presences(lore: Lore, event: Entity, relations: list[Relation], barred: Collection[str]) -> list[Sentence]:
    bounds = lore.event_time(event.id)
    at = period_of(bounds)
    places = [each.object for each in relations if each.name == "occurred_at" and each.object is not None]
    if at is None or bounds is None or not places:
        return []
    inside = frozenset(each for place in places for each in within(lore, place, at))
    there: dict[EntityId, Present] = {}
    for each in sorted(present(lore, inside, at), key=_by_type_and_name):
        if _is_somebody(each) and each.entity.id not in barred:
            there.setdefault(each.entity.id, each)
    return [_present(lore, each, bounds) for each in list(there.values())[:MOST_PRESENT]]


def _by_type_and_name(found: Present) -> tuple[str, str, str]:
    return kind_of(found.entity).type, found.entity.name, found.relation.id


def _is_somebody(found: Present) -> bool:
    return kind_of(found.entity).type in BEINGS


def _present(lore: Lore, found: Present, event: Bounds) -> Sentence:
    """That somebody was there, at the time of the event; of who came or left meanwhile, from when until when."""
    place = lore.entities([found.place])[found.place]
    relation = found.relation
    time = Bounds(event.valid_from, event.valid_until or event.valid_from)
    if found.coverage != "full" and stated(relation) != Bounds():
        time = stated(relation)
    said = say_relation_in_words(relation.name, found.entity.name, place.name, time.valid_from, time.valid_until)
    return Sentence(relation, said, time, bool(at_odds(lore, [relation])))
