"""Tokenizer of memories and queries: folded words without accents, bigrams for unspaced scripts."""

import re
import unicodedata
from collections.abc import Iterator

from recollect.text.fold import fold_text
from recollect.text.stop_words import SEARCH_STOP_WORDS

MAX_TOKEN_LENGTH = 64
MIN_PREFIX_LENGTH = 4
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def tokenize(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(_iter_tokens(text))


def index_tokens(text: str) -> frozenset[str]:
    """The words that a memory can be found by: a letter that ends a run begins no pair, and stands alone too."""
    ends = () if text.isascii() else (run[0][-1] for run in _UNSPACED.finditer(strip_accents(text)))
    return tokenize(text).union(ends)


def query_terms(query: str) -> tuple[str, ...]:
    """The words of a query that tell something, each once."""
    return tuple(dict.fromkeys(word for word in _iter_tokens(query) if word not in SEARCH_STOP_WORDS))


def matches_term(term: str, words: frozenset[str]) -> bool:
    """Whether one of the words is the term or, if that tells enough, begins with it."""
    return term in words or (allows_prefix_match(term) and any(word.startswith(term) for word in words))


def allows_prefix_match(term: str) -> bool:
    """Whether words may be found by how they begin: by some letters, or by one that is a word or part of a pair."""
    return len(term) >= MIN_PREFIX_LENGTH or (len(term) == 1 and _UNSPACED.match(term) is not None)


def _iter_tokens(text: str) -> Iterator[str]:
    for word in _WORD.findall(strip_accents(text)):
        if word.isascii():
            yield word[:MAX_TOKEN_LENGTH]
        else:
            yield from _split_unspaced(word)


def _split_unspaced(word: str) -> Iterator[str]:
    """Pairs of what is written without spaces, the rest as it is."""
    at = 0
    for run in _UNSPACED.finditer(word):
        if at < run.start():
            yield word[at : run.start()][:MAX_TOKEN_LENGTH]
        letters = run[0]
        yield from (letters[i : i + 2] for i in range(max(1, len(letters) - 1)))
        at = run.end()
    if at < len(word):
        yield word[at:][:MAX_TOKEN_LENGTH]


def strip_accents(text: str) -> str:
    """A text as names are folded, and without accents."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", fold_text(text))
    return "".join(letter for letter in apart if unicodedata.category(letter)[0] != "M")
