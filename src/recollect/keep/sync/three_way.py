"""Two edits of one text joined line by line, where they keep clear of each other. Pure functions on text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

# Comparing takes time with every pair of equal lines; beyond this two texts are too alike everywhere to be joined.
MOST_PAIRS = 2_000_000


class Edit(NamedTuple):
    """Lines of the base, from `start` to before `stop`, and what stands in their place."""

    start: int
    stop: int
    lines: tuple[str, ...]


def merge_lines(base: str, one: str, other: str) -> str | None:
    """The base with both edits, or none where they overlap or touch."""
    lines, ones, others = (text.split("\n") for text in (base, one, other))
    if _pairs(lines, ones) > MOST_PAIRS or _pairs(lines, others) > MOST_PAIRS:
        return None
    first, second = _edits(lines, ones), _edits(lines, others)
    merged = sorted({*first, *second})
    if any(left.stop >= right.start for left, right in pairwise(merged)):
        return None
    return "\n".join(_applied(lines, merged))


def _pairs(base: Sequence[str], text: Sequence[str]) -> int:
    mine, theirs = Counter(base), Counter(text)
    return sum(count * theirs[line] for line, count in mine.items())


def _edits(base: Sequence[str], text: Sequence[str]) -> list[Edit]:
    matcher = SequenceMatcher(None, base, text, autojunk=False)
    return [
        Edit(start, stop, tuple(text[lo:hi])) for tag, start, stop, lo, hi in matcher.get_opcodes() if tag != "equal"
    ]


def _applied(base: Sequence[str], edits: Sequence[Edit]) -> Iterator[str]:
    at = 0
    for edit in edits:
        yield from base[at : edit.start]
        yield from edit.lines
        at = edit.stop
    yield from base[at:]
