"""Walks over valid edges: breadth first, each node once, always in the same order, never further than asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.vocabulary import built_in
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.when.span import Span

Direction = Literal["out", "in", "both"]

# Steps read at once from one node; a hub's are read piece by piece, until enough nodes are reached.
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Walk:
    """How to walk: which way, how deep, over which predicates, to how many nodes. No predicates stand for all."""

    at: Span
    direction: Direction = "out"
    depth: int = 2
    limit: int = 50
    predicates: frozenset[str] = frozenset()


class Reached(NamedTuple):
    """A node and a shortest path to it, edge by edge from the start."""

    entity: Entity
    path: tuple[FactId, ...]

    @property
    def depth(self) -> int:
        return len(self.path)


class Walked(NamedTuple):
    reached: list[Reached]
    is_cut: bool


class Join(NamedTuple):
    """A valid edge, as little of it as a picture needs."""

    fact: FactId
    subject: EntityId
    object: EntityId
    predicate: str
    weight: float


def traverse(view: View, start: Entity, walk: Walk) -> Walked:
    """The nodes reached from a start: by depth, then by the order of those before them, then by weight."""
    reached: list[Reached] = []
    for each in _reached(view, start, walk):
        if len(reached) == walk.limit:
            return Walked(reached, True)
        reached.append(each)
    return Walked(reached, False)


def _reached(view: View, start: Entity, walk: Walk) -> Iterator[Reached]:
    asked = _asked(view, walk)
    seen = {start.id}
    ring = [Reached(start, ())]
    for _ in range(walk.depth):
        further: list[Reached] = []
        for station in ring:
            for fact, entity in _steps(view, station.entity.id, asked):
                if entity.id not in seen:
                    seen.add(entity.id)
                    further.append(Reached(entity, (*station.path, fact)))
                    yield further[-1]
        ring = further


def _steps(view: View, entity: EntityId, asked: dict[str, Any]) -> Iterator[tuple[FactId, Entity]]:
    offset = 0
    while True:
        rows = view.rows("steps_from", entity=entity, offset=offset, limit=_AT_ONCE, **asked)
        yield from ((FactId(row[0]), entity_of(row[1:])) for row in rows)
        if len(rows) < _AT_ONCE:
            return
        offset += _AT_ONCE


def _asked(view: View, walk: Walk) -> dict[str, Any]:
    return {
        "leaving": int(walk.direction != "in"),
        "reaching": int(walk.direction != "out"),
        "both_ways": symmetric_predicates(view) if walk.direction != "both" else [],
        "any_type": int(not walk.predicates),
        "predicates": sorted(walk.predicates),
        "at_lo": walk.at.lo,
        "at_hi": walk.at.hi,
    }


def symmetric_predicates(view: View) -> list[str]:
    """The predicates that count both ways, of the vocabulary and of the workspace."""
    own = {row[0] for row in view.rows("predicates_symmetric")}
    return sorted(own | {name for name, entry in built_in().items() if entry.symmetric})


def joins_among(view: View, entities: Sequence[EntityId], at: Span) -> list[Join]:
    """Every valid edge between two of these live entities."""
    if not entities:
        return []
    rows = view.rows("edges_among", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi)
    return [Join._make((*row[:4], float(row[4]))) for row in rows]
