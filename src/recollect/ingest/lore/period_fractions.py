"""Parts of ages, centuries and years: the first half, the late 18th century, the end of 1641."""

import re
from typing import NamedTuple

PART = re.compile(
    r"(?:very )?(?P<part>early|late|mid|middle|beginning|start|dawn|opening|end|close|closing years|opening years"
    r"|first half|second half|(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter|(?:first|last) decades|turn)"
    r"(?:[ -](?:part )?(?:of|in))?[ -](?:the )?(?P<whole>.+)",
    re.IGNORECASE,
)
_EXACT_PARTS = {
    "first half": (0, 1, 2), "second half": (1, 2, 2), "first quarter": (0, 1, 4), "second quarter": (1, 2, 4),
    "third quarter": (2, 3, 4), "fourth quarter": (3, 4, 4), "last quarter": (3, 4, 4), "1st quarter": (0, 1, 4),
    "2nd quarter": (1, 2, 4), "3rd quarter": (2, 3, 4), "4th quarter": (3, 4, 4),
}  # fmt: skip
_VAGUE_PARTS = {
    "early": (0, 1, 3), "mid": (1, 2, 3), "late": (2, 3, 3), "first decades": (0, 1, 3), "last decades": (2, 3, 3),
    "middle": (2, 3, 5),
}  # fmt: skip
_FIRST_EDGES = frozenset({"beginning", "start", "dawn", "opening", "opening years"})


class PeriodFraction(NamedTuple):
    """From which to which of so many equal shares; nobody can say exactly where a vague one begins and ends."""

    first: int
    last: int
    of: int
    is_vague: bool = True


def period_fraction(part: str, years: int) -> PeriodFraction:
    """The share that a part has of a period of so many years."""
    if part in _EXACT_PARTS:
        return PeriodFraction(*_EXACT_PARTS[part], is_vague=False)
    return PeriodFraction(*_VAGUE_PARTS[part]) if part in _VAGUE_PARTS else _edge(part, years)


def _edge(part: str, years: int) -> PeriodFraction:
    """The beginning or the end of a period: a tenth of an age, a century or a year, a fifth of a decade or a month."""
    of = 5 if not years or 1 < years < 100 else 10
    return PeriodFraction(0, 1, of) if part in _FIRST_EDGES else PeriodFraction(of - 1, of, of)
