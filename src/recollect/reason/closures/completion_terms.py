"""The words by which the report of a completion is matched with the item it completes."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from recollect.model.similarity import without_dates
from recollect.reading.language import common_words, detect_language
from recollect.text.lexicon import FORMS_OF_BE, FORMS_OF_HAVE
from recollect.text.negation import NEGATORS, negator_pattern
from recollect.text.patterns import lazy_pattern
from recollect.text.stems import stem as porter_stem
from recollect.text.stop_words import SEARCH_STOP_WORDS
from recollect.text.tokens import bare_terms
from recollect.text.verbs import irregular_forms
from recollect.when.gregorian import WEEKDAYS

TERM_CACHE_SIZE = 20_000
"""How many texts the term cache holds: a read compares the same few items with the same reports repeatedly."""

_ADVERBS = frozenset(
    "already finally now today yesterday successfully fully completely just eventually early late back".split()
)
_DAYS = frozenset(
    "tomorrow tonight morning afternoon evening noon midnight day week month eod eow eom".split()
    + [name.lower() for name in WEEKDAYS]
)
_AUXILIARIES = FORMS_OF_BE | FORMS_OF_HAVE | frozenset("ve s got gets get".split())
_COMPLETION = frozenset(
    "completion completed complete resolution resolved resolve cancellation cancelled canceled cancel done finished "
    "finish closed close fixed fix solved settled sorted delivered shipped dropped withdrawn withdrew abandoned forget "
    "fulfilled fulfils kept accomplished achieved handled marked decision decided".split()
)
_PAST_AT_AN_EDGE = frozenset(
    "rebuilt rewritten rewrote put set run found cut split read shown gotten laid let saw undone".split()
)
"""Past forms that are other words as well, but not where a report begins or ends."""
_VERB_LAST = ("de", "nl")
_BLOCKING = frozenset("block blocks blocked blocking blocker blockers".split())
_NEGATED = lazy_pattern(negator_pattern(), re.IGNORECASE)
_CONDITION = lazy_pattern(
    r"\b(?:before|ahead of|in time for|by the time|until|till|after|once|when|as soon as)\b[^,;.]*", re.IGNORECASE
)


def without_condition(text: str) -> str:
    """What is to be done, without the event it is due before or waits for."""
    return _CONDITION.sub(" ", text)


@lru_cache(TERM_CACHE_SIZE)
def item_terms(text: str) -> frozenset[str]:
    """The stems of all words of an item."""
    return frozenset(map(_stem, bare_terms(text)))


@lru_cache(TERM_CACHE_SIZE)
def completion_terms(text: str, names: tuple[str, ...]) -> frozenset[str]:
    """The stems of what was completed, without names, dates, verbs and function words; empty if it is negated."""
    words = bare_terms(without_dates(text))
    named = {word for name in names for word in bare_terms(name)}
    language = detect_language(text) or "en"
    if language != "en":
        return _foreign_terms(text, words, named, language)
    if _is_negated(text):
        return frozenset()
    verbs = set(_verbs(words, named))
    return frozenset(
        _stem(word) for at, word in enumerate(words) if at not in verbs and not _is_empty(word) and word not in named
    )


def _foreign_terms(text: str, words: Sequence[str], named: set[str], language: str) -> frozenset[str]:
    """The same for another language than English, whose tables a read of English items does not load."""
    from recollect.reading.denial import is_negative
    from recollect.reading.language_table import names_of_days_and_months

    low = text.casefold()
    if is_negative(low, language):
        return frozenset()
    idle = named.union(common_words(), names_of_days_and_months(), _foreign_verbs(low, language))
    return frozenset(_stem(word) for word in words if word not in idle and not _is_empty(word))


def _foreign_verbs(low: str, language: str) -> set[str]:
    """The verbs by which a past is told: *ho* and *mandato*; the second stands last in German and Dutch."""
    from recollect.reading.time_words import past_pattern

    found = [bare_terms(each[0]) for each in past_pattern(language).finditer(low)]
    first = {words[0] for words in found if words}
    last = bare_terms(low)[-1:] if language in _VERB_LAST else [words[-1] for words in found if words]
    return first.union(last) if found else set()


@lru_cache(TERM_CACHE_SIZE)
def content_terms(text: str, names: tuple[str, ...]) -> frozenset[str]:
    """The stems of what an item is about, by which two spellings of one item are recognized."""
    named = {word for name in names for word in bare_terms(name)}
    words = (word for word in bare_terms(without_dates(text)) if word not in named)
    return frozenset(_stem(word) for word in words if word in NEGATORS or not _is_filler(word))


def _is_filler(word: str) -> bool:
    return _is_empty(word) or word in _AUXILIARIES or word in _BLOCKING


def _is_negated(text: str) -> bool:
    return _NEGATED.search(text) is not None


def _is_empty(word: str) -> bool:
    return word in SEARCH_STOP_WORDS or word in _ADVERBS or word in _DAYS or word in _COMPLETION


def _verbs(words: Sequence[str], named: set[str]) -> Iterator[int]:
    """The positions of verbs: a past form at the start or the end of the text, or one after an auxiliary."""
    is_first = True
    for at, word in enumerate(words):
        if word in named or word in _ADVERBS:
            continue
        follows_auxiliary = _word_before(words, at) in _AUXILIARIES
        if _is_past(word) and (is_first or follows_auxiliary or at == len(words) - 1):
            yield at
        is_first = is_first and word in SEARCH_STOP_WORDS


def _word_before(words: Sequence[str], at: int) -> str | None:
    """The word before this position, ignoring adverbs."""
    return next((word for word in reversed(words[:at]) if word not in _ADVERBS), None)


def _is_past(word: str) -> bool:
    return word in _PAST_AT_AN_EDGE or word in irregular_forms() or (len(word) > 4 and word.endswith("ed"))


@lru_cache(50_000)
def _stem(word: str) -> str:
    return porter_stem(irregular_forms().get(word, word))
