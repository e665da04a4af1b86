"""What happened to or by an entity, in order of time."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.labels import kind_of
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.when.instant import MAX
from recollect.when.period import Bounds, Time
from recollect.when.say import time_of

Basis = Literal["valid_from", "event", "source_at"]
_HOME = "lore-engine"


class Entry(NamedTuple):
    """A relation of an entity with the time it is told under."""

    relation: Relation
    other: EntityId | None
    at: Time | None
    until: Time | None
    basis: Basis | None
    is_event: bool

    @property
    def order(self) -> tuple[bool, int, int, str]:
        """By start, end and id; what has no time comes last."""
        return (
            self.at is None,
            0 if self.at is None else self.at.lo,
            MAX if self.until is None else self.until.hi,
            self.relation.id,
        )


def entries_of(lore: Lore, entity: Entity, relations: Sequence[Relation]) -> list[Entry]:
    """An entry for each relation, in order."""
    others = {each.id: each.other_end(entity.id) for each in relations}
    entities = lore.entities(other for other in others.values() if other is not None)
    events = {each for each, held in (*entities.items(), (entity.id, entity)) if kind_of(held).type == "event"}
    undated = [each for each in relations if each.fact.valid_from is None]
    times = lore.event_times(end for each in undated for end in each.ends if end in events) if undated else {}
    foreign = _of_other_surfaces(lore, undated)
    found = []
    for each in relations:
        happened = next((times[end] for end in each.ends if end in events and times.get(end)), None)
        at, until, basis = _time(lore, each, happened, each.id in foreign)
        is_event = entity.id in events or others[each.id] in events
        found.append(Entry(each, others[each.id], at, until, basis, is_event))
    return sorted(found, key=lambda entry: entry.order)


def _of_other_surfaces(lore: Lore, relations: Iterable[Relation]) -> frozenset[str]:
    """Transitions that this surface did not write; on an invented timeline their source's day says nothing."""
    if lore.is_fictional:
        return frozenset()
    moved = [each.id for each in relations if each.fact.label == "TRANSITIONED"]
    sources = lore.sources(moved)
    return frozenset(fact for fact in moved if all(source.surface != _HOME for source in sources[fact]))


def _time(
    lore: Lore, relation: Relation, event: Bounds | None, is_foreign: bool
) -> tuple[Time | None, Time | None, Basis | None]:
    fact = relation.fact
    if fact.valid_from is not None:
        return fact.valid_from, fact.valid_until, "valid_from"
    if event is not None and event.valid_from is not None:
        return event.valid_from, fact.valid_until or event.valid_until, "event"
    if is_foreign:
        return time_of(fact.source_at, lore.world.timeline), fact.valid_until, "source_at"
    return None, fact.valid_until, None


def meeting(lore: Lore, entries: Sequence[Entry], since: Time | None, until: Time | None) -> list[Entry]:
    """The entries with a time whose period meets the one from `since` to `until`."""
    dated = [each for each in entries if each.at is not None]
    intervals = lore.intervals([each.relation for each in dated if each.basis == "valid_from"])
    return [each for each in dated if _meets(intervals.get(each.relation.id) or _period(each), since, until)]


def _period(entry: Entry) -> Bounds:
    """An event's own time, or the day of the source."""
    return Bounds(entry.at, entry.until or (entry.at if entry.basis == "source_at" else None))


def _meets(period: Bounds, since: Time | None, until: Time | None) -> bool:
    return (since is None or period.hi >= since.lo) and (until is None or period.lo <= until.hi)
