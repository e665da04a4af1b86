"""Regular expressions: ours, compiled when a text may match, and those that users write, with a time limit.

Those that describe a language take longer to compile than most commands run, and most commands read no text.
"""

import math
import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Any, Generic, TypeVar, cast

from recollect.errors import Refused
from recollect.text.pattern_prefilter import (
    ANY_TEXT,
    BITS_OF_TEXT,
    LONGEST_TEXT,
    bit_of_pattern,
    bits_in,
    bits_of_words,
    iter_bits,
    pieces_needed,
)

PATTERN_SECONDS = 0.5
LONGEST_PATTERN = 10_000
MOST_REPEATS = 100_000
"""Compiling takes time and memory for every copy of a repeated part, a few microseconds and 300 bytes."""
_REPEAT = re.compile(r"\{\s*+(?:[0-9]*+\s*+,\s*+)?([0-9]+)", re.ASCII)
Item = TypeVar("Item")

_SEARCHES = ("search", "match", "fullmatch")
"""Methods that return none where nothing matches."""
_COLLECTIONS: dict[str, Callable[[str], Any]] = {
    "finditer": lambda _: iter(()),
    "findall": lambda _: [],
    "split": lambda text: [text],
}
"""Further methods whose first argument is the text, with what they return where nothing matches."""
_SUBSTITUTIONS: dict[str, Callable[[str], Any]] = {"sub": lambda text: text, "subn": lambda text: (text, 0)}
_PROPERTIES = ("pattern", "flags", "groups", "groupindex")
_UP_TO_END = 2
"""Arguments of a search as far as the end of the text; one more is an end within it, which may cut a word."""


class LazyPattern:
    """Behaves as the compiled pattern, which it asks only about texts that have a word that every match needs."""

    def __init__(self, source: str, flags: int) -> None:
        self.source = source
        self.flags_given = flags

    def __getattr__(self, name: str) -> Any:
        if name == "bit":
            self.bit = bit_of_pattern(self.source, self.flags_given)
        elif name == "pieces":
            self.pieces = pieces_needed(self.source, self.flags_given)
        elif name == "compiled":
            self.compiled = re.compile(self.source, self.flags_given)
        elif name in _SEARCHES:
            self.__dict__[name] = self._search(name)
        elif name in _COLLECTIONS:
            self.__dict__[name] = self._collection(name, _COLLECTIONS[name])
        elif name in _SUBSTITUTIONS:
            self.__dict__[name] = self._substitution(name, _SUBSTITUTIONS[name])
        elif name in _PROPERTIES:
            return getattr(self.compiled, name)
        else:
            raise AttributeError(name)
        return self.__dict__[name]

    def _search(self, name: str) -> Callable[..., Any]:
        bit, known, method = self.bit, BITS_OF_TEXT, None
        if bit == ANY_TEXT:
            return cast(Callable[..., Any], getattr(self.compiled, name))

        # Called hundreds of times for a mail: named arguments cost less than a tuple and a dictionary of them.
        def search(text: str, pos: int = 0, endpos: int | None = None) -> Any:
            nonlocal method
            bits = known.get(text)
            if bits is None:
                bits = bits_in(text)
            if not bits & bit and endpos is None:
                return None
            if method is None:
                method = getattr(self.compiled, name)
            # An end within the text may cut a word, so that the words of the text tell nothing.
            return method(text, pos) if endpos is None else method(text, pos, endpos)

        return search

    def _collection(self, name: str, nothing: Callable[[str], Any]) -> Callable[..., Any]:
        bit, known = self.bit, BITS_OF_TEXT
        if bit == ANY_TEXT:
            return cast(Callable[..., Any], getattr(self.compiled, name))

        def collect(text: str, *span: int, **options: int) -> Any:
            bits = known.get(text)
            is_possible = (bits_in(text) if bits is None else bits) & bit
            if not is_possible and len(span) < _UP_TO_END and "endpos" not in options:
                return nothing(text)
            return getattr(self.compiled, name)(text, *span, **options)

        return collect

    def _substitution(self, name: str, nothing: Callable[[str], Any]) -> Callable[..., Any]:
        bit, known = self.bit, BITS_OF_TEXT
        if bit == ANY_TEXT:
            return cast(Callable[..., Any], getattr(self.compiled, name))

        def substitute(new: Any, text: str, count: int = 0) -> Any:
            bits = known.get(text)
            if not (bits_in(text) if bits is None else bits) & bit:
                return nothing(text)
            return getattr(self.compiled, name)(new, text, count)

        return substitute


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of a regular expression, compiled when a text may match it."""
    return cast(re.Pattern[str], LazyPattern(source, flags))


class PatternGroup(Generic[Item]):
    """Items that each have a lazy pattern, of which few may match a text."""

    def __init__(self, items: Sequence[Item], pattern_of: Callable[[Item], re.Pattern[str] | LazyPattern]) -> None:
        self.items = items
        self._pattern_of = pattern_of

    def may_match(self, text: str) -> bool:
        """Whether the pattern of any item may match the text or a part of it."""
        bits = BITS_OF_TEXT.get(text)
        return (_bits_in_any(text) if bits is None else bits) & self._bits != 0

    def possible(self, text: str) -> Sequence[Item]:
        """The items whose pattern may match the text, in their order."""
        bits = BITS_OF_TEXT.get(text)
        found = (_bits_in_any(text) if bits is None else bits) & self._bits
        if not found:
            return ()
        if found == self._bits:
            return self.items
        places = [place for bit in iter_bits(found) for place in self._places[bit]]
        return [self.items[place] for place in sorted(places)]

    @cached_property
    def _places(self) -> dict[int, list[int]]:
        """By each bit the places of the items whose pattern has it."""
        found: dict[int, list[int]] = {}
        for place, each in enumerate(self.items):
            found.setdefault(cast(LazyPattern, self._pattern_of(each)).bit, []).append(place)
        return found

    @cached_property
    def _bits(self) -> int:
        return reduce(or_, self._places, 0)


def _bits_in_any(text: str) -> int:
    return bits_in(text) if len(text) <= LONGEST_TEXT else bits_of_words(text)


class BadPattern(Refused):
    """A regular expression that is not valid, or that takes too long on some text."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(f"the regular expression {source[:100]!r} {why}", field="pattern")


class UserPattern:
    """A regular expression that a user wrote; each search has a time limit, since some take exponential time."""

    def __init__(self, source: str) -> None:
        import regex

        self.source = source
        if len(source) > LONGEST_PATTERN or _count_repeats(source) > MOST_REPEATS:
            raise BadPattern(source, "is too long, or repeats too often what is in it")
        try:
            self._compiled = regex.compile(source)
        except (regex.error, OverflowError, RecursionError):
            raise BadPattern(source, "is not valid") from None

    def is_found_in(self, text: str) -> bool:
        return self._is_match("search", text)

    def matches(self, text: str) -> bool:
        """Whether it matches the whole text."""
        return self._is_match("fullmatch", text)

    def _is_match(self, method: str, text: str) -> bool:
        try:
            return getattr(self._compiled, method)(text, timeout=PATTERN_SECONDS) is not None
        except TimeoutError:
            raise BadPattern(self.source, f"took longer than {PATTERN_SECONDS} seconds; simplify it") from None


def _count_repeats(source: str) -> int:
    """How many copies of a part may be compiled at most: repeats in repeats multiply."""
    return math.prod(int(number[:20]) or 1 for number in _REPEAT.findall(source))


@lru_cache(256)
def user_pattern(source: str) -> UserPattern:
    """The pattern, compiled once; `BadPattern` if it is not valid."""
    return UserPattern(source)
