from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.when.worlds import NOW, UTC, gregorian, tides

from recollect.store.world import World
from recollect.when.calendar import split_day
from recollect.when.calendar_position import CalendarPosition, time_at
from recollect.when.era import Era
from recollect.when.format import time_of, time_of_date, time_of_instant
from recollect.when.instant import DAY, MAX, MIN, Instant, format_instant, read_instant
from recollect.when.parse import between, present, read_time
from recollect.when.period import Time
from recollect.when.time_errors import BadTime, TimelineFixed, UnknownEra
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import set_now, timeline_from

TIDES = tides()
PLAIN = timeline_from([], UTC)
GREGORIAN = gregorian()


def span(time: Time) -> tuple[str, str]:
    return format_instant(Instant(time.lo)), format_instant(Instant(time.hi + 1))


@pytest.mark.parametrize(
    ("written", "text", "grain", "first", "behind"),
    [
        ("1848", "1848", "year", "1848-01-01", "1849-01-01"),
        ("0850", "0850", "year", "0850-01-01", "0851-01-01"),
        ("ce.year_850", "0850", "year", "0850-01-01", "0851-01-01"),
        ("850 CE", "0850", "year", "0850-01-01", "0851-01-01"),
        ("1848-03", "1848-03", "month", "1848-03-01", "1848-04-01"),
        ("1848-12", "1848-12", "month", "1848-12-01", "1849-01-01"),
        ("1848-03-17", "1848-03-17", "day", "1848-03-17", "1848-03-18"),
        ("CE.Year_1848.Month_3.Day_17", "1848-03-17", "day", "1848-03-17", "1848-03-18"),
        ("bce.year_44", "bce.year_44", "year", "-0043-01-01", "-0042-01-01"),
        ("44 BCE", "bce.year_44", "year", "-0043-01-01", "-0042-01-01"),
        ("-0043", "bce.year_44", "year", "-0043-01-01", "-0042-01-01"),
        ("0000", "bce.year_1", "year", "0000-01-01", "0001-01-01"),
        ("bce.year_44.month_3.day_15", "bce.year_44.month_3.day_15", "day", "-0043-03-15", "-0043-03-16"),
        ("ce.year_12000.month_2", "ce.year_12000.month_2", "month", "+12000-02-01", "+12000-03-01"),
        ("regency", "regency", "era", "1811-02-05", "1820-01-30"),
        ("RG", "regency", "era", "1811-02-05", "1820-01-30"),
        ("1 RG", "regency.year_1", "year", "1811-02-05", "1812-01-01"),
        ("regency.year_10", "regency.year_10", "year", "1820-01-01", "1820-01-30"),
        ("regency.year_1.month_02", "regency.year_1.month_2", "month", "1811-02-05", "1811-03-01"),
        (" 1790~ ", "1790~", "year", "1785-01-01", "1796-01-01"),
        ("1848-03~", "1848-03~", "month", "1847-10-01", "1848-09-01"),
        ("1848-03-17~", "1848-03-17~", "day", "1848-03-12", "1848-03-23"),
        ("regency~", "regency~", "era", "1811-02-05", "1820-01-30"),
        ("[1848..1850-06]", "[1848..1850-06]", "range", "1848-01-01", "1850-07-01"),
        ("[ 44 BCE .. 10 CE ]", "[bce.year_44..0010]", "range", "-0043-01-01", "0011-01-01"),
        ("[1790~..1800]", "[1790~..1800]", "range", "1785-01-01", "1801-01-01"),
    ],
)
def test_gregorian_forms(written: str, text: str, grain: str, first: str, behind: str) -> None:
    time = read_time(written, GREGORIAN, NOW)
    assert (time.text, time.grain) == (text, grain)
    assert span(time) == (f"{first}T00:00:00Z", f"{behind}T00:00:00Z")
    assert time.uncertain == ("~" in text or "[" in text)
    assert read_time(time.text, GREGORIAN, NOW) == time


