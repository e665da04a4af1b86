"""Markdown as sections and blocks: parsed, edited and compared as pure functions on text."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from recollect.text.fold import collapse_spaces, fold_case
from recollect.text.markdown_lines import heading_of, without_closing_marks

SECTION_LEVELS = (2, 3)


class Heading(NamedTuple):
    """A heading and the number of its line."""

    line: int
    level: int
    text: str


class Section(NamedTuple):
    """The lines of a section: its heading, and the first line after it."""

    heading: int
    end: int


def headings(lines: list[str]) -> Iterator[Heading]:
    """The headings of a text, except those inside fenced code."""
    at = 0
    while at < len(lines):
        if mark := _opening_fence(lines[at]):
            at = _find_closing_fence(lines, at + 1, len(lines), mark) or len(lines)
            continue
        if found := heading_of(lines[at]):
            yield Heading(at, *found)
        at += 1


def normalize_section_name(given: str) -> str:
    """The text of a heading that may be given with its marks."""
    return without_closing_marks(given.lstrip("# \t"))


def find_section(lines: list[str], name: str) -> Section | None:
    """The first section whose heading matches exactly, else the first that matches ignoring case."""
    found = list(headings(lines))
    named = [each for each in found if each.level in SECTION_LEVELS and fold_case(each.text) == fold_case(name)]
    exact = [each for each in named if collapse_spaces(each.text) == collapse_spaces(name)]
    if not named:
        return None
    chosen = (exact or named)[0]
    later = (each.line for each in found if each.line > chosen.line and each.level <= chosen.level)
    return Section(chosen.line, next(later, len(lines)))


def add_to_section(text: str, name: str, content: str) -> str:
    """Append content to a section; a missing section is added at the end."""
    added = strip_own_heading(content, name)
    lines = text.split("\n")
    found = find_section(lines, name)
    if found is None:
        return _with_new_section(text, name, added)
    body = "\n".join(lines[found.heading + 1 : found.end])
    if not added:
        return text
    before = _strip_trailing_blank_lines(body)
    return _replace_body(lines, found, f"{before}\n\n{added}" if before.strip() else added)


def rewrite_section(text: str, name: str, content: str) -> str:
    """Replace the body of a section; a missing section is added at the end."""
    lines = text.split("\n")
    found = find_section(lines, name)
    body = strip_own_heading(content, name)
    return _replace_body(lines, found, body) if found else _with_new_section(text, name, body)


def strip_own_heading(content: str, name: str) -> str:
    """The content without leading repetitions of the section's own heading."""
    lines = content.split("\n")
    while lines and (not lines[0].strip() or _is_heading_of(lines[0], name)):
        lines.pop(0)
    return "\n".join(lines).strip()


def _is_heading_of(line: str, name: str) -> bool:
    found = heading_of(line)
    return found is not None and fold_case(found[1]) == fold_case(name)


def append_text(text: str, added: str) -> str:
    return _join_parts(text, added)


def prepend_text(text: str, added: str) -> str:
    return _join_parts(added, text)


def _join_parts(*parts: str) -> str:
    """The nonblank parts, trimmed, separated by a blank line and ended by a line break."""
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _with_new_section(text: str, name: str, body: str) -> str:
    section = f"## {name}\n{body}" if body else f"## {name}"
    return _join_parts(text, section)


def _replace_body(lines: list[str], section: Section, body: str) -> str:
    before = lines[: section.heading + 1]
    after = "\n".join(lines[section.end :]).rstrip("\n")
    text = "\n".join([*before, body] if body else before)
    return f"{text}\n\n{after}\n" if after else f"{text}\n"


def _strip_trailing_blank_lines(body: str) -> str:
    lines = body.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


BlockKind = Literal["heading", "code", "bullet", "paragraph"]
BlockKey = tuple[object, ...]

_BULLET = re.compile(r" ?(?:[-*+]|(?<!\d)\d+[.)]) ")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)", re.DOTALL)
_CHAT = re.compile(r"\[chat:([^\[\]\n]*)\]")
_VIA = re.compile(r"\[via:([^\[\]\n]*)\]")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """Some lines of a text; `is_open` marks code, also under a bullet, whose closing fence is missing."""

    kind: BlockKind
    lines: tuple[str, ...]
    level: int = 0
    is_open: bool = False

    @property
    def key(self) -> BlockKey:
        """The identity of a block: blocks with equal keys are duplicates."""
        match self.kind:
            case "heading":
                return self.kind, self.level, normalize_spaces(self.heading)
            case "bullet":
                text = "\n".join(self._lines_without_closing_fence)
                return self.kind, frozenset(chat_ids_in(text)), bullet_text(text)
            case "paragraph":
                return self.kind, normalize_spaces(self.text)
            case "code":
                return self.kind, self._lines_without_closing_fence

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def heading(self) -> str:
        found = heading_of(self.lines[0])
        return found[1] if found else ""

    @property
    def _lines_without_closing_fence(self) -> tuple[str, ...]:
        """The lines without the closing fence, so that code has the same key with and without it."""
        last = _FENCE.fullmatch(self.lines[-1].lstrip())
        is_fence = last is not None and not last[2].strip() and self.kind in ("code", "bullet")
        return self.lines[:-1] if is_fence and not self.is_open else self.lines

    @property
    def closed_lines(self) -> tuple[str, ...]:
        """The lines with the closing fence that open code lacks, so that text below does not become code."""
        if not self.is_open:
            return self.lines
        opening = self.lines[0] if self.kind == "code" else self.lines[_find_open_code(self.lines)]
        return (*self.lines, re.sub(r"([`~]{3,}).*", r"\1", opening, flags=re.DOTALL))


