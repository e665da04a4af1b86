"""Where in a sentence a time may begin: most words need no closer look."""

from recollect.when.english.sentence import Sentence
from recollect.when.english.words import (
    DECADES,
    MONTHS,
    ONES,
    ORDINALS,
    SEASONS,
    STEPS,
    TEENS,
    TENS,
    TODAY,
    UNITS,
    WEEKDAYS,
)

# Every expression has one of these, or a number, among its first words.
_SIGNALS = frozenset(
    {
        *(word for table in (MONTHS, SEASONS, WEEKDAYS, UNITS, TODAY, DECADES, TEENS, TENS) for word in table),
        *(f"{day}s" for day in WEEKDAYS),
        *("weekend", "night", "morning", "afternoon", "evening", "thousand", "thousands", "hundred", "q", "h", "w"),
    }
)
_OPENINGS = _SIGNALS | frozenset(
    {
        *(word for table in (STEPS, ORDINALS, ONES) for word in table),
        *("the", "a", "an", "my", "in", "on", "from", "between", "within", "for", "few", "couple", "'", "’"),
        *("early", "late", "mid", "beginning", "start", "end", "middle", "rest", "earlier", "later"),
    }
)
_REACH = 5


def openings(s: Sentence) -> tuple[int, ...]:
    """The indices at which a time may begin."""
    words = [token.word for token in s.tokens]
    signals = [word in _SIGNALS or word.isdecimal() for word in words]
    return tuple(
        i for i, word in enumerate(words) if (signals[i] or word in _OPENINGS) and any(signals[i : i + _REACH])
    )
