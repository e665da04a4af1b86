"""Sentences out of relations: one each, with the time it happened and the number of what it rests on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.reason.lore.disputes import at_odds
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.reason.lore.telling.words import Said, has_words, say_relation_in_words, time_words
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time

HAPPENING = frozenset({"event", "encounter"})
NO_TIME = Bounds()
# What led to something did so once, however long it went on.
_LEADING = frozenset({"caused", "preceded"})
_SENTENCE_END = re.compile(r"[.!?\n]")


class Sentence(NamedTuple):
    """A relation in words, and when; an undated one of an event has the event's time."""

    relation: Relation
    said: Said
    time: Bounds
    disputed: bool = False

    @property
    def start(self) -> Time | None:
        return self.time.valid_from

    @property
    def order(self) -> tuple[int, int, FactId]:
        """By time, the undated last, then by id."""
        start = self.start
        return (MAX, MAX, self.relation.id) if start is None else (start.lo, start.hi, self.relation.id)


def sentences_of(lore: Lore, relations: Iterable[Relation]) -> list[Sentence]:
    """A sentence for each relation, in the order given; one that only repeats when an event was has none."""
    given = list({each.id: each for each in relations}.values())
    entities = lore.entities(end for each in given for end in each.ends)
    events = [end for end, entity in entities.items() if kind_of(entity).type in HAPPENING]
    known = lore.event_times(events)
    times = {event: known[event] for event in events}
    rivals = at_odds(lore, given)
    found = [_sentence(each, entities, times, each.id in rivals) for each in given]
    return _without_repeats(found, times)


def _sentence(
    relation: Relation, entities: Mapping[EntityId, Entity], times: Mapping[EntityId, Bounds | None], disputed: bool
) -> Sentence:
    time = _time(relation, times)
    return Sentence(relation, _said(relation, entities, time), time, disputed)


def _said(relation: Relation, entities: Mapping[EntityId, Entity], time: Bounds) -> Said:
    """The relation in words; one of no table in its own, if those are a single sentence."""
    words = (relation.fact.words or "").strip().rstrip(".")
    if words and not has_words(relation.name) and not _SENTENCE_END.search(words):
        return Said("", words, "", time_words(time.valid_from, time.valid_until))
    target = relation.literal if relation.object is None else entities[relation.object].name
    subject = entities[relation.subject].name
    times = time.valid_from, time.valid_until
    return say_relation_in_words(relation.name, subject, target, *times, relation.attributes)


def _time(relation: Relation, times: Mapping[EntityId, Bounds | None]) -> Bounds:
    """A relation's own time, else that of the event at its subject, else at its object."""
    own = relation.fact.bounds if relation.fact.label == "ASSERTED" else stated(relation)
    if own != NO_TIME:
        return own
    event = next((time for end in relation.ends if (time := times.get(end)) is not None), own)
    return Bounds(event.valid_from, event.valid_from) if relation.name in _LEADING else event


def _without_repeats(found: Sequence[Sentence], times: Mapping[EntityId, Bounds | None]) -> list[Sentence]:
    """Without the bare dates of events whose time another sentence tells."""
    told = {
        end
        for each in found
        if each.relation.name != "occurred_during"
        for end in each.relation.ends
        if times.get(end) == each.time
    }
    return [each for each in found if not _repeats(each, told, times)]


def _repeats(sentence: Sentence, told: set[EntityId], times: Mapping[EntityId, Bounds | None]) -> bool:
    relation = sentence.relation
    is_bare = relation.name == "occurred_during" and relation.subject in told
    return is_bare and times.get(relation.subject) == sentence.time and not sentence.disputed
