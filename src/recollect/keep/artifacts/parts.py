"""A long text in parts that can each be found and cited alone."""

import re
from collections.abc import Iterator

LONGEST = 3200
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]]*(?=\s)|[。！？]")


def parts_of(text: str, longest: int = LONGEST) -> list[str]:
    """Paragraphs, as many in each part as fit; a longer one is cut at the end of a sentence, else at a space."""
    pieces = [cut for start, stop in _paragraphs(text) for cut in _cut(text, start, stop, longest)]
    joined: list[tuple[int, int]] = []
    for start, stop in pieces:
        if joined and stop - joined[-1][0] <= longest:
            joined[-1] = joined[-1][0], stop
        else:
            joined.append((start, stop))
    return [text[start:stop].strip() for start, stop in joined]


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = len(text) - len(text.lstrip())
    for gap in _BLANK.finditer(text, start):
        if gap.start() > start:
            yield start, gap.start()
        start = gap.end()
    if text[start:].strip():
        yield start, len(text.rstrip())


def _cut(text: str, start: int, stop: int, longest: int) -> Iterator[tuple[int, int]]:
    while stop - start > longest:
        end = _best_end(text, start, start + longest)
        yield start, end
        start = end + len(text[end:stop]) - len(text[end:stop].lstrip())
    if start < stop:
        yield start, stop


def _best_end(text: str, start: int, most: int) -> int:
    sentences = [found.end() for found in _SENTENCE_END.finditer(text, start, most)]
    if sentences:
        return sentences[-1]
    space = max(text.rfind(" ", start + 1, most), text.rfind("\n", start + 1, most))
    return space if space > start else most
