"""Queries of an ego graph: neighbours by predicate, the edges among the entities drawn, and degrees."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.span import Span

MAX_DEGREE = 1_000


class NeighborRow(NamedTuple):
    """A neighbour: its edges to the entities asked about, and about how many it has in all.

    `holding` of them are true at the time asked about.
    """

    far: EntityId
    edges: int
    holding: int
    newest: Instant
    degree: int


@dataclass(frozen=True, slots=True)
class Neighbors:
    """The neighbours with most edges, and how many neighbours there are by type, and edges by predicate."""

    nodes: list[NeighborRow]
    count_by_type: dict[str, int]
    edges_by_predicate: dict[str, int]


@dataclass(frozen=True, slots=True)
class TieFilter:
    """The time asked about, and the types and predicates wanted; none stand for all."""

    at: Span
    types: frozenset[str] = frozenset()
    predicates: frozenset[str] = frozenset()

    def parameters(self) -> dict[str, Any]:
        return {
            "at_lo": self.at.lo,
            "at_hi": self.at.hi,
            "any_type": int(not self.types),
            "types": sorted(self.types),
            "any_predicate": int(not self.predicates),
            "predicates": sorted(self.predicates),
        }


class TimedEdgeRow(NamedTuple):
    """An edge with the bounds of its valid time; None is open."""

    fact: FactId
    subject: EntityId
    object: EntityId
    predicate: str
    label: str
    from_lo: int | None
    until_hi: int | None
    confidence: float
    source_at: Instant


def ties_of(
    view: View, entities: Collection[EntityId], where: TieFilter, known: Collection[EntityId], limit: int
) -> Neighbors:
    """The live neighbours of these entities over edges of any valid time, without those known; the likeliest first."""
    parameters = {"entities": sorted(entities), "known_nodes": sorted(known), **where.parameters()}
    nodes = [
        NeighborRow(far, int(edges), int(holding), newest, int(degree))
        for far, edges, holding, newest, degree in view.rows("ego_neighbours", limit=limit, **parameters)
    ]
    types = {type_: int(count) for type_, count in view.rows("ego_neighbours_by_type", **parameters)}
    counting = "ego_edges_of_types_by_predicate" if where.types else "ego_edges_by_predicate"
    predicates = {name: int(count) for name, count in view.rows(counting, **parameters)}
    return Neighbors(nodes, types, predicates)


def timed_edges(view: View, entities: Collection[EntityId], limit: int) -> list[TimedEdgeRow]:
    """The edges between two of these entities, of any valid time, newest source first."""
    return view.fetch(TimedEdgeRow, "ego_edges", entities=sorted(entities), limit=limit) if entities else []


def degrees(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many edges, of any valid time, each of these entities has; `MAX_DEGREE` and above mean at least so many."""
    return dict(view.rows("ego_degrees", entities=sorted(entities), limit=MAX_DEGREE)) if entities else {}
