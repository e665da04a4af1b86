"""Which events somebody saw, or anyone of a group."""

from collections.abc import Collection, Iterable

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import GROUPS, kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds

_SEEN = ("witnessed", "participated_in")
_JOINED = ("member_of", "belongs_to")


def seen_by(lore: Lore, perspective: Entity, events: Collection[EntityId]) -> set[EntityId]:
    """Those of the events that somebody, or anyone in a group at that time, took part in or witnessed."""
    attended = lore.relations_of(events, _SEEN, "object") if events else []
    own = {each.object for each in attended if each.subject == perspective.id}
    seen = {each for each in own if each is not None}
    if kind_of(perspective).type in GROUPS:
        seen |= _seen_by_members(lore, perspective, attended)
    return seen


def _seen_by_members(lore: Lore, group: Entity, attended: Iterable[Relation]) -> set[EntityId]:
    people = {each.subject: each for each in attended}
    joined = lore.relations_of(list(people), _JOINED, "subject") if people else []
    mine = [each for each in joined if each.object == group.id]
    held = lore.intervals(mine)
    times = lore.event_times(each.object for each in attended if each.object is not None)
    return {
        each.object
        for each in attended
        if each.object is not None
        for member in mine
        if member.subject == each.subject and _was_then(held[member.id], times[each.object])
    }


def _was_then(stay: Bounds, time: Bounds | None) -> bool:
    return time is None or (stay.lo <= time.hi and time.lo <= stay.hi)
