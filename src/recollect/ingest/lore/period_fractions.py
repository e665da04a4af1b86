"""Parts of ages, centuries and years (the first half, the late 18th century), and numbers of years in words."""

import re
from typing import NamedTuple

from recollect.when.english import numbers
from recollect.when.english.sentence import sentence_of

PART = re.compile(
    r"(?:very )?(?P<part>early|late|mid|middle|beginning|start|dawn|opening|end|close"
    r"|(?:closing|opening|first|last|final|early|later) (?:years|days)"
    r"|(?:first|second|former|latter|earlier|last|1st|2nd) half|(?:first|second|middle|last|final|1st|2nd|3rd) third"
    r"|(?:first|second|third|fourth|last|final|1st|2nd|3rd|4th) quarter|(?:first|last) decades|turn)"
    r"(?:[ -](?:part )?(?:of|in))?[ -](?:the )?(?P<whole>.+)",
    re.IGNORECASE,
)
_EXACT_PARTS = {
    **dict.fromkeys(("first half", "former half", "earlier half", "1st half"), (0, 1, 2)),
    **dict.fromkeys(("second half", "latter half", "last half", "2nd half"), (1, 2, 2)),
    **dict.fromkeys(("first third", "1st third"), (0, 1, 3)),
    **dict.fromkeys(("second third", "middle third", "2nd third"), (1, 2, 3)),
    **dict.fromkeys(("last third", "final third", "3rd third"), (2, 3, 3)),
    "first quarter": (0, 1, 4), "second quarter": (1, 2, 4), "third quarter": (2, 3, 4), "fourth quarter": (3, 4, 4),
    "last quarter": (3, 4, 4), "final quarter": (3, 4, 4), "1st quarter": (0, 1, 4), "2nd quarter": (1, 2, 4),
    "3rd quarter": (2, 3, 4), "4th quarter": (3, 4, 4),
}  # fmt: skip
_VAGUE_PARTS = {
    "early": (0, 1, 3), "mid": (1, 2, 3), "late": (2, 3, 3), "first decades": (0, 1, 3), "last decades": (2, 3, 3),
    "middle": (2, 3, 5),
}  # fmt: skip
_FIRST_EDGES = ("beginning", "start", "dawn", "opening", "first", "early")


class PeriodFraction(NamedTuple):
    """From which to which of so many equal shares; nobody can say exactly where a vague one begins and ends."""

    first: int
    last: int
    of: int
    is_vague: bool = True


YEAR_UNIT = r"(?:years?|winters?|summers?|springs?|autumns?|harvests?|decades?|centur(?:y|ies))"


def period_fraction(part: str, years: int) -> PeriodFraction:
    """The share that a part has of a period of so many years."""
    if part in _EXACT_PARTS:
        return PeriodFraction(*_EXACT_PARTS[part], is_vague=False)
    return PeriodFraction(*_VAGUE_PARTS[part]) if part in _VAGUE_PARTS else _edge(part, years)


def _edge(part: str, years: int) -> PeriodFraction:
    """The beginning or the end of a period: a tenth of an age, a century or a year, a fifth of a decade or a month."""
    of = 5 if not years or 1 < years < 100 else 10
    return PeriodFraction(0, 1, of) if part.startswith(_FIRST_EDGES) else PeriodFraction(of - 1, of, of)


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
    """A number of years in words or digits; *a few* is not one."""
    s = sentence_of(words.lower(), 0, "past")
    if words.lower() in ("few", "a few", "couple", "a couple"):
        return None
    found = numbers.count(s, 0)
    return found[1] if found is not None and found[0] == len(s.tokens) else None
