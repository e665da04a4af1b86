"""Queries of edges, the facts between two entities, and of statements, the facts about one."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from recollect.model.certainty import SOURCE_KINDS
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Label
from recollect.model.history import is_current
from recollect.model.ids import EntityId, FactId
from recollect.model.page import ResultPage
from recollect.store.fact_rows import FactFilter, FactSummaryRow
from recollect.store.port import Row
from recollect.store.rows import entity_of, fact_of, page_of
from recollect.store.view import View
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.span import Span


class GraphEdge(NamedTuple):
    """A fact between two entities, whether both are live, and whether it is a closed item."""

    fact: Fact
    has_live_ends: bool
    is_closed: bool = False

    @property
    def is_deleted(self) -> bool:
        return self.fact.is_retracted or not self.has_live_ends

    def is_valid(self, at: Span) -> bool:
        return self.has_live_ends and not self.is_closed and is_current(self.fact, at)


class EdgeQuery(NamedTuple):
    """Which edges to list; subject, object and type are ANDed. Closed items are not valid."""

    at: Span
    subject: EntityId | None = None
    object: EntityId | None = None
    type: str | None = None
    deleted: bool = False
    valid: bool = False
    limit: int = 500
    offset: int = 0
    closed: frozenset[FactId] = frozenset()

    @property
    def name(self) -> str:
        """The query that uses the index of the most selective part."""
        if self.subject is not None:
            return "edges_leaving"
        if self.object is not None:
            return "edges_reaching"
        return "edges_typed" if self.type is not None else "edges_all"

    def parameters(self) -> dict[str, Any]:
        values = self._asdict()
        at = values.pop("at")
        flags = {"deleted": int(self.deleted), "valid": int(self.valid), "closed": sorted(self.closed)}
        return {**values, **flags, "at_lo": at.lo, "at_hi": at.hi}


def find_edges(view: View, query: EdgeQuery) -> ResultPage[GraphEdge]:
    """A page of edges by start, undated ones last, then by age."""
    rows = view.rows(query.name, **query.parameters())
    if not rows and query.offset:
        first = view.rows(query.name, **query._replace(offset=0, limit=1).parameters())
        return ResultPage([], page_of(first, _edge).total)
    return page_of(rows, _edge)


def edge_with_id(view: View, fact: FactId) -> GraphEdge | None:
    """The edge of this id, deleted or not."""
    rows = view.rows("edge_one", id=fact)
    return _edge(rows[0]) if rows else None


def _edge(row: Row) -> GraphEdge:
    return GraphEdge(fact_of(row[:-1]), row[-1] == 1)


def count_edges(view: View, entity: EntityId) -> int:
    """How many live edges a node has."""
    return view.fetch_number("edges_of_node_count", entity=entity)


def edge_versions(view: View, facts: Sequence[FactId]) -> dict[FactId, int]:
    """By edge, how many versions it had so far."""
    return dict(view.rows("fact_version_counts", ids=sorted(facts))) if facts else {}


def statements_of(view: View, entity: EntityId) -> list[Fact]:
    """Live facts about an entity that have no entity as object, oldest first."""
    found = view.fetch_facts("statements_of", entity=entity)
    return sorted(found, key=lambda fact: (fact.recorded_at, fact.id))


def all_statements(view: View) -> list[Fact]:
    """All live facts that have no entity as object, by id."""
    return sorted(view.fetch_facts("archive_statements"), key=lambda fact: fact.id)


# Steps read at once from one node: a hub's are read page by page, until enough nodes are reached.
_STEP_PAGE_SIZE = 500


def edge_counts(view: View, entities: Collection[EntityId], at: Span) -> dict[EntityId, int]:
    """How many current edges each entity has; those without any are missing."""
    return dict(view.rows("edge_counts", entities=sorted(entities), at_lo=at.lo, at_hi=at.hi))


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
        """As `is_current` of `model/history.py`, for a fact that is not retracted."""
        return not self.stale and (self.label != "AFFILIATED" or at.overlaps_bounds(self.from_lo, self.until_hi))

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
    wanted = {"near": one, "far": other, "limit": limit, "closed": sorted(closed)}
    return view.fetch(FactSummaryRow, "gists_between", at_lo=at.lo, at_hi=at.hi, **wanted)


def neighbors_of(
    view: View, entities: Collection[EntityId], at: Span, closed: Collection[FactId]
) -> Iterator[tuple[EntityId, EntityId]]:
    """Pairs of an entity one current fact away and the least of the given ones that it is joined to, by id."""
    yield from view.rows("one_hop_away", entities=entities, at_lo=at.lo, at_hi=at.hi, closed=sorted(closed))


def facts_about(view: View, entity: EntityId, wanted: FactFilter) -> list[FactSummaryRow]:
    """The facts of an entity in no order; one more than the limit if there are more."""
    return view.fetch(FactSummaryRow, "gists_about", entity=entity, **wanted.parameters())


def newest_facts_about(view: View, entity: EntityId, wanted: FactFilter) -> ResultPage[FactSummaryRow]:
    """The newest facts of an entity."""
    return page_of(view.rows("gists_about_counted", entity=entity, **wanted.parameters()), FactSummaryRow._make)


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


def connections_of(view: View, entity: EntityId, wanted: FactFilter) -> list[ConnectionRow]:
    """The neighbours of an entity by kind of fact, newest source first."""
    return view.fetch(ConnectionRow, "connections_of", entity=entity, **wanted.parameters())


class EdgeStatistics(NamedTuple):
    predicate: str
    edges: int
    valid: int
    ended: int


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
