"""Queries over the graph of entities and facts: neighbours, edges, joins, counts and whole named graphs."""

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from recollect.model.certainty import SOURCE_KINDS
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Label
from recollect.model.ids import EntityId, FactId
from recollect.store.fact_rows import FactFilter, FactSummaryRow
from recollect.store.rows import entity_of
from recollect.store.view import View
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span

# Steps read at once from one node: a hub's are read page by page, until enough nodes are reached.
_STEP_PAGE_SIZE = 500


def symmetric_predicates(view: View) -> frozenset[str]:
    """The predicates that this workspace has marked as symmetric."""
    return frozenset(row[0] for row in view.rows("predicates_symmetric"))


class EdgeStep(NamedTuple):
    """A fact that leads to an entity."""

    fact: FactId
    entity: Entity


def steps_from(
    view: View,
    entity: EntityId,
    at: Span,
    *,
    outgoing: bool,
    incoming: bool,
    predicates: Collection[str],
    symmetric: Collection[str],
) -> Iterator[EdgeStep]:
    """The steps away from an entity over current facts, heaviest first; no predicates stand for all."""
    parameters = {
        "entity": entity,
        "leaving": int(outgoing),
        "reaching": int(incoming),
        "both_ways": sorted(symmetric),
        "any_type": int(not predicates),
        "predicates": sorted(predicates),
        "at_lo": at.lo,
        "at_hi": at.hi,
    }
    offset = 0
    while True:
        rows = view.rows("steps_from", offset=offset, limit=_STEP_PAGE_SIZE, **parameters)
        yield from (EdgeStep(row[0], entity_of(row[1:])) for row in rows)
        if len(rows) < _STEP_PAGE_SIZE:
            return
        offset += _STEP_PAGE_SIZE


class EdgeSummary(NamedTuple):
    """A current edge, as much of it as a drawing needs."""

    fact: FactId
    subject: EntityId
    object: EntityId
    predicate: str
    weight: float


def edges_among(view: View, entities: Collection[EntityId], at: Span) -> list[EdgeSummary]:
    """Every current edge between two of these live entities."""
    if not entities:
        return []
    rows = view.rows("edges_among", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi)
    return [EdgeSummary._make((*row[:4], float(row[4]))) for row in rows]


class EdgeRow(NamedTuple):
    """A fact as a filtered walk sees it; a literal has no object."""

    id: FactId
    subject: EntityId
    object: EntityId | None
    predicate: str
    label: str
    confidence: float
    source_kind: str
    source_at: int
    stale: int
    from_lo: int | None
    until_hi: int | None

    def is_current(self, at: Span) -> bool:
        if self.stale or self.label != "AFFILIATED":
            return not self.stale
        return (self.from_lo if self.from_lo is not None else MIN) <= at.hi and (
            self.until_hi if self.until_hi is not None else MAX
        ) >= at.lo

    def other(self, end: EntityId) -> EntityId | None:
        return self.object if self.subject == end else self.subject


def edges_at(
    view: View,
    entities: Collection[EntityId],
    at: Span,
    *,
    every: bool,
    min_confidence: float,
    source_kinds: Collection[str],
    predicates: Collection[str],
    outgoing: bool,
    incoming: bool,
    symmetric: Collection[str],
    limit: int,
) -> list[EdgeRow]:
    """The edges at these entities that pass the filters, each once, most confident first; no predicates mean all."""
    rows = view.rows(
        "edges_at",
        entities=sorted(entities),
        at_lo=at.lo,
        at_hi=at.hi,
        every=int(every),
        floor=min_confidence,
        any_source_kind=int(frozenset(source_kinds) == frozenset(SOURCE_KINDS)),
        source_kinds=sorted(source_kinds),
        any_predicate=int(not predicates),
        predicates=sorted(predicates),
        leaving=int(outgoing),
        reaching=int(incoming),
        both_ways=sorted(symmetric),
        limit=limit,
    )
    return list(dict.fromkeys(map(EdgeRow._make, rows)))


def facts_between(
    view: View, one: EntityId, other: EntityId, at: Span, limit: int, closed: Collection[FactId]
) -> list[FactSummaryRow]:
    """Current facts that join two entities in either direction, newest source first; the facts of `one` are read."""
    where = {"near": one, "far": other, "limit": limit, "closed": sorted(closed)}
    return view.fetch(FactSummaryRow, "gists_between", at_lo=at.lo, at_hi=at.hi, **where)


def neighbors_of(
    view: View, entities: Collection[EntityId], at: Span, closed: Collection[FactId]
) -> Iterator[tuple[EntityId, EntityId]]:
    """Pairs of an entity one current fact away and the least of the given ones that it is joined to, by id."""
    yield from view.rows("one_hop_away", entities=entities, at_lo=at.lo, at_hi=at.hi, closed=sorted(closed))


