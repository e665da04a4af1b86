"""What stands between a question about relations and the rows that answer it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from recollect.model.fact import LABELS, slot_of
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import Spellings, spellings_of
from recollect.reason.lore.relation import Relation
from recollect.store.port import Row
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Coverage, Time, coverage

Side = Literal["subject", "object", "either"]


def slots_of(
    subject: EntityId, name: str, target: str | None, *, literal: bool, counts_both_ways: Callable[[str], bool]
) -> set[int]:
    """Every slot in which facts of one triple may lie, whatever their label and the name they are stored under."""
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
def spelled(names: frozenset[str]) -> Spellings:
    """The predicates of all these relations, by the direction of their ends."""
    every = [spellings_of(name) for name in sorted(names)]
    forward = tuple(predicate for each in every for predicate in each.forward)
    return Spellings(forward, tuple(predicate for each in every for predicate in each.swapped))


def near(at: Time | None) -> dict[str, int]:
    """The parameters that keep a probe to what may hold at a time, or to nothing less than all."""
    return {"at_lo": MIN, "at_hi": MAX} if at is None else {"at_lo": at.lo, "at_hi": at.hi}


def dated_first(relation: Relation) -> tuple[bool, int, int, FactId]:
    """By start and end, what has neither last."""
    bounds = relation.fact.bounds
    return bounds == Bounds(), bounds.lo, bounds.hi, relation.id


def is_at(relation: Relation, entities: frozenset[EntityId], side: Side) -> bool:
    """Whether one of the entities is at that end of the relation, which may be the other end of the stored fact."""
    return relation.is_symmetric or (relation.subject if side == "subject" else relation.object) in entities


def once(*found: Sequence[Row]) -> list[Row]:
    """The rows of several probes, a fact between two of the entities only once."""
    several = [rows for rows in found if rows]
    return list({row[0]: row for rows in several for row in rows}.values()) if len(several) > 1 else list(*several)


def who_must_live(relation: Relation) -> tuple[EntityId, ...]:
    """Whose existence closes an open bound: the subject's, or either end's if it counts both ways."""
    return relation.ends if relation.is_symmetric else (relation.subject,)


def covering(
    relations: Iterable[Relation], intervals: Mapping[FactId, Bounds], at: Time
) -> list[tuple[Relation, Coverage]]:
    """Those relations that hold at a time, and how much of it they cover."""
    found = ((each, coverage(intervals[each.id], at)) for each in relations)
    return [(each, how) for each, how in found if how != "none"]
