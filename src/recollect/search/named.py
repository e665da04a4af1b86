"""Names in a text that are titles of documents: whole words, the longest first, without overlaps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recollect.model.stop_words import STOP_WORDS
from recollect.search.port import Index
from recollect.store.found import Titled
from recollect.store.titles import LONGEST, SHORTEST, title_key

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Named:
    """A stretch of a text that is the title of documents."""

    start: int
    stop: int
    key: str
    titled: tuple[Titled, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    key: str


def named_in(text: str, index: Index) -> list[Named]:
    """The titles that a query names; a word alone counts only where it is written as a name."""
    spans = [span for span in _spans(text) if " " in span.key or not text[span.start].islower()]
    return _chosen(spans, _known(index, [spans]))


def named_in_each(texts: Sequence[str], index: Index) -> list[list[Named]]:
    """For each text the titles it names; here every name begins as names are written."""
    spans = [list(_spans(text, only_capitals=True)) for text in texts]
    known = _known(index, spans)
    return [_chosen(each, known) for each in spans]


def _spans(text: str, *, only_capitals: bool = False) -> Iterator[_Span]:
    """Runs of words that may be a title; or only those that do not begin with a small letter."""
    words = [(found.start(), found.end(), title_key(found[0])) for found in _WORD.finditer(text)]
    for first, (start, _, _) in enumerate(words):
        if only_capitals and text[start].islower():
            continue
        key, is_empty = "", True
        for _, stop, word in words[first : first + LONGEST]:
            key = f"{key} {word}" if key else word
            is_empty = is_empty and word in STOP_WORDS
            if not is_empty and len(key) >= SHORTEST:
                yield _Span(start, stop, key)


def _known(index: Index, spans: Sequence[Sequence[_Span]]) -> Mapping[str, tuple[Titled, ...]]:
    known: dict[str, tuple[Titled, ...]] = {}
    for each in index.titled({span.key for text in spans for span in text}):
        known[each.key] = (*known.get(each.key, ()), each)
    return known


def _chosen(spans: Sequence[_Span], known: Mapping[str, tuple[Titled, ...]]) -> list[Named]:
    taken: list[Named] = []
    for span in sorted(spans, key=lambda each: (each.start - each.stop, each.start)):
        if span.key in known and all(span.stop <= other.start or span.start >= other.stop for other in taken):
            taken.append(Named(span.start, span.stop, span.key, known[span.key]))
    return sorted(taken, key=lambda each: each.start)
