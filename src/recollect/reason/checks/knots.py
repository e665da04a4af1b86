"""Cycles in the whole world: everything that leads nowhere is peeled off, and what is left goes round.

Of each link only two numbers are kept, so that a world of millions of relations fits into a few megabytes.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.memory import Memory
from recollect.model.ids import EntityId
from recollect.model.relations import spellings_of
from recollect.reason.checks.cycles import KINDS, NAMES, cycles_through
from recollect.reason.checks.runs import Tally
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.stored import Book
from recollect.store.view import View

PAGE = 2_000
AT_ONCE = 500
Numbers = NDArray[np.int64]


def check_cycles(memory: Memory, tally: Tally) -> None:
    """Open a finding for each cycle in the world, or bring it up to date."""
    with memory.read() as view:
        knotted = sorted(_knotted(view))
    for start in range(0, len(knotted), AT_ONCE):
        with memory.write() as change:
            sight = Sight(change)
            relations = sight.lore.relations_of(knotted[start : start + AT_ONCE], NAMES, "subject")
            tally.note(Book(change).keep(cycles_through(sight, relations)))


def _knotted(view: View) -> set[EntityId]:
    """The entities from which something leads round, or from one such circle to another."""
    left = [_left(_links(view, names)) for names, _ in KINDS]
    if not any(each.size for each in left):
        return set()
    found: set[EntityId] = set()
    for (names, _), numbers in zip(KINDS, left, strict=True):
        wanted = set(numbers.tolist())
        found |= {near for near, _ in _pairs(view, names) if hash(near) in wanted}
    return found


class _Links(NamedTuple):
    """What leads where, by numbers that stand for entities."""

    starts: Numbers
    ends: Numbers


def _links(view: View, names: frozenset[str]) -> _Links:
    # Two entities that share a number can only seem to be joined: no cycle is missed, and each is looked at again.
    flat = np.fromiter((hash(end) for pair in _pairs(view, names) for end in pair), np.int64).reshape(-1, 2)
    return _Links(flat[:, 0], flat[:, 1])


def _pairs(view: View, names: frozenset[str]) -> Iterator[tuple[EntityId, EntityId]]:
    """Every link of these names, from its near end to its far one."""
    swapped = {each for name in names for each in spellings_of(name).swapped}
    predicates = sorted({each for name in names for each in spellings_of(name).all})
    after = ""
    while entities := [row[0] for row in view.rows("check_ids_after", after=after, limit=PAGE)]:
        for subject, target, predicate in view.rows("check_links", entities=entities, predicates=predicates):
            yield (target, subject) if predicate in swapped else (subject, target)
        after = entities[-1]


def _left(links: _Links) -> Numbers:
    """The near ends of the links that are left when all that comes from or leads to nowhere is gone."""
    forward = _peeled(links.starts, links.ends)
    starts, ends = links.starts[forward], links.ends[forward]
    return np.unique(starts[_peeled(ends, starts)])


def _peeled(starts: Numbers, ends: Numbers) -> NDArray[np.bool_]:
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
        gone = order[_spread(first[loose], first[loose + 1])]
        remains[gone] = False
        touched, times = np.unique(far[gone], return_counts=True)
        leading[touched] -= times
        loose = touched[leading[touched] == 0]
    return remains


def _spread(first: Numbers, last: Numbers) -> Numbers:
    """The numbers of all these stretches, one behind the other."""
    sizes = last - first
    behind = np.cumsum(sizes)
    found: Numbers = np.arange(sizes.sum()) + np.repeat(first - (behind - sizes), sizes)
    return found
