"""Folding: the forms in which texts are compared.

`fold_name` keeps accents and is the form in which names are equal; `plain_letters` removes them and is the form in
which they are alike; `fold_for_search` is the form in which words are indexed.
"""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

FOLD_CACHE_SIZE = 32_768
"""How many names a process keeps the forms of, so that a long import folds each of its people once."""

_INVISIBLE = frozenset({"Cc", "Cf", "Zs"})
_TYPOGRAPHY = str.maketrans({**dict.fromkeys("‘’‛ʼ′´", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})
"""Apostrophes and dashes that mean what the keyboard's do."""
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "đ": "d", "ø": "o", "ı": "i", "ħ": "h", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Letters of Latin alphabets that have no accent to remove."""


def collapse_spaces(text: str) -> str:
    """The text trimmed, with every run of white space as one space."""
    return " ".join(text.split())


def one_line(text: str) -> str:
    """The text with spaces for its line breaks: stored text must not begin a line of an answer."""
    return " ".join(text.splitlines())


def shorten(text: str, limit: int) -> str:
    """The text within a limit, ending in an ellipsis if it was longer."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


@lru_cache(FOLD_CACHE_SIZE)
def clean(text: str) -> str:
    """The text trimmed and with single inner spaces, its spelling kept; empty if it has no visible character."""
    return _visible(text)


def _visible(text: str) -> str:
    spaced = collapse_spaces(text)
    is_visible = spaced.isprintable() or any(unicodedata.category(each) not in _INVISIBLE for each in spaced)
    return spaced if is_visible else ""


@lru_cache(FOLD_CACHE_SIZE)
def fold_name(text: str) -> str:
    """The form in which names are equal: NFKC, no case, single spaces, plain apostrophes and dashes."""
    if text.isascii():
        return _visible(text.casefold())
    # Case folding can leave a composable pair behind, so the text is composed once more after it.
    composed = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).casefold()
    return _visible(unicodedata.normalize("NFKC", composed).translate(_TYPOGRAPHY))


def plain_letters(folded: str) -> str:
    """A folded name without accents: the form in which it is found by those who cannot type them."""
    return folded if folded.isascii() else fold_for_search(folded.translate(_PLAIN_LETTERS))


def fold_text(text: str) -> str:
    """`fold_name` for longer texts, which are not cached."""
    return collapse_spaces(text.lower()) if text.isascii() else fold_name.__wrapped__(text)


def fold_case(text: str) -> str:
    """The text without case and with single spaces; compatibility forms and accents are kept."""
    return collapse_spaces(text).casefold()


def fold_for_search(text: str) -> str:
    """The text without case, accents and compatibility forms; stored index terms depend on it.

    Only marks with a combining class are removed, so the vowel signs of Khmer, Thai or Devanagari stay.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    marks = {ord(letter): None for letter in set(decomposed) if unicodedata.combining(letter)}
    return decomposed.translate(marks) if marks else decomposed


class FoldedText(NamedTuple):
    """A folded text with, for each of its characters and for its end, the place in the original it came from."""

    text: str
    offsets: list[int]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """The place in the original of a span of the folded text."""
        return self.offsets[start], self.offsets[min(stop, len(self.offsets) - 1)]


def fold_with_offsets(text: str) -> FoldedText:
    """The text folded as names are, character by character; a letter and its combining marks fold together."""
    letters: list[str] = []
    offsets: list[int] = []
    at = 0
    text = text.translate(_TYPOGRAPHY)
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        piece = " " if text[at].isspace() else unicodedata.normalize("NFKC", text[at:end]).casefold()
        if piece != " " or (letters and letters[-1] != " "):
            letters += piece
            offsets += [at] * len(piece)
        at = end
    return FoldedText("".join(letters), [*offsets, len(text)])