def count_facts_at(view: View, entities: Collection[EntityId], limit: int) -> int:
    """How many facts have one of these entities at an end, counted up to a limit."""
    return view.fetch_number("facts_at_ends", entities=entities, limit=limit)


def facts_about(view: View, entity: EntityId, where: FactFilter) -> list[FactSummaryRow]:
    """The facts of an entity in no order; one more than the limit if there are more."""
    return view.fetch(FactSummaryRow, "gists_about", entity=entity, **where.parameters())


def newest_facts_about(view: View, entity: EntityId, where: FactFilter) -> tuple[list[FactSummaryRow], int]:
    """The newest facts of an entity, and how many there are in all."""
    rows = view.rows("gists_about_counted", entity=entity, **where.parameters())
    return [FactSummaryRow._make(row[:-1]) for row in rows], rows[0][-1] if rows else 0


ConnectionDirection = Literal["outgoing", "incoming", "both"]


class ConnectionRow(NamedTuple):
    """One neighbour by one kind of fact; `total` counts all connections of the entity."""

    entity: EntityId
    name: str
    type: str
    label: Label
    fact_type: str
    fact_count: int
    last_source_at: Instant
    outgoing_count: int
    total: int

    @property
    def direction(self) -> ConnectionDirection:
        if not self.outgoing_count:
            return "incoming"
        return "outgoing" if self.outgoing_count == self.fact_count else "both"


def connections_of(view: View, entity: EntityId, where: FactFilter) -> list[ConnectionRow]:
    """The neighbours of an entity by kind of fact, newest source first."""
    return view.fetch(ConnectionRow, "connections_of", entity=entity, **where.parameters())


class NodeStatistics(NamedTuple):
    type: str
    nodes: int
    oldest: Instant
    newest: Instant


class EdgeStatistics(NamedTuple):
    predicate: str
    edges: int
    valid: int
    ended: int


def node_statistics(view: View) -> list[NodeStatistics]:
    return [
        NodeStatistics(type_, int(count), Instant(oldest), Instant(newest))
        for type_, count, oldest, newest in view.rows("node_statistics")
    ]


def edge_statistics(view: View, at: Span) -> list[EdgeStatistics]:
    rows = view.rows("edge_statistics", at_lo=at.lo, at_hi=at.hi)
    return [EdgeStatistics(predicate, *map(int, counts)) for predicate, *counts in rows]


class JoinRow(NamedTuple):
    """A fact that joins two different entities."""

    fact: FactId
    one: EntityId
    other: EntityId


def joins(view: View, at: Span, limit: int) -> Iterator[JoinRow]:
    """The current joins, by fact."""
    return map(JoinRow._make, view.rows("joins", at_lo=at.lo, at_hi=at.hi, limit=limit))


class RepeatedJoinRow(NamedTuple):
    """One of several facts with the same predicate between the same two entities."""

    fact: FactId
    one: EntityId
    other: EntityId
    predicate: str
    from_lo: int | None
    until_hi: int | None

    @property
    def span(self) -> Span:
        start = MIN if self.from_lo is None else self.from_lo
        return Span(start, max(start, MAX if self.until_hi is None else self.until_hi))


def repeated_joins(view: View, limit: int) -> Iterator[RepeatedJoinRow]:
    """The joins that occur more than once, ended ones included, by their ends and predicate."""
    return map(RepeatedJoinRow._make, view.rows("joins_repeated", limit=limit))


def entities_after(view: View, after: str, limit: int) -> list[Entity]:
    """The next live entities by id."""
    return view.fetch_entities("entities_after", after=after, limit=limit)


def live_entities(view: View, ids: Collection[EntityId] | None = None) -> list[Entity]:
    """The entities with these ids, or all of them."""
    return view.fetch_entities("named_entities", everything=int(ids is None), ids=sorted(ids or ()))


def current_facts(view: View, ids: Collection[EntityId] | None = None) -> list[Fact]:
    """The facts that hold now, of these entities or of all; aliases and retracted facts are left out."""
    now = view.world.present
    moment = {"at_lo": now.lo, "at_hi": now.hi}
    if ids is None:
        return view.fetch_facts("named_facts", **moment)
    return view.fetch_facts("named_facts_touching", ids=sorted(ids), **moment) if ids else []


def unretracted_facts(view: View) -> list[Fact]:
    """Every fact that is not retracted, including ended and superseded ones but no aliases."""
    return view.fetch_facts("unretracted_facts")
