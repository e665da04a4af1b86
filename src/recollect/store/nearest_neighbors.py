"""Approximate nearest neighbours: candidates by binary codes, rescored with the full vectors, under a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from recollect.store.port import Row
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.embed.port import Vectors
    from recollect.store.code_lists import ListedCodes

RESCORE_FACTOR = 4
MIN_RESCORED = 60
RESCORED_BASE = 100_000
"""Candidates rescored with the full vectors: limit × RESCORE_FACTOR + MIN_RESCORED, of which there are more, by the
square root, in a store of more vectors than this: the more there are, the more differ by less than their codes tell."""
DEPTH_MARGIN = 4
"""The last hit must rank within the first 1 / DEPTH_MARGIN of the rescored candidates, else the search widens."""
WIDENING_FACTOR = 4
SELECTIVE_FILTER_ROWS = 20_000
SELECTIVE_FILTER_ESTIMATE = 14_000
"""The estimate from a few hits is often too low."""

Item = TypeVar("Item", int, str)
"""What a vector stands for: the number of a passage, the id of a fact, the key of a node."""
VectorHits = list[tuple[Item, float]]


@dataclass(frozen=True, slots=True)
class VectorQueries(Generic[Item]):
    """The names of the queries that lead from embeddings to the items of one kind; each returns item and embedding.

    `allowed` keeps those of given embeddings that a filter allows, `all_allowed` lists all of them up to a limit.
    `nearest` orders items by cosine inside PostgreSQL and returns item and cosine.
    """

    item_type: type[Item]
    allowed: str
    all_allowed: str
    nearest: str


class VectorFilter(Protocol[Item]):
    """Which items may be found at all."""

    @property
    def queries(self) -> VectorQueries[Item]: ...

    @property
    def is_open(self) -> bool:
        """Whether nearly every embedding passes."""

    def parameters(self) -> dict[str, Any]:
        """The values that the queries name."""


class CosineScorer(Protocol):
    """A query's cosines with stored vectors."""

    def embedded(self, numbers: Sequence[int]) -> Mapping[int, float]:
        """By the numbers of embeddings."""

    def since(self, upto: int, limit: int) -> Mapping[int, float]:
        """The best of those that came after an embedding, by their numbers."""


class LoadedCodes(NamedTuple):
    """The binary codes of all vectors up to a number."""

    codes: ListedCodes
    upto: int


@dataclass(frozen=True, slots=True)
class _FilteredHits(Generic[Item]):
    """Items that a filter allows, and how far down the order one had to go for them."""

    hits: VectorHits[Item]
    depth: int


def nearest_by_codes(
    view: View,
    model: str,
    loaded: LoadedCodes,
    vector: Vectors,
    compared: CosineScorer,
    where: VectorFilter[Item],
    limit: int,
) -> VectorHits[Item]:
    """The best items that the filter allows; the more it leaves out, the more are compared.

    Where it seems to allow few, these are looked up, and nothing else is compared. Vectors of another width than the
    one asked with are near to none.
    """
    if not loaded.codes.fits(vector):
        return []
    first = count = rescored_candidates(limit, len(loaded.codes))
    allows_many = False
    while True:
        likely = loaded.codes.candidates(vector, count, count // first).tolist()
        cosines = {**compared.embedded(likely), **compared.since(loaded.upto, count)}
        found = first_allowed(view, model, cosines, where, limit)
        # Where nearly everything passes, equal cosines alone make the order deep.
        is_deep_enough = len(found.hits) >= limit and (where.is_open or found.depth * DEPTH_MARGIN <= count)
        if is_deep_enough or count >= len(loaded.codes):
            return found.hits
        needed = _next_candidate_count(found, limit, count)
        if not allows_many and (
            needed > SELECTIVE_FILTER_ROWS or _estimate_allowed(found, len(loaded.codes)) <= SELECTIVE_FILTER_ESTIMATE
        ):
            few = view.rows(
                where.queries.all_allowed, model=model, limit=SELECTIVE_FILTER_ROWS + 1, **where.parameters()
            )
            if len(few) <= SELECTIVE_FILTER_ROWS:
                return _nearest_among(few, loaded, vector, compared, limit)
            allows_many = True
        count = needed


def rescored_candidates(limit: int, total: int) -> int:
    """How many candidates are compared in full for so many hits among all vectors."""
    return limit * RESCORE_FACTOR + round(MIN_RESCORED * sqrt(max(1, total / RESCORED_BASE)))


def _estimate_allowed(found: _FilteredHits[Item], total: int) -> float:
    """How many of all the filter allows, if it does so everywhere as among the nearest."""
    return total * len(found.hits) / max(found.depth, 1)


def _nearest_among(
    few: Sequence[Row], loaded: LoadedCodes, vector: Vectors, compared: CosineScorer, limit: int
) -> VectorHits[Any]:
    """The best of some items, each given with its embedding."""
    items: dict[int, list[Any]] = {}
    for item, embedded in few:
        items.setdefault(embedded, []).append(item)
    likely = loaded.codes.candidates_among(items, vector, limit * RESCORE_FACTOR + MIN_RESCORED).tolist()
    cosines = compared.embedded([*likely, *(number for number in items if number > loaded.upto)])
    return top_hits({item: cosine for number, cosine in cosines.items() for item in items[number]}, limit)


def _next_candidate_count(found: _FilteredHits[Item], limit: int, count: int) -> int:
    """How many must be compared so that the last hit is as surely the right one as without a filter."""
    wider = count * WIDENING_FACTOR
    return max(wider, found.depth * limit * RESCORE_FACTOR // len(found.hits)) if found.hits else wider


def first_allowed(
    view: View, model: str, cosines: Mapping[int, float], where: VectorFilter[Item], limit: int
) -> _FilteredHits[Item]:
    """Goes down the order until enough items pass."""
    order = [number for number, _ in top_hits(cosines, len(cosines))]
    hits: VectorHits[Item] = []
    start, size = 0, limit if where.is_open else limit * WIDENING_FACTOR
    while start < len(order) and len(hits) < limit:
        some = order[start : start + size]
        rows = view.rows(where.queries.allowed, model=model, embedded=some, **where.parameters())
        hits += [(number, cosines[embedded]) for number, embedded in rows]
        start, size = start + len(some), size * WIDENING_FACTOR
    hits = sorted(hits, key=by_cosine)[:limit]
    if len(hits) < limit:
        return _FilteredHits(hits, start)
    return _FilteredHits(hits, sum(cosine >= hits[-1][1] for cosine in cosines.values()))


def by_cosine(hit: tuple[Item, float]) -> tuple[float, Item]:
    return -hit[1], hit[0]


def top_hits(cosines: Mapping[Item, float], limit: int) -> VectorHits[Item]:
    """The highest cosines with their items, the lower item first among equals."""
    return sorted(cosines.items(), key=by_cosine)[:limit]
