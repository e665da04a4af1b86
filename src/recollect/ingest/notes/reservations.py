"""Reservations of a whole sentence: jokes, hearsay, doubts and denials, which forbid reading facts from it."""

import re

from recollect.text.patterns import lazy_pattern

_LAUGHTER = (
    r"\b(?:(?:ba|mua?)?(?:ha){2,}\w*|(?:he){2,}|(?:hi){2,}|lo+l|lmf?ao|rofl|xd|jk|j/k|kidding|joking|ba dum tss)\b"
    r"|(?:^|(?<=\s))(?:/s|;-?\)|:-?[pd])(?=\W|$)"
    r"|[\U0001F600-\U0001F606\U0001F609\U0001F61B-\U0001F61D\U0001F643\U0001F92A\U0001F923]"
)
_JOKE = lazy_pattern(_LAUGHTER, re.IGNORECASE)
_ONLY_LAUGHTER = lazy_pattern(rf"^\W*(?:(?:{_LAUGHTER})\W*)+$", re.IGNORECASE)
_HEARSAY = (
    r"\b(?:is|are|was|were|'s) (?:often |widely |generally )?"
    r"(?:said|supposed|rumou?red|reported|believed|thought|alleged|claimed|assumed|reputed|meant) to\b"
)
_DOUBT = (
    r"\b(?:maybe|perhaps|possibly|iirc|afaik|i (?:think|guess|believe|suppose|assume)|i['’]m not sure|not certain|"
    r"or so|or something|if i remember|rumou?r has it)\b|,\s*or\b"
)
_DENIAL = (
    r"\b(?:it|that|this)(?:['’]s| is| was|s)? (?:simply |just |plain )?"
    r"(?:wrong|false|untrue|incorrect|nonsense|a lie|a myth|(?:not|no longer) (?:true|right|correct|the case))\b"
    r"|\b(?:it|that|this) (?:isn['’]t|wasn['’]t) (?:true|right|correct|the case)\b"
)
_NOT_CLAIMED = lazy_pattern(rf"{_HEARSAY}|{_DOUBT}|{_DENIAL}", re.IGNORECASE)


def is_joke(sentence: str) -> bool:
    """Whether a sentence laughs or winks, so that none of it is meant."""
    return _JOKE.search(sentence) is not None


def is_only_laughter(sentence: str) -> bool:
    """Whether a sentence does nothing but laugh: then the one before it is a joke."""
    return _ONLY_LAUGHTER.match(sentence) is not None


def is_not_claimed(sentence: str) -> bool:
    """Whether a sentence is hearsay, uncertain or a denial, so that it claims nothing."""
    return _NOT_CLAIMED.search(sentence) is not None
