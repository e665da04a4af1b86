"""Terms of a text as both engines index them: folded, tokenized and stemmed here, so that answers are equal."""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain

from recollect.model.scripts import UNSPACED

LONGEST_WORD = 64
MAX_POSITIONS = 255
_RANK_ERROR = 1e-7
_BARE_WORD = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ASCII_WORD = re.compile(r"[a-zA-Z0-9]+(?:'[a-zA-Z0-9]+)*")
_SHAPES = "".join("v" if chr(code) in "aeiou" else "c" for code in range(128))
_SPACED = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
# Hangul has come apart into its letters by now, and is put together again: its words take endings as they come.
_BIGRAM_SCRIPTS = f"{UNSPACED}\u1100-\u11ff"
_RUN = re.compile(f"[{_BIGRAM_SCRIPTS}]+")
_SIGNS_FROM = "\u3005"


def terms(text: str) -> list[str]:
    """The stems of a text in their order; of what is written without spaces every pair of letters."""
    return [term for word in _words(fold(text)) for term in _terms_of(word)]


def _words(folded: str) -> list[str]:
    if not folded.isascii():
        return (_run_or_word() if _RUN.search(folded) else _WORD).findall(folded)
    return _ASCII_WORD.findall(folded) if "'" in folded else bare_words(folded)


def bare_words(folded: str) -> list[str]:
    """The runs of letters and digits in a folded text."""
    return folded.translate(_SPACED).split() if folded.isascii() else _BARE_WORD.findall(folded)


@cache
def _run_or_word() -> re.Pattern[str]:
    """Compiled when a text without spaces first comes: that takes longer than most calls."""
    return re.compile(rf"{_RUN.pattern}|[^\W_{_BIGRAM_SCRIPTS}]+(?:['’][^\W_{_BIGRAM_SCRIPTS}]+)*")


def fold(text: str) -> str:
    """A text without case, marks and compatibility forms."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    marks = {ord(letter): None for letter in set(apart) if unicodedata.combining(letter)}
    return apart.translate(marks) if marks else apart


@lru_cache(maxsize=100_000)
def _terms_of(word: str) -> tuple[str, ...]:
    return _split(word)


def _split(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (stem(word.partition("'")[0][:LONGEST_WORD]),)
    if _RUN.match(word):
        letters = unicodedata.normalize("NFC", word)
        return tuple(letters[at : at + 2] for at in range(max(1, len(letters) - 1)))
    return (re.sub(r"['’].*", "", word)[:LONGEST_WORD],)


@lru_cache(maxsize=100_000)
def _index_terms_of(word: str) -> tuple[str, ...]:
    """The terms of a word in an index, where a sign that may be a word of its own can be looked for alone."""
    pairs = _split(word)
    if word.isascii() or len(pairs[0]) < 2 or not _RUN.match(word):
        return pairs
    return (*pairs, *(sign for sign in unicodedata.normalize("NFC", word) if sign >= _SIGNS_FROM and sign.isalnum()))


def index_terms(text: str) -> Iterable[str]:
    """The stems that a text is to be found by, in their order and as often as they occur."""
    return chain.from_iterable(map(_index_terms_of, _words(fold(text))))


def count_terms(text: str, wanted: Collection[str]) -> dict[str, int]:
    """How often each of some stems occurs, of those that do."""
    found: dict[str, int] = {}
    for stems, times in Counter(map(_index_terms_of, _words(fold(text)))).items():
        for each in stems:
            if each in wanted:
                found[each] = found.get(each, 0) + times
    return found


def workspace_term(ws: int, term: str) -> str:
    """A stem as the indexes hold it: no two workspaces share a list of places."""
    return f"{ws}_{term}"


def fts5_document(ws: int, text: str) -> str:
    """The words of a text for FTS5: each as often as it occurs."""
    tag = workspace_term(ws, "")
    found = f" {tag}".join(index_terms(text))
    return f"{tag}{found}" if found else ""


def tsvector_document(ws: int, text: str) -> str:
    """The words of a text for a tsvector: only how many places a word has will count."""
    counts = Counter(index_terms(text))
    places = (",".join(map(str, range(1, min(count, MAX_POSITIONS) + 1))) for count in counts.values())
    return " ".join(
        f"{quote_term(workspace_term(ws, term))}:{place}" for term, place in zip(counts, places, strict=True)
    )


def term_frequency_from_rank(rank: float) -> int:
    """How often a word stands in a tsvector, from the rank that a query for it alone gives."""
    return min(bisect_left(_ranks(), rank - _RANK_ERROR) + 1, MAX_POSITIONS)


@cache
def _ranks() -> list[float]:
    """PostgreSQL adds a tenth for the first place of a word, a quarter of that for its second, and so on by squares."""
    return list(accumulate(0.1 / 1.64493406685 / place**2 for place in range(1, MAX_POSITIONS + 1)))


TermAlternatives = Sequence[Sequence[str]]
"""The ways in which a token may stand in an index, each some stems that must all be there."""


def match_expression(ws: int, tokens: Sequence[TermAlternatives], both: str, either: str, quote: str) -> str:
    """What asks an index for passages that hold every token in one of its ways."""
    ways = (
        [both.join(f"{quote}{workspace_term(ws, term)}{quote}" for term in way) for way in token] for token in tokens
    )
    return both.join(f"({either.join(f'({way})' for way in token)})" for token in ways)


def quote_term(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"


def stem(word: str) -> str:
    """An English word without its endings, by Porter's steps."""
    if len(word) < 3 or not word.isalpha():
        return word
    for step in (_plural, _past, _final_y, _long_ending, _short_ending, _bare_ending, _final_cleanup):
        word = step(word)
    return word


