"""When a thing existed and when an event took place, from the first kind of source that says so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from recollect.model.ids import EntityId
from recollect.model.labels import BEINGS
from recollect.reason.lore.relation import Relation, stated
from recollect.when.instant import DAY
from recollect.when.period import Bounds, Time, certainly_outside, coverage

Basis = Literal["facts", "eras", "properties"]
ReadTime = Callable[[Any], Time | None]

EXISTENCE = frozenset({"born", "died", "founded", "created", "dissolved", "existed_during"})
DEEDS = frozenset({"founded", "created", "dissolved"})  # others do these to a thing
EVENT_TIME = frozenset({"occurred_during", "occurred_at"})
TIME_PROPERTIES = frozenset("born died founded created dissolved destroyed date start end".split())

_STARTING, _ENDING = frozenset({"founded", "created"}), frozenset({"dissolved"})
_STARTED_BY, _ENDED_BY = ("born", "founded", "created"), ("died", "dissolved", "destroyed")
_LONGEST_LIFE = 110 * 365.2425 * DAY


@dataclass(frozen=True, slots=True)
class Existence:
    """From when until when something existed; a missing side is unknown."""

    start: Time | None = None
    end: Time | None = None
    disputed: bool = False
    basis: Basis | None = None
    died_undated: bool = False

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.start, self.end)


UNKNOWN = Existence()


@dataclass(frozen=True, slots=True)
class _Side:
    time: Time | None = None
    disputed: bool = False
    basis: Basis | None = None


def existence_of(
    entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: ReadTime
) -> Existence:
    """The existence of an entity out of its live relations and its properties."""
    if not relations and properties.keys().isdisjoint(TIME_PROPERTIES):
        return UNKNOWN
    start = _start(entity, relations, properties, read)
    end = _end(entity, relations, properties, read)
    return Existence(
        start.time,
        end.time,
        start.disputed or end.disputed,
        start.basis or end.basis,
        any(each.name == "died" and each.subject == entity and _happened(each) is None for each in relations),
    )


def _start(entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: ReadTime) -> _Side:
    told = [_happened(each) for each in relations if _concerns(each, entity, "born", _STARTING)]
    eras = [each.fact.valid_from or read(each.literal) for each in _eras(entity, relations)]
    for times, basis in _sources(told, eras, properties, _STARTED_BY, read):
        if times:
            return _Side(min(times, key=lambda time: (time.lo, time.hi)), _differ(times), basis)
    return _Side()


def _end(entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: ReadTime) -> _Side:
    told = [_happened(each) for each in relations if _concerns(each, entity, "died", _ENDING)]
    eras = [each.fact.valid_until or read(each.literal) for each in _eras(entity, relations)]
    for times, basis in _sources(told, eras, properties, _ENDED_BY, read):
        if times:
            return _Side(max(times, key=lambda time: (time.hi, time.lo)), _differ(times), basis)
    return _Side()


def _sources(
    told: Iterable[Time | None],
    eras: Iterable[Time | None],
    properties: Mapping[str, Any],
    keys: tuple[str, ...],
    read: ReadTime,
) -> Iterable[tuple[list[Time], Basis]]:
    yield _known(told), "facts"
    yield _known(eras), "eras"
    yield _known(read(properties.get(key)) for key in keys)[:1], "properties"


def _known(times: Iterable[Time | None]) -> list[Time]:
    return [time for time in times if time is not None]


def _differ(times: list[Time]) -> bool:
    return len({(time.lo, time.hi) for time in times}) > 1


def _concerns(relation: Relation, entity: EntityId, by_itself: str, by_others: frozenset[str]) -> bool:
    """Whether the relation begins or ends this entity: itself, or as the object of another's deed."""
    if relation.name == by_itself:
        return relation.subject == entity
    if relation.name not in by_others:
        return False
    has_object = relation.object is not None or relation.literal is not None
    return relation.object == entity if has_object else relation.subject == entity


def _happened(relation: Relation) -> Time | None:
    return stated(relation).valid_from


def _eras(entity: EntityId, relations: Iterable[Relation]) -> list[Relation]:
    return [each for each in relations if each.name == "existed_during" and each.subject == entity]


def exists_at(existence: Existence, at: Time, now: Time, *, is_fictional: bool) -> bool | None:
    """Whether it existed at a time, if that can be said."""
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
    """Whether somebody lived at a time; nothing but beings lives."""
    return exists_at(existence, at, now, is_fictional=is_fictional) if type_ in BEINGS else None


def event_time_of(
    entity: EntityId, relations: Sequence[Relation], properties: Mapping[str, Any], read: ReadTime
) -> Bounds | None:
    """When an event took place: the hull of its times, else of its places, else by its properties."""
    own = [each for each in relations if each.subject == entity]
    during = [_during(each, read) for each in own if each.name == "occurred_during"]
    return (
        _hull(during)
        or _hull([each.fact.bounds for each in own if each.name == "occurred_at"])
        or _by_properties(properties, read)
    )


def _during(relation: Relation, read: ReadTime) -> Bounds:
    bounds = stated(relation)
    if bounds == Bounds():
        time = read(relation.literal)
        return Bounds(time, time)
    return bounds


def _hull(many: Iterable[Bounds]) -> Bounds | None:
    dated = [each for each in many if each != Bounds()]
    if not dated:
        return None
    return Bounds(min(dated, key=lambda each: each.lo).valid_from, max(dated, key=lambda each: each.hi).valid_until)


def _by_properties(properties: Mapping[str, Any], read: ReadTime) -> Bounds | None:
    date = read(properties.get("date"))
    bounds = Bounds(date or read(properties.get("start")), date or read(properties.get("end")))
    return None if bounds == Bounds() else bounds
