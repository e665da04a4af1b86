"""When an entity existed, when an event took place, and how old a person was."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal

from recollect.model.ids import EntityId
from recollect.model.labels import BEINGS
from recollect.model.trust import OWNER, Trust, higher_trust, is_low, lower_trust, trust_in
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.when.calendar import Calendar, split_day
from recollect.when.instant import DAY, MAX
from recollect.when.period import Bounds, Time, certainly_outside, coverage
from recollect.when.timeline import Timeline
from recollect.when.timeline_lookup import containing_era, primary_calendar

ExistenceBasis = Literal["facts", "eras", "properties"]
TimeReader = Callable[[Any], Time | None]

EXISTENCE_RELATIONS = frozenset({"born", "died", "founded", "created", "dissolved", "existed_during"})
OBJECT_DATING_RELATIONS = frozenset({"founded", "created", "dissolved"})  # these date their object
EVENT_TIME_RELATIONS = frozenset({"occurred_during", "occurred_at"})
EVENT_TYPES = frozenset({"event", "encounter"})
TIME_PROPERTIES = frozenset("born died founded created dissolved destroyed date start end".split())

_START_RELATIONS, _END_RELATIONS = frozenset({"founded", "created"}), frozenset({"dissolved"})
_START_PROPERTIES, _END_PROPERTIES = ("born", "founded", "created"), ("died", "dissolved", "destroyed")
_LONGEST_LIFE = 110 * 365.2425 * DAY


@dataclass(frozen=True, slots=True)
class Existence:
    """When something existed; a missing bound is unknown."""

    start: Time | None = None
    end: Time | None = None
    disputed: bool = False
    basis: ExistenceBasis | None = None
    died_undated: bool = False
    trust: Trust = OWNER
    """The level of the sources of its bounds; less trusted ones decide nothing."""

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.start, self.end)


UNKNOWN_EXISTENCE = Existence()


@dataclass(frozen=True, slots=True)
class _LifeBound:
    time: Time | None = None
    disputed: bool = False
    basis: ExistenceBasis | None = None
    trust: Trust = OWNER


def derive_existence(
    entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: TimeReader
) -> Existence:
    """The existence of an entity, from its live relations and its properties."""
    if not relations and properties.keys().isdisjoint(TIME_PROPERTIES):
        return UNKNOWN_EXISTENCE
    eras = [each for each in relations if each.name == "existed_during" and each.subject == entity]
    start = _bound(
        (each for each in relations if _concerns(each, entity, "born", _START_RELATIONS)),
        (each.fact.valid_from or read(each.literal) for each in eras),
        (read(properties.get(key)) for key in _START_PROPERTIES),
        lambda times: min(times, key=lambda time: (time.lo, time.hi)),
    )
    end = _bound(
        (each for each in relations if _concerns(each, entity, "died", _END_RELATIONS)),
        (each.fact.valid_until or read(each.literal) for each in eras),
        (read(properties.get(key)) for key in _END_PROPERTIES),
        lambda times: max(times, key=lambda time: (time.hi, time.lo)),
    )
    named_by = trust_in(properties)
    vouched = (each for each in relations if is_low(named_by) or not is_low(each.fact.trust))
    return Existence(
        start.time,
        end.time,
        start.disputed or end.disputed,
        start.basis or end.basis,
        any(each.name == "died" and each.subject == entity and _event_start(each) is None for each in vouched),
        lower_trust(start.trust, end.trust),
    )


def _bound(
    events: Iterable[Relation],
    eras: Iterable[Time | None],
    properties: Iterable[Time | None],
    choose: Callable[[list[Time]], Time],
) -> _LifeBound:
    """One end of an existence, chosen among the times of its best basis."""
    told = _most_trusted(events)
    times, basis = _best_times(map(_event_start, told), eras, properties)
    chosen = choose(times) if times else None
    return _LifeBound(chosen, len({(time.lo, time.hi) for time in times}) > 1, basis, _level_of(told, basis))


def _most_trusted(relations: Iterable[Relation]) -> list[Relation]:
    """Those of the best level: what others say beside it decides nothing."""
    found = list(relations)
    best = reduce(higher_trust, (each.fact.trust for each in found)) if found else OWNER
    return [each for each in found if each.fact.trust == best]


def _level_of(told: Sequence[Relation], basis: ExistenceBasis | None) -> Trust:
    return told[0].fact.trust if told and basis == "facts" else OWNER


def _best_times(
    stated: Iterable[Time | None], eras: Iterable[Time | None], properties: Iterable[Time | None]
) -> tuple[list[Time], ExistenceBasis | None]:
    """The times of the best basis: facts before eras before the first property."""
    if times := _drop_none(stated):
        return times, "facts"
    if times := _drop_none(eras):
        return times, "eras"
    times = _drop_none(properties)[:1]
    return times, "properties" if times else None


def _drop_none(times: Iterable[Time | None]) -> list[Time]:
    return [time for time in times if time is not None]


def _concerns(relation: Relation, entity: EntityId, own_relation: str, others_relations: frozenset[str]) -> bool:
    """Whether the relation starts or ends this entity: as its subject, or as the object of another's action."""
    if relation.name == own_relation:
        return relation.subject == entity
    if relation.name not in others_relations:
        return False
    has_object = relation.object is not None or relation.literal is not None
    return relation.object == entity if has_object else relation.subject == entity


