"""A snapshot of a place, or of anything else, at one time."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.places import within
from recollect.reason.lore.presence import Present, best_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds, Coverage, Time, coverage

_BELONGING = frozenset({"member_of", "belongs_to"})
_ATTENDING = ("participated_in", "witnessed")
_AT_PLACES = ("rules", "controls", "located_in", "occurred_at")
_DERIVED = {"practices": "magic_systems", "worships": "deities", "speaks": "languages"}


class Happening(NamedTuple):
    """An event that goes on, its time, and the relation that brings it here."""

    relation: Relation
    event: EntityId
    time: Bounds
    coverage: Coverage


class Thing(NamedTuple):
    """A thing that is there because of others: in a place, or by whom it is held, practised or spoken."""

    entity: EntityId
    relation: Relation
    coverage: Coverage
    place: EntityId | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What a snapshot shows, before it is cut and printed."""

    rulers: list[tuple[Relation, Coverage]] = field(default_factory=list)
    controllers: list[Present] = field(default_factory=list)
    persons: list[Present] = field(default_factory=list)
    events: list[Happening] = field(default_factory=list)
    derived: dict[str, list[Thing]] = field(default_factory=dict)
    items: list[Thing] = field(default_factory=list)

    @property
    def people(self) -> tuple[EntityId, ...]:
        """Those who rule and those present."""
        ruling = (each.subject for each, _ in self.rulers)
        return tuple(dict.fromkeys((*ruling, *(each.entity.id for each in self.persons))))


def state_of_place(lore: Lore, place: EntityId, at: Time, *, exact: bool) -> State:
    """A place with all that lies in it, unless only the very place is asked for."""
    places = frozenset({place}) if exact else within(lore, place, at)
    here = lore.relations_of(places, _AT_PLACES, "object", at=at)
    entities = lore.entities(each.subject for each in here)
    types = {each: kind_of(entity).type for each, entity in entities.items()}
    held = lore.holding((each for each in here if each.name != "occurred_at"), at)
    rulers = [(each, how) for each, how in held if each.name == "rules" and each.object == place]
    in_places = [
        Present(entities[each.subject], each.object, each, how)
        for each, how in held
        if each.object is not None and each.name != "rules"
    ]
    controllers = [each for each in in_places if each.relation.name == "controls" and types[each.entity.id] in GROUPS]
    located = best_of(each for each in in_places if each.relation.name == "located_in")
    persons = [each for each in located if types[each.entity.id] == "person"]
    items = [
        Thing(each.entity.id, each.relation, each.coverage, each.place)
        for each in located
        if types[each.entity.id] == "item"
    ]
    events = [each for each in here if each.name == "occurred_at" and types[each.subject] == "event"]
    state = State(rulers, best_of(controllers), persons, going_on(lore, events, at), items=items)
    holders = frozenset((*state.people, *(each.entity.id for each in controllers)))
    _add_derived(lore, state, holders, frozenset(state.people), at)
    return state


def state_of_other(lore: Lore, entity: Entity, at: Time) -> State:
    """Anything but a place: its members, the events it takes part in, what it practises and possesses."""
    state = State(persons=_members(lore, entity, at), events=_attended(lore, entity, at))
    _add_derived(lore, state, {entity.id}, {entity.id}, at)
    return state


def _members(lore: Lore, entity: Entity, at: Time) -> list[Present]:
    if kind_of(entity).type not in GROUPS:
        return []
    found = [each for each in lore.around(entity.id, at) if each.name in _BELONGING and each.object == entity.id]
    members = lore.entities(each.subject for each in found)
    return best_of(
        Present(members[each.subject], entity.id, each, how)
        for each, how in lore.holding(found, at)
        if kind_of(members[each.subject]).type == "person"
    )


def _attended(lore: Lore, entity: Entity, at: Time) -> list[Happening]:
    found = lore.relations_of([entity.id], _ATTENDING, "subject")
    others = lore.entities(each.object for each in found if each.object is not None)
    return going_on(lore, [each for each in found if _is_event(others, each.object)], at)


def _is_event(entities: dict[EntityId, Entity], entity: EntityId | None) -> bool:
    return entity is not None and kind_of(entities[entity]).type == "event"


def going_on(lore: Lore, relations: Iterable[Relation], at: Time) -> list[Happening]:
    """The events of these relations whose time meets the time asked about, each once, in order of time."""
    given = sorted(relations, key=lambda each: each.id)
    events = {each.id: each.subject if each.name == "occurred_at" else each.object for each in given}
    times = lore.event_times(event for event in events.values() if event is not None)
    found: dict[EntityId, Happening] = {}
    for each in given:
        event = events[each.id]
        time = None if event is None else times[event]
        if event is not None and time is not None and (how := coverage(time, at)) != "none":
            found.setdefault(event, Happening(each, event, time, how))
    named = lore.entities(found)
    return sorted(found.values(), key=lambda each: (each.time.lo, each.time.hi, named[each.event].name, each.event))


def _add_derived(
    lore: Lore, state: State, holders: Collection[EntityId], possessors: Collection[EntityId], at: Time
) -> None:
    state.derived.update({name: [] for name in _DERIVED.values()})
    found = lore.relations_of(holders, [*_DERIVED, "possesses"], "subject", at=at)
    for each, how in lore.holding(found, at):
        if each.object is None:
            continue
        thing = Thing(each.object, each, how)
        if each.name != "possesses":
            state.derived[_DERIVED[each.name]].append(thing)
        elif each.subject in possessors:
            state.items.append(thing)
