"""Which disputed relations really conflict, by the life rule and by containment of places.

The write path marks pairs by their stated bounds alone, which never misses one. Here the pairs remain that still
conflict when a death closes an open bound and when a place inside another does not count as a different place.
"""

from collections.abc import Collection, Iterable

from recollect.model.ids import EntityId, FactId
from recollect.model.relations import is_point
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.places import walk_places
from recollect.reason.lore.relation import Relation
from recollect.store import lore_queries
from recollect.when.period import are_disjoint, clash

_DISPUTED = "disputed"


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
    found = lore_queries.disputes_among(lore.view, facts)
    return sorted((each.one, each.other) for each in found if each.reason == _DISPUTED)


def are_in_conflict(lore: LoreReader, one: Relation, other: Relation) -> bool:
    """Whether two relations that the write path marked as rivals cannot both be true."""
    if is_point(one.name):
        is_elsewhere = one.name != "occurred_during" and _have_different_ends(lore, one, other)
        return is_elsewhere or are_disjoint(one.fact.valid_from, other.fact.valid_from)
    intervals = lore.intervals([one, other])
    if one.fact.slot == other.fact.slot:
        return clash(intervals[one.id], intervals[other.id])
    return _have_different_ends(lore, one, other) and clash(intervals[one.id], intervals[other.id])


def _have_different_ends(lore: LoreReader, one: Relation, other: Relation) -> bool:
    """Whether the two have different subjects or objects; a place and one inside it are not different."""
    if one.object is None or other.object is None or one.object == other.object:
        return one.subject != other.subject
    return not _is_inside(lore, one.object, other.object) and not _is_inside(lore, other.object, one.object)


def _is_inside(lore: LoreReader, inner: EntityId, outer: EntityId) -> bool:
    return any(step.place == outer for step in walk_places(lore, inner, "up", None))
