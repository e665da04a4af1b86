"""Events of a story: chains and arcs, what is narrated of each event, and from whose perspective."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId
from recollect.model.labels import BEINGS, GROUPS, kind_of
from recollect.reason.lore.disputes import find_disputes
from recollect.reason.lore.events import ChainStrand, follow_chain
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.narration.rendering import NarrationStyle
from recollect.reason.lore.narration.sentences import (
    CAUSAL_RELATIONS,
    NO_TIME,
    RelationSentence,
    build_sentences,
    verbalize_relation,
)
from recollect.reason.lore.places import PresentEntity, find_present, places_within, walk_places
from recollect.reason.lore.relation import (
    ATTENDANCE_RELATIONS,
    MEMBERSHIP_RELATIONS,
    Relation,
    RelationSide,
    stated_bounds,
)
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

CHAIN_STRANDS: tuple[ChainStrand, ...] = ("causes", "effects", "concurrent")
_INVOLVEMENT_RELATIONS = ("participated_in", "witnessed", "caused")
_OWN_FIRST_STYLES = frozenset({"bullet", "paragraph"})


class EventChain(NamedTuple):
    """The events of a chain, the starting one first, and the relations that describe them."""

    events: tuple[EntityId, ...]
    relations: tuple[Relation, ...]


def event_chain_of(lore: LoreReader, entity: Entity, depth: int) -> EventChain:
    """The chain around an event, or around all events that something else was involved in."""
    if kind_of(entity).type == "event":
        return event_chain_around(lore, [entity.id], depth)
    own = lore.relations_of([entity.id])
    involved = [each for each in own if each.name in _INVOLVEMENT_RELATIONS and each.subject == entity.id]
    events = _filter_events(lore, (each.object for each in involved if each.object is not None))
    around = event_chain_around(lore, events, depth - 1)
    return EventChain(around.events, (*(each.relation for each in dated_sentences(lore, own)), *around.relations))


def dated_sentences(lore: LoreReader, relations: Iterable[Relation]) -> list[RelationSentence]:
    return [each for each in build_sentences(lore, relations) if each.time != NO_TIME]


def event_chain_around(lore: LoreReader, events: Collection[EntityId], depth: int) -> EventChain:
    """Time, place and participants of these events, and their causes and effects within so many steps."""
    if not events:
        return EventChain((), ())
    strands = [follow_chain(lore, event, strand, depth) for event in events for strand in CHAIN_STRANDS]
    edges = {edge.id: edge for strand in strands for edge in strand.edges}
    reached = dict.fromkeys((*events, *(end for edge in edges.values() for end in edge.ends)))
    found = _filter_events(lore, reached)
    own = [
        *lore.relations_of(found, EVENT_TIME_RELATIONS, "subject"),
        *lore.relations_of(list(events), ["participated_in"], "object"),
    ]
    return EventChain(tuple(found), (*own, *edges.values()))


def _filter_events(lore: LoreReader, entities: Iterable[EntityId]) -> list[EntityId]:
    return [each for each, entity in lore.entities(entities).items() if kind_of(entity).type == "event"]


def sort_sentences(
    sentences: Iterable[RelationSentence], entity: EntityId, style: NarrationStyle
) -> list[RelationSentence]:
    """By time, undated ones last; styles that are not chronological put the entity's own sentences first."""
    own_first = style in _OWN_FIRST_STYLES
    return sorted(sentences, key=lambda each: (own_first and entity not in each.relation.ends, each.order))


def sort_events(lore: LoreReader, events: Iterable[EntityId]) -> list[Entity]:
    """Events by their time, the undated last, then by name."""
    entities = lore.entities(events)
    times = lore.event_times(entities)

    def order(entity: Entity) -> tuple[bool, int, str, str]:
        time = times[entity.id]
        return time is None, 0 if time is None else time.lo, entity.name, entity.id

    return sorted(entities.values(), key=order)


MAX_DISTANCE = 12
MAX_EVENTS = 5000


class StoryArc(NamedTuple):
    """The events of a story in their order."""

    events: tuple[Entity, ...]
    connected: bool


