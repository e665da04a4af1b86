"""The letters that a match of a pattern may begin with, as a look ahead: most words of a text begin with no others.

A pattern of many alternatives that begin with optional parts tries all of them at every word. Put before it, the look
ahead tells at most words after a letter or two that none of them fits.
"""

import re
from collections.abc import Iterable, Iterator
from re import _constants as codes
from re import _parser as parser
from typing import Any

LETTERS = 3
"""How many letters the look ahead compares."""
_ANYTHING = r"[\s\S]"
_Head = tuple[str, ...]
"""The first letters of a match, each as a pattern of one letter; fewer than that many if the match may end there."""
_UNKNOWN: frozenset[_Head] = frozenset((_ANYTHING,) * count for count in range(LETTERS + 1))
_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_NOT_DIGIT: r"\D", codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S", codes.CATEGORY_WORD: r"\w", codes.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_WITHOUT_WIDTH = (codes.ASSERT, codes.ASSERT_NOT, codes.AT)


def look_ahead(source: str) -> str:
    """What every match of a pattern that heeds case begins with, as a look ahead; empty if it may match no letter."""
    heads = _heads(parser.parse(source))
    return "" if () in heads else f"(?={_alternatives(heads)})"


def _heads(items: Iterable[tuple[Any, Any]]) -> frozenset[_Head]:
    found: frozenset[_Head] = frozenset([()])
    for code, argument in items:
        if all(len(head) == LETTERS for head in found):
            break
        found = _followed(found, _heads_of(code, argument))
    return found


def _followed(heads: Iterable[_Head], tails: frozenset[_Head]) -> frozenset[_Head]:
    return frozenset((*head, *tail)[:LETTERS] for head in heads for tail in (tails if len(head) < LETTERS else [()]))


def _heads_of(code: Any, argument: Any) -> frozenset[_Head]:
    if code is codes.FAILURE or (code is codes.ASSERT_NOT and not len(argument[1])):
        return frozenset()  # nothing matches
    if code in _WITHOUT_WIDTH:
        return frozenset([()])
    if code is codes.LITERAL:
        return frozenset([(re.escape(chr(argument)),)])
    if code is codes.IN:
        return frozenset((each,) for each in _letters_in(argument))
    if code is codes.BRANCH:
        return frozenset().union(*map(_heads, argument[1]))
    if code is codes.SUBPATTERN:
        return _UNKNOWN if argument[1] or argument[2] else _heads(argument[3])
    if code is codes.ATOMIC_GROUP:
        return _heads(argument)
    return _repeated(*argument) if code in _REPEATS else _UNKNOWN


def _repeated(least: int, most: int, items: Any) -> frozenset[_Head]:
    once, times = _heads(items), frozenset[_Head]([()])
    found = frozenset[_Head]([()] if least == 0 else ())
    for count in range(1, min(most, max(least, LETTERS)) + 1):
        times = _followed(times, once)
        found |= times if count >= least else frozenset()
    return found


def _letters_in(items: list[tuple[Any, Any]]) -> Iterator[str]:
    """The letters of a set, or the set as it is written."""
    if all(code is codes.LITERAL for code, _ in items):
        yield from (re.escape(chr(letter)) for _, letter in items)
        return
    yield f"[{''.join(_written(*each) for each in items)}]"


def _written(code: Any, argument: Any) -> str:
    if code is codes.NEGATE:
        return "^"
    if code is codes.RANGE:
        return f"{re.escape(chr(argument[0]))}-{re.escape(chr(argument[1]))}"
    return _CLASSES[argument] if code is codes.CATEGORY else re.escape(chr(argument))


def _alternatives(heads: Iterable[_Head]) -> str:
    """The heads as a pattern that compares each first letter once."""
    by_letter: dict[str, set[_Head]] = {}
    for head in heads:
        by_letter.setdefault(head[0], set()).add(head[1:])
    return "|".join(
        letter if () in rests else f"{letter}(?:{_alternatives(rests)})" for letter, rests in sorted(by_letter.items())
    )
