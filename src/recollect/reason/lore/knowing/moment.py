"""The moment a character is asked at, and what had certainly begun by then."""

from collections.abc import Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

HAPPENING = frozenset({"event", "encounter"})


class Moment(NamedTuple):
    """The last unit that counts; an undated event has happened only when the present was asked for."""

    last: int
    is_present: bool

    def is_past(self, time: Time | None) -> bool:
        """Whether a time had certainly come; an open one had."""
        return time is None or time.hi <= self.last


def moment_of(lore: Lore, npc: Entity, at: Time, *, is_present: bool) -> Moment | None:
    """The moment for somebody: the dead keep what they knew, before one exists there is none."""
    life = lore.existence(npc.id)
    if life.start is not None and at.hi < life.start.lo:
        return None
    return Moment(at.hi if life.end is None else min(at.hi, life.end.hi), is_present)


def begun(lore: Lore, relations: Iterable[Relation], moment: Moment) -> list[Relation]:
    """The relations that had certainly begun, between things that were certainly there."""
    started = [each for each in relations if moment.is_past(stated(each).valid_from)]
    ends = list(dict.fromkeys(end for each in started for end in each.ends))
    there = _there(lore, ends, moment)
    return [each for each in started if there.issuperset(each.ends)]


def _there(lore: Lore, ends: list[EntityId], moment: Moment) -> set[EntityId]:
    entities = lore.entities(ends)
    events = [end for end in ends if end in entities and kind_of(entities[end]).type in HAPPENING]
    lives, times = lore.existences(ends), lore.event_times(events)
    happened = {event for event in events if _has_happened(times[event], moment)}
    return {end for end in ends if moment.is_past(lives[end].start) and (end not in events or end in happened)}


def _has_happened(time: Bounds | None, moment: Moment) -> bool:
    if time is None:
        return moment.is_present
    if time.valid_from is not None:
        return moment.is_past(time.valid_from)
    return moment.is_past(time.valid_until)


def first_of(bounds: Bounds | None) -> int:
    """When something had certainly begun; an open start lies before everything."""
    return MIN if bounds is None or bounds.valid_from is None else bounds.valid_from.hi


def last_of(bounds: Bounds) -> int:
    return MAX if bounds.valid_until is None else bounds.valid_until.hi
