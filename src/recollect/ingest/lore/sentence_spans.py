"""Sentences of lore prose: where each begins and ends, and whether it asserts anything."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from recollect.resolve.name_finder import NameSpan

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


class SentenceSpan(NamedTuple):
    """Start and end of a sentence in its text."""

    start: int
    stop: int


def sentence_spans(text: str, names: Sequence[NameSpan]) -> list[SentenceSpan]:
    """The sentences of a text; list items and headings are their own, and no name is cut in two."""
    found: list[SentenceSpan] = []
    start = 0
    for end in _END.finditer(text):
        if _is_inside(end.start(), names) or (end["mark"] and _goes_on(text, end)):
            continue
        found.append(SentenceSpan(start, end.end()))
        start = end.end()
    return [*found, SentenceSpan(start, len(text))]


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether a full stop is not a sentence end: lower case or a number follows, or an abbreviation precedes it."""
    following = text[end.end() : end.end() + 1]
    if "\n" in end[0] and end[0].count("\n") > 1:
        return False
    if following.islower() or following.isdecimal():
        return True
    return end["mark"].startswith(".") and _ABBREVIATION.search(text, max(0, end.start() - 12), end.start()) is not None


def _is_inside(at: int, names: Sequence[NameSpan]) -> bool:
    return any(name.start <= at < name.stop - 1 for name in names)


_ANYWHERE = re.compile(
    r"\b(?:if|unless|whether|perhaps|maybe|suppose|supposing|lest|allegedly|supposedly|reportedly|apparently|presumably"
    r"|possibly|as though|would have|could have|might have|(?:so|or so) (?:it is|they) (?:said|say|claim))\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:it (?:is|was|has been) (?:said|claimed|rumou?red|believed|thought|told|alleged|written)"
    r"|(?:some|many|they|others|people|rumou?rs?|legends?|tales?|stories|songs?|myths?) (?:\w+ )?"
    r"(?:say|says|said|claim|claims|claimed|believe|believed|hold|holds|held|tell|tells|told|whisper|has it|have it)"
    r"|claim(?:s|ed)? that|according to|neither|nor|never|denie[sd] that|false that|not true that"
    r"|dreamed|wished|hoped)\b",
    re.IGNORECASE,
)
_HAD = re.compile(r"(?:^|[\s,;])(?:had|were|should) (?:the )?$", re.IGNORECASE)


def is_unasserted(text: str, span: SentenceSpan, names: Sequence[NameSpan]) -> bool:
    """Whether a sentence is a question, a doubt, a supposition or hearsay."""
    sentence = text[span.start : span.stop]
    first, last = names[0].start, names[-1].start
    if _ANYWHERE.search(sentence) or sentence.rstrip(" \t\n\"'”’)").endswith("?"):
        return True
    return _BEFORE.search(text, span.start, last) is not None or _HAD.search(text[span.start : first]) is not None
