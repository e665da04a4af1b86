"""Which disputed relations really conflict, by the life rule and by containment of places.

The write path marks pairs by their stated bounds alone, which never misses one. Here the pairs remain that still
conflict when a death closes an open bound and when a place inside another does not count as a different place.
"""

from collections.abc import Collection, Iterable

from recollect.model.fact import DISPUTED
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import is_point
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.places import walk_places
from recollect.reason.lore.relation import Relation
from recollect.store import fact_queries
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time, are_disjoint, clash


def find_disputes(lore: LoreReader, relations: Iterable[Relation]) -> dict[FactId, list[FactId]]:
    """By relation, those that really conflict with it; relations without any are left out."""
    marked = {each.id: each for each in relations if each.fact.disputed}
    pairs = _disputed_pairs(lore, marked)
    if not pairs:
        return {}
    others = {fact for pair in pairs for fact in pair} - marked.keys()
    known = marked | {each.id: each for each in lore.by_id(others)}
    lore.intervals(known.values())  # reads all the lives that matter in one query
    found: dict[FactId, list[FactId]] = {}
    for one, other in pairs:
        if one in known and other in known and are_in_conflict(lore, known[one], known[other]):
            for fact, rival in ((one, other), (other, one)):
                if fact in marked:
                    found.setdefault(fact, []).append(rival)
    return {fact: sorted(rivals) for fact, rivals in found.items()}


def _disputed_pairs(lore: LoreReader, facts: Collection[FactId]) -> list[tuple[FactId, FactId]]:
    found = fact_queries.disputes_among(lore.view, facts)
    return sorted((each.one, each.other) for each in found if each.reason == DISPUTED)


def are_in_conflict(lore: LoreReader, one: Relation, other: Relation) -> bool:
    """Whether two relations that the write path marked as rivals cannot both be true."""
    if is_point(one.name):
        start, other_start = one.fact.valid_from, other.fact.valid_from
        if are_disjoint(start, other_start):
            return True
        shared = _shared_time(Bounds(start, start), Bounds(other_start, other_start))
        return one.name != "occurred_during" and _have_different_ends(lore, one, other, shared)
    intervals = lore.intervals([one, other])
    is_clash = clash(intervals[one.id], intervals[other.id])
    if one.fact.slot == other.fact.slot or not is_clash:
        return is_clash
    return _have_different_ends(lore, one, other, _shared_time(intervals[one.id], intervals[other.id]))


def _shared_time(one: Bounds, other: Bounds) -> Time | None:
    """The time during which both may hold; none if it has no bounds."""
    lo, hi = max(one.lo, other.lo), min(one.hi, other.hi)
    return None if (lo, hi) == (MIN, MAX) else Time("", lo, hi)


def _have_different_ends(lore: LoreReader, one: Relation, other: Relation, at: Time | None) -> bool:
    """Whether the two have different subjects or objects; a place and one inside it then are not different."""
    if one.object is None or other.object is None or one.object == other.object:
        return one.subject != other.subject
    return not _is_inside(lore, one.object, other.object, at) and not _is_inside(lore, other.object, one.object, at)


def _is_inside(lore: LoreReader, inner: EntityId, outer: EntityId, at: Time | None) -> bool:
    return any(step.place == outer for step in walk_places(lore, inner, "up", at))
