"""The connected parts of a graph and the nodes that hold each together."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Component(NamedTuple, Generic[Node]):
    """Nodes that hang together; `parted` says how many pairs of others each cutting node would part."""

    nodes: list[Node]
    parted: dict[Node, int]


def components(beside: Mapping[Node, Sequence[Node]]) -> list[Component[Node]]:
    """The parts of a graph given by each node's neighbours, in the order of their first nodes."""
    search = _Search(beside)
    return [search.part(node) for node in beside if node not in search.found]


class _Search(Generic[Node]):
    """A walk in depth that notes for every node when it was found and how far back its own part reaches."""

    def __init__(self, beside: Mapping[Node, Sequence[Node]]) -> None:
        self._beside = beside
        self.found: dict[Node, int] = {}
        self._back: dict[Node, int] = {}
        self._size: dict[Node, int] = {}
        self._split: dict[Node, list[int]] = {}

    def part(self, start: Node) -> Component[Node]:
        nodes = self._walk(start)
        others = len(nodes) - 1
        parted = {node: _parted(self._split.get(node, []), others) for node in nodes}
        return Component(nodes, {node: pairs for node, pairs in parted.items() if pairs})

    def _walk(self, start: Node) -> list[Node]:
        nodes = [start]
        self._enter(start)
        stack: list[tuple[Node, Node | None, int]] = [(start, None, 0)]
        while stack:
            node, parent, at = stack.pop()
            if at < len(self._beside[node]):
                stack.append((node, parent, at + 1))
                other = self._beside[node][at]
                if other not in self.found:
                    self._enter(other)
                    nodes.append(other)
                    stack.append((other, node, 0))
                elif other != parent:
                    self._back[node] = min(self._back[node], self.found[other])
            elif parent is not None:
                self._leave(node, parent)
        return nodes

    def _enter(self, node: Node) -> None:
        self.found[node] = self._back[node] = len(self.found)
        self._size[node] = 1

    def _leave(self, node: Node, parent: Node) -> None:
        self._size[parent] += self._size[node]
        self._back[parent] = min(self._back[parent], self._back[node])
        if self._back[node] >= self.found[parent]:
            self._split.setdefault(parent, []).append(self._size[node])


def _parted(pieces: Sequence[int], others: int) -> int:
    """How many pairs of the others end up in different pieces; what is in none of these is one more piece."""
    sizes = [*pieces, others - sum(pieces)]
    return (others * others - sum(size * size for size in sizes)) // 2
