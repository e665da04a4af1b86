"""The memories around given ones: the ball of a walk, read level by level."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from recollect.model.ids import DocumentId
from recollect.model.memory_link import DIRECTED, LINK_TYPES, Link
from recollect.store.port import Row
from recollect.store.view import View

Direction = Literal["both", "out", "in"]
MOST_NODES = 2000


@dataclass(frozen=True, slots=True)
class Kept:
    """Which links may be walked, and which way those that have a direction."""

    types: frozenset[str] = frozenset(LINK_TYPES)
    least: float = 0.0
    direction: Direction = "both"


class Step(NamedTuple):
    """A link as it is walked."""

    start: DocumentId
    stop: DocumentId
    link: Link


@dataclass(frozen=True, slots=True)
class Ball:
    """The memories within reach, each with its distance, and all links between them."""

    hops: dict[DocumentId, int]
    links: list[Link] = field(default_factory=list)
    is_cut: bool = False


def steps(links: Iterable[Link], direction: Direction) -> Iterator[tuple[DocumentId, DocumentId, Link]]:
    """Every way that links can be walked: from, to, and over which. There are many, so they are plain."""
    for link in links:
        one, other, type_ = link[0], link[1], link[2]
        is_directed = type_ in DIRECTED
        if not is_directed or direction != "in":
            yield one, other, link
        if not is_directed or direction != "out":
            yield other, one, link


def ball(view: View, anchors: Sequence[DocumentId], depth: int, kept: Kept, most: int = MOST_NODES) -> Ball:
    """Everything within so many links of the anchors; cut where there are too many, the strongest links first."""
    hops = dict.fromkeys(anchors, 0)
    links: dict[Row, Row] = {}
    frontier = list(anchors)
    is_cut = False
    for hop in range(1, depth + 2):
        read = _read(view, frontier, kept)
        links |= read
        if hop > depth or is_cut or not frontier:
            break
        found = _reached(steps(map(Link._make, read.values()), kept.direction), hops, hop)
        is_cut = len(hops) + len(found) > most
        frontier = found[: most - len(hops)]
        hops |= dict.fromkeys(frontier, hop)
    inside = [Link._make(links[key]) for key in sorted(links) if key[0] in hops and key[1] in hops]
    return Ball(hops, inside, is_cut)


def _read(view: View, memories: Sequence[DocumentId], kept: Kept) -> dict[Row, Row]:
    """The links of memories that may be walked, each once, as rows: most of the last ones lead out of the ball."""
    if not memories:
        return {}
    asked, types, least = sorted(memories), kept.types, kept.least
    rows = (row for query in ("links_from", "links_to") for row in view.rows(query, memories=asked))
    return {row[:3]: row for row in rows if row[2] in types and row[4] >= least}


def _reached(
    ways: Iterable[tuple[DocumentId, DocumentId, Link]], hops: dict[DocumentId, int], hop: int
) -> list[DocumentId]:
    """New memories, those over the strongest links first; a memory that is gone has no links."""
    best: dict[DocumentId, float] = {}
    for start, stop, link in ways:
        if stop not in hops and hops.get(start) == hop - 1 and link[4] >= best.get(stop, 0.0):
            best[stop] = link[4]
    return sorted(best, key=lambda memory: (-best[memory], memory))


def neighbours_of(view: View, memories: Sequence[DocumentId], limit: int) -> list[DocumentId]:
    """The memories one link away from these, the strongest link first, then the newest."""
    found = ball(view, list(dict.fromkeys(memories)), 1, Kept())
    best: dict[DocumentId, float] = {}
    for start, stop, link in steps(found.links, "both"):
        if found.hops[start] == 0 and found.hops[stop] == 1:
            best[stop] = max(best.get(stop, 0.0), link.confidence)
    newest = sorted(best, reverse=True)
    return sorted(newest, key=lambda memory: -best[memory])[:limit]
