"""Where the sentences of a prose text begin and end."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from recollect.resolve.spot import Spotted

_END = re.compile(
    r"(?P<mark>[.!?]+[\"'”’)\]]*)(?=\s|$)\s*"
    r"|\n\s*\n"
    r"|\n(?=[ \t]*(?:[-*+>|#]|\d{1,3}[.)])[ \t])"
    r"|^[ \t]*#[^\n]*\n",
    re.MULTILINE,
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:[a-z]|ca|cca|cir|approx|est|fl|cent|yrs?|no|vol|st|mr|mrs|ms|dr|sr|jr|capt|gen|col|lt|mt|ft"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:[a-z]\.)+[a-z])$",
    re.IGNORECASE,
)


class Span(NamedTuple):
    """A sentence: from where to where it reaches in its text."""

    start: int
    stop: int


def sentence_spans(text: str, names: Sequence[Spotted]) -> list[Span]:
    """The sentences of a text; list items and headings are their own, and no name is cut in two."""
    found: list[Span] = []
    start = 0
    for end in _END.finditer(text):
        if _is_inside(end.start(), names) or (end["mark"] and _goes_on(text, end)):
            continue
        found.append(Span(start, end.end()))
        start = end.end()
    return [*found, Span(start, len(text))]


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether a full stop ends no sentence: a small letter or a number follows, or an abbreviation stands before it."""
    following = text[end.end() : end.end() + 1]
    if "\n" in end[0] and end[0].count("\n") > 1:
        return False
    if following.islower() or following.isdecimal():
        return True
    return end["mark"].startswith(".") and _ABBREVIATION.search(text, max(0, end.start() - 12), end.start()) is not None


def _is_inside(at: int, names: Sequence[Spotted]) -> bool:
    return any(name.start <= at < name.stop - 1 for name in names)
