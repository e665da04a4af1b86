"""The words of memories and queries: folded, without accents, in pairs where a script has no spaces."""

import re
import unicodedata
from collections.abc import Iterator

from recollect.model.names import fold
from recollect.model.stop_words import STOP_WORDS

LONGEST = 64
PREFIX_LETTERS = 4
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
_LEFT_BY_APOSTROPHES = frozenset(["s", "t", "d", "m", "ll", "re", "ve"])


def words_of(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(_words(text))


def findable(text: str) -> frozenset[str]:
    """The words that a memory can be found by: a letter that ends a run begins no pair, and stands alone too."""
    ends = () if text.isascii() else (run[0][-1] for run in _UNSPACED.finditer(plain(text)))
    return words_of(text).union(ends)


def terms_of(query: str) -> tuple[str, ...]:
    """The words of a query that tell something, each once."""
    return tuple(dict.fromkeys(word for word in _words(query) if not is_stop(word)))


def is_stop(word: str) -> bool:
    return word in STOP_WORDS or word in _LEFT_BY_APOSTROPHES


def is_found(term: str, words: frozenset[str]) -> bool:
    """Whether one of the words is the term or, if that tells enough, begins with it."""
    return term in words or (tells_beginnings(term) and any(word.startswith(term) for word in words))


def tells_beginnings(term: str) -> bool:
    """Whether words may be found by how they begin: by some letters, or by one that is a word or part of a pair."""
    return len(term) >= PREFIX_LETTERS or (len(term) == 1 and _UNSPACED.match(term) is not None)


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(plain(text)):
        if word.isascii():
            yield word[:LONGEST]
        else:
            yield from _parts(word)


def _parts(word: str) -> Iterator[str]:
    """Pairs of what is written without spaces, the rest as it is."""
    at = 0
    for run in _UNSPACED.finditer(word):
        if at < run.start():
            yield word[at : run.start()][:LONGEST]
        letters = run[0]
        yield from (letters[i : i + 2] for i in range(max(1, len(letters) - 1)))
        at = run.end()
    if at < len(word):
        yield word[at:][:LONGEST]


def plain(text: str) -> str:
    """A text as names are folded, and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", fold.__wrapped__(text))
    return "".join(letter for letter in apart if unicodedata.category(letter)[0] != "M")