def test_open_ranges_and_open_eras_reach_to_the_ends_of_the_axis() -> None:
    assert (read_time("[..1850]", PLAIN, NOW).lo, read_time("[1850..]", PLAIN, NOW).hi) == (MIN, MAX)
    assert (read_time("bce", PLAIN, NOW).lo, read_time("ce", PLAIN, NOW).hi) == (MIN, MAX)
    assert read_time("before", TIDES, NOW).lo == MIN
    assert read_time("second_tide", TIDES, NOW).hi == MAX


def test_an_instant_is_itself_and_about_it_is_a_few_seconds() -> None:
    time = read_time("2026-03-14T12:22+02:00", PLAIN, NOW)
    assert (time.text, time.grain, time.lo) == ("2026-03-14T10:22:00Z", "instant", time.hi)
    about = read_time("2026-03-14T10:22:00Z~", PLAIN, NOW)
    assert (time.lo - about.lo, about.hi - time.hi) == (5_000_000, 5_000_000)


def test_days_are_days_in_the_zone_of_the_workspace() -> None:
    berlin = gregorian("Europe/Berlin")
    spring = read_time("2026-03-29", berlin, NOW)
    assert span(spring) == ("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z")
    assert spring.hi - spring.lo + 1 == DAY - DAY // 24
    assert read_time("2026-03-29T10:00", berlin, NOW).text == "2026-03-29T08:00:00Z"


def test_weeks_are_read_only_where_asked_for() -> None:
    week = read_time("2026-W01", PLAIN, NOW, weeks=True)
    assert (week.text, week.grain) == ("2026-W01", "week")
    assert span(week) == ("2025-12-29T00:00:00Z", "2026-01-05T00:00:00Z")
    about = read_time("2026-w01~", PLAIN, NOW, weeks=True)
    assert week.lo - about.lo == 35 * DAY
    with pytest.raises(BadTime):
        read_time("2026-W01", PLAIN, NOW)


@pytest.mark.parametrize(("text", "exists"), [("2020-W53", True), ("2025-W53", False), ("2026-W00", False)])
def test_a_week_that_its_year_lacks_is_refused(text: str, exists: bool) -> None:
    if exists:
        assert read_time(text, PLAIN, NOW, weeks=True).text == text
    else:
        with pytest.raises(BadTime):
            read_time(text, PLAIN, NOW, weeks=True)


@pytest.mark.parametrize(
    ("written", "text", "lo", "hi"),
    [
        ("first_tide", "first_tide", 0, 19943),
        ("First Tide", "first_tide", 0, 19943),
        ("FT", "first_tide", 0, 19943),
        ("first_tide.year_1", "first_tide.year_1", 0, 65),
        ("1 ft", "first_tide.year_1", 0, 65),
        ("first_tide.year_01.month_2.day_31", "first_tide.year_1.month_2.day_31", 60, 60),
        ("first_tide.year_4.month_1.day_32", "first_tide.year_4.month_1.day_32", 229, 229),
        ("before.year_1", "before.year_1", -68, -1),
        ("2 BF", "before.year_2", -134, -69),
        ("first_tide.moon_years.year_1", "first_tide.moon_years.year_1", 364, 727),
        ("moon_years.year_1.month_13.day_28", "first_tide.moon_years.year_1.month_13.day_28", 727, 727),
        ("the_flood", "first_tide.year_7.month_2.day_31", 458, 458),
        ("first_tide.year_7~", "first_tide.year_7~", 66, 797),
        ("first_tide.year_2.month_1~", "first_tide.year_2.month_1~", -36, 197),
        ("the_flood~", "first_tide.year_7.month_2.day_31~", 453, 463),
        ("[2 BF..1 FT]", "[before.year_2..first_tide.year_1]", -134, 65),
    ],
)
def test_fictional_forms(written: str, text: str, lo: int, hi: int) -> None:
    time = read_time(written, TIDES, NOW)
    assert (time.text, time.lo, time.hi) == (text, lo, hi)
    assert read_time(text, TIDES, NOW) == time


def test_a_year_of_an_era_is_cut_to_the_era() -> None:
    first = read_time("grey_years.year_1", TIDES, NOW)
    whole = read_time("second_tide.year_40", TIDES, NOW)
    assert (first.hi, first.lo) == (whole.hi, read_time("second_tide.year_40.month_2.day_3", TIDES, NOW).lo)
    assert whole.contains(first)