def parse_blocks(text: str) -> Iterator[MarkdownBlock]:
    """The blocks of a text in order."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block = _parse_block(lines, at)
        at += len(block.lines)
        yield _trim_open_code(block)


def _parse_block(lines: Sequence[str], at: int) -> MarkdownBlock:
    line = lines[at]
    if found := heading_of(line):
        return MarkdownBlock("heading", (line,), found[0])
    if mark := _opening_fence(line):
        end = _find_closing_fence(lines, at + 1, len(lines), mark)
        return MarkdownBlock("code", tuple(lines[at : end or len(lines)]), is_open=end is None)
    if _BULLET.match(line):
        end, is_open = _bullet_end(lines, at)
        return MarkdownBlock("bullet", tuple(lines[at:end]), is_open=is_open)
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return MarkdownBlock("paragraph", tuple(lines[at:end]))


def _bullet_end(lines: Sequence[str], at: int) -> tuple[int, bool]:
    """The end of a bullet with its continuation lines and code, and whether the code is left open."""
    end = at + 1
    while end < len(lines) and lines[end].strip():
        line = lines[end]
        if _BULLET.match(line) or (not _is_indented(line) and _starts_block(line)):
            break
        mark = _opening_fence(line.lstrip()) if _is_indented(line) else None
        if mark is None:
            end += 1
            continue
        stop = _indented_end(lines, end + 1)
        closed = _find_closing_fence(lines, end + 1, stop, mark, indented=True)
        if closed is None:
            return stop, True
        end = closed
    return end, False


def _find_open_code(lines: Sequence[str]) -> int:
    """The index of the fence that a bullet leaves open."""
    at = 1
    while at < len(lines):
        mark = _opening_fence(lines[at].lstrip()) if _is_indented(lines[at]) else None
        closed = _find_closing_fence(lines, at + 1, len(lines), mark, indented=True) if mark else at + 1
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


def _starts_block(line: str) -> bool:
    """Whether a line begins a heading, code or a bullet."""
    return bool(heading_of(line) or _opening_fence(line) or _BULLET.match(line))


def _opening_fence(line: str) -> str | None:
    """The fence that a line opens code with."""
    found = _FENCE.fullmatch(line)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return None
    return found[1]


def _find_closing_fence(
    lines: Sequence[str], start: int, stop: int, mark: str, *, indented: bool = False
) -> int | None:
    """The index after the fence that closes code."""
    for at in range(start, stop):
        found = _FENCE.fullmatch(lines[at].lstrip() if indented else lines[at])
        if found and found[1].startswith(mark) and not found[2].strip():
            return at + 1
    return None


def _trim_open_code(block: MarkdownBlock) -> MarkdownBlock:
    if not block.is_open:
        return block
    end = len(block.lines)
    while not block.lines[end - 1].strip():
        end -= 1
    return MarkdownBlock(block.kind, block.lines[:end], block.level, is_open=True)


def chat_ids_in(text: str) -> list[str]:
    """The ids in the chat tags of a text, in the order of their first occurrence."""
    found = (part.strip() for tag in _CHAT.findall(text) for part in tag.split(","))
    return list(dict.fromkeys(part for part in found if part))


def bullet_text(text: str) -> str:
    """The text of a bullet without its marker and tags."""
    return normalize_spaces(_VIA.sub("", _CHAT.sub("", _BULLET.sub("", text, count=1))))


def strip_chat_tags(text: str) -> str:
    """A text without chat tags."""
    return _CHAT.sub("", text)


def strip_bullet_marker(text: str) -> str:
    return _BULLET.sub("", text, count=1) if _BULLET.match(text) else text


def normalize_spaces(text: str) -> str:
    return unicodedata.normalize("NFC", collapse_spaces(text))


def first_heading(text: str) -> str | None:
    return next((block.heading for block in parse_blocks(text) if block.kind == "heading"), None)


def remove_blocks(text: str, is_dropped: Callable[[MarkdownBlock], bool]) -> str:
    """A text without some of its blocks; the others stay as written, with the blank lines before them."""
    left: list[str] = []
    lines, at, gap = text.split("\n"), 0, 0
    for block in parse_blocks(text):
        start = at
        while not lines[at].strip():
            at += 1
        gap, end = max(gap, at - start), at + len(block.lines)
        if not is_dropped(block):
            left += [*[""] * (gap if left or not start else 0), *lines[at:end]]
            gap = 0
        at = end
    return "\n".join(left + lines[at:])
