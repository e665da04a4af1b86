"""What a query asks: its words, the names and the times in it, and what is left for the vector."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from recollect.model.stop_words import STOP_WORDS
from recollect.search.named import named_in
from recollect.search.port import Index
from recollect.store.words import fold, terms
from recollect.when.instant import Instant
from recollect.when.phrases import find_times, window

LONGEST_NAME = 6
_WORD = re.compile(r"[^\W_]+(?:[-.'’][^\W_]+)*\.?")
_POSSESSIVE = re.compile(r"['’]s?$")
_GAPS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time the query names, in its words."""

    text: str
    lo: Instant
    hi: Instant


@dataclass(frozen=True, slots=True)
class Question:
    """A query taken apart."""

    text: str
    terms: tuple[str, ...]
    meaning: str
    authors: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()


def read_question(text: str, index: Index, at: Instant, zone: tzinfo) -> Question:
    """The query taken apart; names of authors go to the words and the boost, not into the vector."""
    spans = tuple(_spans(text))
    called = {span: index.authors_called(span) for span in spans if span[:1].isupper() and not _is_stop(span)}
    named = {span: authors for span, authors in called.items() if authors}
    titles = {each.title for name in named_in(text, index) for each in name.titled}
    return Question(
        text,
        content_terms(text),
        without(text, sorted(named, key=len, reverse=True)),
        frozenset(author for authors in named.values() for author in authors),
        frozenset(titles),
        periods(text, at, zone),
    )


def content_terms(text: str) -> tuple[str, ...]:
    """The stems of a query without the words every question has; all of them if none is left."""
    words = [word for word in _WORD.findall(text) if not _is_stop(word)]
    return tuple(dict.fromkeys(terms(" ".join(words)) or terms(text)))


def without(text: str, names: Sequence[str]) -> str:
    """The text with names taken out; the text as it was if that leaves no word of substance."""
    left = text
    for name in names:
        left = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s?)?(?!\w)", " ", left)
    left = _GAPS.sub(" ", left).strip()
    return left if any(not _is_stop(word) for word in _WORD.findall(left)) else text


def periods(text: str, at: Instant, zone: tzinfo) -> tuple[Period, ...]:
    return tuple(Period(found.text, *window(found, at)) for found in find_times(text, at, zone))


def _is_stop(word: str) -> bool:
    return fold(_POSSESSIVE.sub("", word)) in STOP_WORDS


def _spans(text: str) -> Iterator[str]:
    """Runs of words as written, with and without a possessive ending."""
    found = list(_WORD.finditer(text))
    for first in range(len(found)):
        for last in range(first, min(first + LONGEST_NAME, len(found))):
            span = text[found[first].start() : found[last].end()].removesuffix(".")
            yield span
            if _POSSESSIVE.search(span):
                yield _POSSESSIVE.sub("", span)
