"""The words of a question marked in a text."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from recollect.search.content_words import content_stems

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