def arc_between(lore: LoreReader, start: Entity, end: Entity) -> StoryArc:
    """All events on causal paths from one to the other, or those between them that share people or places."""
    if start.id == end.id:
        return StoryArc((start,), True)
    ahead = _event_distances(lore, start.id, "subject")
    if end.id in ahead:
        behind = _event_distances(lore, end.id, "object")
        spine = {each: ahead[each] for each in ahead if each in behind and ahead[each] + behind[each] <= MAX_DISTANCE}
        concurrent = lore.relations_of(list(spine), ["concurrent_with"], "either")
        steps = {end_: spine.get(end_, MAX_DISTANCE) for each in concurrent for end_ in each.ends} | spine
        return StoryArc(_sort_by_time_and_distance(lore, steps), True)
    between = dict.fromkeys(_events_between(lore, start, end), 1)
    return StoryArc(_sort_by_time_and_distance(lore, {**between, start.id: 0, end.id: MAX_DISTANCE}), False)


def _event_distances(lore: LoreReader, event: EntityId, near: RelationSide) -> dict[EntityId, int]:
    """How many causal or temporal steps away from an event every other event is."""

    def expand(level: list[EntityId]) -> Iterator[Step[EntityId, None]]:
        relations = lore.relations_of(level, CAUSAL_RELATIONS, near)
        nodes = set(level)
        events = set(_filter_events(lore, (end for each in relations for end in each.ends)))
        for each in relations:
            for here in nodes.intersection(each.ends):
                there = each.other_end(here)
                if there in events:
                    yield Step(here, there, None)

    search = breadth_first([event], expand, depth=MAX_DISTANCE, until=lambda reached: len(reached) > MAX_EVENTS)
    return search.depths()


def _sort_by_time_and_distance(lore: LoreReader, steps: Mapping[EntityId, int]) -> tuple[Entity, ...]:
    """By time; an undated event is placed by its distance."""
    entities = lore.entities(steps)
    times = lore.event_times(entities)
    known = sorted((steps[each], time.lo) for each, time in times.items() if each in steps and time is not None)

    def order(entity: Entity) -> tuple[int, int, str, str]:
        time, step = times[entity.id], steps[entity.id]
        # After the last dated event that is no farther away.
        start = time.lo if time else max((lo for far, lo in known if far <= step), default=MIN)
        return start, step, entity.name, entity.id

    return tuple(sorted(entities.values(), key=order))


def _events_between(lore: LoreReader, start: Entity, end: Entity) -> list[EntityId]:
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


def _places_around(lore: LoreReader, event: EntityId) -> frozenset[EntityId]:
    """The places of an event, with the places inside and around them at that time."""
    at = period_of(lore.event_time(event))
    places = {each.object for each in lore.relations_of([event], ["occurred_at"], "subject") if each.object is not None}
    inside = places_within(lore, places, at)
    return inside | {step.place for place in places for step in walk_places(lore, place, "up", at)}


def period_of(bounds: Bounds | None) -> Time | None:
    """An event's time as one period; none if it has no time."""
    first = None if bounds is None else bounds.valid_from or bounds.valid_until
    last = None if bounds is None else bounds.valid_until or first
    if first is None or last is None or first == last:
        return first
    return Time(f"{first} .. {last}", first.lo, max(first.lo, last.hi), first.uncertain or last.uncertain, "range")


def events_seen_by(lore: LoreReader, perspective: Entity, events: Collection[EntityId]) -> set[EntityId]:
    """The events that an entity, or a member of a group at that time, took part in or witnessed."""
    attended = lore.relations_of(events, ATTENDANCE_RELATIONS, "object") if events else []
    own = {each.object for each in attended if each.subject == perspective.id}
    seen = {each for each in own if each is not None}
    if kind_of(perspective).type in GROUPS:
        seen |= _events_seen_by_members(lore, perspective, attended)
    return seen


