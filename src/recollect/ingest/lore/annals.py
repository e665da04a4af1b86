"""Dated entries of chronicles: a heading, a line or first words that are a time hold for what stands below or after.

*## 1171*, *Anno 1171*, *1171: Lord Dudo ruled Garth.*, *[1171] …*
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from recollect.ingest.lore.lore_clause import LoreClause, Prose
from recollect.ingest.lore.time_phrases import Phrase
from recollect.text.sentences import TextSpan

_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]*?)[ \t#]*$", re.MULTILINE)
_LINE = re.compile(r"^[ \t>*_]*(?P<title>[^\n]{1,40}?)[ \t*_:]*$", re.MULTILINE)
_CALLED = re.compile(
    r"(?:in )?(?:(?:the )?year of (?:our|the) lord|anno(?: domini)?|a\.? ?d\.?|the year|year(?= \d+\b(?! of\b)))[ :,]*",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"\s*(?:[-*+>|]\s+)*(?:\[(?P<boxed>[^\]\n]{1,40})\]|\((?P<bracketed>[^)\n]{1,40})\)|\*\*(?P<bold>[^*\n]{1,40})\*\*:?"
    r"|(?P<plain>[^\[(*:|\n–—]{1,40}?)\s*(?:[:|–—]|\s-|\.(?=\s+[A-Z])))\s+(?=\S)"
)
_HAS_NUMBER = re.compile(r"\d")
_LINE_ENTRY = re.compile(r"[ \t]*(?:[-*+>]\s+)?(?P<time>[^\n]{1,40}?)\.")


def add_entry_time(prose: Prose, span: TextSpan, clauses: list[LoreClause]) -> list[LoreClause]:
    """The relations of a sentence; those that say no time have that of the entry in which they stand."""
    if all(each.phrase is not None for each in clauses):
        return clauses
    entry = _own_time(prose, span) or _time_above(prose, span.start)
    if entry is not None and entry.begin < span.start:
        entry = entry._replace(begin=span.start, stop=max(entry.stop, span.start))
    return [each if each.phrase is not None or entry is None else each._replace(phrase=entry) for each in clauses]


def _own_time(prose: Prose, span: TextSpan) -> Phrase | None:
    """The time that a sentence begins with, or that stands alone right before it: *A.D. 1171.*"""
    found = _ENTRY.match(prose.text, span.start, span.stop)
    if found is None:
        found = _LINE_ENTRY.fullmatch(_line_before(prose.text, span.start))
    if found is None:
        return None
    name = str(found.lastgroup)
    return _read_title(prose, found[name], found.start(), found.end())


def _time_above(prose: Prose, at: int) -> Phrase | None:
    """The time of the nearest heading above that is one, or of a line that stands alone above."""
    line = prose.text.rfind("\n", 0, at) + 1
    above = _line_before(prose.text, line)
    alone = _LINE.fullmatch(above) if above and not above.startswith("#") else None
    found = _read_title(prose, alone["title"], at, at) if alone else None
    if found is not None:
        return found
    titles = (_read_title(prose, each["title"], each.start("title"), each.end()) for each in _headings(prose.text, at))
    return next((each for each in titles if each is not None), None)


def _headings(text: str, at: int) -> Iterator[re.Match[str]]:
    """The headings that a place stands under, the nearest first."""
    level, every = 7, _all_headings(text)
    for place in range(bisect_left(every, at, key=re.Match.end) - 1, -1, -1):
        found = every[place]
        if len(found["marks"]) < level:
            level = len(found["marks"])
            yield found


@lru_cache(2)
def _all_headings(text: str) -> list[re.Match[str]]:
    return list(_HEADING.finditer(text))


def _line_before(text: str, at: int) -> str:
    """What ends right before a place, space aside, from the beginning of its line."""
    end = at
    while end and text[end - 1].isspace():
        end -= 1
    return text[text.rfind("\n", 0, end) + 1 : end]


def _read_title(prose: Prose, title: str, begin: int, stop: int) -> Phrase | None:
    if not _HAS_NUMBER.search(title):
        return None
    words = _CALLED.sub("", title.strip(" *_"), count=1)
    found = prose.moments.read(words)
    return None if found is None else Phrase(found.start, found.end, begin, stop, "at")
