from datetime import UTC, date, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.when.worlds import BERLIN

from recollect.when.instant import (
    DAY,
    HOUR,
    MAX,
    MIN,
    Instant,
    date_of_day,
    day_end,
    day_of_date,
    day_period,
    day_start,
    format_date,
    format_instant,
    format_millis,
    format_year,
    local_date,
    local_day,
    read_date,
    read_instant,
    read_zone,
)
from recollect.when.time_errors import BadTime, UnknownZone

instants = st.integers(min_value=-(4 * 10**18), max_value=4 * 10**18).map(Instant)
ZONES = ("UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns")


def test_the_ends_of_the_axis_fit_a_signed_64_bit_column_with_room_to_spare() -> None:
    assert MIN - DAY > -(2**63)
    assert MAX + DAY < 2**63 - 1


@pytest.mark.parametrize(
    ("instant", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (500_000, "1970-01-01T00:00:00.500Z"),
        (1, "1970-01-01T00:00:00.000001Z"),
        (-1, "1969-12-31T23:59:59.999999Z"),
        (MIN, "-144169-06-28T09:59:32.612096Z"),
        (MAX, "+148108-07-06T14:00:27.387904Z"),
    ],
)
def test_an_instant_is_said_in_utc_with_a_fraction_only_if_it_has_one(instant: int, text: str) -> None:
    assert format_instant(Instant(instant)) == text


def test_milliseconds_are_always_said_where_asked_for() -> None:
    assert format_millis(Instant(1_000)) == "1970-01-01T00:00:00.001Z"


@given(instants)
def test_every_instant_reads_back_as_it_is_said(instant: Instant) -> None:
    assert read_instant(format_instant(instant), BERLIN) == instant


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-14T10:22:00Z",
        "2026-03-14t10:22:00z",
        "2026-03-14 10:22Z",
        "2026-03-14T10:22:00+00:00",
        "2026-03-14T12:22:00+0200",
        "2026-03-14T12:22+02",
        "2026-03-14T04:52:00-05:30",
        "2026-03-14T11:22:00",
        "2026-03-14T11:22:00,000",
        " 2026-03-14T10:22:00.0000000001Z ",
    ],
)
def test_all_ways_to_write_an_instant_mean_the_same(text: str) -> None:
    assert format_instant(read_instant(text, BERLIN)) == "2026-03-14T10:22:00Z"


def test_midnight_may_be_written_at_the_end_of_a_day_and_a_leap_second_runs_over() -> None:
    assert read_instant("2026-03-14T24:00:00Z", UTC) == read_instant("2026-03-15T00:00:00Z", UTC)
    assert read_instant("2016-12-31T23:59:60Z", UTC) == read_instant("2017-01-01T00:00:00Z", UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-03-14",
        "now",
        "2026-13-01T00:00Z",
        "2026-00-01T00:00Z",
        "2026-02-29T00:00Z",
        "2026-02-00T00:00Z",
        "2026-02-01T25:00Z",
        "2026-02-01T24:01Z",
        "2026-02-01T10:60Z",
        "2026-02-01T10:00:61Z",
        "2026-02-01T10:00+24:00",
        "2026-02-01T10:00+01:60",
        "+200000-02-01T10:00Z",
        "٢٠٢٦-03-14T10:22:00Z",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        read_instant(text, UTC)


def test_a_wall_time_that_comes_twice_is_the_first_and_one_that_never_comes_is_pushed_on() -> None:
    assert format_instant(read_instant("2026-10-25T02:30", BERLIN)) == "2026-10-25T00:30:00Z"
    assert format_instant(read_instant("2026-03-29T02:30", BERLIN)) == "2026-03-29T01:30:00Z"


@pytest.mark.parametrize(
    ("day", "zone", "hours"),
    [
        ("2026-03-29", "Europe/Berlin", 23),
        ("2026-10-25", "Europe/Berlin", 25),
        ("2026-03-30", "Europe/Berlin", 24),
        ("2018-11-04", "America/Sao_Paulo", 23),
        ("2018-02-17", "America/Sao_Paulo", 25),
        ("2026-03-29", "UTC", 24),
    ],
)
def test_days_are_as_long_as_the_zone_makes_them(day: str, zone: str, hours: int) -> None:
    lo, hi = day_period(read_date(day), read_zone(zone))
    assert hi - lo + 1 == hours * HOUR


def test_a_day_that_a_zone_skipped_is_a_single_instant() -> None:
    lo, hi = day_period(date(2011, 12, 30), read_zone("Pacific/Apia"))
    assert lo == hi


@given(st.integers(min_value=-50_000_000, max_value=50_000_000), st.sampled_from(ZONES))
def test_days_follow_each_other_without_a_gap(day: int, zone: str) -> None:
    here = read_zone(zone)
    assert day_end(day, here) + 1 == day_start(day + 1, here)


@given(st.dates(min_value=date(1, 1, 5), max_value=date(9999, 12, 25)), st.sampled_from(("UTC", "Europe/Berlin")))
def test_the_first_and_last_instant_of_a_date_fall_on_it(value: date, zone: str) -> None:
    lo, hi = day_period(value, read_zone(zone))
    assert [local_date(lo, read_zone(zone)), local_date(hi, read_zone(zone))] == [value, value]
    assert date_of_day(day_of_date(value)) == value


def test_a_fixed_offset_is_a_zone_too() -> None:
    assert local_day(Instant(23 * HOUR), timezone(timedelta(hours=2))) == 1
    assert local_day(Instant(1 * HOUR), timezone(timedelta(hours=-2))) == -1


def test_a_date_on_the_wall_needs_a_year_that_walls_have() -> None:
    with pytest.raises(BadTime):
        local_date(Instant(MAX), UTC)


@pytest.mark.parametrize("text", ["2026-2-1", "2026-02-30", "0000-01-01", "20260201", "2026-02-01T00:00Z", ""])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        read_date(text)


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc", "Europe", "x" * 300, "Europe/Berlin\0"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(UnknownZone):
        read_zone(name)


def test_years_are_said_with_a_sign_only_beyond_four_digits() -> None:
    assert [format_year(y) for y in (-44, 0, 850, 9999, 12000)] == ["-0044", "0000", "0850", "9999", "+12000"]


@pytest.mark.parametrize(
    "text", ["1970-01-01", "0001-01-01", "0000-12-31", "-0044-03-15", "9999-12-31", "+12000-02-29"]
)
def test_a_day_is_said_as_a_date_in_whatever_year(text: str) -> None:
    assert format_date(local_day(read_instant(f"{text}T12:00:00Z", UTC), UTC)) == text