def test_the_same_year_may_be_written_in_two_eras() -> None:
    assert (
        read_time("second_tide.year_45", TIDES, NOW).span == read_time("second_tide.grey_years.year_6", TIDES, NOW).span
    )


@pytest.mark.parametrize(
    "text",
    [
        "1848-13",
        "1848-00",
        "1848-02-30",
        "1848-2-3",
        "850",
        "12345",
        "20240301",
        "ce.year_0",
        "bce.year_0",
        "ce.year_200000",
        "bce.year_200000",
        "regency.year_11",
        "regency.year_1.month_1",
        "regency.year_1.month_2.day_4",
        "ce.year_5.day_2",
        "ce.month_5",
        "ce.day_5",
        "1848-03-17T25:00",
        "[1850..1848]",
        "[..]",
        "[1848]",
        "[[1848..1850]..1860]",
        "[1848..1850]~",
        "1848~~",
        "",
        "~",
        "17 March 1848",
        "not a time",
        "2024-W10",
        "5pm",
    ],
)
def test_a_bad_time_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        read_time(text, GREGORIAN, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "first_tide.year_301",
        "first_tide.year_0",
        "second_tide.year_-1",
        "first_tide.year_1.month_4",
        "first_tide.year_1.month_0",
        "first_tide.year_1.month_2.day_32",
        "first_tide.year_1.month_1.day_31",
        "grey_years.year_1.month_1",
        "second_tide.year_99999999999",
        "before.year_0",
    ],
)
def test_what_an_era_or_its_calendar_lacks_is_refused(text: str) -> None:
    with pytest.raises(BadTime, match=r"has|reach"):
        read_time(text, TIDES, NOW)


@pytest.mark.parametrize("text", ["fourth_age", "fourth_age.year_3", "3rd_age", "a.b.year_1", "45 XY", "yesterday"])
def test_an_era_that_nobody_defined_is_named_with_those_that_are(text: str) -> None:
    with pytest.raises(UnknownEra) as caught:
        read_time(text, TIDES, NOW)
    assert "define_era" in caught.value.hint
    assert caught.value.accepted[:2] == ("before", "first_tide")
    with pytest.raises(UnknownEra, match="no era is defined yet"):
        read_time(text, PLAIN, NOW)


@pytest.mark.parametrize(
    "text",
    ["second_tide..year_4", "second_tide.year_", "second_tide.year_x", "year_5", ".year_4", "day_3", "[..]", "?"],
)
def test_a_malformed_time_is_told_the_forms_of_its_timeline(text: str) -> None:
    with pytest.raises(BadTime) as caught:
        read_time(text, TIDES, NOW)
    if caught.value.accepted:
        assert "era.year_3" in caught.value.accepted
        assert not any("1848" in each for each in caught.value.accepted)
    with pytest.raises(BadTime):
        read_time(text, PLAIN, NOW)


def test_an_era_may_be_called_by_a_unit() -> None:
    with pytest.raises(UnknownEra):
        read_time("year_of_fire", TIDES, NOW)


@pytest.mark.parametrize("text", ["1848", "1848-03-17T10:00Z", "ce.year_5", "bce", "44 BCE", "[1848..]"])
def test_gregorian_forms_do_not_fit_a_fictional_timeline(text: str) -> None:
    with pytest.raises(TimelineFixed):
        read_time(text, TIDES, NOW)


def test_a_fictional_world_may_abbreviate_an_era_as_ce() -> None:
    era = {"name": "Cinder Era", "start": 1, "end": 9, "abbreviation": "CE"}
    world = timeline_from([{"era": era}], UTC)
    assert read_time("3 CE", world, NOW).text == "cinder_era.year_3"


def test_a_slug_that_two_sub_eras_share_needs_its_parent() -> None:
    eras = [
        {"era": {"name": "One", "start": 1, "end": 10}},
        {"era": {"name": "Two", "start": 11, "end": 20}},
        {"era": {"name": "War", "parent_era": "one", "start": 2, "end": 3}},
        {"era": {"name": "War", "parent_era": "two", "start": 12, "end": 13}},
    ]
    world = timeline_from(eras, UTC)
    assert read_time("two.war.year_1", world, NOW).text == "two.war.year_1"
    with pytest.raises(BadTime, match=r"one\.war, two\.war"):
        read_time("war.year_1", world, NOW)


