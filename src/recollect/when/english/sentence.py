"""Tokens of a sentence with the day it was written on, and where in it a time may begin."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from recollect.when.english.words import (
    DECADES,
    MONTHS,
    ONES,
    ORDINALS,
    SEASONS,
    STEPS,
    TEENS,
    TENS,
    TODAY,
    UNITS,
    WEEKDAYS,
)
from recollect.when.feasts import ENGLISH_FEASTS

DatePreference = Literal["past", "future"]
_TEXTS_KEPT, _LONGEST_KEPT = 256, 1_000

_TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_", re.ASCII)
# The number of a list's item is no day of a month, though a month may end the line before.
_LIST_MARKER = re.compile(r"\n[^\S\n]*(\d+)[.)]\s", re.ASCII)


class TimeToken(NamedTuple):
    text: str
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TimeSentence:
    """Tokens by index; out of range is the empty word."""

    tokens: tuple[TimeToken, ...]
    words: Mapping[int, str]
    starts: tuple[int, ...]
    """The indices at which a time may begin."""
    today: int
    prefer: DatePreference

    def word(self, i: int) -> str:
        """The token in lower case."""
        return self.words.get(i, "")

    def is_joined(self, i: int) -> bool:
        """Whether the token directly follows the one before it."""
        return 0 < i < len(self.tokens) and self.tokens[i - 1].end == self.tokens[i].start

    def is_capital(self, i: int) -> bool:
        """Whether the token begins with a capital."""
        return 0 <= i < len(self.tokens) and self.tokens[i].text[:1].isupper()

    def after(self, i: int, *words: str) -> int:
        """The index after the token if it is one of the words, else the same."""
        return i + 1 if self.word(i) in words else i

    def skip(self, i: int, *words: str) -> int:
        """The index after all consecutive tokens that are one of the words."""
        while self.word(i) in words:
            i += 1
        return i

    def ends_clause(self, i: int) -> bool:
        """Whether only punctuation or a function word follows, so that a number does not count things."""
        word = self.word(i)
        return not word[:1].isalnum() or word in _CLAUSE_WORDS


_CLAUSE_WORDS = frozenset(
    [
        "and",
        "or",
        "to",
        "until",
        "till",
        "through",
        "at",
        "in",
        "on",
        "of",
        "for",
        "from",
        "with",
        "by",
        "before",
        "after",
        "but",
        "so",
        "because",
        "if",
        "when",
        "i",
        "we",
        "he",
        "she",
        "they",
        "it",
    ]
)


class DayMatters(Exception):
    """What a text says depends on the day on which it was written."""


class UndatedSentence(TimeSentence):
    """A sentence without a date of writing: reading what depends on one raises `DayMatters`."""

    __slots__ = ()

    def __init__(self, tokens: tuple[TimeToken, ...], words: Mapping[int, str], starts: tuple[int, ...]) -> None:
        object.__setattr__(self, "tokens", tokens)
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "starts", starts)

    @property
    def today(self) -> int:
        raise DayMatters

    @property
    def prefer(self) -> DatePreference:
        raise DayMatters


def sentence_of(text: str, today: int, prefer: DatePreference) -> TimeSentence:
    """The text as words and punctuation."""
    return TimeSentence(*_parts(text), today=today, prefer=prefer)


def undated_sentence(text: str) -> UndatedSentence:
    """The text as words and punctuation, read on no day in particular."""
    return UndatedSentence(*_parts(text))


def _parts(text: str) -> "_Parts":
    """What a text is made of: a clause is read without its day and with it, a page once."""
    return _known_parts(text) if len(text) <= _LONGEST_KEPT else _new_parts(text)


def _new_parts(text: str) -> "_Parts":
    tokens = _tokens(text)
    words = [token.word for token in tokens]
    return _Parts(tokens, dict(enumerate(words)), _starts_in(words))


class _Parts(NamedTuple):
    """Tokens, the word of each by its index, and the indices at which a time may begin."""

    tokens: tuple[TimeToken, ...]
    words: Mapping[int, str]
    starts: tuple[int, ...]


_known_parts = lru_cache(_TEXTS_KEPT)(_new_parts)


def _tokens(text: str) -> tuple[TimeToken, ...]:
    markers = {m.start(1) for m in _LIST_MARKER.finditer(text)}
    found = _TOKEN.finditer(text)
    return tuple(TimeToken(m[0], "•" if m.start() in markers else m[0].lower(), m.start(), m.end()) for m in found)


# Every expression has one of these, or a number, among its first words.
_SIGNALS = frozenset(
    {
        *(word for table in (MONTHS, SEASONS, WEEKDAYS, UNITS, TODAY, DECADES, TEENS, TENS) for word in table),
        *(f"{day}s" for day in WEEKDAYS),
        *("weekend", "night", "morning", "afternoon", "evening", "thousand", "thousands", "hundred", "q", "h", "w"),
        *("eow", "eom", "eoy"),
        *(word for names in ENGLISH_FEASTS.values() for name in names for word in name.split()[:1]),
    }
)
_STARTING_WORDS = _SIGNALS | frozenset(
    {
        *(word for table in (STEPS, ORDINALS, ONES) for word in table),
        *("the", "a", "an", "my", "in", "on", "from", "between", "within", "for", "few", "couple", "'", "’"),
        *("early", "late", "mid", "beginning", "start", "end", "middle", "rest", "earlier", "later"),
    }
)
_REACH = 5


def has_signal(text: str) -> bool:
    """Whether any word of a text may belong to a time."""
    return any(word in _SIGNALS or word.isdecimal() for word in _TOKEN.findall(text.lower()))


def _starts_in(words: Sequence[str]) -> tuple[int, ...]:
    """The indices at which a time may begin."""
    signals = [word in _SIGNALS or word.isdecimal() for word in words]
    return tuple(
        i for i, word in enumerate(words) if (signals[i] or word in _STARTING_WORDS) and any(signals[i : i + _REACH])
    )