def _event_start(relation: Relation) -> Time | None:
    return stated_bounds(relation).valid_from


def exists_at(existence: Existence, at: Time, now: Time, *, is_fictional: bool) -> bool | None:
    """Whether it existed at a time; none if unknown."""
    if certainly_outside(at, existence.bounds):
        return False
    if existence.died_undated and existence.end is None:
        return False if (at.lo, at.hi) == (now.lo, now.hi) else None
    if coverage(existence.bounds, at) == "uncertain":
        return None
    if existence.start is None:
        return None
    if existence.end is not None:
        return True
    return None if not is_fictional and at.lo - existence.start.hi > _LONGEST_LIFE else True


def alive_at(type_: str, existence: Existence, at: Time, now: Time, *, is_fictional: bool) -> bool | None:
    """Whether a being was alive at a time; none for anything else."""
    return exists_at(existence, at, now, is_fictional=is_fictional) if type_ in BEINGS else None


def derive_event_time(
    entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: TimeReader
) -> Bounds | None:
    """When an event took place: the hull of its stated times, else of its place bounds, else its properties."""
    own = [each for each in relations if each.subject == entity]
    during = [_occurrence_bounds(each, read) for each in own if each.name == "occurred_during"]
    return (
        _hull_of(during)
        or _hull_of([each.fact.bounds for each in own if each.name == "occurred_at"])
        or _event_time_from_properties(properties, read)
    )


def _occurrence_bounds(relation: Relation, read: TimeReader) -> Bounds:
    bounds = stated_bounds(relation)
    if bounds == Bounds():
        time = read(relation.literal)
        return Bounds(time, time)
    return bounds


def _hull_of(many: Iterable[Bounds]) -> Bounds | None:
    dated = [each for each in many if each != Bounds()]
    if not dated:
        return None
    return Bounds(min(dated, key=lambda each: each.lo).valid_from, max(dated, key=lambda each: each.hi).valid_until)


def _event_time_from_properties(properties: Mapping[str, Any], read: TimeReader) -> Bounds | None:
    date = read(properties.get("date"))
    bounds = Bounds(date or read(properties.get("start")), date or read(properties.get("end")))
    return None if bounds == Bounds() else bounds


def age_at(existence: Existence, at: Time, timeline: Timeline) -> int | None:
    """Full years from birth to the time, or to the death if that is earlier; none without a certain birth."""
    birth, death = existence.start, existence.end
    if birth is None or birth.uncertain:
        return None
    until = at.lo if death is None else min(at.lo, death.lo)
    if until == MAX or birth.lo > until:
        return None
    return _full_years(
        timeline.day_at(birth.lo), timeline.day_at(until), _calendar_at(timeline, timeline.day_at(birth.lo))
    )


def _calendar_at(timeline: Timeline, day: int) -> Calendar:
    era = containing_era(timeline, day)
    return primary_calendar(timeline) if era is None else era.calendar


def _full_years(birth: int, until: int, calendar: Calendar) -> int:
    first, last = split_day(calendar, birth), split_day(calendar, until)
    return last[0] - first[0] - (last[1:] < first[1:])
