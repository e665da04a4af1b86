"""Times of promises and requests that name no certain day; such a promise or request is not recorded."""

import re

from recollect.reading.clause_reading import ClauseReading
from recollect.text.patterns import lazy_pattern

_DAYS_OF_WEEK = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PARTS = "(?:morning|noon|afternoon|evening|night|weekend|day|week|month|quarter|year|hour|minute)"
# Times that name no single day or period.
_INDEFINITE = lazy_pattern(
    rf"\b(?:every|each)\s+(?:\w+\s+)?(?:{_PARTS}|{_DAYS_OF_WEEK})s?\b|\bon\s+{_DAYS_OF_WEEK}(?:s|\s+{_PARTS}s)\b"
    r"|\b(?:some ?day|sometime|some time|eventually|at some point|one day|sooner or later)\b"
    rf"|\b(?:{_DAYS_OF_WEEK}|today|tomorrow|\d+)\s+or\s+(?:on\s+)?(?:{_DAYS_OF_WEEK}|tomorrow|\d+)\b",
    re.IGNORECASE,
)
# Times that need a day beside them.
_TIME_OF_DAY = lazy_pattern(
    r"\b(?:at|by|before|after|around|until|till)\s+(?:\d{1,2}(?:[:.]\d\d)?\s?(?:am|pm|a\.m|p\.m|o['’]clock)?(?![\w/])"
    r"|noon|midday|midnight|lunch ?time|night)"
    r"|\b(?:in|within)\s+(?:the\s+next\s+)?(?:an?|half an|\d+|a few|a couple of|two|three|four|five|six|ten|twenty)\s+"
    r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)\b"
    r"|\bin the (?:morning|afternoon|evening|future)\b"
    r"|\b(?:on|by|before|until)\s+\d{1,2}/\d{1,2}\b|\b\d{1,2}/\d{1,2}/\d{2,4}\b"
    rf"|\b(?:on|by|until|before|after|next|this)\s+(?:the\s+)?(?:{_DAYS_OF_WEEK}|\d{{1,2}}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_WITH_DUE = frozenset({"commitment", "request", "goal"})


def is_uncertain(reading: ClauseReading) -> bool:
    """Whether a clause names a time that cannot be placed, or one that gives no last day for what is to be done."""
    time = reading.time
    if time.status == "pending":
        return True
    if reading.act not in _WITH_DUE:
        return False
    if _INDEFINITE.search(reading.text):
        return True
    return time.until is None if time.status == "read" else _TIME_OF_DAY.search(reading.text) is not None
