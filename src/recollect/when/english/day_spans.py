"""Spans of days, some of them still without a year."""

from dataclasses import dataclass
from typing import Literal

from recollect.when.english.sentence import DatePreference
from recollect.when.gregorian import day_number, month_days, year_of, year_start, ymd

Unit = Literal["day", "week", "month", "year", "range"]


@dataclass(frozen=True, slots=True)
class DaySpan:
    """From one day to another, both included, and the unit it was expressed in."""

    first: int
    last: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class YearlessDays:
    """A month, or a day or a few days of one, of some year."""

    month: int
    first: int | None = None
    last: int | None = None

    def in_year(self, year: int) -> DaySpan | None:
        """The span in one year; None if the day does not exist."""
        if self.first is None:
            return month_of(year, self.month)
        last = self.last or self.first
        if not 1 <= self.first <= last <= month_days(year, self.month):
            return None
        start = day_number(year, self.month, self.first)
        return DaySpan(start, start + last - self.first, "day" if last == self.first else "range")


Piece = DaySpan | YearlessDays


def single_day(day: int) -> DaySpan:
    return DaySpan(day, day, "day")


def resolve_year(piece: Piece, today: int, prefer: DatePreference) -> DaySpan | None:
    """The span with its year: the latest that has begun or the first that is not over."""
    if isinstance(piece, DaySpan):
        return piece
    this = year_of(today)
    years = range(this, this - 9, -1) if prefer == "past" else range(this, this + 9)
    candidates = (piece.in_year(year) for year in years)
    fits = (d for d in candidates if d is not None and (d.first <= today if prefer == "past" else d.last >= today))
    return next(fits, None)


def span_of(start: Piece, end: Piece, today: int, prefer: DatePreference) -> DaySpan | None:
    """From one span to another; a missing year is taken from the other end."""
    if isinstance(start, YearlessDays) and isinstance(end, YearlessDays):
        return _yearless_span(start, end, today, prefer)
    first = start if isinstance(start, DaySpan) else _before(start, end, today)
    last = end if isinstance(end, DaySpan) else _onward(end, start)
    if first is None or last is None or first.first > last.last:
        return None
    return DaySpan(first.first, last.last, "range")


def _before(start: YearlessDays, end: Piece, today: int) -> DaySpan | None:
    return resolve_year(start, end.first if isinstance(end, DaySpan) else today, "past")


def _onward(end: YearlessDays, start: Piece) -> DaySpan | None:
    return resolve_year(end, start.first, "future") if isinstance(start, DaySpan) else None


def _yearless_span(start: YearlessDays, end: YearlessDays, today: int, prefer: DatePreference) -> DaySpan | None:
    this = year_of(today)
    years = range(this + 1, this - 9, -1) if prefer == "past" else range(this - 1, this + 9)
    for year in years:
        first = start.in_year(year)
        last = None if first is None else _onward(end, first)
        if first is None or last is None:
            continue
        if first.first <= today if prefer == "past" else last.last >= today:
            return DaySpan(first.first, last.last, "range")
    return None


def weekday_of(day: int) -> int:
    """The day of the week, Monday being 0."""
    return (day + 3) % 7


def week_of(day: int) -> DaySpan:
    """The ISO week that contains a day."""
    monday = day - weekday_of(day)
    return DaySpan(monday, monday + 6, "week")


def weekend_of(day: int) -> DaySpan:
    """Saturday and Sunday of the ISO week that contains a day."""
    monday = day - weekday_of(day)
    return DaySpan(monday + 5, monday + 6, "range")


def month_of(year: int, month: int) -> DaySpan:
    """A month; month numbers outside the year count from its neighbours."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return DaySpan(day_number(year, month, 1), day_number(year, month, month_days(year, month)), "month")


def years_of(first: int, count: int = 1) -> DaySpan:
    """A number of years from a year on."""
    return DaySpan(year_start(first), year_start(first + count) - 1, "year" if count == 1 else "range")


def quarter_of(year: int, quarter: int) -> DaySpan:
    """Three months; quarter numbers outside the year count from its neighbours."""
    start = month_of(year, 3 * quarter - 2)
    return DaySpan(start.first, month_of(year, 3 * quarter).last, "range")


def add_months(day: int, months: int) -> int:
    """The same day of another month, or that month's last."""
    year, month, dom = ymd(day)
    target = month_of(year, month + months)
    return min(target.first + dom - 1, target.last)


def iso_week_of(year: int, week: int) -> DaySpan:
    """An ISO week by its number."""
    first = week_of(year_start(year) + 3)
    return DaySpan(first.first + 7 * (week - 1), first.last + 7 * (week - 1), "week")


def nth_weekday(stretch: DaySpan, weekday: int, rank: int) -> DaySpan | None:
    """The first, second … or, for -1, last such weekday of a span."""
    if rank < 0:
        day = stretch.last - (weekday_of(stretch.last) - weekday) % 7
    else:
        day = stretch.first + (weekday - weekday_of(stretch.first)) % 7 + 7 * (rank - 1)
    return single_day(day) if stretch.first <= day <= stretch.last else None
