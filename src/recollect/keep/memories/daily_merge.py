"""Merging two texts about one day: no block is lost or duplicated, and existing blocks keep their place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.keep.markdown import BlockKey, MarkdownBlock, parse_blocks


@dataclass(frozen=True, slots=True)
class DailyMerge:
    """The merged text, and how many incoming bullets were new or repeated."""

    text: str
    added: int
    repeated: int
    fresh: tuple[MarkdownBlock, ...] = ()

    @property
    def has_new(self) -> bool:
        return bool(self.fresh)


def merge_daily_texts(existing: str, incoming: str) -> DailyMerge:
    """The existing text with every incoming block that it lacks."""
    page = _Page(existing)
    seen = page.keys()
    fresh: list[MarkdownBlock] = []
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


def _blocks_with_headings(text: str) -> Iterator[tuple[tuple[MarkdownBlock, ...], MarkdownBlock]]:
    """Every block but the headings, with the headings above it, outermost first."""
    path: tuple[MarkdownBlock, ...] = ()
    for block in parse_blocks(text):
        if block.kind == "heading":
            path = (*(above for above in path if above.level < block.level), block)
        else:
            yield path, block


@dataclass(slots=True)
class _Node:
    """A block on the page; `gap` are the blank lines before it, none for a new block."""

    block: MarkdownBlock
    gap: tuple[str, ...] | None = None


@dataclass(slots=True)
class _Section:
    """A heading with its body and subsections; the text before the first heading has none."""

    heading: _Node | None
    body: list[_Node] = field(default_factory=list)
    deeper: list["_Section"] = field(default_factory=list)


class _Page:
    """The existing text as a tree of sections that new blocks are added to."""

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
        """The keys of all blocks but headings."""
        return {node.block.key for node in self._walk() if node.block.kind != "heading"}

    def add(self, path: Sequence[MarkdownBlock], block: MarkdownBlock) -> None:
        """Append a block to the section of its heading, which is created if it is missing."""
        self._place(path).body.append(_Node(block))

    def _place(self, path: Sequence[MarkdownBlock]) -> _Section:
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

    def _find(self, path: Sequence[MarkdownBlock]) -> _Section | None:
        """The section of a path, preferably under the same parent heading."""
        key = path[-1].key
        found = self._under.get((path[-2].key if len(path) > 1 else None, key))
        return found or self._first.get(key)

    def _walk(self) -> Iterator[_Node]:
        """All blocks in text order."""
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
    """The existing blank lines; next to a new block one, or none between bullets."""
    if before is None:
        return node.gap or ()
    separator = () if before.block.kind == node.block.kind == "bullet" else ("",)
    if node.gap is None:
        return separator
    return node.gap if before.gap is not None else node.gap or separator


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
