"""Snapshots at one time: the state of a place or entity, and an entity's context by lists."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.places import PresentEntity, best_presences, places_within
from recollect.reason.lore.relation import ATTENDANCE_RELATIONS, MEMBERSHIP_RELATIONS, Relation, by_start
from recollect.when.period import Bounds, Coverage, Time, coverage

_PLACE_RELATIONS = ("rules", "controls", "located_in", "occurred_at")
_DERIVED = {"practices": "magic_systems", "worships": "deities", "speaks": "languages"}


class OngoingEvent(NamedTuple):
    """An ongoing event, its time, and the relation that links it to the place or entity."""

    relation: Relation
    event: EntityId
    time: Bounds
    coverage: Coverage


class DerivedThing(NamedTuple):
    """An entity that is present through others: located in a place, or possessed, practised or spoken by someone."""

    entity: EntityId
    relation: Relation
    coverage: Coverage
    place: EntityId | None = None


@dataclass(frozen=True, slots=True)
class LoreSnapshot:
    """The contents of a snapshot, before limits and rendering."""

    rulers: list[tuple[Relation, Coverage]] = field(default_factory=list)
    controllers: list[PresentEntity] = field(default_factory=list)
    persons: list[PresentEntity] = field(default_factory=list)
    events: list[OngoingEvent] = field(default_factory=list)
    derived: dict[str, list[DerivedThing]] = field(default_factory=dict)
    items: list[DerivedThing] = field(default_factory=list)

    @property
    def people(self) -> tuple[EntityId, ...]:
        """The rulers and the persons present."""
        ruling = (each.subject for each, _ in self.rulers)
        return tuple(dict.fromkeys((*ruling, *(each.entity.id for each in self.persons))))


def snapshot_of_place(lore: LoreReader, place: EntityId, at: Time, *, exact: bool) -> LoreSnapshot:
    """The state of a place and all places within it; with `exact`, of the place alone."""
    places = frozenset({place}) if exact else places_within(lore, [place], at)
    here = lore.relations_of(places, _PLACE_RELATIONS, "object", at=at)
    entities = lore.entities(each.subject for each in here)
    types = {each: kind_of(entity).type for each, entity in entities.items()}
    holding = lore.holding((each for each in here if each.name != "occurred_at"), at)
    rulers = [(each, how) for each, how in holding if each.name == "rules" and each.object == place]
    in_places = [
        PresentEntity(entities[each.subject], each.object, each, how)
        for each, how in holding
        if each.object is not None and each.name != "rules"
    ]
    controllers = [each for each in in_places if each.relation.name == "controls" and types[each.entity.id] in GROUPS]
    located = best_presences(each for each in in_places if each.relation.name == "located_in")
    persons = [each for each in located if types[each.entity.id] == "person"]
    items = [
        DerivedThing(each.entity.id, each.relation, each.coverage, each.place)
        for each in located
        if types[each.entity.id] == "item"
    ]
    events = [each for each in here if each.name == "occurred_at" and types[each.subject] == "event"]
    state = LoreSnapshot(
        rulers, best_presences(controllers), persons, find_ongoing_events(lore, events, at), items=items
    )
    holders = frozenset((*state.people, *(each.entity.id for each in controllers)))
    _add_derived(lore, state, holders, frozenset(state.people), at)
    return state


def snapshot_of_entity(lore: LoreReader, entity: Entity, at: Time) -> LoreSnapshot:
    """The state of an entity that is not a place: its members, events, practices and possessions."""
    state = LoreSnapshot(persons=_find_members(lore, entity, at), events=_find_attended(lore, entity, at))
    _add_derived(lore, state, {entity.id}, {entity.id}, at)
    return state


def _find_members(lore: LoreReader, entity: Entity, at: Time) -> list[PresentEntity]:
    if kind_of(entity).type not in GROUPS:
        return []
    found = [
        each
        for each in lore.relations_at(entity.id, at)
        if each.name in MEMBERSHIP_RELATIONS and each.object == entity.id
    ]
    members = lore.entities(each.subject for each in found)
    return best_presences(
        PresentEntity(members[each.subject], entity.id, each, how)
        for each, how in lore.holding(found, at)
        if kind_of(members[each.subject]).type == "person"
    )


def _find_attended(lore: LoreReader, entity: Entity, at: Time) -> list[OngoingEvent]:
    found = lore.relations_of([entity.id], ATTENDANCE_RELATIONS, "subject")
    others = lore.entities(each.object for each in found if each.object is not None)
    return find_ongoing_events(lore, [each for each in found if _is_event(others, each.object)], at)


def _is_event(entities: dict[EntityId, Entity], entity: EntityId | None) -> bool:
    return entity is not None and kind_of(entities[entity]).type == "event"


def find_ongoing_events(lore: LoreReader, relations: Iterable[Relation], at: Time) -> list[OngoingEvent]:
    """The events of these relations that go on at a time, each once, in order of time."""
    given = sorted(relations, key=lambda each: each.id)
    events = {each.id: each.subject if each.name == "occurred_at" else each.object for each in given}
    times = lore.event_times(event for event in events.values() if event is not None)
    found: dict[EntityId, OngoingEvent] = {}
    for each in given:
        event = events[each.id]
        time = None if event is None else times[event]
        if event is not None and time is not None and (how := coverage(time, at)) != "none":
            found.setdefault(event, OngoingEvent(each, event, time, how))
    named = lore.entities(found)
    return sorted(found.values(), key=lambda each: (each.time.lo, each.time.hi, named[each.event].name, each.event))


def _add_derived(
    lore: LoreReader, state: LoreSnapshot, holders: Collection[EntityId], possessors: Collection[EntityId], at: Time
) -> None:
    state.derived.update({name: [] for name in _DERIVED.values()})
    found = lore.relations_of(holders, [*_DERIVED, "possesses"], "subject", at=at)
    for each, how in lore.holding(found, at):
        if each.object is None:
            continue
        thing = DerivedThing(each.object, each, how)
        if each.name != "possesses":
            state.derived[_DERIVED[each.name]].append(thing)
        elif each.subject in possessors:
            state.items.append(thing)


CONTEXT_LISTS = (
    "factions",
    "locations",
    "cultures",
    "titles",
    "languages",
    "magic_systems",
    "deities",
    "items_possessed",
)
_PAGE_SIZE = 200
_LIST_OF: Mapping[str, str] = {
    "member_of": "factions",
    "located_in": "locations",
    "controls": "locations",
    "rules": "locations",
    "part_of": "locations",
    "belongs_to": "cultures",
    "holds_title": "titles",
    "claims_title": "titles",
    "speaks": "languages",
    "practices": "magic_systems",
    "worships": "deities",
    "possesses": "items_possessed",
}
_ORGANIZATION_TYPES = frozenset({"faction", "organization"})

CoveredRelations = list[tuple[Relation, Coverage]]


class EntityContext(NamedTuple):
    """The relations by list, and the first of the other relations."""

    lists: Mapping[str, CoveredRelations]
    others: CoveredRelations
    is_cut: bool


def context_of(lore: LoreReader, entity: Entity, at: Time, limit: int) -> EntityContext:
    """The context of an entity at a time; at most `limit` relations outside the lists."""
    by_list: dict[str, list[Relation]] = {name: [] for name in CONTEXT_LISTS}
    others: list[Relation] = []
    for relation in lore.relations_at(entity.id, at):
        name = _context_list_of(lore, entity, relation)
        (others if name is None else by_list[name]).append(relation)
    lists = {name: lore.holding(found, at) for name, found in by_list.items()}
    rest = first_shown_at(lore, sorted(others, key=by_start), at, limit + 1)
    return EntityContext(lists, rest[:limit], len(rest) > limit)


def _context_list_of(lore: LoreReader, entity: Entity, relation: Relation) -> str | None:
    if relation.subject != entity.id or relation.object is None:
        return None
    kind = kind_of(entity).type
    match relation.name:
        case "member_of" if _type_of(lore, relation.object) not in _ORGANIZATION_TYPES:
            return None
        case "controls" | "rules" if kind not in GROUPS:
            return None
        case "part_of" if kind != "location":
            return None
        case name:
            return _LIST_OF.get(name)


def _type_of(lore: LoreReader, entity: EntityId) -> str:
    return kind_of(lore.entities([entity])[entity]).type


def first_shown_at(lore: LoreReader, relations: Sequence[Relation], at: Time, limit: int) -> CoveredRelations:
    """The first relations that are shown at a time, tested page by page, since a hub has very many."""
    found: CoveredRelations = []
    for start in range(0, len(relations), _PAGE_SIZE):
        found += lore.showing(relations[start : start + _PAGE_SIZE], at)
        if len(found) >= limit:
            break
    return found[:limit]
