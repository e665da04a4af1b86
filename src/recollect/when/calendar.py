"""Calendars: years of months on an axis of days, Gregorian or fictional."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from recollect.when import gregorian
from recollect.when.gregorian import MONTH_NAMES, WEEKDAYS


class Calendar(Protocol):
    @property
    def slug(self) -> str: ...

    @property
    def month_count(self) -> int: ...

    def month_days(self, year: int, month: int) -> int: ...

    def year_start(self, year: int) -> int: ...

    def year_of(self, day: int) -> int: ...

    def month_start(self, year: int, month: int) -> int: ...

    def month_name(self, month: int) -> str | None: ...

    def weekday(self, day: int) -> str | None: ...


@dataclass(frozen=True, slots=True)
class GregorianCalendar:
    """The built-in calendar; its day 0 is 1970-01-01 and its year 0 is 1 BCE."""

    slug: str = "gregorian"
    month_count: int = 12

    def month_days(self, year: int, month: int) -> int:
        """How many days the month has in that year."""
        return gregorian.month_days(year, month)

    def year_start(self, year: int) -> int:
        """The first day of the year."""
        return gregorian.year_start(year)

    def year_of(self, day: int) -> int:
        """The year that contains a day."""
        return gregorian.year_of(day)

    def month_start(self, year: int, month: int) -> int:
        """The first day of a month; month numbers outside the year count from its neighbours."""
        return gregorian.day_number(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)

    def month_name(self, month: int) -> str:
        """The English name of a month."""
        return MONTH_NAMES[month - 1]

    def weekday(self, day: int) -> str:
        """The English name of the day of the week."""
        return WEEKDAYS[(day + 3) % 7]


@dataclass(frozen=True, slots=True)
class Month:
    name: str | None
    days: int


@dataclass(frozen=True, slots=True)
class Intercalary:
    """Intercalary days, counted as additional days of the month they follow."""

    name: str
    after_month: int
    days: int


@dataclass(frozen=True, slots=True)
class Leap:
    """Leap days of a month in years divisible by `every`, with exceptions, and exceptions to those."""

    every: int
    month: int
    days: int
    except_every: int | None = None
    unless_every: int | None = None

    def applies(self, year: int) -> bool:
        """Whether the year has the extra days."""
        if year % self.every:
            return False
        excepted = self.except_every is not None and year % self.except_every == 0
        return not excepted or (self.unless_every is not None and year % self.unless_every == 0)

    def until(self, year: int) -> int:
        """The number of leap years from 1 to `year`; negative before year 1."""
        count = year // self.every
        if self.except_every is None:
            return count
        excepted = math.lcm(self.every, self.except_every)
        count -= year // excepted
        return count if self.unless_every is None else count + year // math.lcm(excepted, self.unless_every)


@dataclass(frozen=True, slots=True)
class FictionalCalendar:
    """A fictional calendar; its year 1, and its week if it has one, begins on axis day 0."""

    slug: str
    name: str
    months: tuple[Month, ...]
    week: tuple[str, ...] = ()
    intercalary: tuple[Intercalary, ...] = ()
    leap: Leap | None = None

    @property
    def month_count(self) -> int:
        """How many months a year has."""
        return len(self.months)

    @property
    def year_days(self) -> int:
        """The length of a common year."""
        return sum(self.common_days(n) for n in range(1, self.month_count + 1))

    def common_days(self, month: int) -> int:
        """How many days a month has in a common year, its intercalary days included."""
        extra = sum(i.days for i in self.intercalary if i.after_month == month)
        return self.months[month - 1].days + extra

    def month_days(self, year: int, month: int) -> int:
        """How many days the month has in that year."""
        leap = self.leap
        extra = leap.days if leap is not None and leap.month == month and leap.applies(year) else 0
        return self.common_days(month) + extra

    def year_start(self, year: int) -> int:
        """The first day of the year."""
        leap_days = 0 if self.leap is None else self.leap.days * self.leap.until(year - 1)
        return self.year_days * (year - 1) + leap_days

    def year_of(self, day: int) -> int:
        """The year that contains a day."""
        longest = self.year_days + (0 if self.leap is None else self.leap.days)
        near, far = sorted((day // self.year_days + 1, day // longest + 1))
        return last_where(lambda year: self.year_start(year) <= day, near - 1, far + 1)

    def month_start(self, year: int, month: int) -> int:
        """The first day of a month; month numbers outside the year count from its neighbours."""
        carried, index = divmod(month - 1, self.month_count)
        year += carried
        return self.year_start(year) + sum(self.month_days(year, n) for n in range(1, index + 1))

    def month_name(self, month: int) -> str | None:
        """The name of a month, if it has one."""
        return self.months[month - 1].name

    def weekday(self, day: int) -> str | None:
        """The name of the weekday; None without a week."""
        return self.week[day % len(self.week)] if self.week else None

    def has_lengths_of(self, other: "FictionalCalendar") -> bool:
        """Whether every year and month has the same length as in the other."""
        mine = [self.common_days(n + 1) for n in range(self.month_count)]
        return mine == [other.common_days(n + 1) for n in range(other.month_count)] and self.leap == other.leap


STANDARD = FictionalCalendar(
    "standard", "Standard", tuple(Month(None, days) for days in (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31))
)
GREGORIAN = GregorianCalendar()


def last_where(fits: Callable[[int], bool], low: int, high: int) -> int:
    """Binary search: the greatest number from `low` below `high` that satisfies a monotonic test."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def split_day(calendar: Calendar, day: int) -> tuple[int, int, int]:
    """The calendar year, month and day of the month of an axis day."""
    year = calendar.year_of(day)
    rest, month = day - calendar.year_start(year), 1
    while rest >= (days := calendar.month_days(year, month)):
        rest, month = rest - days, month + 1
    return year, month, rest + 1
