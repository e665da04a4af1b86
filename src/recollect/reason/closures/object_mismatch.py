"""Whether two texts tell of different things of one kind: *front door* and *back door*, *invoice 4417* and *4471*."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from recollect.model.similarity import without_dates
from recollect.reading.language import detect_language
from recollect.reading.language_table import names_of_days_and_months
from recollect.reason.closures.closure_terms import DELIVERED, WEAK_STEMS, deed_stems, stem_of, thing_terms
from recollect.reason.closures.completion_terms import TERM_CACHE_SIZE
from recollect.reason.closures.object_phrases import (
    is_other_thing,
    is_past_form,
    promised_thing,
    reported_thing,
    words_of_sentence,
)
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.when.english.words import SHORT_MONTHS
from recollect.when.gregorian import MONTH_NAMES

_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_GENITIVE = re.compile(r"['’]s?$")
_NUMBER = re.compile(r"\d+(?:\.\d+)*[a-z]?")
_AMOUNT = re.compile(r"(?<![\w.#-])\d{2,}(?:\.\d\d)?(?![\w-])")
_COUNT = re.compile(r"(?<![\w.,:/€$£#-])(\d{2,})\s+([^\W\d_][\w'’-]+)")
_OWN_THING = re.compile(r"\b(?:my|our) ((?:[\w-]+ ){1,2}[\w-]+)", re.IGNORECASE)
_THING_OF_NAME = re.compile(r"\b([A-ZÀ-Þ][\w-]+)['’]s? ((?:[\w-]+ ){0,2}[\w-]+)")
_PAY = stem_of("pay")
_UNITS = frozenset(
    "am pm h hrs hours min mins minutes day days week weeks month months year years euro euros eur pounds dollars kg g "
    "km m cm mm l ml percent times pages people pcs pieces boxes".split()
)
_WHEN = frozenset("today tonight tomorrow yesterday now already soon again then".split())
_CONTRASTS = tuple(
    frozenset(words.split())
    for words in (
        "front back rear side", "left right middle", "upper lower top bottom middle", "inner outer", "old new",
        "north south east west northern southern eastern western", "big small", "large small", "long short",
        "red blue green yellow white black brown grey gray orange purple pink", "spring summer autumn winter",
        "first second third fourth fifth sixth", "morning afternoon evening",
        "wooden metal plastic steel oak pine ash beech birch walnut cherry copper brass zinc glass stone brick",
        " ".join(name.casefold() for name in MONTH_NAMES),
    )
)  # fmt: skip
"""Words that tell things of one kind apart."""
_TELLING_APART = frozenset().union(*_CONTRASTS)
_OF_WHOLE = frozenset("old new".split())
"""Words that go with the last of several nouns: *new card reader*."""
_BEFORE_NAMES = frozenset(
    "to for from with at in send sent sending call called calling ring rang give gave giving tell told ask asked pay "
    "paid show showed visit visited meet met email emailed text texted remind reminded invite invited write "
    "wrote".split()
)


def has_different_object(item: str, report: str) -> bool:
    """Whether a report names another thing of the kind that an item names, and not that one as well."""
    if _names_another(item, report) or _pays_other_amount(item, report):
        return True
    if _is_of_other_owner(item, report) or _counts_others(item, report):
        return True
    one, other = _named_things(item), _named_things(report)
    return any(
        _differ(mine, theirs, one.words, other.words, is_contrast)
        for mine, theirs, is_contrast in (
            (one.numbers, other.numbers, _always),
            (one.modifiers, other.modifiers, _is_contrast),
            (one.names, other.names, _always),
        )
    )


def _names_another(item: str, report: str) -> bool:
    """Whether both name one thing each, and these differ: *the Atlas hall*, *the Atlas chairs*."""
    one, other = promised_thing(item), reported_thing(report)
    if other is None and DELIVERED.search(report) is None:
        other = promised_thing(report)  # a task that was ticked: *book the dentist*
    if one is None or other is None:
        return False
    return is_other_thing(one, other, words_of_sentence(item), words_of_sentence(report))


def _pays_other_amount(item: str, report: str) -> bool:
    """Whether another amount was paid than was to be paid: *paid 400* of *pay the 735*."""
    if not all(_PAY in {stem_of(word) for word in words_of_sentence(each)} for each in (item, report)):
        return False
    wanted, paid = (set(_AMOUNT.findall(without_dates(each).replace(",", ""))) for each in (item, report))
    return bool(wanted and paid) and wanted.isdisjoint(paid)


def _is_of_other_owner(item: str, report: str) -> bool:
    """Whether a thing of the kind that somebody calls theirs is another's: *my college form*, *Tad's holiday form*."""
    for own in _OWN_THING.findall(item):
        *mine, head = _compound(own.split()) or [""]
        for name, thing in _THING_OF_NAME.findall(report):
            *theirs, other = _compound(thing.split()) or [""]
            is_like = bool(head) and stem_of(head.casefold()) == stem_of(other.casefold())
            if is_like and mine and name not in item and {*mine}.isdisjoint(theirs):
                return True
    return False


def _counts_others(item: str, report: str) -> bool:
    """Whether all that two texts share is how many there are of different things: *200 bricks*, *200 hornbeam*."""
    one, other = _counted(item), _counted(report)
    same = one.keys() & other.keys()
    if (
        not same
        or detect_language(item) != detect_language(report)
        or any(stem_of(one[each]) == stem_of(other[each]) for each in same)
    ):
        return False
    return thing_terms(item) & thing_terms(report) <= same


def _counted(text: str) -> dict[str, str]:
    """By number, the word behind it."""
    found = ((number, word.casefold()) for number, word in _COUNT.findall(text))
    return {number: word for number, word in found if word not in _UNITS and _is_content(word)}


def are_other_things(one: str, other: str) -> bool:
    """Whether each of two texts names more things that the other does not than both do: *book a table*, *a taxi*."""
    if _promise_others(one, other):
        return True
    first, second = (frozenset(_things_of(text)) for text in (one, other))
    shared = len(first & second)
    return len(first - second) > shared and len(second - first) > shared


def _promise_others(one: str, other: str) -> bool:
    """Whether two items are about the same kind of thing, told apart by what stands behind it or by a number."""
    first, second = promised_thing(one), promised_thing(other)
    if first is None or second is None or first.head != second.head:
        return False
    return is_other_thing(first, second, words_of_sentence(one), words_of_sentence(other))


def _things_of(text: str) -> Iterator[str]:
    return (term for term in thing_terms(text) - WEAK_STEMS if term not in deed_stems())


class _NamedThings(NamedTuple):
    """What tells the things of a text apart: by word, the numbers behind it, the words before it, and names."""

    words: frozenset[str]
    numbers: Mapping[str, frozenset[str]]
    modifiers: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]


@lru_cache(TERM_CACHE_SIZE)
def _named_things(text: str) -> _NamedThings:
    words = [_GENITIVE.sub("", found[0]) for found in _WORD.finditer(text)]
    kinds = (_numbers_of(words), _modifiers_of(words), _names_of(words))
    return _NamedThings(frozenset(stem_of(word.casefold()) for word in words), *map(_group, kinds))


def _numbers_of(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """*4* of *chapter 4*, *chairs* of *order 40 chairs*; none of *4 May* and *10 minutes*."""
    for before, word, after in zip(words, words[1:], [*words[2:], ""], strict=False):
        low, stem = after.casefold(), stem_of(before.casefold())
        if not _NUMBER.fullmatch(word) or low in _UNITS or low[:3] in SHORT_MONTHS:
            continue
        if low and _is_content(low):
            if stem in deed_stems():
                yield f"{stem} {word}", low
        elif _is_content(before):
            yield stem, word


def _modifiers_of(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """*front* of *front door*, *March* of *March rent*; the first word of a text is rather who does it."""
    for at, (before, word) in enumerate(pairwise(words[1:])):
        if before.casefold() in _OF_WHOLE:
            # Beside the other words before it, of which one in common would do.
            yield from ((f"old or new {stem_of(noun.casefold())}", before) for noun in _compound(words[at + 2 :])[-1:])
        elif _is_content(word) and (_is_content(before) or before.casefold() in _TELLING_APART):
            yield stem_of(word.casefold()), before


def _compound(words: Sequence[str]) -> list[str]:
    """The nouns up to a verb: *card reader* of *card reader arrived*."""
    return list(takewhile(lambda word: _is_content(word) and not is_past_form(word), words))


def _names_of(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """*Nora* of *to Nora* and *call Nora*."""
    for before, word in pairwise(words):
        if before.casefold() in _BEFORE_NAMES and word[:1].isupper() and _is_content(word):
            yield stem_of(before.casefold()), word


def _is_content(word: str) -> bool:
    low = word.casefold()
    is_idle = low in _WHEN or low in SEARCH_STOP_WORDS or low in names_of_days_and_months()
    return low[:1].isalpha() and len(low) > 1 and not is_idle


def _group(pairs: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return {key: frozenset(values) for key, values in found.items()}


def _differ(
    mine: Mapping[str, frozenset[str]],
    theirs: Mapping[str, frozenset[str]],
    own_words: frozenset[str],
    their_words: frozenset[str],
    is_contrast: Callable[[str, str], bool],
) -> bool:
    """Whether a word that both have goes with other words in each, none of which the other text has anywhere."""
    for key in mine.keys() & theirs.keys():
        one, other = mine[key], theirs[key]
        missing = [word for word in one - other if stem_of(word.casefold()) not in their_words]
        if other < one and any(is_contrast(first, second) for first in other for second in missing):
            return True  # one of several: *the long shed* of *the long shed and the short shed*
        is_shared = any(stem_of(word.casefold()) in their_words for word in one) or any(
            stem_of(word.casefold()) in own_words for word in other
        )
        if not is_shared and any(is_contrast(first, second) for first in one for second in other):
            return True
    return False


def _always(_one: str, _other: str) -> bool:
    return True


def _is_contrast(one: str, other: str) -> bool:
    """Whether two words tell things apart: names, or two of one set."""
    if one[0].isupper() and other[0].isupper() and one.casefold() not in _CONTRASTS[-1]:
        return True
    return any(one.casefold() in words and other.casefold() in words for words in _CONTRASTS)
