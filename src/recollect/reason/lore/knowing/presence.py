"""What one knows from being there: of oneself, of events, of a place."""

from collections.abc import Callable, Iterator

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.relations import relation_kinds
from recollect.reason.lore.knowing.moment import Moment, begun, first_of, last_of
from recollect.reason.lore.knowing.way import Channel, How, Way, by_then, latest
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, clash

ATTENDED: dict[str, How] = {"participated_in": "participated", "witnessed": "witnessed"}
WHEN_AND_WHERE = frozenset({"occurred_at", "occurred_during"})
IsSecret = Callable[[Relation], bool]


def own_relations(lore: Lore, npc: Entity, moment: Moment) -> list[Relation]:
    """What somebody knows of themselves."""
    names = [kind.name for kind in relation_kinds().values() if kind.known_to_self]
    return begun(lore, lore.relations_of([npc.id], names, "subject"), moment)


def of_oneself(own: list[Relation], moment: Moment) -> Iterator[Channel]:
    for each in own:
        start = stated(each).valid_from
        yield Channel(each, Way("self", start, by_then(start), moment.last))


def of_events(lore: Lore, own: list[Relation]) -> Iterator[Channel]:
    """Where, when and by whom: of the events that one took part in or witnessed."""
    attended: dict[EntityId, set[How]] = {}
    for each in own:
        if each.name in ATTENDED and each.object is not None:
            attended.setdefault(each.object, set()).add(ATTENDED[each.name])
    times = lore.event_times(attended)
    names = lore.entities(attended)
    for event, relation in _told_by_events(lore, list(attended)):
        for how in attended[event]:
            yield Channel(relation, _seen(how, times[event], names[event].name))


def _seen(how: How, time: Bounds | None, via: str) -> Way:
    """Nobody can say of an undated event what was over when it ended."""
    return Way(how, time.valid_from if time else None, first_of(time), last_of(time) if time else MIN, via)


def _told_by_events(lore: Lore, events: list[EntityId]) -> Iterator[tuple[EntityId, Relation]]:
    for each in lore.relations_of(events, WHEN_AND_WHERE, "subject"):
        yield each.subject, each
    for each in lore.relations_of(events, ["participated_in"], "object"):
        if each.object is not None:
            yield each.object, each


def of_places(lore: Lore, npc: Entity, own: list[Relation], is_secret: IsSecret) -> Iterator[Channel]:
    """Who else was in the places one was in, and what happened there meanwhile."""
    stays = [each for each in own if each.name == "located_in"]
    held = lore.intervals(stays)
    places = lore.entities(each.object for each in stays if each.object is not None)
    for stay in stays:
        place = None if stay.object is None else places[stay.object]
        if place is not None:
            yield from _events_at(lore, place, held[stay.id], is_secret)
            yield from _others_at(lore, npc, place, stay, held[stay.id])


def _events_at(lore: Lore, place: Entity, stay: Bounds, is_secret: IsSecret) -> Iterator[Channel]:
    there = lore.relations_of([place.id], ["occurred_at"], "object")
    lore.sources(each.id for each in there)
    # What is known only through a secret would give the secret away.
    events = list(dict.fromkeys(each.subject for each in there if not is_secret(each)))
    times = lore.event_times(events)
    covered = [event for event in events if _certainly_covers(stay, times[event])]
    for event, relation in _told_by_events(lore, covered):
        yield Channel(relation, _seen("co_located", times[event], place.name))


def _certainly_covers(stay: Bounds, event: Bounds | None) -> bool:
    if event is None or event.valid_from is None or event.valid_until is None:
        return False
    ends = MAX if stay.valid_until is None else stay.valid_until.lo
    return first_of(stay) <= event.lo and ends >= event.hi


def _others_at(lore: Lore, npc: Entity, place: Entity, stay: Relation, mine: Bounds) -> Iterator[Channel]:
    meanwhile = Time("", mine.lo, max(mine.lo, mine.hi))
    there = lore.relations_of([place.id], ["located_in"], "object", at=meanwhile)
    others = [each for each in there if each.subject != npc.id]
    held = lore.intervals(others)
    for other in others:
        theirs = held[other.id]
        if clash(mine, theirs):
            since = max(first_of(mine), first_of(theirs))
            yield Channel(other, Way("co_located", _arrival(stay, other, since), since, last_of(mine), place.name))


def _arrival(stay: Relation, other: Relation, since: int) -> Time | None:
    """The later arrival, if somebody stated it: when a life began is not for neighbours to say."""
    later = latest(stated(stay).valid_from, stated(other).valid_from)
    return later if later is not None and later.hi == since else None
