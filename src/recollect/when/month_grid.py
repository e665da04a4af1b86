"""A month of any calendar as weeks of days."""

from dataclasses import dataclass

from recollect.when.calendar import Calendar, FictionalCalendar, split_day

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
