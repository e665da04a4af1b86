"""Queries of edges, the facts between two entities, and of statements, the facts about one."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from recollect.model.fact import Fact
from recollect.model.history import is_current
from recollect.model.ids import EntityId, FactId
from recollect.store.port import Row
from recollect.store.rows import fact_of
from recollect.store.view import View
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


class EdgePage(NamedTuple):
    """Some edges, and how many match in all."""

    edges: list[GraphEdge]
    total: int


def find_edges(view: View, query: EdgeQuery) -> EdgePage:
    """A page of edges by start, undated ones last, then by age."""
    rows = view.rows(query.name, **query.parameters())
    if not rows and query.offset:
        first = view.rows(query.name, **query._replace(offset=0, limit=1).parameters())
        return EdgePage([], first[0][-1] if first else 0)
    return EdgePage([_edge(row[:-1]) for row in rows], rows[0][-1] if rows else 0)


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
