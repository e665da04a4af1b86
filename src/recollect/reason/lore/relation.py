"""Facts read as relations: name, ends and bounds, lookup keys, and their coverage of a time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from recollect.model.fact import LABELS, Fact, slot_of
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import (
    PredicatesByDirection,
    is_bounded_by_lifetime,
    is_point,
    is_symmetric,
    relation_from_predicate,
    spellings_of,
)
from recollect.when.period import Bounds, Coverage, Time, coverage


class Relation(NamedTuple):
    """A fact read as a relation: the ends are those of the relation, not those of the stored predicate."""

    fact: Fact
    name: str
    subject: EntityId
    object: EntityId | None
    role: str | None = None
    is_symmetric: bool = False

    @property
    def id(self) -> FactId:
        return self.fact.id

    @property
    def literal(self) -> str | None:
        return self.fact.literal

    @property
    def ends(self) -> tuple[EntityId, ...]:
        """The one or two entities that it is about."""
        return (self.subject,) if self.object is None else (self.subject, self.object)

    @property
    def attributes(self) -> Mapping[str, Any]:
        """The attributes of the fact, with the role that its stored predicate may imply."""
        if self.role is None or "role" in self.fact.attributes:
            return self.fact.attributes
        return {**self.fact.attributes, "role": self.role}

    def other_end(self, entity: EntityId) -> EntityId | None:
        return self.object if self.subject == entity else self.subject

    def has_role(self, role: str) -> bool:
        return self.attributes.get("role") == role


def by_start(relation: Relation) -> tuple[int, int, str]:
    """Sort key: start (open first), end, id."""
    bounds = relation.fact.bounds
    return bounds.lo, bounds.hi, relation.id


def relation_of(fact: Fact, symmetric: frozenset[str] = frozenset()) -> Relation:
    """The relation that a fact states; `symmetric` are the predicates that the workspace marked as symmetric."""
    name, swapped, role, both_ways = interpret_predicate(fact.predicate)
    if symmetric and name in symmetric:
        both_ways = True
    if swapped and fact.object is not None:
        return Relation(fact, name, fact.object, fact.subject, role, both_ways)
    return Relation(fact, name, fact.subject, fact.object, role, both_ways)


@lru_cache(4096)
def interpret_predicate(predicate: str) -> tuple[str, bool, str | None, bool]:
    """How a stored predicate is read: relation name, whether its ends are swapped, role, whether it is symmetric."""
    name, swapped, role = relation_from_predicate(predicate)
    return name, swapped, role, is_symmetric(name)


def stated_bounds(relation: Relation) -> Bounds:
    """The bounds as its sources state them: a deadline is not an end, and a point event ends when it starts."""
    fact = relation.fact
    if fact.label == "ASSERTED":
        return Bounds(fact.valid_from, None)
    if fact.label == "TRANSITIONED" and is_point(relation.name):
        return Bounds(fact.valid_from or fact.valid_until, fact.valid_until or fact.valid_from)
    return fact.bounds


def extend_transition(bounds: Bounds, relation: Relation) -> Bounds:
    """A transition remains true after it: it is shown from its start on."""
    return Bounds(bounds.valid_from, None) if relation.fact.label == "TRANSITIONED" else bounds


def has_open_life_bound(relation: Relation) -> bool:
    """Whether the life rule has an open bound to close."""
    bounds = stated_bounds(relation)
    return (bounds.valid_from is None or bounds.valid_until is None) and is_bounded_by_lifetime(relation.name)


def apply_life_rule(bounds: Bounds, *lives: Bounds) -> Bounds:
    """The life rule: an open end closes at the earliest end of these lives, an open start at their latest start."""
    starts = [life.valid_from for life in lives if life.valid_from is not None]
    ends = [life.valid_until for life in lives if life.valid_until is not None]
    return Bounds(bounds.valid_from or _latest_time(starts), bounds.valid_until or _earliest_time(ends))


def _latest_time(times: list[Time]) -> Time | None:
    return _combine_times(times, max((t.lo for t in times), default=0), max((t.hi for t in times), default=0))


def _earliest_time(times: list[Time]) -> Time | None:
    return _combine_times(times, min((t.lo for t in times), default=0), min((t.hi for t in times), default=0))


def _combine_times(times: list[Time], lo: int, hi: int) -> Time | None:
    """The time with these ends, or a combined one if no single time has both."""
    if not times:
        return None
    found = next((time for time in times if (time.lo, time.hi) == (lo, hi)), None)
    return found or Time(f"[{times[0]}..{times[-1]}]", lo, hi, True, "range")


RelationSide = Literal["subject", "object", "either"]
ATTENDANCE_RELATIONS = ("participated_in", "witnessed")
MEMBERSHIP_RELATIONS = ("member_of", "belongs_to")


def slots_of(
    subject: EntityId, name: str, target: str | None, *, literal: bool, counts_both_ways: Callable[[str], bool]
) -> set[int]:
    """Every slot that may hold facts of one triple, for all labels and all predicates it may be stored with."""
    spelled = spellings_of(name)
    if literal or target is None:
        text = target if literal else None
        return {slot_of(subject, label, each, None, text) for each in spelled.forward for label in LABELS}
    stored: list[tuple[str, str, str]] = [(each, subject, target) for each in spelled.forward]
    stored += [(each, target, subject) for each in spelled.swapped]
    if counts_both_ways(name):
        stored += [(each, other, one) for each, one, other in stored]
    return {
        slot_of(one, label, each, other, None, counts_both_ways(each))
        for each, one, other in stored
        for label in LABELS
    }


@lru_cache(512)
def spellings_for(names: frozenset[str]) -> PredicatesByDirection:
    """The stored predicates of all these relations, by the direction of their ends."""
    every = [spellings_of(name) for name in sorted(names)]
    forward = tuple(predicate for each in every for predicate in each.forward)
    return PredicatesByDirection(forward, tuple(predicate for each in every for predicate in each.swapped))


def date_order(relation: Relation) -> tuple[bool, int, int, FactId]:
    """By start and end, undated ones last."""
    bounds = relation.fact.bounds
    return bounds == Bounds(), bounds.lo, bounds.hi, relation.id


def is_at_side(relation: Relation, entities: frozenset[EntityId], side: RelationSide) -> bool:
    """Whether one of the entities is on that side of the relation, which may be the other side of the stored fact."""
    return relation.is_symmetric or (relation.subject if side == "subject" else relation.object) in entities


def required_lives(relation: Relation) -> tuple[EntityId, ...]:
    """Whose existence closes an open bound: the subject's, or either end's if it counts both ways."""
    return relation.ends if relation.is_symmetric else (relation.subject,)


def with_coverage(
    relations: Iterable[Relation], intervals: Mapping[FactId, Bounds], at: Time
) -> list[tuple[Relation, Coverage]]:
    """Those relations that hold at a time, and how much of it they cover."""
    found = ((each, coverage(intervals[each.id], at)) for each in relations)
    return [(each, how) for each, how in found if how != "none"]


COVERAGE_ORDER: tuple[Coverage, ...] = ("full", "partial", "uncertain", "none")
TimeSide = Literal["earlier", "later"]


class ScoredRelation(NamedTuple):
    """A relation with its coverage of a time and its confidence."""

    relation: Relation
    interval: Bounds
    coverage: Coverage
    confidence: float

    @property
    def holds(self) -> bool:
        return self.coverage != "none"


def weigh_relation(relation: Relation, interval: Bounds, at: Time, confidence: float | None) -> ScoredRelation:
    return ScoredRelation(relation, interval, coverage(interval, at), confidence or 0.0)


def best_answer(weighed: Sequence[ScoredRelation]) -> ScoredRelation | None:
    """The best relation: by coverage, then confidence, then start, then id."""
    return min((each for each in weighed if each.holds), key=_answer_rank, default=None)


def _answer_rank(each: ScoredRelation) -> tuple[int, float, int, str]:
    return COVERAGE_ORDER.index(each.coverage), -each.confidence, each.interval.lo, each.relation.id


def nearest_relation(weighed: Sequence[ScoredRelation], at: Time) -> ScoredRelation | None:
    """Of relations that do not hold, the one whose interval comes closest."""
    return min(
        weighed, key=lambda each: (_distance(each.interval, at), each.interval.lo, each.relation.id), default=None
    )


def _distance(interval: Bounds, at: Time) -> int:
    return max(at.lo - interval.hi, interval.lo - at.hi)


def interval_side(interval: Bounds, at: Time) -> TimeSide:
    """On which side of a time an interval lies."""
    return "earlier" if interval.hi < at.lo else "later"
