"""Breadth-first search over any graph: each node once, by a shortest path from where the search started."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)
Edge = TypeVar("Edge")


class Step(NamedTuple, Generic[Node, Edge]):
    """One edge, crossed away from the start."""

    here: Node
    there: Node
    edge: Edge


class BreadthFirstSearch(Generic[Node, Edge]):
    """The nodes reached so far in order of discovery, each with the step that first reached it; none at a start.

    `expand` gets the nodes of one level and returns the steps away from them; of several steps to one node the first
    counts. It may be lazy. Nodes that `leads_on` rejects are reached but not expanded.
    """

    def __init__(
        self,
        starts: Iterable[Node],
        expand: Callable[[list[Node]], Iterable[Step[Node, Edge]]],
        leads_on: Callable[[Node], bool] | None = None,
    ) -> None:
        self.reached: dict[Node, Step[Node, Edge] | None] = dict.fromkeys(starts)
        self.frontier = list(self.reached)
        self.depth = 0
        self._expand = expand
        self._leads_on = leads_on

    def grow(self) -> Iterator[Step[Node, Edge]]:
        """Search one level further; yields each step to a new node as soon as it is known."""
        level: list[Node] = []
        for step in self._expand(self.frontier):
            if step.there not in self.reached:
                self.reached[step.there] = step
                level.append(step.there)
                yield step
        self.frontier = level if self._leads_on is None else list(filter(self._leads_on, level))
        self.depth += 1

    def steps(self, depth: int | None = None) -> Iterator[Step[Node, Edge]]:
        """The steps to new nodes, level by level, down to a depth or to the end."""
        while self.frontier and (depth is None or self.depth < depth):
            yield from self.grow()

    def path_to(self, node: Node) -> list[Step[Node, Edge]]:
        """The steps from the start to a node that was reached."""
        path: list[Step[Node, Edge]] = []
        step = self.reached[node]
        while step is not None:
            path.append(step)
            step = self.reached[step.here]
        return path[::-1]

    def depths(self) -> dict[Node, int]:
        """How many steps each node is away from the start."""
        found: dict[Node, int] = {}
        for node, step in self.reached.items():
            found[node] = 0 if step is None else found[step.here] + 1
        return found


def breadth_first(
    starts: Iterable[Node],
    expand: Callable[[list[Node]], Iterable[Step[Node, Edge]]],
    *,
    depth: int | None = None,
    leads_on: Callable[[Node], bool] | None = None,
    until: Callable[[Mapping[Node, Step[Node, Edge] | None]], bool] | None = None,
) -> BreadthFirstSearch[Node, Edge]:
    """Search to a depth, to the end, or to the level after which `until` holds for the nodes reached."""
    search = BreadthFirstSearch(starts, expand, leads_on)
    while search.frontier and (depth is None or search.depth < depth):
        deque(search.grow(), maxlen=0)
        if until is not None and until(search.reached):
            break
    return search