def test_the_present_is_what_was_set_else_the_clock_else_later_than_everything() -> None:
    assert read_time("current", PLAIN, NOW) == time_of_instant(NOW)
    assert read_time("Current", set_now(PLAIN, "1848", NOW), NOW).text == "1848"
    endless = read_time("current", TIDES, NOW)
    assert (endless.text, endless.lo, endless.hi) == ("current", MAX, MAX)
    assert read_time("current", set_now(TIDES, "the_flood", NOW), NOW).text == "first_tide.year_7.month_2.day_31"


@pytest.mark.parametrize("world", [PLAIN, TIDES, set_now(PLAIN, "1848", NOW), set_now(TIDES, "the_flood", NOW)])
def test_where_the_present_lies_needs_no_name_for_it(world: Timeline) -> None:
    assert World(UTC, world, NOW, {}, {}, {}).present == present(world, NOW).span


def test_a_range_can_be_built_from_times() -> None:
    day = read_time("1848-03-17", PLAIN, NOW)
    assert between(day, None) == read_time("[1848-03-17..]", PLAIN, NOW)
    assert between(None, day) == read_time("[..1848-03-17]", PLAIN, NOW)


days = st.integers(min_value=-40_000, max_value=200_000)
units = st.sampled_from(("day", "month", "year"))
worlds = st.sampled_from([TIDES, GREGORIAN, gregorian("Europe/Berlin"), gregorian("Asia/Kathmandu")])


@given(worlds, days, units)
def test_a_computed_time_reads_back_as_it_is_said(world: Timeline, day: int, unit: str) -> None:
    position = day if world.is_fictional else world.positions(day * 37, day * 37)[0]
    time = time_of(position, world, unit)  # type: ignore[arg-type]
    assert time is not None
    assert time.lo <= position <= time.hi
    for text in (time.text, f"{time.text}~", f"[..{time.text}]", f"[{time.text}..]"):
        read = read_time(text, world, NOW)
        assert read.text == text
        assert read_time(read.text, world, NOW) == read
        assert read.lo <= time.lo <= time.hi <= read.hi


@given(worlds, days, st.data())
def test_a_time_in_any_era_reads_back_as_it_is_said(world: Timeline, day: int, data: st.DataObject) -> None:
    holding = [era for era in world.eras if era.holds_day(day)]
    if not holding:
        return
    era: Era = data.draw(st.sampled_from(holding))
    assert era.calendar_year(era.number_of(era.calendar.year_of(day))) == era.calendar.year_of(day)
    year, month, dom = split_day(era.calendar, day)
    for place in (
        CalendarPosition(era),
        CalendarPosition(era, era.number_of(year)),
        CalendarPosition(era, era.number_of(year), month, dom),
    ):
        time = time_at(place, world)
        assert read_time(time.text, world, NOW) == time
    in_its_own_years = f"{era.path}.year_{era.number_of(year)}.month_{month}.day_{dom}"
    assert read_time(in_its_own_years, world, NOW) == time


def test_a_position_in_no_era_has_no_text() -> None:
    world = timeline_from([{"era": {"name": "One", "start": 1, "end": 10}}], UTC)
    assert time_of(-1, world) is None
    assert time_of(-1, world, "instant") is None


def test_an_instant_on_a_fictional_axis_is_a_day() -> None:
    assert time_of(0, TIDES, "instant") == read_time("first_tide.year_1.month_1.day_1", TIDES, NOW)
    assert time_of(NOW, PLAIN, "instant") == time_of_instant(NOW)


def test_a_date_is_a_time() -> None:
    value = read_instant("2026-03-14T00:00:00Z", UTC)
    assert time_of(value, PLAIN) == read_time("2026-03-14", PLAIN, NOW)
    assert time_of_date(date(2026, 3, 14), UTC) == read_time("2026-03-14", PLAIN, NOW)