def _events_seen_by_members(lore: LoreReader, group: Entity, attended: Iterable[Relation]) -> set[EntityId]:
    people = {each.subject: each for each in attended}
    joined = lore.relations_of(list(people), MEMBERSHIP_RELATIONS, "subject") if people else []
    mine = [each for each in joined if each.object == group.id]
    intervals = lore.intervals(mine)
    times = lore.event_times(each.object for each in attended if each.object is not None)
    return {
        each.object
        for each in attended
        if each.object is not None
        for member in mine
        if member.subject == each.subject and _was_member_then(intervals[member.id], times[each.object])
    }


def _was_member_then(stay: Bounds, time: Bounds | None) -> bool:
    return time is None or (stay.lo <= time.hi and time.lo <= stay.hi)


MAX_PRESENT = 5


class EventNarration(NamedTuple):
    """One event of the story and its sentences."""

    event: Entity
    sentences: tuple[RelationSentence, ...]


def narrate_events(lore: LoreReader, events: Collection[Entity], perspective: Entity | None) -> list[EventNarration]:
    """For each event its place and time, participants, causes and who was present; each once."""
    ids = [each.id for each in events]
    narrated: list[EventNarration] = []
    mentioned: set[str] = set()
    where = lore.relations_of(ids, EVENT_TIME_RELATIONS, "subject")
    participation = lore.relations_of(ids, ["participated_in"], "object")
    causes = _find_causes(lore, ids, perspective)
    for event in events:
        relations = [
            *sorted((each for each in where if each.subject == event.id), key=_id_of),
            *sorted((each for each in participation if each.object == event.id), key=_id_of),
            *sorted((each for each in causes if each.object == event.id), key=_id_of),
        ]
        skipped = mentioned | {each.subject for each in relations} | ({perspective.id} if perspective else set())
        sentences = [*build_sentences(lore, relations), *_presence_sentences(lore, event, relations, skipped)]
        mentioned |= {each.relation.subject for each in sentences if each.relation.name in ("located_in", "controls")}
        narrated.append(EventNarration(event, tuple(sentences)))
    return narrated


def _id_of(relation: Relation) -> str:
    return relation.id


def _find_causes(lore: LoreReader, events: list[EntityId], perspective: Entity | None) -> list[Relation]:
    """The causes of the events; from a perspective, only causes that it witnessed."""
    causes = lore.relations_of(events, ["caused"], "object")
    if perspective is None:
        return causes
    kinds = lore.entities(each.subject for each in causes)
    return [each for each in causes if each.subject in events or kind_of(kinds[each.subject]).type != "event"]


def _presence_sentences(
    lore: LoreReader, event: Entity, relations: list[Relation], skipped: Collection[str]
) -> list[RelationSentence]:
    bounds = lore.event_time(event.id)
    at = period_of(bounds)
    places = [each.object for each in relations if each.name == "occurred_at" and each.object is not None]
    if at is None or bounds is None or not places:
        return []
    inside = places_within(lore, places, at)
    there: dict[EntityId, PresentEntity] = {}
    for each in sorted(find_present(lore, inside, at), key=_by_type_and_name):
        if _is_being(each) and each.entity.id not in skipped:
            there.setdefault(each.entity.id, each)
    return [_presence_sentence(lore, each, bounds) for each in list(there.values())[:MAX_PRESENT]]


def _by_type_and_name(found: PresentEntity) -> tuple[str, str, str]:
    return kind_of(found.entity).type, found.entity.name, found.relation.id


def _is_being(found: PresentEntity) -> bool:
    return kind_of(found.entity).type in BEINGS


def _presence_sentence(lore: LoreReader, found: PresentEntity, event: Bounds) -> RelationSentence:
    """That an entity was present at the time of the event; if it came or left meanwhile, with its own bounds."""
    place = lore.entities([found.place])[found.place]
    relation = found.relation
    time = Bounds(event.valid_from, event.valid_until or event.valid_from)
    if found.coverage != "full" and stated_bounds(relation) != Bounds():
        time = stated_bounds(relation)
    phrase = verbalize_relation(relation.name, found.entity.name, place.name, time.valid_from, time.valid_until)
    return RelationSentence(relation, phrase, time, bool(find_disputes(lore, [relation])))
