"""Months as weeks of days, in our calendar and in others."""

from recollect.when.calendar import GREGORIAN, STANDARD, FictionalCalendar, Month
from recollect.when.gregorian import day_number
from recollect.when.ruler import month_grid

LAMPS = FictionalCalendar("lamps", "Lamps", (Month("Thaw", 8), Month("Reed", 7)), ("Wick", "Oil", "Net"))


def test_a_month_begins_under_its_weekday() -> None:
    grid = month_grid(GREGORIAN, 2026, 11)
    assert grid.weekdays[0] == "Monday"
    assert grid.weeks[0] == (None,) * 6 + (day_number(2026, 11, 1),)
    assert len(grid.weeks) == 6
    assert (grid.previous, grid.next) == ((2026, 10), (2026, 12))
    assert grid.last_day - grid.first_day == 29


def test_december_is_followed_by_the_next_year() -> None:
    grid = month_grid(GREGORIAN, 2026, 12)
    assert grid.next == (2027, 1)


def test_a_fictional_month_has_the_weeks_of_its_calendar() -> None:
    grid = month_grid(LAMPS, 1, 2)
    assert grid.weekdays == ("Wick", "Oil", "Net")
    assert grid.weeks == ((None, None, 8), (9, 10, 11), (12, 13, 14))


def test_a_calendar_without_weeks_has_rows_of_seven_days() -> None:
    grid = month_grid(STANDARD, 1, 1)
    assert grid.weekdays == ()
    assert grid.weeks[0] == tuple(range(7))
