"""Stretches of days, some of them still without a year."""

from dataclasses import dataclass
from typing import Literal

from recollect.when.english.sentence import Lean
from recollect.when.gregorian import day_number, month_days, year_of, year_start, ymd

Unit = Literal["day", "week", "month", "year", "range"]


@dataclass(frozen=True, slots=True)
class Days:
    """From one day to another, both included, and the unit it was said in."""

    first: int
    last: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class Yearless:
    """A month, or a day or a few days of one, of some year."""

    month: int
    first: int | None = None
    last: int | None = None

    def in_year(self, year: int) -> Days | None:
        """The stretch in one year; none where the day does not exist."""
        if self.first is None:
            return month_of(year, self.month)
        last = self.last or self.first
        if not 1 <= self.first <= last <= month_days(year, self.month):
            return None
        start = day_number(year, self.month, self.first)
        return Days(start, start + last - self.first, "day" if last == self.first else "range")


Piece = Days | Yearless


def one_day(day: int) -> Days:
    return Days(day, day, "day")


def resolved(piece: Piece, today: int, lean: Lean) -> Days | None:
    """The stretch with its year: the latest begun or the first not yet over."""
    if isinstance(piece, Days):
        return piece
    this = year_of(today)
    years = range(this, this - 9, -1) if lean == "past" else range(this, this + 9)
    candidates = (piece.in_year(year) for year in years)
    fits = (d for d in candidates if d is not None and (d.first <= today if lean == "past" else d.last >= today))
    return next(fits, None)


def span_of(start: Piece, end: Piece, today: int, lean: Lean) -> Days | None:
    """From one stretch to another, a missing year taken from the other end."""
    if isinstance(start, Yearless) and isinstance(end, Yearless):
        return _yearless_span(start, end, today, lean)
    first = start if isinstance(start, Days) else _before(start, end, today)
    last = end if isinstance(end, Days) else _onward(end, start)
    if first is None or last is None or first.first > last.last:
        return None
    return Days(first.first, last.last, "range")


def _before(start: Yearless, end: Piece, today: int) -> Days | None:
    return resolved(start, end.first if isinstance(end, Days) else today, "past")


def _onward(end: Yearless, start: Piece) -> Days | None:
    return resolved(end, start.first, "future") if isinstance(start, Days) else None


def _yearless_span(start: Yearless, end: Yearless, today: int, lean: Lean) -> Days | None:
    this = year_of(today)
    years = range(this + 1, this - 9, -1) if lean == "past" else range(this - 1, this + 9)
    for year in years:
        first = start.in_year(year)
        last = None if first is None else _onward(end, first)
        if first is None or last is None:
            continue
        if first.first <= today if lean == "past" else last.last >= today:
            return Days(first.first, last.last, "range")
    return None


def weekday_of(day: int) -> int:
    """The day of the week, Monday being 0."""
    return (day + 3) % 7


def week_of(day: int) -> Days:
    """The ISO week that holds a day."""
    monday = day - weekday_of(day)
    return Days(monday, monday + 6, "week")


def weekend_of(day: int) -> Days:
    """Saturday and Sunday of the ISO week that holds a day."""
    monday = day - weekday_of(day)
    return Days(monday + 5, monday + 6, "range")


def month_of(year: int, month: int) -> Days:
    """A whole month; months beyond the year run into the next or the one before."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return Days(day_number(year, month, 1), day_number(year, month, month_days(year, month)), "month")


def years_of(first: int, count: int = 1) -> Days:
    """So many whole years from a year on."""
    return Days(year_start(first), year_start(first + count) - 1, "year" if count == 1 else "range")


def quarter_of(year: int, quarter: int) -> Days:
    """Three months; quarters beyond the year run on."""
    start = month_of(year, 3 * quarter - 2)
    return Days(start.first, month_of(year, 3 * quarter).last, "range")


def moved(day: int, months: int) -> int:
    """The same day of another month, or that month's last."""
    year, month, dom = ymd(day)
    target = month_of(year, month + months)
    return min(target.first + dom - 1, target.last)


def iso_week_of(year: int, week: int) -> Days:
    """An ISO week by its number."""
    first = week_of(year_start(year) + 3)
    return Days(first.first + 7 * (week - 1), first.last + 7 * (week - 1), "week")


def nth_weekday(stretch: Days, weekday: int, rank: int) -> Days | None:
    """The first, second … or, for -1, last such weekday of a stretch."""
    if rank < 0:
        day = stretch.last - (weekday_of(stretch.last) - weekday) % 7
    else:
        day = stretch.first + (weekday - weekday_of(stretch.first)) % 7 + 7 * (rank - 1)
    return one_day(day) if stretch.first <= day <= stretch.last else None
