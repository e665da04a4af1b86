"""Rulers: labelled marks along a part of a time axis, the eras that lie on it, and months as weeks of days."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal, NamedTuple

from recollect.when.calendar import GREGORIAN, Calendar, FictionalCalendar, split_day
from recollect.when.era import BCE, CE, Era
from recollect.when.instant import DAY, MAX, MIN
from recollect.when.span import Span
from recollect.when.timeline import Timeline
from recollect.when.timeline_lookup import containing_era, primary_calendar

RulerUnit = Literal["day", "month", "year"]


class Tick(NamedTuple):
    """A mark: its position, its label, and whether a larger unit begins there."""

    at: int
    label: str
    is_major: bool = False


class EraBand(NamedTuple):
    """An era on the axis; `depth` is 0 for a top-level one."""

    name: str
    path: str
    lo: int
    hi: int
    depth: int


@dataclass(frozen=True, slots=True)
class RulerStep:
    """The distance between two marks: a number of days, months or years."""

    unit: RulerUnit
    size: int

    def rough_days(self, calendar: Calendar) -> float:
        """About how many days lie between two marks; steps of months begin anew with each year."""
        year = calendar.year_start(2) - calendar.year_start(1)
        in_year = -(-calendar.month_count // self.size)
        return {"day": float(self.size), "month": year / in_year, "year": float(year * self.size)}[self.unit]


_SMALL_STEPS = (
    RulerStep("day", 1),
    RulerStep("day", 7),
    RulerStep("month", 1),
    RulerStep("month", 3),
    RulerStep("month", 6),
)


def ruler_calendar(timeline: Timeline, day: int) -> Calendar:
    """The calendar whose years and months a ruler marks around a day: that of its era, else the primary one."""
    if not timeline.is_fictional:
        return GREGORIAN
    era = containing_era(timeline, day)
    return primary_calendar(timeline) if era is None else era.calendar


def ruler_ticks(timeline: Timeline, span: Span, most: int) -> list[Tick]:
    """At most `most` marks at round places of the calendar, in a span that is bounded on both sides."""
    first, last = timeline.day_at(span.lo), timeline.day_at(span.hi)
    calendar = ruler_calendar(timeline, (first + last) // 2)
    step = choose_step(calendar, last - first + 1, most)
    marks = (
        Tick(timeline.positions(day, day)[0], *_label(timeline, calendar, day, step))
        for day in _days(timeline, calendar, first, last, step)
    )
    return [mark for mark in marks if span.lo <= mark.at <= span.hi][:most]


def choose_step(calendar: Calendar, days: int, most: int) -> RulerStep:
    """The smallest step that needs at most `most` marks."""
    for step in _steps():
        if days / step.rough_days(calendar) <= most - 1:
            return step
    raise AssertionError("steps grow without end")


def _steps() -> Iterator[RulerStep]:
    yield from _SMALL_STEPS
    for power in count():
        yield from (RulerStep("year", size * 10**power) for size in (1, 2, 5))


def _days(timeline: Timeline, calendar: Calendar, first: int, last: int, step: RulerStep) -> Iterator[int]:
    """The days from `first` to `last` on which a step begins."""
    if step.unit == "day":
        yield from range(-(-first // step.size) * step.size, last + 1, step.size)
    elif step.unit == "month":
        yield from _month_days(calendar, first, last, step.size)
    else:
        eras = [era for era in timeline.eras if era.parent is None] if timeline.is_fictional else [BCE, CE]
        found = {day for era in eras for day in _year_days(era, first, last, step.size)}
        if not eras:
            years = range(calendar.year_of(first), calendar.year_of(last) + 1)
            found = {calendar.year_start(year) for year in years if year % step.size == 0}
        yield from sorted(found)


def _month_days(calendar: Calendar, first: int, last: int, size: int) -> Iterator[int]:
    """The first days of every few months, counted from the beginning of each year."""
    for year in range(calendar.year_of(first), calendar.year_of(last) + 1):
        for month in range(1, calendar.month_count + 1, size):
            day = calendar.month_start(year, month)
            if first <= day <= last:
                yield day


def _year_days(era: Era, first: int, last: int, size: int) -> Iterator[int]:
    """The first days of those years of an era whose number is a multiple of the size."""
    part = era.clip(first, last)
    if part is None:
        return
    low, high = sorted(era.number_of(era.calendar.year_of(day)) for day in part)
    for number in range(-(-low // size) * size, high + 1, size):
        yield era.calendar.year_start(era.calendar_year(number))


def _label(timeline: Timeline, calendar: Calendar, day: int, step: RulerStep) -> tuple[str, bool]:
    """The text of a mark, and whether a year begins there, or a month among days."""
    _, month, day_of_month = split_day(calendar, day)
    name = _month_name(calendar, month)
    if step.unit == "year" or (month == 1 and day_of_month == 1):
        return year_label(timeline, calendar, day), step.unit != "year"
    if step.unit == "month":
        return name, False
    return f"{day_of_month} {name}", day_of_month == 1


def _month_name(calendar: Calendar, month: int) -> str:
    return calendar.month_name(month) or f"month {month}"


def year_label(timeline: Timeline, calendar: Calendar, day: int) -> str:
    """The year of a day as people write it: with its era where that is not the common one."""
    if not timeline.is_fictional:
        year = calendar.year_of(day)
        return str(year) if year > 0 else f"{1 - year} BCE"
    era = containing_era(timeline, day)
    if era is None:
        return f"year {calendar.year_of(day)}"
    return f"{era.name} {era.number_of(era.calendar.year_of(day))}"


def day_label(timeline: Timeline, position: int, unit: RulerUnit = "day") -> str:
    """A position of the axis as people write it, as precise as the unit."""
    day = timeline.day_at(position)
    calendar = ruler_calendar(timeline, day)
    _, month, day_of_month = split_day(calendar, day)
    year = year_label(timeline, calendar, day)
    parts = {
        "day": (str(day_of_month), _month_name(calendar, month), year),
        "month": (_month_name(calendar, month), year),
    }
    if unit == "year":
        return year
    separator = ", " if timeline.is_fictional else " "
    *smaller, larger = parts[unit]
    return f"{' '.join(smaller)}{separator}{larger}"


def era_bands(timeline: Timeline, span: Span) -> list[EraBand]:
    """The eras of a fictional timeline that overlap a span, cut to it, outer ones first."""
    bands = [_band(era, span) for era in timeline.eras] if timeline.is_fictional else []
    found = [band for band in bands if band is not None]
    return sorted(found, key=lambda band: (band.depth, band.lo, band.path))


def _band(era: Era, span: Span) -> EraBand | None:
    lo = max(span.lo, MIN if era.first_day is None else era.first_day)
    hi = min(span.hi, MAX if era.last_day is None else era.last_day)
    return EraBand(era.name, era.path, lo, hi, era.path.count(".")) if lo <= hi else None


def least_span(timeline: Timeline) -> int:
    """The shortest part of the axis that a ruler can mark usefully: two days."""
    return 2 if timeline.is_fictional else 2 * DAY


DEFAULT_WEEK = 7


@dataclass(frozen=True, slots=True)
class MonthGrid:
    """The days of a month by weeks; None fills the first and last week. Days are counted on the axis."""

    year: int
    month: int
    weekdays: tuple[str, ...]
    weeks: tuple[tuple[int | None, ...], ...]
    first_day: int
    last_day: int
    previous: tuple[int, int]
    next: tuple[int, int]


def month_grid(calendar: Calendar, year: int, month: int) -> MonthGrid:
    """The grid of a month; its weeks are those of the calendar, or of seven days if it has none."""
    week = _week_of(calendar)
    length = len(week) or DEFAULT_WEEK
    first = calendar.month_start(year, month)
    days = calendar.month_days(year, month)
    lead = _place_in_week(calendar, first, week)
    cells: list[int | None] = [*[None] * lead, *range(first, first + days)]
    cells += [None] * (-len(cells) % length)
    weeks = tuple(tuple(cells[start : start + length]) for start in range(0, len(cells), length))
    before = split_day(calendar, first - 1)[:2]
    after = split_day(calendar, first + days)[:2]
    return MonthGrid(year, month, week, weeks, first, first + days - 1, before, after)


def _week_of(calendar: Calendar) -> tuple[str, ...]:
    """The names of the days of a week, in its order."""
    if isinstance(calendar, FictionalCalendar):
        return calendar.week
    # Day 4 of the axis, 1970-01-05, was a Monday.
    return tuple(calendar.weekday(4 + day) or "" for day in range(DEFAULT_WEEK))


def _place_in_week(calendar: Calendar, day: int, week: tuple[str, ...]) -> int:
    name = calendar.weekday(day)
    return week.index(name) if name in week else 0
