"""The part of a text that its author wrote now, cut into sentences, each with its place."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from recollect.ingest.extract.earlier_mail import own_part

_UNREAD = re.compile(
    r"^[ \t]*>[^\n]*$"
    r"|^[ \t]*(?:```|~~~)[^\n]*\n.*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
    r"|<!--(?:(?!<!--).)*?-->"
    r"|\"[^\"\n]*(?:\n(?![ \t]*\n)[^\"\n]*)*\""
    r"|„[^„“”]*[“”]"
    r"|“[^“”]*”"
    r"|«[^«»]*»",
    re.MULTILINE | re.DOTALL,
)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)]|\[[ xX]\]|#{1,6})[ \t]+(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t][^\n]*\n?")
_PARAGRAPH = re.compile(r"(?:\A|\n)[ \t]*(?:\n\s*|\Z)")
_END = re.compile(r"[.!?…]+[\"'”’)\]*_]*(?=\s)")
_SHORT = re.compile(r"([^\W\d_]+(?:\.[^\W\d_]+)*)\.$")
_NEVER_LAST = frozenset("mr mrs ms dr prof st vs e.g i.e eg ie approx fig cf resp incl attn messrs".split())
_SELDOM_LAST = frozenset(
    "etc inc ltd co corp jr sr no nr a.m p.m u.s u.k e.u jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues "
    "wed thu thur thurs fri sat sun est dept ext max min ref".split()
)


class Sentence(NamedTuple):
    """One sentence: as it stands, and as it is read, with what is quoted in it left blank."""

    start: int
    stop: int
    quote: str
    read: str


def sentences(text: str) -> list[Sentence]:
    """The sentences of what the author wrote: no quoted lines, no earlier mail, no signature, no code."""
    masked = _masked(text)
    found = (_trimmed(text, *place) for block in _blocks(masked) for place in _cut(masked, *block))
    return [
        Sentence(start, stop, text[start:stop], " ".join(masked[start:stop].replace("’", "'").split()))
        for start, stop in found
        if masked[start:stop].strip()
    ]


def signature(text: str) -> list[str]:
    """The lines behind a signature mark, as far as they belong together."""
    text = text.replace("\r", " ")
    found = re.search(r"^--[ \t]*\n", text, re.MULTILINE)
    if found is None:
        return []
    block = re.split(r"\n[ \t]*\n", text[found.end() :].strip("\n"), maxsplit=1)[0]
    return [line.strip() for line in block.splitlines() if line.strip()]


def _masked(text: str) -> str:
    own = own_part(text.replace("\r", " "))
    return _UNREAD.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), own)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, and headings and the items of lists apart, without their marks."""
    start = 0
    for edge in [*(found.span() for found in _PARAGRAPH.finditer(text)), (len(text), len(text))]:
        yield from _items(text, start, edge[0])
        start = edge[1]


def _items(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    first = start
    for mark in _ITEM.finditer(text, start, stop):
        if first < mark.start():
            yield first, mark.start()
        first = mark.end()
        heading = _HEADING.match(text, mark.start(), stop)
        if heading is not None:
            yield first, heading.end()
            first = heading.end()
    if first < stop:
        yield first, stop


def _cut(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    first = start
    for end in _END.finditer(text, start, stop):
        if _ends(text, first, end):
            yield first, end.end()
            first = end.end()
    yield first, stop


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    piece = text[start:stop]
    return start + len(piece) - len(piece.lstrip()), stop - len(piece) + len(piece.rstrip())


def _ends(text: str, first: int, end: re.Match[str]) -> bool:
    """Whether a sign ends the sentence: not behind a short form, nor where the sentence goes on."""
    if end[0][0] not in ".…":
        return True
    following = text[end.end() : end.end() + 40].lstrip()[:1]
    if len(end[0].rstrip("\"'”’)]*_")) > 1 or end[0][0] == "…":
        return not following.islower()
    short = _SHORT.search(text, max(first, end.start() - 12), end.start() + 1)
    word = short[1] if short else ""
    if word.casefold() in _NEVER_LAST or (len(word) == 1 and word.isupper() and word != "I"):
        return False
    return not (word.casefold() in _SELDOM_LAST and (following.islower() or following.isdigit()))
