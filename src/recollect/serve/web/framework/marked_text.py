"""Texts with marks: quotes, mentions as links, and the words of a question."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.search.index_terms import content_stems
from recollect.text.verbatim import occurrences

CONTEXT = 220


@dataclass(frozen=True, slots=True)
class QuoteInContext:
    """A quote with the text around it; `start` is its place in the document, None if it does not stand there."""

    before: str
    quote: str
    after: str
    start: int | None


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """The place of a quote in a text, ignoring white space and typography."""
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    found = next(occurrences(quote, text), None)
    return None if found is None else (found.start, found.stop)


def quote_in_context(text: str, quote: str) -> QuoteInContext | None:
    """The quote as the text has it, with some of the text before and after; None if it does not stand there."""
    place = find_quote(text, quote)
    if place is None:
        return None
    start, stop = place
    before, after = text[max(0, start - CONTEXT) : start], text[stop : stop + CONTEXT]
    if start > CONTEXT:
        before = f"…{before.partition(' ')[2] or before}"
    if stop + CONTEXT < len(text):
        after = f"{after.rpartition(' ')[0] or after}…"
    return QuoteInContext(before, text[start:stop], after, start)


_WORD = re.compile(r"\w+(?:['’]\w+)*")


@dataclass(frozen=True, slots=True)
class TextRun:
    text: str
    is_marked: bool = False


def highlight(text: str, stems: Collection[str], length: int | None = None) -> Iterator[TextRun]:
    """The text in runs, words with one of these stems marked; cut around the first of them to a length."""
    spans = [match.span() for match in _WORD.finditer(text) if not content_stems(match[0]).isdisjoint(stems)]
    start, stop = _window(text, spans, length)
    if start:
        yield TextRun("… ")
    at = start
    for lo, hi in spans:
        if lo < at or hi > stop:
            continue
        if lo > at:
            yield TextRun(text[at:lo])
        yield TextRun(text[lo:hi], is_marked=True)
        at = hi
    if at < stop:
        yield TextRun(text[at:stop])
    if stop < len(text):
        yield TextRun(" …")


def _window(text: str, spans: list[tuple[int, int]], length: int | None) -> tuple[int, int]:
    if length is None or len(text) <= length:
        return 0, len(text)
    first = spans[0][0] if spans else 0
    start = max(0, min(first - length // 4, len(text) - length))
    start = text.rfind(" ", 0, start) + 1 if start else 0
    stop = text.rfind(" ", start, start + length)
    return start, stop if stop > start else start + length


class MarkedSpan(NamedTuple):
    """A stretch of a text and what it stands for: ids of facts, or the id of an entity."""

    start: int
    stop: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text that is a mention, if it has an entity."""

    text: str
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """Pieces of text that are a quote, if they have facts."""

    pieces: tuple[TextPiece, ...]
    facts: tuple[str, ...] = ()
    start: int = 0


def mark_text(
    text: str, quotes: Sequence[MarkedSpan], mentions: Sequence[MarkedSpan], start: int, stop: int
) -> list[MarkedBlock]:
    """The text from `start` to `stop` in blocks: quotes and what lies between, with mentions inside both."""
    blocks: list[MarkedBlock] = []
    at = start
    for quote in join_spans(quotes):
        begin, end = max(quote.start, start), min(quote.stop, stop)
        if begin >= end:
            continue
        if begin > at:
            blocks.append(MarkedBlock(tuple(_pieces(text, mentions, at, begin)), start=at))
        blocks.append(MarkedBlock(tuple(_pieces(text, mentions, begin, end)), quote.ids, begin))
        at = end
    if at < stop:
        blocks.append(MarkedBlock(tuple(_pieces(text, mentions, at, stop)), start=at))
    return blocks


def join_spans(spans: Iterable[MarkedSpan]) -> list[MarkedSpan]:
    """The spans in order; those that overlap are one with the ids of all."""
    joined: list[MarkedSpan] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].stop:
            last = joined[-1]
            ids = tuple(dict.fromkeys((*last.ids, *span.ids)))
            joined[-1] = MarkedSpan(last.start, max(last.stop, span.stop), ids)
        else:
            joined.append(span)
    return joined


def _pieces(text: str, mentions: Sequence[MarkedSpan], start: int, stop: int) -> Iterable[TextPiece]:
    at = start
    for mention in mentions:
        if mention.start < at or mention.stop > stop:
            continue
        if mention.start > at:
            yield TextPiece(text[at : mention.start])
        yield TextPiece(text[mention.start : mention.stop], mention.ids[0])
        at = mention.stop
    if at < stop:
        yield TextPiece(text[at:stop])
