"""English words for months, days, units and numbers."""

from recollect.when.gregorian import MONTH_NAMES
from recollect.when.gregorian import WEEKDAYS as WEEKDAY_NAMES

SHORT_MONTHS = tuple(name[:3].lower() for name in MONTH_NAMES)
SHORT_WEEKDAYS = tuple(name[:3].lower() for name in WEEKDAY_NAMES)

MONTHS: dict[str, int] = {
    "sept": 9,
    **{name.lower(): number for number, name in enumerate(MONTH_NAMES, start=1)},
    **{name: number for number, name in enumerate(SHORT_MONTHS, start=1)},
}
MONTH_PATTERN = "|".join(sorted(MONTHS, key=len, reverse=True))
"""A month or its abbreviation, in small letters; put word boundaries around it."""

# Monday is 0, as the day number of a Monday plus three is divisible by seven.
WEEKDAYS: dict[str, int] = {
    "tues": 1, "weds": 2, "thurs": 3, "thur": 3,
    **{name.lower(): number for number, name in enumerate(WEEKDAY_NAMES)},
    **{name: number for number, name in enumerate(SHORT_WEEKDAYS)},
}  # fmt: skip

# Words that are more often something else: alone they count only in clear company.
DOUBTFUL = frozenset({"may", "march", "mar", "mon", "wed", "sat", "sun"})

# Months that are also people's names: alone they count only after a preposition.
NAMES = frozenset({"april", "june", "august", "jan"})

UNITS: dict[str, str] = {
    "day": "day",
    "days": "day",
    "week": "week",
    "weeks": "week",
    "wk": "week",
    "wks": "week",
    "fortnight": "fortnight",
    "fortnights": "fortnight",
    "month": "month",
    "months": "month",
    "quarter": "quarter",
    "quarters": "quarter",
    "year": "year",
    "years": "year",
    "yr": "year",
    "yrs": "year",
    "decade": "decade",
    "decades": "decade",
    "century": "century",
    "centuries": "century",
}

ONES: dict[str, int] = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
}
TEENS: dict[str, int] = {
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
}
TENS: dict[str, int] = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
NUMBER_WORDS: dict[str, int] = {**ONES, **TEENS, **TENS}
NUMBER_PATTERN = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
"""A number of one word, in small letters; put word boundaries around it."""
ORDINALS: dict[str, int] = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "thirtieth": 30,
}
DECADES: dict[str, int] = {
    "noughties": 0,
    "tens": 10,
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
    "nineties": 90,
}
# The month that each begins with.
SEASONS: dict[str, int] = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

SUFFIXES = frozenset({"st", "nd", "rd", "th"})

TODAY = {
    "today": 0,
    "tonight": 0,
    "eod": 0,
    "cob": 0,
    "tomorrow": 1,
    "tmrw": 1,
    "tmr": 1,
    "tomorow": 1,
    "yesterday": -1,
}

# Which neighbour of the present a word points to.
STEPS: dict[str, int] = {
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "upcoming": 1,
    "last": -1,
    "past": -1,
    "previous": -1,
    "prior": -1,
}
