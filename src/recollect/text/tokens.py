"""The tokenizer: words of any script, pairs of letters where a script has no spaces, index terms and name tokens.

A text is cut in one of four ways:

- `words`: the words of a text as written, for rules that look at spelling or capitals;
- `terms` and `index_terms`: stems for the stored text index; `bare_terms` and `bare_index_terms` without stemming;
- `bare_words`: runs of letters and digits of a folded text;
- `name_tokens` and `name_token_spans`: the tokens of a name, which keep apostrophes and signs such as `&`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from recollect.text.fold import fold_for_search
from recollect.text.stems import stem

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

MAX_TERM_LENGTH = 64
_BARE_WORD = re.compile(r"[^\W_]+")
_INDEX_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+(?:'[a-zA-Z0-9]+)*")
_ONLY_LETTERS = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_LOWER_LETTERS = _ONLY_LETTERS.lower()
_APOSTROPHE = re.compile(r"['’].*")
_NAME_TOKEN = re.compile(r"[^\s\-_./]+")
_FIRST_IDEOGRAPH = "\u3005"


class Word(NamedTuple):
    """A word as written, and where."""

    start: int
    stop: int
    text: str


def words(text: str) -> list[str]:
    """The words of a text as written, with inner apostrophes; a run of an unspaced script is one word."""
    return _word_pattern(text).findall(text)


def bare_words(folded: str) -> list[str]:
    """The runs of letters and digits of a folded text; stored title keys depend on it."""
    return folded.translate(_ONLY_LETTERS).split() if folded.isascii() else _BARE_WORD.findall(folded)


def bigrams(run: str) -> tuple[str, ...]:
    """Every pair of neighbouring letters, composed; a single letter stands alone."""
    letters = unicodedata.normalize("NFC", run)
    return tuple(letters[at : at + 2] for at in range(max(1, len(letters) - 1)))


def terms(text: str) -> list[str]:
    """The stems of a text in order, with the bigrams of what is written without spaces."""
    return list(chain.from_iterable(map(_terms_of_word, _index_words(fold_for_search(text)))))


def index_terms(text: str) -> Iterable[str]:
    """`terms`, and every ideograph by itself, since it may be a word that somebody searches for."""
    return chain.from_iterable(map(terms_of_word, index_words(text)))


def index_words(text: str) -> list[str]:
    """The folded words of a text, of which index terms are made."""
    if text.isascii() and "'" not in text:
        return text.translate(_LOWER_LETTERS).split()
    return _index_words(fold_for_search(text))


def count_terms(text: str, counted: Collection[str]) -> dict[str, int]:
    """How often each of these index terms occurs in a text, for those that do."""
    counts: dict[str, int] = {}
    for found, times in Counter(map(terms_of_word, index_words(text))).items():
        for term in found:
            if term in counted:
                counts[term] = counts.get(term, 0) + times
    return counts


def bare_terms(text: str) -> list[str]:
    """The folded words of a text without stemming, cut at apostrophes, with the bigrams of unspaced scripts."""
    return [term for word in _index_words(fold_for_search(text)) for term in _bare_terms_of_word(word)]


def bare_index_terms(text: str) -> frozenset[str]:
    """`bare_terms`, and every ideograph by itself; the stored words of memories depend on it."""
    cut = ((*_bare_terms_of_word(word), *_ideographs(word)) for word in _index_words(fold_for_search(text)))
    return frozenset(chain.from_iterable(cut))


def name_tokens(folded: str) -> tuple[str, ...]:
    """The tokens of a folded name, split at spaces, hyphens, underscores, dots and slashes."""
    return tuple(_split_name(folded))


def name_key(folded: str) -> str:
    """The tokens of a folded name with one space between them."""
    return " ".join(_split_name(folded))


def name_token_spans(text: str) -> Iterator[Word]:
    """What may be tokens of names in a text, with their places."""
    return (Word(found.start(), found.end(), found[0]) for found in _NAME_TOKEN.finditer(text))


def _split_name(folded: str) -> list[str]:
    # Four plain replacements take a quarter of the time of one regular expression.
    return folded.replace("-", " ").replace("_", " ").replace(".", " ").replace("/", " ").split()


def _word_pattern(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _any_word()


@cache
def _any_word() -> re.Pattern[str]:
    """Letters with their marks and digits; compiled on first use, since its character classes are long."""
    letter = rf"(?![{UNSPACED}])(?:{LETTER}|\d)"
    return re.compile(rf"[{UNSPACED}]+|(?:{letter})+(?:['’](?:{letter})+)*")


@cache
def _bigram_run() -> re.Pattern[str]:
    return re.compile(f"[{BIGRAM_SCRIPTS}]+")


@cache
def _run_or_word() -> re.Pattern[str]:
    """Compiled when the first text without spaces comes: that takes longer than most calls."""
    return re.compile(rf"[{BIGRAM_SCRIPTS}]+|[^\W_{BIGRAM_SCRIPTS}]+(?:['’][^\W_{BIGRAM_SCRIPTS}]+)*")


def _index_words(folded: str) -> list[str]:
    """The words that stored terms come from; marks without a combining class separate them."""
    if not folded.isascii():
        return (_run_or_word() if _bigram_run().search(folded) else _INDEX_WORD).findall(folded)
    return _ASCII_WORD.findall(folded) if "'" in folded else bare_words(folded)


@lru_cache(maxsize=100_000)
def _terms_of_word(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (stem(word.partition("'")[0][:MAX_TERM_LENGTH]),)
    if _bigram_run().match(word):
        return bigrams(word)
    return (_APOSTROPHE.sub("", word)[:MAX_TERM_LENGTH],)


@lru_cache(maxsize=100_000)
def terms_of_word(word: str) -> tuple[str, ...]:
    """The index terms of a folded word."""
    found, letters = _terms_of_word.__wrapped__(word), _ideographs(word)
    return (*found, *letters) if len(found[0]) > 1 else found


def _ideographs(word: str) -> tuple[str, ...]:
    """The letters of a folded word that may each be a word of its own."""
    if word.isascii() or not _bigram_run().match(word):
        return ()
    letters = unicodedata.normalize("NFC", word)
    return tuple(letter for letter in letters if letter >= _FIRST_IDEOGRAPH and letter.isalnum())


def _bare_terms_of_word(word: str) -> Iterable[str]:
    if not word.isascii() and _bigram_run().match(word):
        return bigrams(word)
    return (part[:MAX_TERM_LENGTH] for part in word.replace("’", "'").split("'"))


@cache
def unspaced_run() -> re.Pattern[str]:
    """The pattern of letters of scripts without spaces; most processes see none, and it takes long to compile."""
    return re.compile(f"[{UNSPACED}]+")


def count_unspaced_letters(text: str) -> int:
    """How many characters of a text belong to scripts without spaces."""
    return 0 if text.isascii() else sum(len(run) for run in unspaced_run().findall(text))
