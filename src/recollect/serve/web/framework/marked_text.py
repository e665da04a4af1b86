"""A document's text with its quotes marked and its mentions linked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


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
