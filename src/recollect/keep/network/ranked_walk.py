"""Ranked walks over the network of memories: by PageRank, by hops, or along the cheapest paths between anchors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from recollect.keep.network.traversal import (
    LinkFilter,
    MemoryPath,
    Neighbourhood,
    ReachedMemory,
    cheapest_path,
    neighbourhood_of,
    rank_by_pagerank,
    reach_memories,
    strongest_steps,
)
from recollect.model.ids import DocumentId
from recollect.store.artifact_queries import first_transactions
from recollect.store.view import View

NetworkMode = Literal["pagerank", "shortest_path", "neighbours"]


@dataclass(frozen=True, slots=True)
class NetworkQuery:
    """How to walk and how much to return."""

    mode: NetworkMode
    depth: int
    kept: LinkFilter
    limit: int
    max_nodes: int


@dataclass(frozen=True, slots=True)
class NetworkWalk:
    """Memories in ranked order, with their scores and how each was reached."""

    mode: NetworkMode
    ball: Neighbourhood
    order: list[DocumentId]
    reached: dict[DocumentId, ReachedMemory]
    scores: dict[DocumentId, float]
    paths: list[tuple[DocumentId, DocumentId, MemoryPath | None]] = field(default_factory=list)
    rounds: int = 0
    converged: bool = True
    timed_out: bool = False
    is_fallback: bool = False


def walk_network(view: View, asked: NetworkQuery, anchors: Sequence[DocumentId]) -> NetworkWalk:
    """The memories that a walk from the anchors ranks."""
    if not anchors:
        return NetworkWalk(asked.mode, Neighbourhood({}), [], {}, {})
    found = neighbourhood_of(view, anchors, asked.depth, asked.kept, asked.max_nodes)
    hops = reach_memories(found, anchors, asked.kept.direction)
    if asked.mode == "shortest_path":
        return _walk_paths(asked, anchors, found, hops)
    if asked.mode == "neighbours" or found.is_truncated:
        scores = {memory: each.score for memory, each in hops.items()}
        order = _rank_memories(view, hops, anchors, scores, by_hop=True)[: asked.limit]
        return NetworkWalk(asked.mode, found, order, hops, scores, is_fallback=found.is_truncated)
    scores, result = rank_by_pagerank(found, anchors, asked.kept.direction)
    order = _rank_memories(view, hops, anchors, scores, by_hop=False)[: asked.limit]
    how = (result.rounds, result.converged, result.timed_out)
    return NetworkWalk(asked.mode, found, order, hops, scores, [], *how)


def _rank_memories(
    view: View,
    hops: dict[DocumentId, ReachedMemory],
    anchors: Sequence[DocumentId],
    scores: dict[DocumentId, float],
    *,
    by_hop: bool,
) -> list[DocumentId]:
    """Best first; of equal ones the newest, then by id."""
    others = sorted(set(hops) - set(anchors))
    made = first_transactions(view, others)
    others.sort(key=lambda memory: made[memory].at, reverse=True)
    return sorted(others, key=lambda memory: (hops[memory].hop if by_hop else 0, -round(scores[memory], 12)))


def _walk_paths(
    asked: NetworkQuery, anchors: Sequence[DocumentId], found: Neighbourhood, hops: dict[DocumentId, ReachedMemory]
) -> NetworkWalk:
    ways = strongest_steps(found, asked.kept.direction)
    paths = [(one, other, cheapest_path(one, other, ways, asked.depth)) for one, other in pairwise(anchors)]
    scores: dict[DocumentId, float] = {}
    along = dict(hops)
    for _, _, path in paths:
        for step in path.steps[:-1] if path else ():
            if step.stop not in anchors and step.stop not in scores and path is not None:
                scores[step.stop] = 1 / path.cost
                along[step.stop] = ReachedMemory(hops[step.stop].hop, scores[step.stop], step.start, step.link)
    return NetworkWalk(
        "shortest_path", found, list(scores)[: asked.limit], along, scores, paths, is_fallback=found.is_truncated
    )
