"""Walks among memories: how far and how strongly each is reached, and the cheapest ways between them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recollect.keep.memory_network import Ball, Direction, Step, steps
from recollect.model.ids import DocumentId
from recollect.model.memory_link import Link
from recollect.search.pagerank import Arc, Ranked, pagerank


class Reached(NamedTuple):
    """How a memory is reached: after how many links, how strongly, and over which last."""

    hop: int
    score: float
    since: DocumentId | None = None
    link: Link | None = None


class Path(NamedTuple):
    """A way between two memories, link by link; without any it was not found."""

    start: DocumentId
    stop: DocumentId
    cost: float
    ways: tuple[Step, ...]


Ways = Mapping[DocumentId, list[Step]]


def strongest_ways(ball: Ball, direction: Direction) -> Ways:
    """From each memory the strongest link to each other, in a fixed order."""
    best: dict[tuple[DocumentId, DocumentId], Step] = {}
    for step in steps(ball.links, direction):
        held = best.get((step.start, step.stop))
        if held is None or held.link.confidence < step.link.confidence:
            best[step.start, step.stop] = step
    found: dict[DocumentId, list[Step]] = {memory: [] for memory in ball.hops}
    for key in sorted(best):
        found[key[0]].append(best[key])
    return found


def reached(ball: Ball, anchors: Sequence[DocumentId], ways: Ways) -> dict[DocumentId, Reached]:
    """Breadth first: the fewest links, and over paths of that length the largest product of confidences."""
    found = {anchor: Reached(0, 1.0) for anchor in anchors}
    frontier = list(anchors)
    while frontier:
        following: dict[DocumentId, Reached] = {}
        for memory in frontier:
            for step in ways[memory]:
                score = found[memory].score * step.link.confidence
                held = following.get(step.stop)
                if step.stop not in found and (held is None or held.score < score):
                    following[step.stop] = Reached(found[memory].hop + 1, score, memory, step.link)
        found |= following
        frontier = sorted(following)
    return {memory: each for memory, each in found.items() if memory in ball.hops}


def ranked(ball: Ball, anchors: Sequence[DocumentId], direction: Direction) -> tuple[dict[DocumentId, float], Ranked]:
    """PageRank of every memory of a ball, started at the anchors."""
    nodes = sorted(ball.hops)
    number = {memory: at for at, memory in enumerate(nodes)}
    arcs = [Arc(number[step.start], number[step.stop], step.link.confidence) for step in steps(ball.links, direction)]
    result = pagerank(len(nodes), arcs, [number[anchor] for anchor in anchors])
    return dict(zip(nodes, result.scores, strict=True)), result


def cheapest(start: DocumentId, stop: DocumentId, ways: Ways, depth: int) -> Path | None:
    """The cheapest way of at most so many links, each costing one over its confidence; of equal ones the shorter."""
    best: dict[DocumentId, Path] = {start: Path(start, start, 0.0, ())}
    arrived = best.get(stop)
    for _ in range(depth):
        longer: dict[DocumentId, Path] = {}
        for memory in sorted(best):
            for step in ways.get(memory, ()):
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
