"""Words that carry the content of a statement: folded, without stop words, each by its stem."""

import re
from functools import cache, lru_cache

from recollect.text.fold import fold_name
from recollect.text.negation import write_out_not
from recollect.text.stems import stem
from recollect.text.stop_words import STATEMENT_STOP_WORDS
from recollect.text.tokens import LETTER
from recollect.text.verbs import irregular_forms

_NUMBER = r"\d+(?:[.,]\d+)*"
_ASCII_WORD = re.compile(rf"[^\W\d_]+|{_NUMBER}")


def split_words(text: str) -> list[str]:
    """Runs of letters and numbers, folded, with negations written out."""
    plain = write_out_not(fold_name(text))
    return (_ASCII_WORD if plain.isascii() else _any_word()).findall(plain)


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(rf"{LETTER}+|{_NUMBER}")


@lru_cache(maxsize=100_000)
def content_token(word: str) -> str:
    """The token of a word: the stem of its base form."""
    return stem(irregular_forms().get(word, word))


def content_tokens(text: str) -> list[str]:
    """The tokens of a text in order, without stop words."""
    return [content_token(word) for word in split_words(text) if word not in STATEMENT_STOP_WORDS]
