"""Lines of Markdown as people write them: what marks a heading, a list item and a fence of code.

Passages for search are cut by a rule of their own (`search/chunking.py`), since stored ones depend on it, and prose of
worlds by its own (`ingest/lore/`), where a dash begins speech.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

LIST_MARK = r"(?:[-*+•◦‣–]|\d{1,3}[.)])"
"""What begins a list item; a longer number is rather a year."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_CLOSING_MARKS = re.compile(r"(?:^|(?<![ \t])[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


class HeadingLine(NamedTuple):
    """The level and the text of a heading."""

    level: int
    text: str


def heading_of(line: str) -> HeadingLine | None:
    """The heading that a line is."""
    found = _HEADING.fullmatch(line)
    text = without_closing_marks(found[2]) if found else ""
    return HeadingLine(len(found[1]), text) if found and text else None


def without_closing_marks(title: str) -> str:
    """The text of a heading without the marks that may close it: *Facts* of `Facts ##`."""
    return _CLOSING_MARKS.sub("", title).strip()


def is_fence(line: str) -> bool:
    """Whether a line opens or closes code."""
    return _FENCE.match(line) is not None


def lines_outside_code(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    """The lines of a text that are not between fences, with their numbers, counted from that of the first."""
    is_code = False
    for number, line in enumerate(text.splitlines(), start=first):
        if is_fence(line):
            is_code = not is_code
        elif not is_code:
            yield number, line
