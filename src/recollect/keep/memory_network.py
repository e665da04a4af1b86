"""The memories around given ones: the ball of a walk, read level by level."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from recollect.keep.memory_links import links_of
from recollect.keep.memory_traits import is_linkable
from recollect.model.ids import DocumentId
from recollect.model.memory_link import DIRECTED, LINK_TYPES, Link
from recollect.store.view import View

Direction = Literal["both", "out", "in"]
MOST_NODES = 2000


@dataclass(frozen=True, slots=True)
class Kept:
    """Which links may be walked, and which way those that have a direction."""

    types: frozenset[str] = frozenset(LINK_TYPES)
    least: float = 0.0
    direction: Direction = "both"

    def admits(self, link: Link) -> bool:
        return link.type in self.types and link.confidence >= self.least


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


def steps(links: Iterable[Link], direction: Direction) -> list[Step]:
    """Every way that links can be walked."""
    found = []
    for link in links:
        is_directed = link.type in DIRECTED
        if not is_directed or direction != "in":
            found.append(Step(link.one, link.other, link))
        if not is_directed or direction != "out":
            found.append(Step(link.other, link.one, link))
    return found


def ball(view: View, anchors: Sequence[DocumentId], depth: int, kept: Kept, most: int = MOST_NODES) -> Ball:
    """Everything within so many links of the anchors; cut where there are too many, the strongest links first."""
    hops = dict.fromkeys(anchors, 0)
    links: set[Link] = set()
    frontier = list(anchors)
    is_cut = False
    for hop in range(1, depth + 2):
        read = [link for link in links_of(view, frontier) if kept.admits(link)]
        links.update(read)
        if hop > depth or is_cut or not frontier:
            break
        found = _reached(view, steps(read, kept.direction), frontier, hops)
        is_cut = len(hops) + len(found) > most
        frontier = found[: most - len(hops)]
        hops |= dict.fromkeys(frontier, hop)
    inside = sorted(link for link in links if link.one in hops and link.other in hops)
    return Ball(hops, inside, is_cut)


def _reached(
    view: View, ways: Iterable[Step], frontier: Collection[DocumentId], hops: dict[DocumentId, int]
) -> list[DocumentId]:
    """New memories, those over the strongest links first."""
    among = set(frontier)
    best: dict[DocumentId, float] = {}
    for way in ways:
        if way.start in among and way.stop not in hops:
            best[way.stop] = max(best.get(way.stop, 0.0), way.link.confidence)
    documents = view.documents(best.keys())
    live = [memory for memory in best if is_linkable(documents.get(memory), view)]
    return sorted(live, key=lambda memory: (-best[memory], memory))


def neighbours_of(view: View, memories: Sequence[DocumentId], limit: int) -> list[DocumentId]:
    """The memories one link away from these, the strongest link first, then the newest."""
    found = ball(view, list(dict.fromkeys(memories)), 1, Kept())
    best: dict[DocumentId, float] = {}
    for way in steps(found.links, "both"):
        if found.hops[way.start] == 0 and found.hops[way.stop] == 1:
            best[way.stop] = max(best.get(way.stop, 0.0), way.link.confidence)
    newest = sorted(best, reverse=True)
    return sorted(newest, key=lambda memory: -best[memory])[:limit]
