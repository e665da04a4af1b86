"""Numbers of years in words: the third, forty winters, two decades."""

import re

from recollect.when.english import numbers
from recollect.when.english.sentence import sentence_of

YEAR_UNIT = r"(?:years?|winters?|summers?|springs?|autumns?|harvests?|decades?|centur(?:y|ies))"


def read_rank(words: str) -> int | None:
    """A rank in words or digits; larger ones in digits only."""
    digits = re.fullmatch(r"(\d{1,5})(?:st|nd|rd|th)", words)
    if digits is not None:
        return int(digits[1])
    s = sentence_of(words.lower(), 0, "past")
    found = numbers.ordinal(s, 0)
    return found[1] if found is not None and found[0] == len(s.tokens) else None


def years_per(unit: str) -> int:
    """How many years a unit has: a winter is one, a decade ten, a century a hundred."""
    return {"dec": 10, "cen": 100}.get(unit[:3].lower(), 1)


def count_of(words: str) -> int | None:
    """A number of years in words or digits; *a few* is none."""
    s = sentence_of(words.lower(), 0, "past")
    if words.lower() in ("few", "a few", "couple", "a couple"):
        return None
    found = numbers.count(s, 0)
    return found[1] if found is not None and found[0] == len(s.tokens) else None
