"""Titles of documents in a text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.search.passage_index import PassageIndex
from recollect.store.passage_filter import TitleMatch
from recollect.store.passage_index import LONGEST_TITLE, SHORTEST_TITLE, title_key
from recollect.text.stop_words import STOP_WORDS

_TITLE_WORD = re.compile(r"[^\W_]+")
_key_of_word = lru_cache(4_096)(title_key)


@dataclass(frozen=True, slots=True)
class TitleSpan:
    """A span of a text that is the title of documents."""

    start: int
    stop: int
    titled: tuple[TitleMatch, ...]
    is_capitalised: bool


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    key: str
    is_capitalised: bool


def find_titles(text: str, index: PassageIndex) -> list[TitleSpan]:
    """The titles that a query names; a word alone counts only where it is written as a name."""
    spans = [span for span in _title_spans(text) if " " in span.key or span.is_capitalised]
    return _choose_spans(spans, _look_up_titles(index, [spans]))


def find_titles_in_each(texts: Sequence[str], index: PassageIndex) -> list[list[TitleSpan]]:
    """For each text the titles it names, which must begin with a capital."""
    spans = [list(_title_spans(text, only_capitals=True)) for text in texts]
    known = _look_up_titles(index, spans)
    return [_choose_spans(each, known) for each in spans]


def _title_spans(text: str, *, only_capitals: bool = False) -> Iterator[_Span]:
    """Runs of words that may be a title; on request only those that do not begin with a small letter."""
    words = list(_TITLE_WORD.finditer(text))
    for first, found in enumerate(words):
        start = found.start()
        is_capitalised = not text[start].islower()
        if only_capitals and not is_capitalised:
            continue
        key, is_empty = "", True
        for following in words[first : first + LONGEST_TITLE]:
            word = _key_of_word(following[0])
            key = f"{key} {word}" if key else word
            is_empty = is_empty and word in STOP_WORDS
            if not is_empty and len(key) >= SHORTEST_TITLE:
                yield _Span(start, following.end(), key, is_capitalised)


def _look_up_titles(index: PassageIndex, spans: Sequence[Sequence[_Span]]) -> Mapping[str, tuple[TitleMatch, ...]]:
    known: dict[str, tuple[TitleMatch, ...]] = {}
    for each in index.documents_by_title({span.key for text in spans for span in text}):
        known[each.key] = (*known.get(each.key, ()), each)
    return known


def _choose_spans(spans: Sequence[_Span], known: Mapping[str, tuple[TitleMatch, ...]]) -> list[TitleSpan]:
    chosen: list[TitleSpan] = []
    for span in sorted(spans, key=lambda each: (each.start - each.stop, each.start)):
        if span.key in known and all(span.stop <= other.start or span.start >= other.stop for other in chosen):
            chosen.append(TitleSpan(span.start, span.stop, _closest_titles(span, known[span.key]), span.is_capitalised))
    return sorted(chosen, key=lambda each: each.start)


def _closest_titles(span: _Span, titled: tuple[TitleMatch, ...]) -> tuple[TitleMatch, ...]:
    """The documents with exactly this title; where there are none, those that have more in brackets."""
    return tuple(each for each in titled if title_key(each.title) == span.key) or titled
