"""From a text to passages: cut on its structure, bounded in size, with their place in the text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CUTTING = 1
"""The number of this way of cutting; it goes up with every change, and stored texts are then cut anew."""
LONGEST = 900
SHORTEST = 200
_BLANK = re.compile(r"\n[ \t]*\n[\s]*")
_HEADING = re.compile(r"#{1,6} +\S|[^\n]+\n(?:={3,}|-{3,})[ \t]*(?:\n|$)")
_BULLET = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\S", re.MULTILINE)
_TURN = re.compile(r"^(?:\[[^\]\n]{4,30}\][ \t]*)?[A-Za-z][\w .'’-]{0,30}:[ \t]+\S", re.MULTILINE)
_QUOTE = re.compile(
    r"^>|^On [^\n]{6,120}wrote:[ \t]*$|^-{2,}[ ]?Original Message[ ]?-{2,}", re.MULTILINE | re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+")
_SPACE = re.compile(r"\s+")
_NEWLINE = re.compile("\n")


class Passage(NamedTuple):
    """A piece of a text, where it stands, and what the indexes read: its title or heading before its words."""

    start: int
    stop: int
    text: str


class _Piece(NamedTuple):
    start: int
    stop: int
    heading: str = ""
    is_quote: bool = False
    is_turn: bool = False


def passages(title: str | None, text: str | None) -> Iterator[Passage]:
    """The passages of a document; one without a text is found by its title."""
    if not text or not text.strip():
        if title:
            yield Passage(0, 0, title)
        return
    for piece in _joined(_pieces(text)):
        body = text[piece.start : piece.stop]
        above = [line for line in (title, piece.heading) if line and not body.startswith(line)]
        yield Passage(piece.start, piece.stop, "\n".join([*dict.fromkeys(above), body]))


def _pieces(text: str) -> Iterator[_Piece]:
    """Blocks, turns, bullets and quotes, none of them longer than a passage may be."""
    heading = ""
    for start, stop in _between(text, 0, len(text), _BLANK):
        if _HEADING.match(text, start, stop):
            heading = text[start:stop].splitlines()[0].strip("# \t")
        for first, last in _parts(text, start, stop):
            is_quote, is_turn = bool(_QUOTE.match(text, first, last)), bool(_TURN.match(text, first, last))
            for at, behind in _bounded(text, first, last):
                yield _Piece(at, behind, heading, is_quote, is_turn and at == first)


def _parts(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A block by its lines that begin something: a turn, else a bullet or the quoted mail."""
    block = text[start:stop]
    lines = [0, *(found.end() for found in _NEWLINE.finditer(block))]
    if len(lines) == 1:
        yield start, stop
        return
    turns = _begins(_TURN, block, lines) if ":" in block else []
    marks = turns if len(turns) > 1 else sorted({*_begins(_BULLET, block, lines), *_begins(_QUOTE, block, lines)[:1]})
    edges = [0, *(mark for mark in marks if mark), len(block)]
    for first, last in pairwise(edges):
        trimmed = _trimmed(text, start + first, start + last)
        if trimmed[0] < trimmed[1]:
            yield trimmed


def _begins(pattern: re.Pattern[str], block: str, lines: Sequence[int]) -> list[int]:
    """The lines that begin with the pattern, by where they stand."""
    return [line for line in lines if pattern.match(block, line)]


def _bounded(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A stretch cut at sentences, at spaces where a sentence is too long, anywhere where there is no space."""
    while stop - start > LONGEST:
        cut = _last(_SENTENCE, text, start + SHORTEST, start + LONGEST) or _last(
            _SPACE, text, start + SHORTEST, start + LONGEST
        )
        edge = cut or start + LONGEST
        yield _trimmed(text, start, edge)
        start = edge
    if start < stop:
        yield _trimmed(text, start, stop)


def _last(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int | None:
    found = [each.end() for each in pattern.finditer(text, start, stop)]
    return found[-1] if found else None


def _joined(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Neighbours that fit under one heading become one passage; a turn or a quote begins its own."""
    held: _Piece | None = None
    for piece in pieces:
        if held and _fit(held, piece):
            held = _Piece(held.start, piece.stop, held.heading, held.is_quote)
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held


def _fit(held: _Piece, piece: _Piece) -> bool:
    is_alike = (held.heading, held.is_quote) == (piece.heading, piece.is_quote)
    is_begun = piece.is_turn and held.stop - held.start >= SHORTEST
    return is_alike and not is_begun and piece.stop - held.start <= LONGEST


def _between(text: str, start: int, stop: int, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    at = start
    for found in pattern.finditer(text, start, stop):
        if at < found.start():
            yield _trimmed(text, at, found.start())
        at = found.end()
    if at < stop and text[at:stop].strip():
        yield _trimmed(text, at, stop)


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop
