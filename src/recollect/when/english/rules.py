"""Rules that read a time at a place of a sentence, by the words that they may begin with: few are tried at a word."""

from collections.abc import Callable, Sequence, Set
from typing import NamedTuple

from recollect.when.english.day_spans import Piece
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import NUMBER_WORDS, ORDINALS, TENS

Found = tuple[int, Piece]
Reading = Callable[[TimeSentence, int], Found | None]
"""The index after a time that begins at an index, and the time; none if no such time begins there."""

FIGURES = "0"
"""Stands for every number in figures."""
RANKS = frozenset({FIGURES, *TENS, *ORDINALS})
NUMBERS = frozenset({*RANKS, *NUMBER_WORDS})
COUNTS = frozenset({*NUMBERS, "a", "an", "the", "few", "couple"})


class TimeRule(NamedTuple):
    """A reading of one kind of time; no words stand for all of them."""

    read: Reading
    words: Set[str] = frozenset()


class TimeRules:
    """Rules in their order, looked up by the word at which a time may begin."""

    __slots__ = ("_anywhere", "_by_word", "rules")

    def __init__(self, rules: Sequence[TimeRule]) -> None:
        self.rules = tuple(rules)
        words = {word for rule in rules for word in rule.words}
        self._anywhere = tuple(rule.read for rule in rules if not rule.words)
        self._by_word = {
            word: tuple(rule.read for rule in rules if not rule.words or word in rule.words) for word in words
        }

    def at(self, s: TimeSentence, i: int) -> tuple[Reading, ...]:
        """What may be read at an index."""
        word = s.word(i)
        return self._by_word.get(FIGURES if word.isdecimal() else word, self._anywhere)

    def longest(self, s: TimeSentence, i: int) -> Found | None:
        """The time at an index whose rule matches the longest text."""
        found = [match for read in self.at(s, i) if (match := read(s, i)) is not None]
        return max(found, key=lambda match: match[0], default=None)
