"""Chunking: a text split into passages on its structure, stored and indexed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from recollect.embed.port import Embedder
from recollect.model.document import content_hash
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.passage_index import index_vectors, index_words

CHUNKING_VERSION = 1
"""Raised with every change of where a text is split; stored texts are then chunked again (`ingest/job_steps.py`)."""
MAX_PASSAGE_LENGTH = 900
MAX_HEADING_LENGTH = 300
"""Of a title or heading that is repeated above each passage; the first passage has all of the title."""
MIN_PASSAGE_LENGTH = 200
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


def split_passages(title: str | None, text: str | None) -> Iterator[Passage]:
    """The passages of a document; one without a text is found by its title."""
    if not text or not text.strip():
        if title:
            yield Passage(0, 0, title)
        return
    for at, piece in enumerate(_merge_pieces(_pieces(text))):
        body = text[piece.start : piece.stop]
        lines = (title and title[: MAX_HEADING_LENGTH if at else None], piece.heading[:MAX_HEADING_LENGTH])
        above = [line for line in lines if line and not body.startswith(line)]
        yield Passage(piece.start, piece.stop, "\n".join([*dict.fromkeys(above), body]))


def _pieces(text: str) -> Iterator[_Piece]:
    """Blocks, turns, bullets and quotes, none of them longer than a passage may be."""
    heading = ""
    for start, stop in _split_at_blanks(text):
        if _HEADING.match(text, start, stop):
            heading = text[start:stop].splitlines()[0].strip("# \t")
        for first, last in _split_block(text, start, stop):
            is_quote, is_turn = bool(_QUOTE.match(text, first, last)), bool(_TURN.match(text, first, last))
            for at, behind in _split_long(text, first, last):
                yield _Piece(at, behind, heading, is_quote, is_turn and at == first)


def _split_block(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A block by its lines that begin something: a turn, else a bullet or the quoted mail."""
    block = text[start:stop]
    lines = [0, *(found.end() for found in _NEWLINE.finditer(block))]
    if len(lines) == 1:
        yield start, stop
        return
    turns = _lines_matching(_TURN, block, lines) if ":" in block else []
    marks = (
        turns
        if len(turns) > 1
        else sorted({*_lines_matching(_BULLET, block, lines), *_lines_matching(_QUOTE, block, lines)[:1]})
    )
    edges = [0, *(mark for mark in marks if mark), len(block)]
    for first, last in pairwise(edges):
        trimmed = _trim(text, start + first, start + last)
        if trimmed[0] < trimmed[1]:
            yield trimmed


def _lines_matching(pattern: re.Pattern[str], block: str, lines: Sequence[int]) -> list[int]:
    """The lines that begin with the pattern, by where they stand."""
    return [line for line in lines if pattern.match(block, line)]


def _split_long(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """A stretch cut at sentences, at spaces where a sentence is too long, anywhere where there is no space."""
    while stop - start > MAX_PASSAGE_LENGTH:
        cut = _last_match_end(
            _SENTENCE, text, start + MIN_PASSAGE_LENGTH, start + MAX_PASSAGE_LENGTH
        ) or _last_match_end(_SPACE, text, start + MIN_PASSAGE_LENGTH, start + MAX_PASSAGE_LENGTH)
        edge = cut or start + MAX_PASSAGE_LENGTH
        yield _trim(text, start, edge)
        start = edge
    if start < stop:
        yield _trim(text, start, stop)


def _last_match_end(pattern: re.Pattern[str], text: str, start: int, stop: int) -> int | None:
    found = [each.end() for each in pattern.finditer(text, start, stop)]
    return found[-1] if found else None


def _merge_pieces(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Neighbours that fit under one heading become one passage; a turn or a quote begins its own."""
    last: _Piece | None = None
    for piece in pieces:
        if last and _can_merge(last, piece):
            last = _Piece(last.start, piece.stop, last.heading, last.is_quote)
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def _can_merge(last: _Piece, piece: _Piece) -> bool:
    is_alike = (last.heading, last.is_quote) == (piece.heading, piece.is_quote)
    is_begun = piece.is_turn and last.stop - last.start >= MIN_PASSAGE_LENGTH
    return is_alike and not is_begun and piece.stop - last.start <= MAX_PASSAGE_LENGTH


def _split_at_blanks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for found in _BLANK.finditer(text):
        if at < found.start():
            yield _trim(text, at, found.start())
        at = found.end()
    if text[at:].strip():
        yield _trim(text, at, len(text))


def _trim(text: str, start: int, stop: int) -> tuple[int, int]:
    while start < stop and text[start].isspace():
        start += 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return start, stop


def store_passages(change: Change, document: DocumentId, title: str | None, text: str | None) -> None:
    """Cut a document into passages and store them; their words are indexed with the call below."""
    for seq, (start, stop, passage) in enumerate(split_passages(title, text)):
        change.add_chunk(document, seq, start, stop, content_hash(passage), passage)


def index_all_passages(change: Change, embedder: Embedder | None) -> None:
    """Bring both indexes up to the last passage."""
    index_words(change)
    while embedder is not None and index_vectors(change, embedder):
        pass
