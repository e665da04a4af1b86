"""The sentence splitter: blocks of a text (paragraphs, headings, list items) and the sentences in them, as spans.

An abbreviation or an initial does not end a sentence, nor does the number of a list item. Full stops of Chinese and
Japanese end one without a space after them.
"""

import re
from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from recollect.text.lexicon import HONORIFICS
from recollect.text.markdown_lines import LIST_MARK

Style = Literal["chat", "prose"]
"""`chat`: sentences may begin with a small letter, as in messages. `prose`: edited text, in which a small letter or a
figure continues the sentence, and dotted abbreviations ("45 A.S. House Orrin fell") do not end one."""

_CLOSERS = "\"'”’»)\\]*_"
_STOPS = ".!?…؟۔।"
_END = re.compile(rf"(?<![{_STOPS}])[{_STOPS}]++[{_CLOSERS}]*+(?=\s)|[。！？｡]+[」』”’）)]*")
_QUOTES = "\"'”’»"
_ABBREVIATION = re.compile(r"(?<![\w'’])([^\W\d_]+(?:\.[^\W\d_]+)*)\.$")
_ABBREVIATION_REACH = 12
_LONGEST_NUMBER = 40
_ITEM = re.compile(rf"^[ \t]*(?:{LIST_MARK}|[>|]|\[[ xX]\]|#{{1,6}})[ \t]+(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t][^\n]*\n?")
_PARAGRAPH_BREAK = re.compile(r"(?:\A|\n)[ \t]*(?:\n\s*|\Z)")

_NEVER_LAST = HONORIFICS | frozenset("st vs e.g i.e eg ie approx fig cf resp incl attn messrs capt".split())
_SMALL = frozenset("ca cca cir fl".split())
"""Abbreviations only in small letters: "ca. 1450", but not "Los Angeles, CA."."""
_TITLES = frozenset("gen col lt sgt mt ft rev vol fr hr hrn frl".split())
"""Abbreviations only where they are capitalised before a name: "Mt. Orrin", but not "6 ft."."""
_RARELY_LAST = frozenset(
    "etc inc ltd co corp jr sr no nr a.m p.m u.s u.k e.u jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues "
    "wed thu thur thurs fri sat sun est dept ext max min ref b c d r cent yr yrs vol".split()
)
"""Abbreviations that may end a sentence, but not before a small letter, a figure or a bracket."""
_REFERENCES = frozenset("nos art p pp ch fig sec tel".split())
"""Abbreviations within a sentence only, before the number that they are for."""
_DAY_OF_MONTH = re.compile(
    r"\b(?:0?[1-9]|[12]\d|3[01])\.\s+(?:januar|jänner|februar|märz|marts|april|mai|maj|juni|juli|august|september|"
    r"oktober|november|dezember|december)\b",
    re.IGNORECASE,
)
"""A day as German and Danish write it: `31. Juli`."""
_IN_CLAUSES = _NEVER_LAST | _SMALL | {"etc", "fr", "frl", "hr", "hrn"}
_BEFORE_FIGURES = _RARELY_LAST | _REFERENCES


class TextSpan(NamedTuple):
    """A stretch of a text."""

    start: int
    stop: int


class TextBlock(NamedTuple):
    """A paragraph, heading or list item; `body` is where its text begins after the marker."""

    start: int
    body: int
    stop: int


def split_sentences(text: str, style: Style = "chat") -> list[str]:
    """The sentences of a text, trimmed, without the markers of lists and headings."""
    return [text[span.start : span.stop] for span in sentence_spans(text, style)]


def sentence_spans(text: str, style: Style = "chat") -> list[TextSpan]:
    """Where the sentences of a text stand, trimmed, without the markers of lists and headings."""
    return [span for block in blocks(text) for span in spans_in_block(text, block.body, block.stop, style)]


