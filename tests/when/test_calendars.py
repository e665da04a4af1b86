from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.when import gregorian
from recollect.when.calendar import (
    GREGORIAN,
    STANDARD,
    Calendar,
    FictionalCalendar,
    Intercalary,
    Leap,
    Month,
    split_day,
)
from recollect.when.foreign_calendars import FRENCH, HEBREW, JULIAN, ForeignCalendar
from recollect.when.gregorian import MONTH_NAMES
from recollect.when.instant import date_of_day, day_of_date

LEAPS = [
    None,
    Leap(4, 1, 2),
    Leap(4, 2, 1, except_every=100),
    Leap(4, 2, 1, except_every=100, unless_every=400),
    Leap(7, 3, 900, except_every=5, unless_every=3),
    Leap(1, 1, 1),
]
CALENDARS = [
    FictionalCalendar(
        "c", "C", (Month("Ebb", 30), Month(None, 30), Month("x", 1)), ("a", "b"), (Intercalary("s", 2, 3),), leap
    )
    for leap in LEAPS
]
calendars: st.SearchStrategy[Calendar] = st.sampled_from([GREGORIAN, STANDARD, *CALENDARS])
days = st.integers(min_value=-(10**8), max_value=10**8)
FOREIGN = (JULIAN, HEBREW, FRENCH)


@given(st.dates())
def test_gregorian_days_are_those_of_the_standard_library(value: date) -> None:
    day = day_of_date(value)
    assert gregorian.day_number(value.year, value.month, value.day) == day
    assert gregorian.ymd(day) == (value.year, value.month, value.day)
    assert GREGORIAN.weekday(day) == value.strftime("%A")
    assert GREGORIAN.month_name(value.month) == value.strftime("%B") == MONTH_NAMES[value.month - 1]


@given(st.integers(min_value=-60_000_000, max_value=60_000_000))
def test_gregorian_days_go_on_beyond_four_digits_and_below_zero(day: int) -> None:
    year, month, dom = gregorian.ymd(day)
    assert gregorian.day_number(year, month, dom) == day
    assert 1 <= dom <= gregorian.month_days(year, month)


def test_the_year_zero_is_a_leap_year_like_every_fourth_century() -> None:
    assert [y for y in (-400, -100, 0, 4, 100, 1900, 2000) if gregorian.is_leap(y)] == [-400, 0, 4, 2000]


@given(calendars, days)
def test_a_day_is_found_again_from_its_year_month_and_day(calendar: Calendar, day: int) -> None:
    year, month, dom = split_day(calendar, day)
    assert calendar.month_start(year, month) + dom - 1 == day
    assert calendar.year_start(year) <= day < calendar.year_start(year + 1)


@given(calendars, st.integers(min_value=-5000, max_value=5000))
def test_a_year_is_as_long_as_its_months(calendar: Calendar, year: int) -> None:
    months = sum(calendar.month_days(year, n) for n in range(1, calendar.month_count + 1))
    assert calendar.year_start(year + 1) - calendar.year_start(year) == months


@given(calendars, st.integers(min_value=-50, max_value=50), st.integers(min_value=-40, max_value=40))
def test_months_beyond_a_year_run_into_its_neighbours(calendar: Calendar, year: int, month: int) -> None:
    count = calendar.month_count
    assert calendar.month_start(year, month) == calendar.month_start(year + 1, month - count)


def test_the_first_year_of_a_fictional_calendar_begins_on_axis_day_zero_and_so_does_its_week() -> None:
    for calendar in (STANDARD, *CALENDARS):
        assert calendar.year_start(1) == 0
    assert [CALENDARS[0].weekday(day) for day in (-1, 0, 1)] == ["b", "a", "b"]
    assert STANDARD.weekday(0) is None
    assert [CALENDARS[0].month_name(n) for n in (1, 2)] == ["Ebb", None]


def test_calendars_of_equal_lengths_are_told_from_others() -> None:
    renamed = FictionalCalendar("d", "D", (Month("a", 30), Month("b", 33), Month("c", 1)))
    assert renamed.has_lengths_of(CALENDARS[0])
    assert not renamed.has_lengths_of(CALENDARS[1])
    assert not renamed.has_lengths_of(STANDARD)


@pytest.mark.parametrize(
    ("calendar", "written", "gregorian_date"),
    [
        (JULIAN, (1582, 10, 5), "1582-10-15"),
        (JULIAN, (1752, 9, 3), "1752-09-14"),
        (JULIAN, (1900, 2, 29), "1900-03-13"),
        (JULIAN, (1917, 10, 25), "1917-11-07"),
        (HEBREW, (5784, 1, 1), "2023-09-16"),
        (HEBREW, (5784, 6, 30), "2024-03-10"),
        (HEBREW, (5784, 7, 14), "2024-03-24"),
        (HEBREW, (5785, 6, 14), "2025-03-14"),
        (HEBREW, (5708, 9, 5), "1948-05-14"),
        (FRENCH, (1, 1, 1), "1792-09-22"),
        (FRENCH, (2, 11, 9), "1794-07-27"),
        (FRENCH, (3, 13, 6), "1795-09-22"),
        (FRENCH, (8, 2, 18), "1799-11-09"),
        (FRENCH, (14, 4, 10), "1805-12-31"),
    ],
)
def test_known_dates_of_other_calendars(
    calendar: ForeignCalendar, written: tuple[int, int, int], gregorian_date: str
) -> None:
    day = calendar.day(*written)
    assert day is not None
    assert date_of_day(day).isoformat() == gregorian_date
    assert calendar.ymd(day) == written


@given(st.sampled_from(FOREIGN), st.integers(min_value=-600_000, max_value=400_000))
def test_a_day_of_another_calendar_is_found_again(calendar: ForeignCalendar, day: int) -> None:
    year, month, dom = calendar.ymd(day)
    assert calendar.day(year, month, dom) == day
    period = calendar.period(year, month)
    assert period is not None
    assert period[0] <= day <= period[1]
    whole = calendar.period(year)
    assert whole is not None
    assert whole[0] <= period[0] <= period[1] <= whole[1]


@pytest.mark.parametrize(
    ("calendar", "written"),
    [
        (JULIAN, (1901, 2, 29)),
        (HEBREW, (5785, 7, 1)),
        (FRENCH, (4, 13, 6)),
        (JULIAN, (1900, 13, 1)),
        (JULIAN, (1900, 1, 0)),
    ],
)
def test_days_that_a_calendar_lacks_are_none(calendar: ForeignCalendar, written: tuple[int, int, int]) -> None:
    assert calendar.day(*written) is None
    assert calendar.period(1900, 14) is None


def test_no_day_of_a_hebrew_cycle_is_lost() -> None:
    first = HEBREW.year_start(5765)
    dates = [HEBREW.ymd(day) for day in range(first, HEBREW.year_start(5784))]
    assert [HEBREW.day(*written) for written in dates] == list(range(first, first + len(dates)))
    assert dates == sorted(set(dates))


def test_hebrew_years_have_only_the_six_lawful_lengths() -> None:
    lengths = {HEBREW.year_start(y + 1) - HEBREW.year_start(y) for y in range(1, 6500)}
    assert lengths == {353, 354, 355, 383, 384, 385}
