"""Traversal of memory links: neighbourhood, reach, cheapest paths, personalised PageRank, and ranked walks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, NamedTuple

from recollect.model.ids import DocumentId
from recollect.model.memory_links import DIRECTED, LINK_TYPES, LinkType, MemoryLink
from recollect.reason.graph_algorithms import PageRankResult, WeightedEdges, pagerank
from recollect.store import network_queries
from recollect.store.artifact_queries import first_transactions
from recollect.store.view import View

Direction = Literal["both", "out", "in"]
Step = tuple[DocumentId, DocumentId, MemoryLink]
LinkKey = tuple[DocumentId, DocumentId, LinkType]
MAX_NODES = 2000


@dataclass(frozen=True, slots=True)
class LinkFilter:
    """Which links to follow, and in which direction the directed ones."""

    types: frozenset[str] = frozenset(LINK_TYPES)
    min_confidence: float = 0.0
    direction: Direction = "both"


class LinkStep(NamedTuple):
    """A link followed from one memory to another."""

    start: DocumentId
    stop: DocumentId
    link: MemoryLink


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The memories within reach, each with its distance, and all links between them."""

    hops: dict[DocumentId, int]
    links: list[MemoryLink] = field(default_factory=list)
    is_truncated: bool = False


def walk_steps(links: Iterable[MemoryLink], direction: Direction) -> Iterator[Step]:
    """Every step along the links: start, stop and link. Plain tuples, since there are many."""
    for link in links:
        one, other, type_ = link[0], link[1], link[2]
        is_directed = type_ in DIRECTED
        if not is_directed or direction != "in":
            yield one, other, link
        if not is_directed or direction != "out":
            yield other, one, link


def neighbourhood_of(
    view: View, anchors: Sequence[DocumentId], depth: int, followed: LinkFilter, most: int = MAX_NODES
) -> Neighbourhood:
    """Breadth-first walk of so many links from the anchors; if there are too many memories, the strongest links win."""
    hops = dict.fromkeys(anchors, 0)
    links: dict[LinkKey, MemoryLink] = {}
    frontier = list(anchors)
    is_truncated = False
    for hop in range(1, depth + 2):
        read = _read_links(view, frontier, followed)
        links |= read
        if hop > depth or is_truncated or not frontier:
            break
        found = _next_frontier(walk_steps(read.values(), followed.direction), hops, hop)
        is_truncated = len(hops) + len(found) > most
        frontier = found[: max(0, most - len(hops))]
        hops |= dict.fromkeys(frontier, hop)
    inside = [links[key] for key in sorted(links) if key[0] in hops and key[1] in hops]
    return Neighbourhood(hops, inside, is_truncated)


def _read_links(view: View, memories: Sequence[DocumentId], followed: LinkFilter) -> dict[LinkKey, MemoryLink]:
    """The links of memories that pass the filter, each once."""
    types, least = followed.types, followed.min_confidence
    links = network_queries.links_touching(view, memories)
    return {link[:3]: link for link in links if link[2] in types and link[4] >= least}


def _next_frontier(steps: Iterable[Step], hops: dict[DocumentId, int], hop: int) -> list[DocumentId]:
    """Memories reached for the first time, those over the strongest links first; a deleted memory has no links."""
    best: dict[DocumentId, float] = {}
    for start, stop, link in steps:
        if stop not in hops and hops.get(start) == hop - 1 and link[4] >= best.get(stop, 0.0):
            best[stop] = link[4]
    return sorted(best, key=lambda memory: (-best[memory], memory))


def neighbours_of(view: View, memories: Sequence[DocumentId], limit: int) -> list[DocumentId]:
    """The memories one link away from these, the strongest link first, then the newest."""
    anchors = list(dict.fromkeys(memories))
    reached = reach_memories(neighbourhood_of(view, anchors, 1, LinkFilter()), anchors, "both")
    newest = sorted((memory for memory, how in reached.items() if how.hop == 1), reverse=True)
    return sorted(newest, key=lambda memory: -reached[memory].score)[:limit]


class ReachedMemory(NamedTuple):
    """How a memory is reached: the number of links, the strength of the path, and its last link."""

    hop: int
    score: float
    reached_from: DocumentId | None = None
    link: MemoryLink | None = None


class MemoryPath(NamedTuple):
    """A path between two memories, link by link."""

    start: DocumentId
    stop: DocumentId
    cost: float
    steps: tuple[LinkStep, ...]


StepsByMemory = Mapping[DocumentId, list[LinkStep]]


