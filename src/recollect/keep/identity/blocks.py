"""A Markdown text as blocks: headings, fenced code, bullets and paragraphs, each with what tells it from others."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from recollect.keep.identity.sections import heading_in

Kind = Literal["heading", "code", "bullet", "paragraph"]
Key = tuple[object, ...]

_BULLET = re.compile(r" ?(?:[-*+]|\d+[.)]) ")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)
_CHAT = re.compile(r"\[chat:([^\]\n]*)\]")
_VIA = re.compile(r"\[via:([^\]\n]*)\]")


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of a text; `is_open` marks code, also under a bullet, whose closing fence is missing."""

    kind: Kind
    lines: tuple[str, ...]
    level: int = 0
    is_open: bool = False

    @property
    def key(self) -> Key:
        """What makes two blocks the same."""
        match self.kind:
            case "heading":
                return self.kind, self.level, spaced(self.heading)
            case "bullet":
                said = "\n".join(self._unclosed)
                return self.kind, frozenset(chats_in(said)), bare(said)
            case "paragraph":
                return self.kind, spaced(self.text)
            case "code":
                return self.kind, self._unclosed

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def heading(self) -> str:
        found = heading_in(self.lines[0])
        return found[1] if found else ""

    @property
    def _unclosed(self) -> tuple[str, ...]:
        """The lines without the fence that closes them, so that code is the same with and without it."""
        last = _FENCE.fullmatch(self.lines[-1].lstrip())
        is_fence = last is not None and not last[2].strip() and self.kind in ("code", "bullet")
        return self.lines[:-1] if is_fence and not self.is_open else self.lines

    @property
    def closed_lines(self) -> tuple[str, ...]:
        """The lines, with the closing fence that open code lacks, so that nothing below becomes part of it."""
        if not self.is_open:
            return self.lines
        opening = self.lines[0] if self.kind == "code" else self.lines[_open_code(self.lines)]
        return (*self.lines, re.sub(r"([`~]{3,}).*", r"\1", opening, flags=re.DOTALL))


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a text in their order."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block = _block(lines, at)
        at += len(block.lines)
        yield _without_blank_end(block)


def _block(lines: Sequence[str], at: int) -> Block:
    line = lines[at]
    if found := heading_in(line):
        return Block("heading", (line,), found[0])
    if mark := _opening(line):
        end = _closing(lines, at + 1, len(lines), mark)
        return Block("code", tuple(lines[at : end or len(lines)]), is_open=end is None)
    if _BULLET.match(line):
        end, is_open = _bullet_end(lines, at)
        return Block("bullet", tuple(lines[at:end]), is_open=is_open)
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _begins(lines[end]):
        end += 1
    return Block("paragraph", tuple(lines[at:end]))


def _bullet_end(lines: Sequence[str], at: int) -> tuple[int, bool]:
    """Behind the indented and wrapped lines of a bullet and the code under it; whether that is left open."""
    end = at + 1
    while end < len(lines) and lines[end].strip():
        line = lines[end]
        if _BULLET.match(line) or (not _is_indented(line) and _begins(line)):
            break
        mark = _opening(line.lstrip()) if _is_indented(line) else None
        if mark is None:
            end += 1
            continue
        stop = _indented_end(lines, end + 1)
        closed = _closing(lines, end + 1, stop, mark, indented=True)
        if closed is None:
            return stop, True
        end = closed
    return end, False


def _open_code(lines: Sequence[str]) -> int:
    """The line that opens the code which a bullet leaves open."""
    at = 1
    while at < len(lines):
        mark = _opening(lines[at].lstrip()) if _is_indented(lines[at]) else None
        closed = _closing(lines, at + 1, len(lines), mark, indented=True) if mark else at + 1
        if closed is None:
            return at
        at = closed
    return len(lines) - 1


def _indented_end(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and (not lines[at].strip() or (_is_indented(lines[at]) and not _BULLET.match(lines[at]))):
        at += 1
    return at


def _is_indented(line: str) -> bool:
    return line[:1] in (" ", "\t")


def _begins(line: str) -> bool:
    """Whether a line begins a heading, code or a bullet."""
    return bool(heading_in(line) or _opening(line) or _BULLET.match(line))


def _opening(line: str) -> str | None:
    """The fence that a line opens code with."""
    found = _FENCE.fullmatch(line)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return found[1]


def _closing(lines: Sequence[str], start: int, stop: int, mark: str, *, indented: bool = False) -> int | None:
    """The index behind the fence that closes code."""
    for at in range(start, stop):
        found = _FENCE.fullmatch(lines[at].lstrip() if indented else lines[at])
        if found and found[1].startswith(mark) and not found[2].strip():
            return at + 1
    return None


def _without_blank_end(block: Block) -> Block:
    if not block.is_open:
        return block
    end = len(block.lines)
    while not block.lines[end - 1].strip():
        end -= 1
    return Block(block.kind, block.lines[:end], block.level, is_open=True)


def chats_in(text: str) -> list[str]:
    """The conversations that the tags of a text name, first seen first."""
    found = (part.strip() for tag in _CHAT.findall(text) for part in tag.split(","))
    return list(dict.fromkeys(part for part in found if part))


def bare(text: str) -> str:
    """What a bullet says, without its marker and tags."""
    return spaced(_VIA.sub("", _CHAT.sub("", _BULLET.sub("", text, count=1))))


def without_chats(text: str) -> str:
    """A text without the tags that name conversations."""
    return _CHAT.sub("", text)


def without_marker(text: str) -> str:
    return _BULLET.sub("", text, count=1) if _BULLET.match(text) else text


def spaced(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))


def title_of(text: str) -> str | None:
    """The text of the first heading."""
    return next((block.heading for block in blocks(text) if block.kind == "heading"), None)


def without_blocks(text: str, is_dropped: Callable[[Block], bool]) -> str:
    """A text without some of its blocks; what is left stays as it was written, with the gaps that were before it."""
    kept: list[str] = []
    lines, at, gap = text.split("\n"), 0, 0
    for block in blocks(text):
        start = at
        while not lines[at].strip():
            at += 1
        gap, end = max(gap, at - start), at + len(block.lines)
        if not is_dropped(block):
            kept += [*[""] * (gap if kept or not start else 0), *lines[at:end]]
            gap = 0
        at = end
    return "\n".join(kept + lines[at:])
