"""The graph as a whole: its patterns and its size."""

from recollect.memory import Memory
from recollect.model.ids import say_entity, say_fact
from recollect.reason.insights import insights
from recollect.reason.statistics import graph_counts
from recollect.surfaces.entity_core.graph_inputs import read_at
from recollect.surfaces.entity_core.graph_results import Insights, Statistics
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf, AtTime
from recollect.when.instant import Instant, say_millis

_DIGITS = 6


@surface.tool("read", example={})
def graph_insights(memory: Memory, as_of: AsOf = None, at_time: AtTime = None) -> Insights:
    """I use this to see patterns: what holds together, by whom, and what came back.

    Of a very large graph only the first 50,000 valid edges are looked at.
    """
    with memory.read(as_of) as view:
        found = insights(view, read_at(view.world, at_time).span)
    return {
        "insights": [
            {
                "type": each.kind,
                "description": each.description,
                "nodeIds": [say_entity(node) for node in each.nodes],
                "edgeIds": [say_fact(edge) for edge in each.edges],
                "confidence": round(each.confidence, _DIGITS),
            }
            for each in found
        ]
    }


@surface.tool("read", example={})
def graph_stats(memory: Memory, as_of: AsOf = None, at_time: AtTime = None) -> Statistics:
    """I use this to count what I know: nodes and edges by type, valid and ended ones."""
    with memory.read(as_of) as view:
        counts = graph_counts(view, read_at(view.world, at_time).span)
    return {
        "totalNodes": sum(counts.nodes.values()),
        "totalEdges": sum(counts.edges.values()),
        "nodesByType": dict(counts.nodes),
        "edgesByType": dict(counts.edges),
        "oldestNode": _instant(counts.oldest),
        "newestNode": _instant(counts.newest),
        "vectorSearchAvailable": memory.embedder is not None,
        "validEdges": counts.valid,
        "endedEdges": counts.ended,
    }


def _instant(instant: Instant | None) -> str | None:
    return None if instant is None else say_millis(instant)
