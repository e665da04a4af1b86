"""Events of a period and place, and chains of causes and effects."""

from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of, stored_types
from recollect.model.relations import spellings_of
from recollect.model.similarity import to_snake_case
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, RelationSide
from recollect.when.period import Bounds, Coverage, Time, coverage, holds


class DatedEvent(NamedTuple):
    """An event with its time and how it lies in the period asked about."""

    entity: Entity
    time: Bounds
    coverage: Coverage


def matches_event_kind(entity: Entity, word: str | None) -> bool:
    """Whether an event is of the label or subtype that a word names; encounters only when they are asked for."""
    kind = kind_of(entity)
    wanted = None if word is None else to_snake_case(word)
    if kind.type == "encounter":
        return wanted == "encounter"
    return kind.type == "event" and (wanted in (None, "event") or to_snake_case(kind.subtype or "") == wanted)


def events_in(lore: LoreReader, at: Time, candidates: Iterable[EntityId], word: str | None) -> list[DatedEvent]:
    """Those of the events that are wanted and whose time meets the period, in order."""
    entities = {each: entity for each, entity in lore.entities(candidates).items() if matches_event_kind(entity, word)}
    times = lore.event_times(entities)
    found = []
    for each, entity in entities.items():
        time = times[each]
        if time is not None and (how := _event_coverage(time, at)) != "none":
            found.append(DatedEvent(entity, time, how))
    return sorted(found, key=lambda event: (event.time.lo, event.time.hi, event.entity.name, event.entity.id))


def _event_coverage(time: Bounds, at: Time) -> Coverage:
    """`full` when the period holds the whole event."""
    how = coverage(time, at)
    if how in ("none", "uncertain"):
        return how
    return "full" if at.lo <= time.lo and time.hi <= at.hi else "partial"


def find_event_candidates(lore: LoreReader, at: Time) -> list[EntityId]:
    """Entities that may be events of the period."""
    predicates = [each for name in ("occurred_during", "occurred_at") for each in spellings_of(name).forward]
    asked = {"predicates": sorted(predicates), "at_lo": at.lo, "at_hi": at.hi}
    dated = [row[0] for row in lore.view.rows("events_near", **asked)]
    swapped = lore.view.rows("events_near_swapped", predicates=sorted(spellings_of("occurred_at").swapped))
    types = sorted(stored_types("event", "encounter"))
    by_property = [row[0] for row in lore.view.rows("events_with_dates", types=types)]
    return list(dict.fromkeys((*dated, *(row[0] for row in swapped), *by_property)))


class PlaceHistory:
    """A place with all that ever lay in it, and what lay in what at any time."""

    def __init__(self, lore: LoreReader, place: EntityId, *, exact: bool) -> None:
        self._place = place
        self._within: dict[EntityId, list[tuple[EntityId, Bounds]]] = {}
        level = {place}
        self.places = {place}
        while level and not exact:
            relations = lore.relations_of(level, ["part_of"], "object")
            self._note(relations, lore)
            level = {each.subject for each in relations} - self.places
            self.places |= level

    def _note(self, relations: Collection[Relation], lore: LoreReader) -> None:
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


def places_of(lore: LoreReader, events: Collection[EntityId]) -> dict[EntityId, list[Relation]]:
    """By event, the relations that say where it took place."""
    found: dict[EntityId, list[Relation]] = {}
    for each in sorted(lore.relations_of(events, ["occurred_at"], "subject"), key=lambda each: each.id):
        found.setdefault(each.subject, []).append(each)
    return found


ChainStrand = Literal["causes", "effects", "concurrent"]

_NEAR_SIDE: dict[ChainStrand, RelationSide] = {"causes": "object", "effects": "subject", "concurrent": "either"}
_STRAND_RELATIONS: dict[ChainStrand, tuple[str, ...]] = {
    "causes": ("caused", "preceded"),
    "effects": ("caused", "preceded"),
    "concurrent": ("concurrent_with",),
}


class ChainLink(NamedTuple):
    """Something joined to an event: how far away, by which relation, from where."""

    entity: Entity
    depth: int
    relation: Relation
    via: EntityId


class CausalChain(NamedTuple):
    """One strand of an event's story, nearest first, and every relation it goes over."""

    links: list[ChainLink]
    edges: list[Relation]
    is_cyclic: bool


def follow_chain(lore: LoreReader, event: EntityId, strand: ChainStrand, depth: int) -> CausalChain:
    """Each thing once, at its smallest depth; what is no event is told but leads nowhere."""
    found: dict[EntityId, ChainLink] = {}
    edges: dict[str, Relation] = {}
    level, is_cyclic = [event], False
    for distance in range(1, depth + 1):
        steps = _chain_steps(lore, level, strand)
        edges |= {relation.id: relation for _, _, relation in steps}
        is_cyclic = is_cyclic or (strand != "concurrent" and any(there == event for _, there, _ in steps))
        entities = lore.entities(there for _, there, _ in steps)
        level = []
        for here, there, relation in steps:
            if there != event and there not in found:
                found[there] = ChainLink(entities[there], distance, relation, here)
                if kind_of(entities[there]).type == "event":
                    level.append(there)
        if not level:
            break
    return CausalChain(list(found.values()), list(edges.values()), is_cyclic)


def _chain_steps(
    lore: LoreReader, level: list[EntityId], strand: ChainStrand
) -> list[tuple[EntityId, EntityId, Relation]]:
    """Steps away from a level; of two relations between the same two, the one that caused comes first."""
    place = {entity: number for number, entity in enumerate(level)}
    relations = lore.relations_of(level, _STRAND_RELATIONS[strand], _NEAR_SIDE[strand])
    steps = [step for each in relations for step in _steps_away(each, place, strand)]
    return sorted(steps, key=lambda step: (step[2].name != "caused", place[step[0]], step[2].id))


def _steps_away(
    relation: Relation, level: dict[EntityId, int], strand: ChainStrand
) -> Iterable[tuple[EntityId, EntityId, Relation]]:
    if relation.object is None:
        return
    if relation.object in level and strand != "effects":
        yield relation.object, relation.subject, relation
    if relation.subject in level and strand != "causes":
        yield relation.subject, relation.object, relation