def spans_in_block(
    text: str, start: int = 0, stop: int | None = None, style: Style = "chat", unbroken: Collection[TextSpan] = ()
) -> Iterator[TextSpan]:
    """The sentences of one block of a text, trimmed; none ends inside an unbroken span."""
    stop = len(text) if stop is None else stop
    first = start
    for end in [*sentence_ends(text, start, stop, style, unbroken), stop]:
        span = trim(text, first, end)
        if span.start < span.stop:
            yield span
        first = end


def sentence_ends(
    text: str, start: int, stop: int, style: Style = "chat", unbroken: Collection[TextSpan] = ()
) -> Iterator[int]:
    """Where sentences end before the end of a block."""
    first = start
    for end in _END.finditer(text, start, stop):
        if not _is_inside(end.start(), unbroken) and _ends_sentence(text, first, end, style):
            yield end.end()
            first = end.end()


def blocks(text: str) -> Iterator[TextBlock]:
    """The paragraphs of a text, with headings and list items apart."""
    start = 0
    for edge in [*(found.span() for found in _PARAGRAPH_BREAK.finditer(text)), (len(text), len(text))]:
        yield from _blocks_of_paragraph(text, start, edge[0])
        start = edge[1]


def _blocks_of_paragraph(text: str, start: int, stop: int) -> Iterator[TextBlock]:
    first = body = start
    for mark in _ITEM.finditer(text, start, stop):
        if body < mark.start():
            yield TextBlock(first, body, mark.start())
        first, body = mark.span()
        heading = _HEADING.match(text, mark.start(), stop)
        if heading is not None:
            yield TextBlock(first, body, heading.end())
            first = body = heading.end()
    if body < stop:
        yield TextBlock(first, body, stop)


def trim(text: str, start: int, stop: int) -> TextSpan:
    """A span without the white space at its ends."""
    piece = text[start:stop]
    return TextSpan(start + len(piece) - len(piece.lstrip()), stop - len(piece) + len(piece.rstrip()))


def _is_inside(at: int, unbroken: Collection[TextSpan]) -> bool:
    return any(span.start <= at < span.stop - 1 for span in unbroken)


def _ends_sentence(text: str, first: int, end: re.Match[str], style: Style) -> bool:
    mark = end[0]
    if mark[0] in "。！？｡":
        return True
    following = text[end.end() : end.end() + 40].lstrip()[:1]
    if following.islower() and (style == "prose" or mark[-1] in _QUOTES):
        return False
    if style == "prose" and following.isdecimal():
        return False
    if mark[0] == "…" or mark.startswith(".."):
        return not following.islower()
    return mark[0] != "." or _is_full_stop(text, first, end.start(), following, style)


def is_abbreviation(text: str, first: int, at: int) -> bool:
    """Whether a dot in a text in small letters ends an abbreviation: *dr.*, or *mar.* and *no.* before a figure."""
    found = _ABBREVIATION.search(text, max(first, at - _ABBREVIATION_REACH), at + 1)
    if found is None:
        return False
    following = text[at + 1 : at + 40].lstrip()[:1]
    return found[1] in _IN_CLAUSES or (found[1] in _BEFORE_FIGURES and following.isdigit())


def _is_full_stop(text: str, first: int, at: int, following: str, style: Style) -> bool:
    """Whether a dot ends a sentence: not after an abbreviation, an initial or the number of a list item."""
    found = _ABBREVIATION.search(text, max(first, at - _ABBREVIATION_REACH), at + 1)
    if found is None:
        is_number = at - first <= _LONGEST_NUMBER and text[first:at].strip().isdecimal()
        return not is_number and not any(_DAY_OF_MONTH.match(text, max(first, at - digits)) for digits in (1, 2))
    word, folded = found[1], found[1].casefold()
    if folded in _NEVER_LAST or word in _SMALL or (word[0].isupper() and folded in _TITLES):
        return False
    continues = following.islower() or following.isdigit() or following == "("
    return not (_is_initial(word, style) or (folded in _RARELY_LAST and continues))


def _is_initial(word: str, style: Style) -> bool:
    if style == "prose":
        return word != "I" and all(len(part) == 1 for part in word.split("."))
    return len(word) == 1 and word.isupper() and word != "I"
