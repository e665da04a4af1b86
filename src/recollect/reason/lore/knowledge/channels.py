"""How, when and through whom a character learned a relation; moments and group memberships."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

AcquisitionKind = Literal["self", "participated", "witnessed", "co_located", "told", "common", "public"]
STRENGTH_ORDER: tuple[AcquisitionKind, ...] = (
    "self",
    "participated",
    "witnessed",
    "co_located",
    "told",
    "common",
    "public",
)
BELIEF_BY_KIND: dict[AcquisitionKind, float] = {
    "self": 1.0,
    "participated": 1.0,
    "witnessed": 1.0,
    "co_located": 0.9,
    "told": 0.6,
    "common": 0.8,
    "public": 0.8,
}


class Acquisition(NamedTuple):
    """One way by which one thing is known; `since` and `until` are the last units of their times."""

    how: AcquisitionKind
    learned: Time | None
    since: int
    until: int
    via: str | None = None
    told_by: str | None = None


class KnowledgeChannel(NamedTuple):
    """A relation and a way by which it may be known."""

    relation: Relation
    way: Acquisition


def latest_time(*times: Time | None) -> Time | None:
    """The time that comes last, an open one never."""
    return max((time for time in times if time is not None), key=lambda time: (time.hi, time.lo), default=None)


def end_or_min(time: Time | None) -> int:
    return MIN if time is None else time.hi


def sort_by_strength(ways: Iterable[Acquisition]) -> tuple[Acquisition, ...]:
    """The ways in order of strength, of equal ones the earliest first."""
    return tuple(
        sorted(ways, key=lambda way: (STRENGTH_ORDER.index(way.how), way.since, way.via or "", way.told_by or ""))
    )


EVENT_TYPES = frozenset({"event", "encounter"})


class KnowledgeMoment(NamedTuple):
    """The last unit that counts; an undated event has happened only when the present was asked for."""

    last: int
    is_present: bool

    def is_past(self, time: Time | None) -> bool:
        """Whether a time had certainly come; an open one had."""
        return time is None or time.hi <= self.last


def knowledge_moment_of(lore: LoreReader, npc: Entity, at: Time, *, is_present: bool) -> KnowledgeMoment | None:
    """The moment for somebody: the dead keep what they knew, before one exists there is none."""
    life = lore.existence(npc.id)
    if life.start is not None and at.hi < life.start.lo:
        return None
    return KnowledgeMoment(at.hi if life.end is None else min(at.hi, life.end.hi), is_present)


def filter_begun(lore: LoreReader, relations: Iterable[Relation], moment: KnowledgeMoment) -> list[Relation]:
    """The relations that had certainly begun, between things that were certainly there."""
    started = [each for each in relations if moment.is_past(stated_bounds(each).valid_from)]
    ends = list(dict.fromkeys(end for each in started for end in each.ends))
    there = _existing_ends(lore, ends, moment)
    return [each for each in started if there.issuperset(each.ends)]


def _existing_ends(lore: LoreReader, ends: list[EntityId], moment: KnowledgeMoment) -> set[EntityId]:
    entities = lore.entities(ends)
    events = [end for end in ends if end in entities and kind_of(entities[end]).type in EVENT_TYPES]
    lives, times = lore.existences(ends), lore.event_times(events)
    happened = {event for event in events if _has_happened(times[event], moment)}
    return {end for end in ends if moment.is_past(lives[end].start) and (end not in events or end in happened)}


def _has_happened(time: Bounds | None, moment: KnowledgeMoment) -> bool:
    if time is None:
        return moment.is_present
    if time.valid_from is not None:
        return moment.is_past(time.valid_from)
    return moment.is_past(time.valid_until)


def certain_start(bounds: Bounds | None) -> int:
    """When something had certainly begun; an open start lies before everything."""
    return MIN if bounds is None or bounds.valid_from is None else bounds.valid_from.hi


def certain_end(bounds: Bounds) -> int:
    return MAX if bounds.valid_until is None else bounds.valid_until.hi


MAX_DEPTH = 12
MAX_GROUPS = 2000


class Membership(NamedTuple):
    """Somebody in a group, or a person by themselves; `start` is the joining that came last on the way there."""

    group: EntityId
    name: str | None
    start: Time | None = None
    since: int = MIN
    until: int = MAX


def find_memberships(lore: LoreReader, npc: Entity, moment: KnowledgeMoment) -> dict[EntityId, list[Membership]]:
    """By group, the stretches in which somebody belonged to it; one belongs to oneself always."""
    found: dict[EntityId, list[Membership]] = {npc.id: [Membership(npc.id, None)]}
    edge = _next_memberships(lore, found[npc.id], ("member_of", "belongs_to"), moment)
    for _ in range(MAX_DEPTH):
        fresh = [each for each in dict.fromkeys(edge) if each not in found.get(each.group, ())]
        for each in fresh:
            found.setdefault(each.group, []).append(each)
        if not fresh or len(found) > MAX_GROUPS:
            break
        edge = _next_memberships(lore, fresh, ("member_of",), moment)
    return found


def _next_memberships(
    lore: LoreReader, members: Iterable[Membership], names: tuple[str, ...], moment: KnowledgeMoment
) -> list[Membership]:
    """Where these members went on to belong; a group that is not yet founded has none."""
    by_member: dict[EntityId, list[Membership]] = {}
    for each in members:
        by_member.setdefault(each.group, []).append(each)
    relations = filter_begun(lore, lore.relations_of(list(by_member), names, "subject"), moment)
    held = lore.intervals(relations)
    groups = lore.entities(each.object for each in relations if each.object is not None)
    stretches = [
        _membership_through(member, each, groups[each.object], held[each.id])
        for each in relations
        if each.object is not None
        for member in by_member[each.subject]
    ]
    return [each for each in stretches if each.since <= each.until]


def _membership_through(member: Membership, joining: Relation, group: Entity, held: Bounds) -> Membership:
    start = latest_time(member.start, stated_bounds(joining).valid_from)
    since, until = max(member.since, certain_start(held)), min(member.until, certain_end(held))
    return Membership(group.id, group.name, start, since, until)
