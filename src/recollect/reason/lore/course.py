"""The course of an entity through time: the first of what happened to or by it, in a period or ever.

An entity may have very many relations, so nothing is made of a row before it is known to be told.
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest
from typing import Any, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.relations import is_life, is_point, spellings_of
from recollect.reason.lore.happenings import Entry, in_order
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import lived, reading_of
from recollect.store.port import Row
from recollect.when.instant import MAX, MIN
from recollect.when.period import Bounds, Time

MANY = 2_000


class Course(NamedTuple):
    """The first entries of a timeline, and how many there are in all."""

    entries: list[Entry]
    total: int


def course_of(
    lore: Lore,
    entity: Entity,
    limit: int,
    name: str | None = None,
    since: Time | None = None,
    until: Time | None = None,
) -> Course:
    """The live relations of the entity, of one name or of all, in order; in a period, those whose own meets it."""
    predicates = () if name is None else spellings_of(name).all
    asked = {
        "entity": entity.id,
        "named": int(name is not None),
        "predicates": sorted(predicates),
        "at_lo": MIN if since is None else since.lo,
        "at_hi": MAX if until is None else until.hi,
    }
    found = lore.view.rows("happenings_of", **asked, most=MANY)
    settled: list[Row] = []
    if len(found) == MANY:
        found, settled = _among_many(lore, asked, limit, is_from_a_time=since is not None)
    entries = in_order(lore, entity, found)
    if since is not None or until is not None:
        entries = meeting(lore, entity, entries, since, until)
    return Course(entries[:limit], len(entries) + max(0, len(settled) - limit))


def _among_many(
    lore: Lore, asked: Mapping[str, Any], limit: int, *, is_from_a_time: bool
) -> tuple[list[Row], list[Row]]:
    """Of very many relations those that may be among the first; beside them all whose times alone settle that."""
    settled: list[Row] = []
    looked_at: list[Row] = []
    for row in lore.view.rows("happenings_ranked", **asked):
        _, from_lo, until_hi, label, predicate = row
        is_settled = from_lo is not None and (
            until_hi is not None or not is_from_a_time or label == "ASSERTED" or not _may_end_unwritten(predicate)
        )
        (settled if is_settled else looked_at).append(row)
    ids = [row[0] for row in (*nsmallest(limit, settled, key=_rank), *looked_at)]
    return lore.view.rows("happenings_by_id", entity=asked["entity"], ids=ids), settled


def _may_end_unwritten(predicate: str) -> bool:
    """Whether an open end of such a relation may be closed by a life, or by its own beginning."""
    name = reading_of(predicate)[0]
    return is_life(name) or is_point(name)


def _rank(row: Row) -> tuple[int, int, str]:
    return row[1], MAX if row[2] is None else row[2], row[0]


def meeting(
    lore: Lore, entity: Entity, entries: Sequence[Entry], since: Time | None, until: Time | None
) -> list[Entry]:
    """The entries with a time whose period meets the one from `since` to `until`."""
    dated = [each for each in entries if each.at is not None]
    living = {end for each in dated if _needs_life(each) for end in _who_must_live(lore, each, entity)}
    lives = {end: life.bounds for end, life in lore.existences(living).items()} if living else {}
    return [
        each
        for each in dated
        if (until is None or each.lo <= until.hi) and (since is None or _last(lore, each, entity, lives) >= since.lo)
    ]


def _needs_life(entry: Entry) -> bool:
    return entry.basis == "valid_from" and entry.until is None and is_life(entry.name)


def _who_must_live(lore: Lore, entry: Entry, entity: Entity) -> Collection[EntityId]:
    ends = [end for end in (entity.id, entry.other(entity.id)) if end is not None]
    if lore.counts_both_ways(entry.name):
        return ends
    return ends[:1] if entry.has_subject(entity.id) else ends[1:]


def _last(lore: Lore, entry: Entry, entity: Entity, lives: Mapping[EntityId, Bounds]) -> int:
    """The last position that the entry's period reaches, by the life rule where its end is open."""
    if entry.basis != "valid_from":
        return entry.hi
    if entry.told.label == "ASSERTED":
        return MAX
    if _needs_life(entry):
        return lived(Bounds(), *(lives[end] for end in _who_must_live(lore, entry, entity))).hi
    if entry.until is None and is_point(entry.name):
        return MAX if entry.told.from_hi is None else entry.told.from_hi
    return entry.hi
