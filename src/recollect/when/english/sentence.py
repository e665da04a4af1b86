"""A text cut into words and signs, with the day it was written on."""

import re
from dataclasses import dataclass
from typing import Literal

Lean = Literal["past", "future"]

_TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_", re.ASCII)
# The number of a list's item is no day of a month, though a month may end the line before.
_LIST_MARKER = re.compile(r"\n\s*(\d+)[.)]\s", re.ASCII)


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens by index; beyond either end there is the empty word."""

    tokens: tuple[Token, ...]
    today: int
    lean: Lean

    def word(self, i: int) -> str:
        """The token in lower case."""
        return self.tokens[i].word if 0 <= i < len(self.tokens) else ""

    def is_joined(self, i: int) -> bool:
        """Whether nothing stands between the token and the one before it."""
        return 0 < i < len(self.tokens) and self.tokens[i - 1].end == self.tokens[i].start

    def is_capital(self, i: int) -> bool:
        """Whether the token begins with a capital."""
        return 0 <= i < len(self.tokens) and self.tokens[i].text[:1].isupper()

    def after(self, i: int, *words: str) -> int:
        """The index behind the token if it is one of the words, else the same."""
        return i + 1 if self.word(i) in words else i

    def skip(self, i: int, *words: str) -> int:
        """The index behind all tokens in a row that are one of the words."""
        while self.word(i) in words:
            i += 1
        return i

    def ends_clause(self, i: int) -> bool:
        """Whether nothing but a sign or a small word follows, so that a number names no things."""
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


def sentence_of(text: str, today: int, lean: Lean) -> Sentence:
    """The text as words and signs."""
    markers = {m.start(1) for m in _LIST_MARKER.finditer(text)}
    found = _TOKEN.finditer(text)
    tokens = tuple(Token(m[0], "•" if m.start() in markers else m[0].lower(), m.start(), m.end()) for m in found)
    return Sentence(tokens, today, lean)
