"""English stop words: one list in layers, so that each reader names the layers it ignores."""

import re

from recollect.text.fold import fold_for_search
from recollect.text.negation import NEGATORS

FUNCTION_WORDS = frozenset(
    """a about also am an and are as at be been being but by can could did do does for from had has have he her here
    his i if in into is it its just me might must my of on or our she should so such that the their them then there
    these they this those to us very was we were will with would you your""".split()
)
"""Articles, pronouns, auxiliaries, plain prepositions and conjunctions: no reader needs them."""

QUESTION_WORDS = frozenset("how what when where which who why".split())

QUALIFIERS = frozenset(
    """after again all any because before between both doing down during each few further having hers him more most no
    nor not off once only other out over own same shall some than through too under until up while whom
    whose""".split()
)
"""Words that change what a statement says (negation, quantity, order in time) but do not tell what a text is about."""

STOP_WORDS = FUNCTION_WORDS | QUESTION_WORDS | QUALIFIERS
"""What a search ignores."""

DROPPED_NEGATORS = NEGATORS & STOP_WORDS
"""Words that deny a statement among those that a search ignores."""

STATEMENT_STOP_WORDS = FUNCTION_WORDS | {"may", "used"}
"""What the comparison of two statements ignores: "not", "before" and "all" count there."""

LIGHT_WORDS = frozenset(
    """anybody anyone anything ask best called come day different everybody everyone everything favorite
    favourite find first get give go good got happen have help into keep kind know last let like long look made
    make many mean much name need never new nobody now often old one people person please put really say see
    show somebody someone something start still stop sure take tell thing think time today try two use used way
    well went work year yes""".split()
)
"""Words that stand in texts on any subject: sharing one of them does not make two texts about the same thing."""

CONTRACTION_ENDINGS = frozenset("d ll m re s t ve".split())
"""What stands after the apostrophe of a contraction or possessive."""

SEARCH_STOP_WORDS = STOP_WORDS | CONTRACTION_ENDINGS
"""What a search ignores where words are cut at apostrophes."""

_POSSESSIVE = re.compile(r"['’]s?$")


def strip_possessive(word: str) -> str:
    """A word without a final `'s` or apostrophe."""
    return _POSSESSIVE.sub("", word)


def is_stop_word(word: str) -> bool:
    """Whether a search ignores a word as it is written, with or without a possessive ending."""
    return fold_for_search(strip_possessive(word)) in STOP_WORDS
