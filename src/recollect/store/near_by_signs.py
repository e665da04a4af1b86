"""The nearest of many vectors: likely ones by their signs, each then compared by its own vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from recollect.store.found import Filter
from recollect.store.port import Row
from recollect.store.view import View

if TYPE_CHECKING:
    from recollect.embed.port import Vectors
    from recollect.store.signs import Signs

COMPARED = 12
AT_LEAST = 300
"""So many are compared for each one asked for, and besides: signs put the nearest among them, not in their order."""
DEEPEST = 8
"""The last hit must stand in the first of so many parts of what was compared, else more is."""
FIRST_LOOK = 4
FEW = 20_000
SEEMS_FEW = 14_000
"""A guess from few hits is often too low."""

Hits = list[tuple[int, float]]


class Compared(Protocol):
    """A query's cosines with stored vectors."""

    def embedded(self, numbers: Sequence[int]) -> Mapping[int, float]:
        """By the numbers of embeddings."""

    def since(self, upto: int, limit: int) -> Mapping[int, float]:
        """The best of those that came after an embedding, by their numbers."""


class HeldSigns(NamedTuple):
    """The signs of all vectors up to a number."""

    signs: Signs
    upto: int


class _Passing(NamedTuple):
    """Passages that a filter allows, and how far down the order one had to go for them."""

    hits: Hits
    depth: int


def nearest_by_signs(
    view: View, model: str, held: HeldSigns, vector: Vectors, compared: Compared, where: Filter, limit: int
) -> Hits:
    """The best passages that the filter allows; the more it leaves out, the more are compared.

    Where it seems to allow few, these are looked up, and nothing else is compared.
    """
    count = limit * COMPARED + AT_LEAST
    allows_many = False
    while True:
        likely = held.signs.likely(vector, count).tolist()
        cosines = {**compared.embedded(likely), **compared.since(held.upto, count)}
        found = first_passing(view, model, cosines, where, limit)
        is_deep_enough = len(found.hits) >= limit and found.depth * DEEPEST <= count
        if is_deep_enough or count >= len(held.signs.numbers):
            return found.hits
        needed = _needed(found, limit, count)
        if not allows_many and (needed > FEW or _allowed_about(found, len(held.signs.numbers)) <= SEEMS_FEW):
            few = view.rows("embedded_allowed", model=model, limit=FEW + 1, **where.parameters())
            if len(few) <= FEW:
                return _among(few, held, vector, compared, limit)
            allows_many = True
        count = needed


def _allowed_about(found: _Passing, total: int) -> float:
    """How many of all the filter allows, if it does so everywhere as among the nearest."""
    return total * len(found.hits) / max(found.depth, 1)


def _among(few: Sequence[Row], held: HeldSigns, vector: Vectors, compared: Compared, limit: int) -> Hits:
    """The best of some passages, each given with its embedding."""
    passages: dict[int, list[int]] = {}
    for passage, embedded in few:
        passages.setdefault(embedded, []).append(passage)
    likely = held.signs.likely_among(passages, vector, limit * COMPARED + AT_LEAST).tolist()
    cosines = compared.embedded([*likely, *(number for number in passages if number > held.upto)])
    return best({passage: cosine for number, cosine in cosines.items() for passage in passages[number]}, limit)


def _needed(found: _Passing, limit: int, count: int) -> int:
    """How many must be compared so that the last hit is as surely the right one as without a filter."""
    wider = count * FIRST_LOOK
    return max(wider, found.depth * limit * COMPARED // len(found.hits)) if found.hits else wider


def first_passing(view: View, model: str, cosines: Mapping[int, float], where: Filter, limit: int) -> _Passing:
    """Goes down the order until enough passages pass."""
    order = [number for number, _ in best(cosines, len(cosines))]
    hits: Hits = []
    start, size = 0, limit if where.is_open else limit * FIRST_LOOK
    while start < len(order) and len(hits) < limit:
        some = order[start : start + size]
        rows = view.rows("embedded_wanted", model=model, embedded=some, **where.parameters())
        hits += [(number, cosines[embedded]) for number, embedded in rows]
        start, size = start + len(some), size * FIRST_LOOK
    hits = sorted(hits, key=by_cosine)[:limit]
    if len(hits) < limit:
        return _Passing(hits, start)
    return _Passing(hits, sum(cosine >= hits[-1][1] for cosine in cosines.values()))


def by_cosine(hit: tuple[int, float]) -> tuple[float, int]:
    return -hit[1], hit[0]


def best(cosines: Mapping[int, float], limit: int) -> Hits:
    """The highest cosines with their numbers, the lower number first among equals."""
    return sorted(cosines.items(), key=by_cosine)[:limit]
