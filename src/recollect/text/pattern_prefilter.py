"""Prefilter of regular expressions: words that a text must have for a pattern to match it.

The words of each pattern are in `pattern_prefilter.txt`, which `python -m training.pattern_words` writes. A mark is
a piece of a word, `^` before it tells that the word begins with it, `=` that it is the whole word, `\\d` is any digit.
Some patterns need a second word beside the first: its marks stand after a tab.

Each line of the file is a bit. A word has the bits of the patterns that have one of its marks in their first group, and
in the upper half those that have one in their second; a text may match a pattern if its words have both.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from hashlib import blake2b
from operator import or_
from pathlib import Path

PREFILTER_FILE = Path(__file__).with_name("pattern_prefilter.txt")
LONGEST = 5
"""Letters of a mark; longer words are looked for by their beginning."""
PREFIX, WHOLE, DIGIT = "^", "=", "\\d"
BESIDE = "\t"
"""Stands between the two groups of a pattern."""
ODD_LETTERS = "ſıİς\u212aσµ"
"""Letters that case folding equates with others; a text with one of them is tried on all patterns."""
_ODD = re.compile(f"[{ODD_LETTERS}]")
_PART = re.compile(r"\w+")
_FURTHER_DIGIT = re.compile(r"(?<=[0-9]{2})[0-9]")
"""No mark has three digits in a row, so that all longer numbers with the same first two are alike."""
ANY_TEXT = 1
_MOST_TEXTS = 1_024
LONGEST_TEXT = 10_000
_LONGEST_WORD = 100
"""Longer texts and words are tried on all patterns: they have most marks, and telling which takes longer."""
_MOST_WORDS = 50_000
BITS_OF_TEXT: dict[str, int] = {}


class LearnedWords(dict[str, int]):
    """A number for each word, which a function finds for a new one."""

    __slots__ = ("_learn",)

    def __init__(self, learn: Callable[[str], int]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, word: str) -> int:
        return self._learn(word)


def pattern_key(source: str, flags: int) -> str:
    return blake2b(f"{flags}:{source}".encode(), digest_size=6).hexdigest()


def marks_of_word(word: str) -> Iterator[str]:
    """Every mark that a word in small letters has."""
    for start in range(len(word)):
        for stop in range(start + 1, min(start + LONGEST, len(word)) + 1):
            yield word[start:stop]
    for part in _PART.findall(word):
        if len(part) <= LONGEST:
            yield WHOLE + part
        for stop in range(1, min(LONGEST, len(part)) + 1):
            yield PREFIX + part[:stop]
    if any(letter.isdecimal() for letter in word):
        yield DIGIT


def bits_in(text: str) -> int:
    """The patterns that may match a text, each a bit."""
    found = BITS_OF_TEXT.get(text)
    if found is not None:
        return found
    if len(text) > LONGEST_TEXT:
        return -1
    # Most texts are asked about as written and in small letters.
    small = text.lower() if text.isascii() else text
    found = BITS_OF_TEXT.get(small) if small != text else None
    if found is None:
        found = bits_of_words(small)
    if len(BITS_OF_TEXT) >= _MOST_TEXTS:
        BITS_OF_TEXT.clear()
    BITS_OF_TEXT[text] = BITS_OF_TEXT[small] = found
    return found


def iter_bits(bits: int) -> Iterator[int]:
    """Each bit of some as a number of its own."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def bit_of_pattern(source: str, flags: int) -> int:
    """The bit of a pattern; that of any text if no word is needed for it to match."""
    return _bits_of_patterns().get(pattern_key(source, flags), ANY_TEXT)


def pieces_needed(source: str, flags: int) -> tuple[tuple[str, ...], ...]:
    """Letters of which a text in small letters must have some in a row, of each group, for a pattern to match."""
    return tuple(_pieces_of(marks) for marks in _groups(pattern_key(source, flags)))


def _pieces_of(marks: Sequence[str]) -> tuple[str, ...]:
    if not marks or DIGIT in marks:
        return ("",)
    return tuple(mark.removeprefix(PREFIX).removeprefix(WHOLE) for mark in marks)


def are_marks_loaded() -> bool:
    """Whether the words that all patterns need are loaded, as they are once a text was asked about."""
    return _bits_of_marks.cache_info().currsize > 0


def bits_of_words(text: str) -> int:
    """As `bits_in`, for a text that is asked about once, however long it is."""
    if not text.isascii() and _ODD.search(text):
        return -1
    found = reduce(or_, map(_bits_of_word.__getitem__, text.lower().split()), _bits_of_any_text())
    return found & found >> _half() if found > 0 else -1


def normalize_digits(word: str) -> str:
    """The word that has the same marks as this one and all others that differ only in the figures of a number."""
    return word if word.isalpha() else _FURTHER_DIGIT.sub("0", word)


def _bits_of_new_word(word: str) -> int:
    """The patterns that may match beside a word in small letters."""
    if len(word) > _LONGEST_WORD:
        return -1
    word = normalize_digits(word)
    known = _bits_of_word.get(word)
    if known is not None:
        return known
    if len(_bits_of_word) >= _MOST_WORDS:
        _bits_of_word.clear()
    bits_of_mark, bits = _bits_of_marks(), 0
    for mark in marks_of_word(word):
        if mark in bits_of_mark:
            bits |= bits_of_mark[mark]
    _bits_of_word[word] = bits
    return bits


_bits_of_word = LearnedWords(_bits_of_new_word)


@cache
def _lines() -> dict[str, str]:
    """The marks of each pattern, by its key, not yet split: a process needs those of few."""
    lines = (line.partition(" ") for line in PREFILTER_FILE.read_text("utf-8").splitlines())
    return {key: marks for key, _, marks in lines}


def _groups(key: str) -> list[list[str]]:
    return [group.split() for group in _lines().get(key, "").split(BESIDE)]


@cache
def _bits_of_patterns() -> dict[str, int]:
    """The bit of each pattern, by its key, that needs some mark."""
    needing = (key for key, marks in _lines().items() if marks)
    return {key: 1 << number for number, key in enumerate(needing, start=1)}


@cache
def _half() -> int:
    """Where the upper half of the bits begins."""
    return len(_lines()) + 1


@cache
def _bits_of_any_text() -> int:
    """The second words of the patterns that need none."""
    alone = (bit for key, bit in _bits_of_patterns().items() if len(_groups(key)) == 1)
    return ANY_TEXT | reduce(or_, alone, ANY_TEXT) << _half()


@cache
def _bits_of_marks() -> dict[str, int]:
    """By each mark the patterns that need it or another one."""
    found: dict[str, int] = {}
    for key, bit in _bits_of_patterns().items():
        for half, marks in enumerate(_groups(key)):
            for mark in marks:
                found[mark] = found.get(mark, 0) | bit << half * _half()
    return found
