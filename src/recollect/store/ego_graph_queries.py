"""Queries of an ego graph: neighbours by predicate, the edges among the entities drawn, and degrees."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.ids import EntityId, FactId
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.span import Span


class TieRow(NamedTuple):
    """The edges of one predicate between an entity and one neighbour; `holding` of them are true at the time asked."""

    near: EntityId
    far: EntityId
    far_type: str
    predicate: str
    edges: int
    holding: int
    newest: Instant


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


def ties_of(view: View, entities: Collection[EntityId], at: Span, limit: int) -> list[TieRow]:
    """The live neighbours of these entities by predicate, over edges of any valid time, in no order."""
    rows = view.rows("ego_ties", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi, limit=limit)
    return [TieRow(near, far, type_, name, int(n), int(held), at_) for near, far, type_, name, n, held, at_ in rows]


def timed_edges(view: View, entities: Collection[EntityId], limit: int) -> list[TimedEdgeRow]:
    """The edges between two of these entities, of any valid time, newest source first."""
    if not entities:
        return []
    return view.fetch(TimedEdgeRow, "ego_edges", entities=sorted(entities), limit=limit)


def degrees(view: View, entities: Collection[EntityId]) -> dict[EntityId, int]:
    """How many edges, of any valid time, each of these entities has; those without any are missing."""
    if not entities:
        return {}
    return {entity: int(count) for entity, count in view.rows("ego_degrees", entities=sorted(entities))}
