"""The Gregorian calendar without beginning or end, through a day number counted from 1970-01-01.

Years are astronomical: year 0 is 1 BCE.
"""

from datetime import date

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_ERA_DAYS = 146_097  # the days of 400 years, after which everything repeats
_YEAR_ONE = -719_162  # the day number of 0001-01-01
_LAST_ORDINAL = date.max.toordinal()


def date_or_none(year: int, month: int, day: int) -> date | None:
    """The date, if there is such a day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def is_leap(year: int) -> bool:
    """Whether the year has a 29 February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_days(year: int, month: int) -> int:
    """How many days the month has in that year."""
    return _MONTHS[month - 1] + (month == 2 and is_leap(year))


def year_start(year: int) -> int:
    """The day number of 1 January."""
    past = year - 1
    return _YEAR_ONE + past * 365 + past // 4 - past // 100 + past // 400


def day_number(year: int, month: int, day: int) -> int:
    """The number of a day, 1970-01-01 being 0."""
    return year_start(year) + _BEFORE[month - 1] + (month > 2 and is_leap(year)) + day - 1


def year_of(day: int) -> int:
    """The year that contains a day."""
    cycles, rest = divmod(day - _YEAR_ONE, _ERA_DAYS)
    year = cycles * 400 + min(rest * 400 // _ERA_DAYS, 399) + 1
    return year - 1 if day < year_start(year) else year + 1 if day >= year_start(year + 1) else year


def ymd(day: int) -> tuple[int, int, int]:
    """The year, month and day of the month of a day number."""
    ordinal = day - _YEAR_ONE + 1
    if 1 <= ordinal <= _LAST_ORDINAL:
        # Nearly every day is one that the standard library knows, and it is ten times as fast.
        found = date.fromordinal(ordinal)
        return found.year, found.month, found.day
    year = year_of(day)
    rest = day - year_start(year)
    month = min(rest // 29 + 1, 12)
    while rest < day_number(year, month, 1) - year_start(year):
        month -= 1
    return year, month, day - day_number(year, month, 1) + 1
