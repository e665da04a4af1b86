"""The events between one event and another: on the ways that lead there, or around them."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.places import walk, within
from recollect.reason.lore.probing import Side
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.telling.chain import LEADING
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

FARTHEST = 12
MOST_EVENTS = 5000


class Arc(NamedTuple):
    """The events of a story in their order."""

    events: tuple[Entity, ...]
    connected: bool


def arc_between(lore: Lore, start: Entity, end: Entity) -> Arc:
    """All events on the ways from one to the other, or those between them that share people or places."""
    if start.id == end.id:
        return Arc((start,), True)
    forth = _steps(lore, start.id, "subject")
    if end.id in forth:
        back = _steps(lore, end.id, "object")
        spine = {each: forth[each] for each in forth if each in back and forth[each] + back[each] <= FARTHEST}
        beside = lore.relations_of(list(spine), ["concurrent_with"], "either")
        steps = {end_: spine.get(end_, FARTHEST) for each in beside for end_ in each.ends} | spine
        return Arc(_ordered(lore, steps), True)
    between = dict.fromkeys(_between(lore, start, end), 1)
    return Arc(_ordered(lore, {**between, start.id: 0, end.id: FARTHEST}), False)


def _steps(lore: Lore, event: EntityId, near: Side) -> dict[EntityId, int]:
    """How many steps away every event is that causes and sequence lead to."""
    found, level = {event: 0}, [event]
    for distance in range(1, FARTHEST + 1):
        if not level or len(found) > MOST_EVENTS:
            break
        relations = lore.relations_of(level, LEADING, near)
        ends = {end for each in relations for end in each.ends if end not in found}
        level = sorted(end for end, entity in lore.entities(ends).items() if kind_of(entity).type == "event")
        found |= dict.fromkeys(level, distance)
    return found


def _ordered(lore: Lore, steps: Mapping[EntityId, int]) -> tuple[Entity, ...]:
    """By time; an undated event stands where the way to it puts it."""
    entities = lore.entities(steps)
    times = lore.event_times(entities)
    known = sorted((steps[each], time.lo) for each, time in times.items() if each in steps and time is not None)

    def order(entity: Entity) -> tuple[int, int, str, str]:
        time, step = times[entity.id], steps[entity.id]
        # Behind the last dated event that is no farther on the way.
        start = time.lo if time else max((lo for far, lo in known if far <= step), default=MIN)
        return start, step, entity.name, entity.id

    return tuple(sorted(entities.values(), key=order))


def _between(lore: Lore, start: Entity, end: Entity) -> list[EntityId]:
    ends = [start.id, end.id]
    people = {each.subject for each in lore.relations_of(ends, ["participated_in"], "object")}
    sharing = {each.object for each in lore.relations_of(people, ["participated_in"], "subject")} if people else set()
    places = {place for event in ends for place in _places_around(lore, event)}
    there = lore.relations_of(places, ["occurred_at"], "object") if places else []
    found = {*(each.subject for each in there), *(each for each in sharing if each is not None)} - set(ends)
    events = [each for each, entity in lore.entities(found).items() if kind_of(entity).type == "event"]
    times = lore.event_times([*ends, *events])
    first = MIN if times[start.id] is None else (times[start.id] or Bounds()).lo
    last = MAX if times[end.id] is None else (times[end.id] or Bounds()).hi
    return [each for each in events if (time := times[each]) is not None and first <= time.lo and time.hi <= last]


def _places_around(lore: Lore, event: EntityId) -> set[EntityId]:
    """Where an event was, the places in that place and those it lies in, at that time."""
    at = period_of(lore.event_time(event))
    places = {each.object for each in lore.relations_of([event], ["occurred_at"], "subject") if each.object is not None}
    inside = {each for place in places for each in within(lore, place, at)}
    return inside | {step.place for place in places for step in walk(lore, place, "up", at)}


def period_of(bounds: Bounds | None) -> Time | None:
    """An event's time as one period; none if it has no time."""
    first = None if bounds is None else bounds.valid_from or bounds.valid_until
    last = None if bounds is None else bounds.valid_until or first
    if first is None or last is None or first == last:
        return first
    return Time(f"{first} .. {last}", first.lo, max(first.lo, last.hi), first.uncertain or last.uncertain, "range")