def reach_memories(
    ball: Neighbourhood, anchors: Sequence[DocumentId], direction: Direction
) -> dict[DocumentId, ReachedMemory]:
    """By memory, the best of the shortest paths from an anchor: the one with the largest product of confidences."""
    found = {anchor: ReachedMemory(0, 1.0) for anchor in anchors}
    hops = ball.hops
    levels: dict[int, list[Step]] = {}
    for step in walk_steps(ball.links, direction):
        hop = hops[step[1]]
        if hop == hops[step[0]] + 1:
            levels.setdefault(hop, []).append(step)
    for hop in sorted(levels):
        for start, stop, link in levels[hop]:
            score = found[start].score * link[4]
            known = found.get(stop)
            if known is None or known.score < score:
                found[stop] = ReachedMemory(hop, score, start, link)
    return found


def rank_by_pagerank(
    ball: Neighbourhood, anchors: Sequence[DocumentId], direction: Direction
) -> tuple[dict[DocumentId, float], PageRankResult]:
    """PageRank of every memory of a neighbourhood, with restarts at the anchors."""
    nodes = sorted(ball.hops)
    number = {memory: at for at, memory in enumerate(nodes)}
    starts, stops, weights = [], [], []
    for start, stop, link in walk_steps(ball.links, direction):
        starts.append(number[start])
        stops.append(number[stop])
        weights.append(link[4])
    result = pagerank(len(nodes), WeightedEdges(starts, stops, weights), [number[anchor] for anchor in anchors])
    return dict(zip(nodes, result.scores, strict=True)), result


def strongest_steps(ball: Neighbourhood, direction: Direction) -> StepsByMemory:
    """From each memory the strongest link to each other, in a fixed order."""
    best: dict[tuple[DocumentId, DocumentId], MemoryLink] = {}
    for start, stop, link in walk_steps(ball.links, direction):
        known = best.get((start, stop))
        if known is None or known.confidence < link.confidence:
            best[start, stop] = link
    found: dict[DocumentId, list[LinkStep]] = {memory: [] for memory in ball.hops}
    for start, stop in sorted(best):
        found[start].append(LinkStep(start, stop, best[start, stop]))
    return found


def cheapest_path(start: DocumentId, stop: DocumentId, steps: StepsByMemory, depth: int) -> MemoryPath | None:
    """The cheapest path of at most so many links, each costing one over its confidence; of equal ones the shorter."""
    best: dict[DocumentId, MemoryPath] = {start: MemoryPath(start, start, 0.0, ())}
    arrived: MemoryPath | None = None
    for _ in range(depth):
        longer: dict[DocumentId, MemoryPath] = {}
        for memory in sorted(best):
            for step in steps[memory]:
                if step.link.confidence > 0:
                    _keep_cheaper(longer, best[memory], step)
        best = longer
        found = best.get(stop)
        if found is not None and (arrived is None or found.cost < arrived.cost):
            arrived = found
    return arrived


def _keep_cheaper(longer: dict[DocumentId, MemoryPath], path: MemoryPath, step: LinkStep) -> None:
    cost = path.cost + 1 / step.link.confidence
    known = longer.get(step.stop)
    if known is None or cost < known.cost:
        longer[step.stop] = MemoryPath(path.start, step.stop, cost, (*path.steps, step))


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


def walk_network(view: View, query: NetworkQuery, anchors: Sequence[DocumentId]) -> NetworkWalk:
    """The memories that a walk from the anchors ranks."""
    if not anchors:
        return NetworkWalk(query.mode, Neighbourhood({}), [], {}, {})
    found = neighbourhood_of(view, anchors, query.depth, query.kept, query.max_nodes)
    hops = reach_memories(found, anchors, query.kept.direction)
    if query.mode == "shortest_path":
        return _walk_paths(query, anchors, found, hops)
    if query.mode == "neighbours" or found.is_truncated:
        scores = {memory: each.score for memory, each in hops.items()}
        order = _rank_memories(view, hops, anchors, scores, by_hop=True)[: query.limit]
        return NetworkWalk(query.mode, found, order, hops, scores, is_fallback=found.is_truncated)
    scores, result = rank_by_pagerank(found, anchors, query.kept.direction)
    order = _rank_memories(view, hops, anchors, scores, by_hop=False)[: query.limit]
    how = (result.rounds, result.converged, result.timed_out)
    return NetworkWalk(query.mode, found, order, hops, scores, [], *how)


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
    query: NetworkQuery, anchors: Sequence[DocumentId], found: Neighbourhood, hops: dict[DocumentId, ReachedMemory]
) -> NetworkWalk:
    ways = strongest_steps(found, query.kept.direction)
    paths = [(one, other, cheapest_path(one, other, ways, query.depth)) for one, other in pairwise(anchors)]
    scores: dict[DocumentId, float] = {}
    along = dict(hops)
    for _, _, path in paths:
        for step in path.steps[:-1] if path else ():
            if step.stop not in anchors and step.stop not in scores and path is not None:
                scores[step.stop] = 1 / path.cost
                along[step.stop] = ReachedMemory(hops[step.stop].hop, scores[step.stop], step.start, step.link)
    return NetworkWalk(
        "shortest_path", found, list(scores)[: query.limit], along, scores, paths, is_fallback=found.is_truncated
    )
