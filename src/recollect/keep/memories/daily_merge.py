"""Two texts about one day made one: nothing is lost, nothing doubled, what was there keeps its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.keep.markdown import Block, BlockKey, parse_blocks


@dataclass(frozen=True, slots=True)
class DailyMerge:
    """The joined text, and how many bullets of the incoming one were new and how many known."""

    text: str
    added: int
    repeated: int
    fresh: tuple[Block, ...] = ()

    @property
    def has_new(self) -> bool:
        return bool(self.fresh)


def merge_daily_texts(existing: str, incoming: str) -> DailyMerge:
    """The existing text with every block of the incoming one that it does not have yet."""
    page = _Page(existing)
    seen = page.keys()
    fresh: list[Block] = []
    repeated = 0
    for path, block in _blocks_with_headings(incoming):
        key = block.key
        if key in seen:
            repeated += block.kind == "bullet"
            continue
        seen.add(key)
        fresh.append(block)
        page.add(path, block)
    added = sum(block.kind == "bullet" for block in fresh)
    return DailyMerge(page.text() if fresh else existing, added, repeated, tuple(fresh))


def count_bullets(text: str) -> int:
    return sum(block.kind == "bullet" for block in parse_blocks(text))


def _blocks_with_headings(text: str) -> Iterator[tuple[tuple[Block, ...], Block]]:
    """Every block but the headings, with the headings it stands under, outermost first."""
    path: tuple[Block, ...] = ()
    for block in parse_blocks(text):
        if block.kind == "heading":
            path = (*(above for above in path if above.level < block.level), block)
        else:
            yield path, block


@dataclass(slots=True)
class _Node:
    """A block on the page; `gap` are the blank lines that stood before it, none at all for one that is new."""

    block: Block
    gap: tuple[str, ...] | None = None


@dataclass(slots=True)
class _Section:
    """A heading with its own body and the deeper sections behind that; the text before all headings has none."""

    heading: _Node | None
    body: list[_Node] = field(default_factory=list)
    deeper: list["_Section"] = field(default_factory=list)


class _Page:
    """The existing text as a tree of sections, into which new blocks go."""

    def __init__(self, text: str) -> None:
        self._root = _Section(None)
        self._under: dict[tuple[BlockKey | None, BlockKey], _Section] = {}
        self._first: dict[BlockKey, _Section] = {}
        open_ones = [self._root]
        for node in _nodes_with_gaps(text):
            if node.block.kind != "heading":
                open_ones[-1].body.append(node)
                continue
            while open_ones[-1].heading and open_ones[-1].heading.block.level >= node.block.level:
                open_ones.pop()
            open_ones.append(self._enter(open_ones[-1], node))

    def _enter(self, parent: _Section, heading: _Node) -> _Section:
        section = _Section(heading)
        parent.deeper.append(section)
        key = heading.block.key
        self._under.setdefault((parent.heading.block.key if parent.heading else None, key), section)
        self._first.setdefault(key, section)
        return section

    def keys(self) -> set[BlockKey]:
        """What tells the blocks that are there from others."""
        return {node.block.key for node in self._walk() if node.block.kind != "heading"}

    def add(self, path: Sequence[Block], block: Block) -> None:
        """Put a block at the end of the body of its heading, which is made if it is missing."""
        self._place(path).body.append(_Node(block))

    def _place(self, path: Sequence[Block]) -> _Section:
        if not path:
            return self._root.deeper[0] if not self._root.body and self._root.deeper else self._root
        found = self._find(path)
        if found is not None:
            return found
        around, missing = self._root, path
        for depth in range(len(path) - 1, 0, -1):
            enclosing = self._find(path[:depth])
            if enclosing is not None:
                around, missing = enclosing, path[depth:]
                break
        for heading in missing:
            around = self._enter(around, _Node(heading))
        return around

    def _find(self, path: Sequence[Block]) -> _Section | None:
        """The section that a path leads to; of several the first that stands under the same heading."""
        key = path[-1].key
        found = self._under.get((path[-2].key if len(path) > 1 else None, key))
        return found or self._first.get(key)

    def _walk(self) -> Iterator[_Node]:
        """All blocks in the order of the text."""
        waiting = [self._root]
        while waiting:
            section = waiting.pop()
            if section.heading is not None:
                yield section.heading
            yield from section.body
            waiting.extend(reversed(section.deeper))

    def text(self) -> str:
        lines: list[str] = []
        before: _Node | None = None
        for node in self._walk():
            if before is not None and None in (before.gap, node.gap):
                lines += before.block.closed_lines[len(before.block.lines) :]
            lines += _gap(before, node)
            lines += node.block.lines
            before = node
        return "\n".join(lines) + "\n"


def _gap(before: _Node | None, node: _Node) -> Sequence[str]:
    """The blank lines that were there; beside a new block one, or none between bullets."""
    if before is None:
        return node.gap or ()
    parted = () if before.block.kind == node.block.kind == "bullet" else ("",)
    if node.gap is None:
        return parted
    return node.gap if before.gap is not None else node.gap or parted


def _nodes_with_gaps(text: str) -> Iterator[_Node]:
    """The blocks of a text, each with the blank lines before it."""
    lines = text.split("\n")
    at = 0
    for block in parse_blocks(text):
        start = at
        while not lines[at].strip():
            at += 1
        yield _Node(block, tuple(lines[start:at]))
        at += len(block.lines)
