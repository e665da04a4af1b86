"""How large the graph is, and of what it is made."""

from collections.abc import Mapping
from typing import NamedTuple

from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.when.span import Span


class GraphCounts(NamedTuple):
    nodes: Mapping[str, int]
    edges: Mapping[str, int]
    oldest: Instant | None
    newest: Instant | None
    valid: int
    ended: int


def graph_counts(view: View, at: Span) -> GraphCounts:
    """Live nodes by type and edges by predicate, the ended ones included; how many hold and how many are over."""
    nodes = view.rows("node_statistics")
    edges = view.rows("edge_statistics", at_lo=at.lo, at_hi=at.hi)
    return GraphCounts(
        {row[0]: int(row[1]) for row in nodes},
        {row[0]: int(row[1]) for row in edges},
        min((Instant(row[2]) for row in nodes), default=None),
        max((Instant(row[3]) for row in nodes), default=None),
        sum(int(row[2]) for row in edges),
        sum(int(row[3]) for row in edges),
    )
