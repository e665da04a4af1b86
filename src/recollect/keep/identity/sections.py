"""Sections of a Markdown text: found by their heading, added to, rewritten. Pure functions on text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
SECTION_LEVELS = (2, 3)


class Heading(NamedTuple):
    """A heading and the number of its line."""

    line: int
    level: int
    text: str


class Section(NamedTuple):
    """Where a section is: its heading's line, and the first line that is no longer part of it."""

    heading: int
    end: int


def heading_in(line: str) -> tuple[int, str] | None:
    """The level and text of a line that is a heading."""
    found = _HEADING.fullmatch(line)
    text = _CLOSING.sub("", found[2]).strip() if found else ""
    return (len(found[1]), text) if found and text else None


def headings(lines: list[str]) -> Iterator[Heading]:
    """The headings of a text; what looks like one inside a fenced code block is none."""
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.fullmatch(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif found := heading_in(line):
            yield Heading(number, *found)


def section_name(given: str) -> str:
    """The heading text that a caller means, who may have written the marks before it and behind it."""
    return _CLOSING.sub("", given.lstrip("# \t")).strip()


def find_section(lines: list[str], name: str) -> Section | None:
    """The section with this heading: the first equal in case, else the first equal without."""
    found = list(headings(lines))
    alike = [each for each in found if each.level in SECTION_LEVELS and _folded(each.text) == _folded(name)]
    exact = [each for each in alike if _spaced(each.text) == _spaced(name)]
    if not alike:
        return None
    chosen = (exact or alike)[0]
    later = (each.line for each in found if each.line > chosen.line and each.level <= chosen.level)
    return Section(chosen.line, next(later, len(lines)))


def add_to_section(text: str, name: str, content: str) -> str:
    """The text with more in one section, behind what is there; a missing section comes at the end."""
    added = own_content(content, name)
    lines = text.split("\n")
    found = find_section(lines, name)
    if found is None:
        return _with_new_section(text, name, added)
    body = "\n".join(lines[found.heading + 1 : found.end])
    if not added:
        return text
    kept = _without_blank_end(body)
    return _around(lines, found, f"{kept}\n\n{added}" if kept.strip() else added)


def rewrite_section(text: str, name: str, content: str) -> str:
    """The text with another body under one heading; a missing section comes at the end."""
    lines = text.split("\n")
    found = find_section(lines, name)
    body = own_content(content, name)
    return _around(lines, found, body) if found else _with_new_section(text, name, body)


def own_content(content: str, name: str) -> str:
    """The content without the section's own heading in front, however often it stands there."""
    lines = content.split("\n")
    while lines and (not lines[0].strip() or _is_heading_of(lines[0], name)):
        lines.pop(0)
    return "\n".join(lines).strip()


def _is_heading_of(line: str, name: str) -> bool:
    found = heading_in(line)
    return found is not None and _folded(found[1]) == _folded(name)


def append_text(text: str, added: str) -> str:
    return _parted(text, added)


def prepend_text(text: str, added: str) -> str:
    return _parted(added, text)


def _parted(*parts: str) -> str:
    """The visible parts, trimmed, with a blank line between them and one line break at the end."""
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _with_new_section(text: str, name: str, body: str) -> str:
    section = f"## {name}\n{body}" if body else f"## {name}"
    return _parted(text, section)


def _around(lines: list[str], section: Section, body: str) -> str:
    before = lines[: section.heading + 1]
    after = "\n".join(lines[section.end :]).rstrip("\n")
    whole = "\n".join([*before, body] if body else before)
    return f"{whole}\n\n{after}\n" if after else f"{whole}\n"


def _without_blank_end(body: str) -> str:
    lines = body.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(lines)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _folded(text: str) -> str:
    return _spaced(text).casefold()
