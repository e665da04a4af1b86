"""Julian, Hebrew and French Republican calendars, each a pair of functions through the day number."""

from collections.abc import Callable
from dataclasses import dataclass

from recollect.when.gregorian import day_number

_JULIAN_EPOCH = day_number(1, 1, 1) - 2  # 1 January of year 1 by Caesar's calendar
_HEBREW_EPOCH = day_number(-3760, 9, 7)  # 1 Tishri of year 1
_FRENCH_EPOCH = day_number(1792, 9, 22)
_JULIAN_MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class ForeignCalendar:
    """A calendar defined by the start of its years and the lengths of its months."""

    name: str
    year_start: Callable[[int], int]
    months: Callable[[int], tuple[int, ...]]
    year_days: float

    def day(self, year: int, month: int, day: int) -> int | None:
        """The day number of a date; None if the calendar has no such date."""
        months = self.months(year)
        if not (1 <= month <= len(months) and 1 <= day <= months[month - 1]):
            return None
        return self.year_start(year) + sum(months[: month - 1]) + day - 1

    def ymd(self, day: int) -> tuple[int, int, int]:
        """The year, month and day of a day number."""
        year = int((day - self.year_start(1)) // self.year_days) + 1
        while day < self.year_start(year):
            year -= 1
        while day >= self.year_start(year + 1):
            year += 1
        rest, month, months = day - self.year_start(year), 1, self.months(year)
        while rest >= months[month - 1]:
            rest, month = rest - months[month - 1], month + 1
        return year, month, rest + 1

    def period(self, year: int, month: int | None = None) -> tuple[int, int] | None:
        """The first and last day of a year or month; None if the calendar has no such one."""
        if month is None:
            return self.year_start(year), self.year_start(year + 1) - 1
        months = self.months(year)
        first = self.day(year, month, 1)
        return None if first is None else (first, first + months[month - 1] - 1)


def _julian_start(year: int) -> int:
    return _JULIAN_EPOCH + 365 * (year - 1) + (year - 1) // 4


def _julian_months(year: int) -> tuple[int, ...]:
    return tuple(days + (year % 4 == 0 and n == 1) for n, days in enumerate(_JULIAN_MONTHS))


def _hebrew_start(year: int) -> int:
    """The day of 1 Tishri: the mean new moon, postponed by the rules of the calendar."""
    day = _hebrew_elapsed(year)
    # Two further delays keep every year at a lawful length.
    if _hebrew_elapsed(year + 1) - day == 356:
        return _HEBREW_EPOCH + day + 2
    return _HEBREW_EPOCH + day + (day - _hebrew_elapsed(year - 1) == 382)


def _hebrew_elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    parts = 12084 + 13753 * months
    day = 29 * months + parts // 25920
    return day + (3 * (day + 1) % 7 < 3)


def _hebrew_months(year: int) -> tuple[int, ...]:
    length = _hebrew_start(year + 1) - _hebrew_start(year)
    is_leap = (7 * year + 1) % 19 < 7
    heshvan = 30 if length % 10 == 5 else 29
    kislev = 29 if length % 10 == 3 else 30
    adars = (30, 29) if is_leap else (29, 0)
    return (30, heshvan, kislev, 29, 30, *adars, 30, 29, 30, 29, 30, 29)


def _french_start(year: int) -> int:
    return _FRENCH_EPOCH + 365 * (year - 1) + year // 4


def _french_months(year: int) -> tuple[int, ...]:
    return (*[30] * 12, 6 if year % 4 == 3 else 5)


JULIAN = ForeignCalendar("julian", _julian_start, _julian_months, 365.25)
HEBREW = ForeignCalendar("hebrew", _hebrew_start, _hebrew_months, 365.2468)
FRENCH = ForeignCalendar("french_r", _french_start, _french_months, 365.25)
