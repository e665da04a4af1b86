"""Which events fall into a period, and into a place."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of, stored_types
from recollect.model.relations import spellings_of
from recollect.model.wording import snake
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds, Coverage, Time, coverage, holds


class Event(NamedTuple):
    """An event with its time and how it lies in the period asked about."""

    entity: Entity
    time: Bounds
    coverage: Coverage


def is_wanted(entity: Entity, word: str | None) -> bool:
    """Whether an event is of the label or subtype that a word names; encounters only when they are asked for."""
    kind = kind_of(entity)
    wanted = None if word is None else snake(word)
    if kind.type == "encounter":
        return wanted == "encounter"
    return kind.type == "event" and (wanted in (None, "event") or snake(kind.subtype or "") == wanted)


def events_in(lore: Lore, at: Time, candidates: Iterable[EntityId], word: str | None) -> list[Event]:
    """Those of the events that are wanted and whose time meets the period, in order."""
    entities = {each: entity for each, entity in lore.entities(candidates).items() if is_wanted(entity, word)}
    times = lore.event_times(entities)
    found = []
    for each, entity in entities.items():
        time = times[each]
        if time is not None and (how := _coverage(time, at)) != "none":
            found.append(Event(entity, time, how))
    return sorted(found, key=lambda event: (event.time.lo, event.time.hi, event.entity.name, event.entity.id))


def _coverage(time: Bounds, at: Time) -> Coverage:
    """`full` when the period holds the whole event."""
    how = coverage(time, at)
    if how in ("none", "uncertain"):
        return how
    return "full" if at.lo <= time.lo and time.hi <= at.hi else "partial"


def near(lore: Lore, at: Time) -> list[EntityId]:
    """Entities that may be events of the period."""
    predicates = [each for name in ("occurred_during", "occurred_at") for each in spellings_of(name).forward]
    asked = {"predicates": sorted(predicates), "at_lo": at.lo, "at_hi": at.hi}
    dated = [row[0] for row in lore.view.rows("events_near", **asked)]
    swapped = lore.view.rows("events_near_swapped", predicates=sorted(spellings_of("occurred_at").swapped))
    types = sorted(stored_types("event", "encounter"))
    by_property = [row[0] for row in lore.view.rows("events_with_dates", types=types)]
    return list(dict.fromkeys((*dated, *(row[0] for row in swapped), *by_property)))


class Ground:
    """A place with all that ever lay in it, and what lay in what at any time."""

    def __init__(self, lore: Lore, place: EntityId, *, exact: bool) -> None:
        self._place = place
        self._within: dict[EntityId, list[tuple[EntityId, Bounds]]] = {}
        level = {place}
        self.places = {place}
        while level and not exact:
            relations = lore.relations_of(level, ["part_of"], "object")
            self._note(relations, lore)
            level = {each.subject for each in relations} - self.places
            self.places |= level

    def _note(self, relations: Collection[Relation], lore: Lore) -> None:
        intervals = lore.intervals(relations)
        for each in relations:
            if each.object is not None:
                self._within.setdefault(each.subject, []).append((each.object, intervals[each.id]))

    def holds(self, place: EntityId, time: Bounds) -> bool:
        """Whether a place lay in the ground at that time."""
        at = Time("", time.lo, time.hi)
        seen, level = {place}, {place}
        while level:
            if self._place in level:
                return True
            level = {
                around for inner in level for around, interval in self._within.get(inner, ()) if holds(interval, at)
            } - seen
            seen |= level
        return False


def places_of(lore: Lore, events: Collection[EntityId]) -> dict[EntityId, list[Relation]]:
    """By event, the relations that say where it took place."""
    found: dict[EntityId, list[Relation]] = {}
    for each in sorted(lore.relations_of(events, ["occurred_at"], "subject"), key=lambda each: each.id):
        found.setdefault(each.subject, []).append(each)
    return found
