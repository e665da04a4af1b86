"""A parsed search query: its terms, the authors, titles and periods it names, the rest for the vector."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from recollect.search.passage_index import PassageIndex
from recollect.store.passage_filter import TitleMatch
from recollect.store.title_index import LONGEST_TITLE, SHORTEST_TITLE, title_key
from recollect.text.stop_words import STOP_WORDS, is_stop_word, strip_possessive
from recollect.text.tokens import terms
from recollect.when.english.mentions import find_times, window
from recollect.when.instant import Instant

_TITLE_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TitleSpan:
    """A stretch of a text that is the title of documents."""

    start: int
    stop: int
    key: str
    titled: tuple[TitleMatch, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    key: str


def find_titles(text: str, index: PassageIndex) -> list[TitleSpan]:
    """The titles that a query names; a word alone counts only where it is written as a name."""
    spans = [span for span in _title_spans(text) if " " in span.key or not text[span.start].islower()]
    return _choose_spans(spans, _look_up_titles(index, [spans]))


def find_titles_in_each(texts: Sequence[str], index: PassageIndex) -> list[list[TitleSpan]]:
    """For each text the titles it names; here every name begins as names are written."""
    spans = [list(_title_spans(text, only_capitals=True)) for text in texts]
    known = _look_up_titles(index, spans)
    return [_choose_spans(each, known) for each in spans]


def _title_spans(text: str, *, only_capitals: bool = False) -> Iterator[_Span]:
    """Runs of words that may be a title; or only those that do not begin with a small letter."""
    words = [(found.start(), found.end(), title_key(found[0])) for found in _TITLE_WORD.finditer(text)]
    for first, (start, _, _) in enumerate(words):
        if only_capitals and text[start].islower():
            continue
        key, is_empty = "", True
        for _, stop, word in words[first : first + LONGEST_TITLE]:
            key = f"{key} {word}" if key else word
            is_empty = is_empty and word in STOP_WORDS
            if not is_empty and len(key) >= SHORTEST_TITLE:
                yield _Span(start, stop, key)


def _look_up_titles(index: PassageIndex, spans: Sequence[Sequence[_Span]]) -> Mapping[str, tuple[TitleMatch, ...]]:
    known: dict[str, tuple[TitleMatch, ...]] = {}
    for each in index.titled({span.key for text in spans for span in text}):
        known[each.key] = (*known.get(each.key, ()), each)
    return known


def _choose_spans(spans: Sequence[_Span], known: Mapping[str, tuple[TitleMatch, ...]]) -> list[TitleSpan]:
    taken: list[TitleSpan] = []
    for span in sorted(spans, key=lambda each: (each.start - each.stop, each.start)):
        if span.key in known and all(span.stop <= other.start or span.start >= other.stop for other in taken):
            taken.append(TitleSpan(span.start, span.stop, span.key, known[span.key]))
    return sorted(taken, key=lambda each: each.start)


MAX_NAME_WORDS = 6
_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*\.?")
_GAPS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class QueryPeriod:
    """A stretch of time the query names, in its words."""

    text: str
    lo: Instant
    hi: Instant


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query taken apart."""

    text: str
    terms: tuple[str, ...]
    meaning: str
    authors: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    periods: tuple[QueryPeriod, ...] = ()


def parse_query(text: str, index: PassageIndex, at: Instant, zone: tzinfo) -> ParsedQuery:
    """The query taken apart; names of authors go to the words and the boost, not into the vector."""
    spans = tuple(_name_spans(text))
    called = {span: index.authors_called(span) for span in spans if span[:1].isupper() and not is_stop_word(span)}
    named = {span: authors for span, authors in called.items() if authors}
    titles = {each.title for name in find_titles(text, index) for each in name.titled}
    return ParsedQuery(
        text,
        content_terms(text),
        remove_names(text, sorted(named, key=len, reverse=True)),
        frozenset(author for authors in named.values() for author in authors),
        frozenset(titles),
        find_periods(text, at, zone),
    )


def content_terms(text: str) -> tuple[str, ...]:
    """The stems of a query without the words every question has; all of them if none is left."""
    words = [word for word in _WORD.findall(text) if not is_stop_word(word)]
    return tuple(dict.fromkeys(terms(" ".join(words)) or terms(text)))


def remove_names(text: str, names: Sequence[str]) -> str:
    """The text with names taken out; the text as it was if that leaves no word of substance."""
    left = text
    for name in names:
        left = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s?)?(?!\w)", " ", left)
    left = _GAPS.sub(" ", left).strip()
    return left if any(not is_stop_word(word) for word in _WORD.findall(left)) else text


def find_periods(text: str, at: Instant, zone: tzinfo) -> tuple[QueryPeriod, ...]:
    return tuple(QueryPeriod(found.text, *window(found, at)) for found in find_times(text, at, zone))


def _name_spans(text: str) -> Iterator[str]:
    """Runs of words as written, with and without a possessive ending."""
    found = list(_WORD.finditer(text))
    for first in range(len(found)):
        for last in range(first, min(first + MAX_NAME_WORDS, len(found))):
            span = text[found[first].start() : found[last].end()].removesuffix(".")
            yield span
            if (bare := strip_possessive(span)) != span:
                yield bare
