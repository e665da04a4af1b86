"""Character classes of writing systems: scripts without spaces between words, and marks inside words."""

import re
from functools import cache

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Kana and Han with their marks, for use inside the brackets of a pattern."""

HANGUL_JAMO = "\u1100-\u11ff"
"""What Hangul syllables decompose into. Korean has spaces, but its words carry endings that no stemmer here removes."""
BIGRAM_SCRIPTS = f"{UNSPACED}{HANGUL_JAMO}"
"""Scripts whose decomposed text is indexed by pairs of neighbouring letters."""

MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0966-\u0dff\u0e01-\u0e3e\u0e40-\u0e4e"
    "\u0e50-\u0e59\u0e80-\u0eff\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17dc-\u17e9"
)
"""Marks inside words that `\\w` does not match: points, accents, vowel signs of Indic and Southeast Asian scripts."""
LETTER = rf"(?:[^\W\d_]|[{MARKS}])"
"""A pattern for one letter or mark of a word, in any script."""


@cache
def unspaced_run() -> re.Pattern[str]:
    """The pattern of letters of scripts without spaces; most processes see none, and it takes long to compile."""
    return re.compile(f"[{UNSPACED}]+")


def count_unspaced_letters(text: str) -> int:
    """How many characters of a text belong to scripts without spaces."""
    return 0 if text.isascii() else sum(len(run) for run in unspaced_run().findall(text))