def _shape(word: str) -> str:
    """Each letter as v or c; a y behind a consonant is a vowel."""
    if "y" not in word and word.isascii():
        return word.translate(_SHAPES)
    shape = ""
    for at, letter in enumerate(word):
        is_vowel = letter in "aeiou" or (letter == "y" and at > 0 and shape[at - 1] == "c")
        shape += "v" if is_vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How many times a vowel run is followed by a consonant run."""
    return _shape(word).count("vc")


def _ends_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word and "v" in _shape(root):
            return _restore_stem(root)
    return word


def _restore_stem(root: str) -> str:
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 1 and root[-1] == root[-2] and _shape(root)[-1] == "c" and root[-1] not in "lsz":
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _ends_short(root) else root


def _final_y(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and "v" in _shape(word[:-1]) else word


# The longest endings stand first, since a word has the longest that fits.
_LONG = {
    "ational": "ate", "ization": "ize", "iveness": "ive", "fulness": "ful", "ousness": "ous", "tional": "tion",
    "biliti": "ble", "entli": "ent", "ousli": "ous", "ation": "ate", "alism": "al", "aliti": "al", "iviti": "ive",
    "enci": "ence", "anci": "ance", "izer": "ize", "alli": "al", "ator": "ate", "logi": "log", "bli": "ble", "eli": "e",
}  # fmt: skip
_SHORT = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ness": "", "ful": ""}
_BARE = (
    "ement", "ment", "ent", "ance", "ence", "able", "ible", "ant", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
    "al", "er", "ic", "ou",
)  # fmt: skip


def _replace_suffix(word: str, endings: dict[str, str]) -> str:
    for ending in endings if word.endswith(tuple(endings)) else ():
        if word.endswith(ending):
            root = word[: -len(ending)]
            return root + endings[ending] if _measure(root) else word
    return word


def _long_ending(word: str) -> str:
    return _replace_suffix(word, _LONG)


def _short_ending(word: str) -> str:
    return _replace_suffix(word, _SHORT)


def _bare_ending(word: str) -> str:
    for ending in _BARE if word.endswith(_BARE) else ():
        if word.endswith(ending):
            root = word[: -len(ending)]
            fits = _measure(root) > 1 and (ending != "ion" or root.endswith(("s", "t")))
            return root if fits else word
    return word


def _final_cleanup(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if _measure(root) > 1 or (_measure(root) == 1 and not _ends_short(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
