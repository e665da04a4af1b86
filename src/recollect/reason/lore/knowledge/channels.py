"""How, when and through whom a character learned a relation; moments of knowledge and group memberships."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.existence import EVENT_TYPES
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import MEMBERSHIP_RELATIONS, Relation, stated_bounds
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

AcquisitionKind = Literal["self", "participated", "witnessed", "co_located", "told", "common", "public"]
STRENGTH_ORDER: tuple[AcquisitionKind, ...] = get_args(AcquisitionKind)
"""The strongest way first."""
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
    """One way in which a fact was learned; `since` and `until` are the last units of their times."""

    how: AcquisitionKind
    learned: Time | None
    since: int
    until: int
    via: str | None = None
    told_by: str | None = None


class KnowledgeChannel(NamedTuple):
    """A relation and a way in which it may have been learned."""

    relation: Relation
    way: Acquisition


def latest_time(*times: Time | None) -> Time | None:
    """The latest of the times, ignoring missing ones."""
    return max((time for time in times if time is not None), key=lambda time: (time.hi, time.lo), default=None)


def end_or_min(time: Time | None) -> int:
    return MIN if time is None else time.hi


def sort_by_strength(ways: Iterable[Acquisition]) -> tuple[Acquisition, ...]:
    """Acquisitions by strength, then earliest first."""
    return tuple(
        sorted(ways, key=lambda way: (STRENGTH_ORDER.index(way.how), way.since, way.via or "", way.told_by or ""))
    )


class KnowledgeMoment(NamedTuple):
    """The last unit of time that counts; an undated event counts as past only if the moment is the present."""

    last: int
    is_present: bool

    def is_past(self, time: Time | None) -> bool:
        """Whether a time is certainly past; a missing one is."""
        return time is None or time.hi <= self.last


def knowledge_moment_of(lore: LoreReader, character: Entity, at: Time, *, is_present: bool) -> KnowledgeMoment | None:
    """The moment that counts for a character: at most their death; none before they exist."""
    life = lore.existence(character.id)
    if life.start is not None and at.hi < life.start.lo:
        return None
    return KnowledgeMoment(at.hi if life.end is None else min(at.hi, life.end.hi), is_present)


def filter_begun(lore: LoreReader, relations: Iterable[Relation], moment: KnowledgeMoment) -> list[Relation]:
    """The relations that have certainly begun, between entities that certainly exist by then."""
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
    """When something has certainly begun; an open start is before everything."""
    return MIN if bounds is None or bounds.valid_from is None else bounds.valid_from.hi


MAX_DEPTH = 12
MAX_GROUPS = 2000


class Membership(NamedTuple):
    """A character in a group, or by itself; `start` is the latest joining on the path to the group."""

    group: EntityId
    name: str | None
    start: Time | None = None
    since: int = MIN
    until: int = MAX


def find_memberships(lore: LoreReader, character: Entity, moment: KnowledgeMoment) -> dict[EntityId, list[Membership]]:
    """By group, the periods in which a character belonged to it; one always belongs to oneself.

    A group may be reached for several periods, so the search is over memberships, not over groups.
    """
    own = Membership(character.id, None)

    def expand(level: list[Membership]) -> Iterator[Step[Membership, None]]:
        names = MEMBERSHIP_RELATIONS if level == [own] else ("member_of",)
        return _next_memberships(lore, level, names, moment)

    def is_enough(reached: Iterable[Membership]) -> bool:
        return len({each.group for each in reached}) > MAX_GROUPS

    by_group: dict[EntityId, list[Membership]] = {}
    for each in breadth_first([own], expand, depth=MAX_DEPTH, until=is_enough).reached:
        by_group.setdefault(each.group, []).append(each)
    return by_group


def _next_memberships(
    lore: LoreReader, members: Iterable[Membership], names: tuple[str, ...], moment: KnowledgeMoment
) -> Iterator[Step[Membership, None]]:
    """The groups that these members belong to; a group that is not yet founded has no members."""
    by_member: dict[EntityId, list[Membership]] = {}
    for member in members:
        by_member.setdefault(member.group, []).append(member)
    relations = filter_begun(lore, lore.relations_of(list(by_member), names, "subject"), moment)
    intervals = lore.intervals(relations)
    groups = lore.entities(each.object for each in relations if each.object is not None)
    for each in relations:
        if each.object is None:
            continue
        for member in by_member[each.subject]:
            membership = _membership_through(member, each, groups[each.object], intervals[each.id])
            if membership.since <= membership.until:
                yield Step(member, membership, None)


def _membership_through(member: Membership, joining: Relation, group: Entity, interval: Bounds) -> Membership:
    start = latest_time(member.start, stated_bounds(joining).valid_from)
    since, until = max(member.since, certain_start(interval)), min(member.until, interval.hi)
    return Membership(group.id, group.name, start, since, until)
