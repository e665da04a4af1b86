"""Walks among memories: how far and how strongly each is reached, and the cheapest ways between them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.keep.network.ball import Ball, Direction, Step, steps
from recollect.model.ids import DocumentId
from recollect.model.memory_link import Link
from recollect.search.pagerank import Arcs, Ranked, pagerank


class Reached(NamedTuple):
    """How a memory is reached: after how many links, how strongly, and over which last."""

    hop: int
    score: float
    since: DocumentId | None = None
    link: Link | None = None


class Path(NamedTuple):
    """A way between two memories, link by link."""

    start: DocumentId
    stop: DocumentId
    cost: float
    ways: tuple[Step, ...]


Ways = Mapping[DocumentId, list[Step]]


def reached(ball: Ball, anchors: Sequence[DocumentId], direction: Direction) -> dict[DocumentId, Reached]:
    """Over paths of the fewest links the largest product of confidences, and the last link of the best of them."""
    found = {anchor: Reached(0, 1.0) for anchor in anchors}
    hops = ball.hops
    levels: dict[int, list[tuple[DocumentId, DocumentId, Link]]] = {}
    for step in steps(ball.links, direction):
        hop = hops[step[1]]
        if hop == hops[step[0]] + 1:
            levels.setdefault(hop, []).append(step)
    for hop in sorted(levels):
        for start, stop, link in levels[hop]:
            score = found[start].score * link[4]
            held = found.get(stop)
            if held is None or held.score < score:
                found[stop] = Reached(hop, score, start, link)
    return found


def ranked(ball: Ball, anchors: Sequence[DocumentId], direction: Direction) -> tuple[dict[DocumentId, float], Ranked]:
    """PageRank of every memory of a ball, started at the anchors."""
    nodes = sorted(ball.hops)
    number = {memory: at for at, memory in enumerate(nodes)}
    starts, stops, weights = [], [], []
    for start, stop, link in steps(ball.links, direction):
        starts.append(number[start])
        stops.append(number[stop])
        weights.append(link[4])
    result = pagerank(len(nodes), Arcs(starts, stops, weights), [number[anchor] for anchor in anchors])
    return dict(zip(nodes, result.scores, strict=True)), result


def strongest_ways(ball: Ball, direction: Direction) -> Ways:
    """From each memory the strongest link to each other, in a fixed order."""
    best: dict[tuple[DocumentId, DocumentId], Link] = {}
    for start, stop, link in steps(ball.links, direction):
        held = best.get((start, stop))
        if held is None or held.confidence < link.confidence:
            best[start, stop] = link
    found: dict[DocumentId, list[Step]] = {memory: [] for memory in ball.hops}
    for start, stop in sorted(best):
        found[start].append(Step(start, stop, best[start, stop]))
    return found


def cheapest(start: DocumentId, stop: DocumentId, ways: Ways, depth: int) -> Path | None:
    """The cheapest way of at most so many links, each costing one over its confidence; of equal ones the shorter."""
    best: dict[DocumentId, Path] = {start: Path(start, start, 0.0, ())}
    arrived: Path | None = None
    for _ in range(depth):
        longer: dict[DocumentId, Path] = {}
        for memory in sorted(best):
            for step in ways[memory]:
                if step.link.confidence > 0:
                    _keep(longer, best[memory], step)
        best = longer
        found = best.get(stop)
        if found is not None and (arrived is None or found.cost < arrived.cost):
            arrived = found
    return arrived


def _keep(longer: dict[DocumentId, Path], path: Path, step: Step) -> None:
    cost = path.cost + 1 / step.link.confidence
    held = longer.get(step.stop)
    if held is None or cost < held.cost:
        longer[step.stop] = Path(path.start, step.stop, cost, (*path.ways, step))
