"""Cycles in the whole graph: nodes without incoming or outgoing edges are peeled off until cycles remain."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.model.relations import spellings_of
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.contradictions import CYCLE_KINDS, CYCLE_RELATIONS, find_cycles_through
from recollect.reason.checks.findings import FindingStore
from recollect.reason.checks.run_records import RunTally
from recollect.store.view import View

EDGE_PAGE_SIZE = 2_000
ENTITY_BATCH_SIZE = 500
IntArray = NDArray[np.int64]


def check_graph_cycles(memory: Memory, tally: RunTally) -> None:
    """Open a finding for each cycle in the world, or bring it up to date."""
    with memory.read() as view:
        knotted = sorted(_entities_on_cycles(view))
    for start in range(0, len(knotted), ENTITY_BATCH_SIZE):
        with memory.write() as change:
            sight = CheckContext(change)
            relations = sight.lore.relations_of(knotted[start : start + ENTITY_BATCH_SIZE], CYCLE_RELATIONS, "subject")
            tally.add(FindingStore(change).open_or_update(find_cycles_through(sight, relations)))


def _entities_on_cycles(view: View) -> set[EntityId]:
    """The entities from which something leads round, or from one such circle to another."""
    left = [_starts_on_cycles(_load_edges(view, names)) for names, _ in CYCLE_KINDS]
    if not any(each.size for each in left):
        return set()
    found: set[EntityId] = set()
    for (names, _), numbers in zip(CYCLE_KINDS, left, strict=True):
        wanted = set(numbers.tolist())
        found |= {near for near, _ in _iterate_edges(view, names) if hash(near) in wanted}
    return found


class _EdgeArrays(NamedTuple):
    """What leads where, by numbers that stand for entities."""

    starts: IntArray
    ends: IntArray


def _load_edges(view: View, names: frozenset[str]) -> _EdgeArrays:
    # Two entities that share a number can only seem to be joined: no cycle is missed, and each is looked at again.
    flat = np.fromiter((hash(end) for pair in _iterate_edges(view, names) for end in pair), np.int64).reshape(-1, 2)
    return _EdgeArrays(flat[:, 0], flat[:, 1])


def _iterate_edges(view: View, names: frozenset[str]) -> Iterator[tuple[EntityId, EntityId]]:
    """Every link of these names, from its near end to its far one."""
    swapped = {each for name in names for each in spellings_of(name).swapped}
    predicates = sorted({each for name in names for each in spellings_of(name).all})
    after = ""
    while entities := [row[0] for row in view.rows("check_ids_after", after=after, limit=EDGE_PAGE_SIZE)]:
        for subject, target, predicate in view.rows("check_links", entities=entities, predicates=predicates):
            yield (target, subject) if predicate in swapped else (subject, target)
        after = entities[-1]


def _starts_on_cycles(links: _EdgeArrays) -> IntArray:
    """The near ends of the links that are left when all that comes from or leads to nowhere is gone."""
    forward = _peel_sources(links.starts, links.ends)
    starts, ends = links.starts[forward], links.ends[forward]
    return np.unique(starts[_peel_sources(ends, starts)])


def _peel_sources(starts: IntArray, ends: IntArray) -> NDArray[np.bool_]:
    """Which links remain when whatever nothing leads to is taken away, again and again."""
    if not starts.size:
        return np.zeros(0, np.bool_)
    nodes, places = np.unique(np.concatenate((starts, ends)), return_inverse=True)
    near, far = places[: starts.size], places[starts.size :]
    order = np.argsort(near, kind="stable")
    first = np.searchsorted(near[order], np.arange(nodes.size + 1))
    leading = np.bincount(far, minlength=nodes.size)
    remains = np.ones(starts.size, np.bool_)
    loose = np.flatnonzero(leading == 0)
    while loose.size:
        gone = order[_concatenate_ranges(first[loose], first[loose + 1])]
        remains[gone] = False
        touched, times = np.unique(far[gone], return_counts=True)
        leading[touched] -= times
        loose = touched[leading[touched] == 0]
    return remains


def _concatenate_ranges(first: IntArray, last: IntArray) -> IntArray:
    """The numbers of all these stretches, one behind the other."""
    sizes = last - first
    behind = np.cumsum(sizes)
    found: IntArray = np.arange(sizes.sum()) + np.repeat(first - (behind - sizes), sizes)
    return found
