"""Similarity of two statements: whether two texts say the same."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from unicodedata import category

from recollect.model.names import fold, fold_words
from recollect.when.english.words import MONTH_PATTERN

SAME_STATEMENT_SIMILARITY = 0.9
_RESPELT = 0.5
"""Words that are less alike are two words, and not one in two spellings."""

_MONTH = rf"(?:{MONTH_PATTERN})\.?"
_YEAR = r"(?:(?:19|20)\d\d)"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def _times_and_dates() -> re.Pattern[str]:
    return re.compile(
        rf"\b\d{{4}}-\d{{2}}(?:-\d{{2}})?(?:[t ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:z|[+-]\d{{2}}:?\d{{2}})?)?\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?\b"
        rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR}\b)?"
        rf"|\b{_MONTH}\s+{_YEAR}\b"
        r"|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
        r"|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\b\.?)?"
        r"|\b\d{1,2}\s*[ap]\.?m\b\.?"
        r"|\bthe\s+\d{1,2}(?:st|nd|rd|th)\b"
        rf"|\bq[1-4](?:\s+{_YEAR})?\b"
        rf"|\b{_YEAR}\b"
    )


@cache
def _relative_days() -> re.Pattern[str]:
    """Words of a time that is no date: *next Tuesday*, *by March*; not *the March rent*."""
    return re.compile(
        r"\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|today|tonight|tomorrow|yesterday|next|this"
        r"|weeks?|months?|year|days?|morning|noon|afternoon|evening|night|weekend|soon|early|mid|late|end)\b"
        rf"|\b(?:by|in|until|till|before|of|to|from|since|after|for|early|mid|late|end) {_MONTH}(?= *(?:$|[^\w ]))"
    )


@cache
def _times_of_deeds() -> re.Pattern[str]:
    """Days, and quarters and years in which something is done: *by Q3*, *planned for 2026*; not *the Q3 report*."""
    return re.compile(
        rf"\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}\b"
        rf"|\b{_MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?,?)?\s+{_YEAR}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
        r"|\b(?:by|in|until|till|before|after|since|from|to|during|early|mid|late|end of|next|this|last"
        rf"|(?:planned|scheduled|set|due|booked|moved|is|are|was) for) (?:the )?(?:q[1-4](?: {_YEAR})?|{_YEAR})\b"
    )


@cache
def _periods() -> re.Pattern[str]:
    return re.compile(rf"\bq[1-4]\b|\b{_YEAR}\b")


@lru_cache(4096)
def to_snake_case(text: str) -> str:
    """The lower_snake_case form in which types and predicates are stored."""
    stripped = text.strip()
    humps = stripped if stripped.isupper() else _CAMEL_CASE.sub("_", stripped)
    folded = fold(humps)
    words = _NOT_A_WORD.split(folded) if folded.isascii() else _words_only(folded).split()
    return "_".join(filter(None, words)) or fold(stripped).replace(" ", "_")


def _words_only(text: str) -> str:
    """The text with everything but letters, digits and combining marks replaced by spaces, in any script."""
    return "".join(each if each.isalnum() or category(each).startswith("M") else " " for each in text)


def have_same_words(one: str, other: str) -> bool:
    return one == other or fold_words(one) == fold_words(other)


@lru_cache(4096)
def numbers_without_dates(text: str) -> tuple[str, ...]:
    """The numbers in a text without those of dates and times, in order."""
    return tuple(_NUMBER.findall(without_dates(text)))


@lru_cache(4096)
def without_dates(text: str) -> str:
    """The folded text without dates and times."""
    return _times_and_dates().sub(" ", fold(text))


def similarity(one: str, other: str) -> float:
    """Twice the longest common subsequence over both lengths, after folding."""
    return _reaches_similarity(fold(one), fold(other))


def _reaches_similarity(one: str, other: str, least: float = 0.0) -> float:
    # Imported on first use: most processes never need it.
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(one, other, score_cutoff=least)


def are_same_statement(one: str, other: str) -> bool:
    """Whether two texts are versions of one statement: nearly the same words, the same numbers and the same things."""
    first, second = fold(one), fold(other)
    if _reaches_similarity(first, second, SAME_STATEMENT_SIMILARITY) < SAME_STATEMENT_SIMILARITY:
        return False
    if numbers_without_dates(first) != numbers_without_dates(second):
        return False
    return not (_name_other_things(first, second) or _name_other_periods(first, second))


def texts_like(text: str) -> Callable[[str], bool]:
    """Tells of many other texts whether they have nearly the same letters as one, as the same statement has."""
    from rapidfuzz.distance import Indel

    folded, compare, least = fold(text), Indel.normalized_similarity, SAME_STATEMENT_SIMILARITY
    return lambda other: compare(folded, fold(other), score_cutoff=least) >= least


def _name_other_periods(one: str, other: str) -> bool:
    """Whether two folded texts name their things by other quarters or years: *the Q3 report* and *the Q4 report*."""
    first, second = (set(_periods().findall(_times_of_deeds().sub(" ", text))) for text in (one, other))
    return bool(first) and bool(second) and first.isdisjoint(second)


def _name_other_things(one: str, other: str) -> bool:
    """Whether one word stands for another that is spelt otherwise: *the oak samples* and *the pine samples*."""
    first, second = (_LONG_WORD.findall(_relative_days().sub(" ", without_dates(text))) for text in (one, other))
    replaced = [word for word in first if word not in second]
    replacing = [word for word in second if word not in first]
    return bool(replaced) and bool(replacing) and _reaches_similarity(replaced[0], replacing[0]) < _RESPELT
