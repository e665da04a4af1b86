"""Cycles in the whole graph by topological peeling: nodes without incoming or outgoing edges are removed in turn."""

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
from recollect.store import entity_queries, fact_queries
from recollect.store.view import View

EDGE_PAGE_SIZE = 2_000
ENTITY_BATCH_SIZE = 500
IntArray = NDArray[np.int64]


def check_graph_cycles(memory: Memory, tally: RunTally) -> None:
    """Open or update a finding for each cycle in the world."""
    with memory.read() as view:
        entities = sorted(_entities_on_cycles(view))
    done: set[str] = set()
    for start in range(0, len(entities), ENTITY_BATCH_SIZE):
        with memory.write() as change:
            context = CheckContext(change)
            batch = entities[start : start + ENTITY_BATCH_SIZE]
            relations = context.lore.relations_of(batch, CYCLE_RELATIONS, "subject")
            tally.add(FindingStore(change).open_or_update(find_cycles_through(context, relations, done)))


def _entities_on_cycles(view: View) -> set[EntityId]:
    """The entities on a cycle, or on a path from one cycle to another."""
    remaining = [_starts_on_cycles(_load_edges(view, names)) for names, _ in CYCLE_KINDS]
    if not any(each.size for each in remaining):
        return set()
    found: set[EntityId] = set()
    for (names, _), numbers in zip(CYCLE_KINDS, remaining, strict=True):
        wanted = set(numbers.tolist())
        found |= {near for near, _ in _iterate_edges(view, names) if hash(near) in wanted}
    return found


class _EdgeArrays(NamedTuple):
    """Edges by the hashes of their entities."""

    starts: IntArray
    ends: IntArray


def _load_edges(view: View, names: frozenset[str]) -> _EdgeArrays:
    # A hash collision can only add apparent cycles: none is missed, and each is verified afterwards.
    flat = np.fromiter((hash(end) for pair in _iterate_edges(view, names) for end in pair), np.int64).reshape(-1, 2)
    return _EdgeArrays(flat[:, 0], flat[:, 1])


def _iterate_edges(view: View, names: frozenset[str]) -> Iterator[tuple[EntityId, EntityId]]:
    """The edges of these relations, from subject to object of the relation."""
    swapped = {each for name in names for each in spellings_of(name).swapped}
    predicates = sorted({each for name in names for each in spellings_of(name).all})
    after = ""
    while entities := entity_queries.entity_ids_after(view, after, EDGE_PAGE_SIZE):
        for subject, target, predicate in fact_queries.live_links_of(view, entities, predicates):
            yield (target, subject) if predicate in swapped else (subject, target)
        after = entities[-1]


def _starts_on_cycles(edges: _EdgeArrays) -> IntArray:
    """The starts of the edges that remain after peeling sources, then sinks."""
    forward = _peel_sources(edges.starts, edges.ends)
    starts, ends = edges.starts[forward], edges.ends[forward]
    return np.unique(starts[_peel_sources(ends, starts)])


def _peel_sources(starts: IntArray, ends: IntArray) -> NDArray[np.bool_]:
    """Which edges remain when nodes without incoming edges are removed until there are none."""
    if not starts.size:
        return np.zeros(0, np.bool_)
    nodes, positions = np.unique(np.concatenate((starts, ends)), return_inverse=True)
    near, far = positions[: starts.size], positions[starts.size :]
    order = np.argsort(near, kind="stable")
    first = np.searchsorted(near[order], np.arange(nodes.size + 1))
    in_degree = np.bincount(far, minlength=nodes.size)
    remains = np.ones(starts.size, np.bool_)
    sources = np.flatnonzero(in_degree == 0)
    while sources.size:
        removed = order[_concatenate_ranges(first[sources], first[sources + 1])]
        remains[removed] = False
        targets, counts = np.unique(far[removed], return_counts=True)
        in_degree[targets] -= counts
        sources = targets[in_degree[targets] == 0]
    return remains


def _concatenate_ranges(first: IntArray, last: IntArray) -> IntArray:
    """The integers of all ranges [first, last), concatenated."""
    sizes = last - first
    stops = np.cumsum(sizes)
    result: IntArray = np.arange(sizes.sum()) + np.repeat(first - (stops - sizes), sizes)
    return result
