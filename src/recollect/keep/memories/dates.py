"""The periods that memories cover: days, ISO weeks, months and years, written in one form each."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from recollect.errors import Refused
from recollect.when.gregorian import month_days
from recollect.when.instant import day_of_date

Granularity = Literal["daily", "significant", "weekly", "monthly", "yearly"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
"""In the order in which memories of one day are listed."""

_FORMS: dict[Granularity, str] = {
    "daily": "YYYY-MM-DD",
    "significant": "YYYY-MM-DD",
    "weekly": "YYYY-Www",
    "monthly": "YYYY-MM",
    "yearly": "YYYY",
}
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_WEEK = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)


class BadMemoryDate(Refused):
    def __init__(self, given: str, granularity: Granularity, fitting: str | None, field: str) -> None:
        form = _FORMS[granularity]
        shown = given if len(given) <= 40 else f"{given[:40]}…"
        hint = f"; {fitting} would fit" if fitting else ""
        message = f"{field} {shown!r} is no {granularity} date: it should be one that exists, of the form {form}{hint}"
        super().__init__(message, field=field, accepted=(fitting or form,))


@dataclass(frozen=True, slots=True)
class Period:
    """What a memory covers, from its first day to its last."""

    granularity: Granularity
    text: str
    first: date
    last: date

    def overlaps(self, first: date, last: date) -> bool:
        return self.first <= last and first <= self.last

    @property
    def days(self) -> tuple[int, int]:
        """The numbers of its first and last day."""
        return day_of_date(self.first), day_of_date(self.last)


def read_period(granularity: Granularity, text: str, field: str = "date") -> Period:
    """The period that a date names at this granularity."""
    try:
        return _period(granularity, text)
    except ValueError:
        raise BadMemoryDate(text, granularity, _fitting(granularity, text), field) from None


def _period(granularity: Granularity, text: str) -> Period:
    match granularity:
        case "daily" | "significant":
            day = read_day(text)
            return Period(granularity, text, day, day)
        case "weekly":
            return week(*_numbers(_WEEK, text))
        case "monthly":
            return month(*_numbers(_MONTH, text))
        case "yearly":
            return year(*_numbers(_YEAR, text))


def read_day(text: str) -> date:
    """The day written YYYY-MM-DD; a ValueError if there is none."""
    return date(*_numbers(_DAY, text))


def _numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return [int(part) for part in found.groups() or (found[0],)]


def week(of: int, number: int) -> Period:
    """An ISO week; the last one of the calendar ends with it."""
    first = date.fromisocalendar(of, number, 1)
    last = first + timedelta(days=6) if first <= date.max - timedelta(days=6) else date.max
    return Period("weekly", f"{of:04}-W{number:02}", first, last)


def month(of: int, number: int) -> Period:
    first = date(of, number, 1)
    return Period("monthly", f"{of:04}-{number:02}", first, first.replace(day=month_days(of, number)))


def year(number: int) -> Period:
    return Period("yearly", f"{number:04}", date(number, 1, 1), date(number, 12, 31))


def around(granularity: Granularity, day: date) -> Period:
    """The period of this granularity that a day lies in."""
    match granularity:
        case "daily" | "significant":
            return Period(granularity, day.isoformat(), day, day)
        case "weekly":
            return week(*day.isocalendar()[:2])
        case "monthly":
            return month(day.year, day.month)
        case "yearly":
            return year(day.year)


def _fitting(granularity: Granularity, text: str) -> str | None:
    """The date a caller may have meant who gave a day, or the day or month of an older name."""
    try:
        return around(granularity, read_day(text[:10])).text
    except ValueError:
        return None
