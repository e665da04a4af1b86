import json
from typing import Any

import pytest
from tests.when.worlds import BERLIN, NOW, TIDES, UTC, gregorian, tides

from recollect.errors import RecollectError
from recollect.when.calendar_position import position_of_day
from recollect.when.definition_json import read_calendar, read_date_definition, read_era
from recollect.when.era import CE, Era
from recollect.when.parse import read_time
from recollect.when.time_errors import (
    BadDefinition,
    BadTime,
    DefinitionConflict,
    EraConflict,
    NoCurrentTime,
    TimelineFixed,
    UnknownEra,
)
from recollect.when.timeline import Timeline, decide_timeline_kind
from recollect.when.timeline_definitions import (
    DefinitionResult,
    define_calendar,
    define_date,
    define_era,
    definitions_of,
    set_now,
    timeline_from,
)
from recollect.when.timeline_lookup import primary_calendar

PLAIN = timeline_from([], UTC)


def era(timeline: Timeline, **fields: Any) -> DefinitionResult:
    return define_era(timeline, read_era(fields), NOW)


def calendar(timeline: Timeline, **fields: Any) -> DefinitionResult:
    return define_calendar(timeline, read_calendar(fields))


def date(timeline: Timeline, **fields: Any) -> DefinitionResult:
    return define_date(timeline, read_date_definition({"label": "x", **fields}))


def the(timeline: Timeline, path: str) -> Era:
    return next(known for known in timeline.eras if known.path == path)


def test_a_workspace_is_undecided_until_something_decides() -> None:
    assert PLAIN.kind == "undecided"
    assert era(PLAIN, name="A", start=1, end=2).timeline.kind == "fictional"
    assert calendar(PLAIN, name="A", months=[3]).timeline.kind == "fictional"
    assert era(PLAIN, name="A", start="1811", end="1820").timeline.kind == "gregorian"
    assert set_now(PLAIN, "1848", NOW).kind == "gregorian"
    assert date(PLAIN, slug="a", era="ce", year=1848).timeline.kind == "gregorian"
    assert decide_timeline_kind(PLAIN, "undecided") is PLAIN


def test_a_decided_timeline_stays_what_it_is() -> None:
    with pytest.raises(TimelineFixed):
        era(gregorian(), name="A", start=1, end=2)
    with pytest.raises(TimelineFixed):
        calendar(gregorian(), name="A", months=[3])
    with pytest.raises(TimelineFixed):
        era(tides(), name="A", start="1811", end="1820")
    with pytest.raises(TimelineFixed):
        era(PLAIN, name="A", start=1, end="1820")
    with pytest.raises(TimelineFixed):
        date(tides(), slug="a", era="ce", year=3)


def test_a_sub_era_is_numbered_in_its_own_years() -> None:
    world = era(PLAIN, name="Second Tide", start=1, end=100).timeline
    defined = era(
        world, name="Grey Years", parent_era="second_tide", start="second_tide.year_40", end="second_tide.year_60"
    )
    grey = the(defined.timeline, "second_tide.grey_years")
    assert (defined.key, defined.created, defined.redefined) == (grey.path, True, False)
    assert (grey.slug, grey.parent, grey.years) == ("grey_years", "second_tide", 21)
    assert grey.first_day is not None
    assert grey.last_day is not None
    assert position_of_day(grey, grey.first_day).text == "second_tide.grey_years.year_1.month_1.day_1"
    assert position_of_day(grey, grey.last_day).text == "second_tide.grey_years.year_21.month_12.day_31"


def test_an_era_may_begin_where_another_ends() -> None:
    first, second = the(tides(), "first_tide"), the(tides(), "second_tide")
    assert first.last_day is not None
    assert second.first_day == first.last_day + 1
    assert (second.last_day, second.years, second.parent) == (None, None, None)


def test_an_era_may_have_an_open_start_only_if_it_counts_down() -> None:
    down = era(PLAIN, name="Before", start=None, end=0, direction="down").timeline
    assert read_time("before.year_1", down, NOW).hi == -1
    with pytest.raises(BadDefinition, match="open start"):
        era(PLAIN, name="A", start=None, end=3)
    with pytest.raises(BadDefinition, match="needs an end"):
        era(PLAIN, name="A", start=3, end=None, direction="down")
    with pytest.raises(BadDefinition, match="open start"):
        era(down, name="A", start="before", end=None)


def test_a_bound_that_is_an_open_era_is_open() -> None:
    world = era(PLAIN, name="New", start="1900", end=None).timeline
    inner = era(world, name="Inner", parent_era="new", start="1950", end="new").timeline
    assert the(inner, "new.inner").last_day is None


@pytest.mark.parametrize(
    "fields",
    [
        {"start": 2, "end": 1},
        {"start": "after:second_tide", "end": 900},
        {"start": 900, "end": "after:first_tide"},
        {"start": 900, "end": 901, "calendar": "nobody's"},
    ],
)
def test_an_era_whose_parts_do_not_fit_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadDefinition):
        era(tides(), name="A", **fields)


def test_only_a_fictional_timeline_has_calendars_to_choose() -> None:
    with pytest.raises(BadDefinition):
        era(gregorian(), name="A", start="1900", end="1901", calendar="standard")


def test_an_era_begins_and_ends_at_certain_times() -> None:
    with pytest.raises(BadTime):
        era(PLAIN, name="A", start="1900~", end="1901")


def test_eras_do_not_overlap_their_siblings_nor_leave_their_parent() -> None:
    with pytest.raises(EraConflict, match="first_tide"):
        era(tides(), name="A", start=300, end=300)
    with pytest.raises(EraConflict, match="second_tide"):
        era(tides(), name="A", start=9000, end=9000)
    with pytest.raises(EraConflict, match="leaves"):
        era(tides(), name="A", parent_era="FT", start=299, end=301)
    with pytest.raises(EraConflict, match="leaves"):
        era(tides(), name="A", parent_era="FT", start=10, end=None)
    with pytest.raises(UnknownEra):
        era(tides(), name="A", parent_era="nobody's", start=299, end=301)


def test_an_era_may_lie_in_a_built_in_one() -> None:
    world = era(PLAIN, name="Modern", parent_era="ce", start="1800", end=None).timeline
    assert read_time("modern.year_49", world, NOW).text == "ce.modern.year_49"
    with pytest.raises(EraConflict, match="leaves"):
        era(world, name="Rome", parent_era="ce", start="-0752", end="0476")


def test_an_era_with_an_open_start_covers_what_lies_before_its_end() -> None:
    inside = era(tides(), name="Deep", parent_era="before", start=None, end=-10, direction="down").timeline
    assert read_time("deep.year_1", inside, NOW).text == "before.deep.year_1"
    with pytest.raises(EraConflict):
        era(inside, name="Deeper", parent_era="before", start=-20, end=-15)


def test_redefining_an_era_moves_what_lies_in_it() -> None:
    world = era(PLAIN, name="A", start=1, end=100).timeline
    world = era(world, name="B", parent_era="a", start="a.year_10", end="a.year_20").timeline
    world = era(world, name="C", start="after:a", end=None).timeline
    world = date(world, slug="d", era="b", year=2).timeline
    world = set_now(world, "b.year_3", NOW)
    before = [read_time(text, world, NOW).lo for text in ("b.year_1", "c.year_1", "d", "current")]
    moved = era(world, name="A", start=11, end=110)
    assert (moved.created, moved.redefined) == (False, True)
    after = [read_time(text, moved.timeline, NOW).lo for text in ("b.year_1", "c.year_1", "d", "current")]
    assert [b - a for a, b in zip(before, after, strict=True)] == [3650] * 4


def test_redefining_an_era_as_it_is_changes_nothing() -> None:
    world = era(PLAIN, name="A", start=1, end=100).timeline
    again = era(world, name="A", start=1, end=100)
    assert (again.timeline, again.created, again.redefined) == (world, False, False)


def test_redefining_an_era_under_what_rests_on_it_is_a_conflict() -> None:
    world = era(PLAIN, name="A", start=1, end=100).timeline
    dated = date(world, slug="d", era="a", year=90).timeline
    with pytest.raises(DefinitionConflict):
        era(dated, name="A", start=1, end=50)
    with pytest.raises(DefinitionConflict):
        era(set_now(world, "a.year_90", NOW), name="A", start=1, end=50)
    inner = era(world, name="B", parent_era="a", start=80, end=90).timeline
    with pytest.raises(EraConflict):
        era(inner, name="A", start=1, end=50)


def test_the_first_calendar_before_any_era_is_the_primary_one() -> None:
    assert primary_calendar(tides()).slug == "tide_reckoning"
    late = calendar(era(PLAIN, name="A", start=1, end=2).timeline, name="Late", months=[3]).timeline
    assert primary_calendar(late).slug == "standard"
    assert the(era(late, name="B", start=5, end=6).timeline, "b").calendar.slug == "standard"


def test_an_era_counts_in_its_own_calendar_else_in_its_parents() -> None:
    inner = era(tides(), name="Deep Moon", parent_era="moon_years", start=3, end=4).timeline
    assert the(inner, "first_tide.moon_years.deep_moon").calendar.slug == "moons"


def test_a_calendar_in_use_keeps_its_lengths() -> None:
    with pytest.raises(DefinitionConflict):
        calendar(tides(), name="Moons", months=[28] * 12)
    same = calendar(tides(), name="Moons", months=[[f"Moon {n}", 28] for n in range(13)])
    assert (same.created, same.redefined) == (False, True)
    assert same.timeline.calendars[1].month_name(1) == "Moon 0"
    with pytest.raises(DefinitionConflict):
        calendar(era(PLAIN, name="A", start=1, end=2).timeline, name="Standard", months=[3])


def test_a_calendar_that_nothing_uses_is_replaced() -> None:
    world = calendar(PLAIN, name="Tide Reckoning", months=[["Ebb", 30], ["Flow", 30]]).timeline
    still = [{"name": "Stillday", "after_month": 2, "days": 1}]
    again = calendar(world, name="Tide Reckoning", months=[["Ebb", 30], ["Flow", 30]], intercalary=still)
    assert (again.created, again.redefined) == (False, True)
    assert primary_calendar(again.timeline).year_days == 61
    assert [primary_calendar(again.timeline).common_days(n) for n in (1, 2)] == [30, 31]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "", "months": [1]},
        {"name": "!!", "months": [1]},
        {"name": "current", "months": [1]},
        {"name": "Year 3", "months": [1]},
        {"name": "1848", "months": [1]},
        {"name": 3, "months": [1]},
        {"name": "A"},
        {"name": "A", "months": []},
        {"name": "A", "months": [1] * 61},
        {"name": "A", "months": "Ebb"},
        {"name": "A", "months": [0]},
        {"name": "A", "months": [1001]},
        {"name": "A", "months": [True]},
        {"name": "A", "months": ["Ebb"]},
        {"name": "A", "months": [["Ebb", 3, 4]]},
        {"name": "A", "months": [["Ebb", 3], ["Ebb", 3]]},
        {"name": "A", "months": [{"name": "Ebb"}]},
        {"name": "A", "months": [{"name": "Ebb", "days": 3, "colour": "red"}]},
        {"name": "A", "months": [1], "week": ["a", "a"]},
        {"name": "A", "months": [1], "week": [3]},
        {"name": "A", "months": [1], "intercalary": [3]},
        {"name": "A", "months": [1], "intercalary": [{"name": "S", "after_month": 2, "days": 1}]},
        {"name": "A", "months": [1], "leap": 4},
        {"name": "A", "months": [1], "leap": {"every": 0, "month": 1, "days": 1}},
        {"name": "A", "months": [1], "leap": {"every": 4, "month": 2, "days": 1}},
        {"name": "A", "months": [1], "leap": {"every": 4, "unless_every": 8, "month": 1, "days": 1}},
        {"name": "A", "months": [1], "moons": 2},
    ],
)
def test_a_bad_calendar_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadDefinition):
        read_calendar(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"start": 1, "end": 2},
        {"name": "ce", "start": 1, "end": 2},
        {"name": "BCE", "start": 1, "end": 2},
        {"name": "Day 12", "start": 1, "end": 2},
        {"name": "A", "end": 2},
        {"name": "A", "start": 1},
        {"name": "A", "start": 1.5, "end": 2},
        {"name": "A", "start": True, "end": 2},
        {"name": "A", "start": 1, "end": 2, "direction": "sideways"},
        {"name": "A", "start": 1, "end": 2, "direction": "down", "first_year": 3},
        {"name": "A", "start": 1, "end": 2, "first_year": "x"},
        {"name": "A", "start": 1, "end": 2, "abbreviation": "ninechars"},
        {"name": "A", "start": 1, "end": 2, "colour": "red"},
    ],
)
def test_a_bad_era_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadDefinition):
        read_era(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"slug": "ce"},
        {"slug": "year_3"},
        {"slug": "Upper"},
        {"slug": "_a"},
        {"slug": "1848"},
        {"slug": "a" * 65},
        {"slug": "a", "day": 3},
        {"slug": "a", "year": "3"},
        {"slug": "a", "label": ""},
    ],
)
def test_a_bad_date_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadDefinition):
        date(tides(), **{"era": "first_tide", "year": 3, **fields})


def test_a_date_and_an_era_cannot_share_a_slug() -> None:
    with pytest.raises(DefinitionConflict):
        date(tides(), slug="grey_years", era="first_tide", year=3)
    with pytest.raises(DefinitionConflict):
        era(tides(), name="The Flood", parent_era="first_tide", start=20, end=30)


def test_a_date_needs_an_era_and_a_day_that_it_has() -> None:
    with pytest.raises(UnknownEra):
        date(tides(), slug="a", era="nobody's", year=3)
    with pytest.raises(BadTime):
        date(tides(), slug="a", era="first_tide", year=301)


def test_the_date_called_current_is_the_worlds_now() -> None:
    defined = date(tides(), slug="current", era="second_tide", year=80)
    assert (defined.created, defined.redefined) == (True, False)
    assert defined.timeline.now is not None
    assert read_time("current", defined.timeline, NOW).text == defined.timeline.now.text == "second_tide.year_80"
    assert set_now(defined.timeline, None, NOW) == tides()


def test_redefining_a_date_does_not_make_a_second_one() -> None:
    again = date(tides(), slug="the_flood", era="first_tide", year=8)
    assert (again.created, again.redefined) == (False, True)
    assert [named.time.text for named in again.timeline.dates] == ["first_tide.year_8"]
    same = date(again.timeline, slug="the_flood", era="FT", year=8)
    assert (same.created, same.redefined) == (False, False)


@pytest.mark.parametrize("text", ["1848~", "[1848..]"])
def test_the_present_must_be_certain(text: str) -> None:
    with pytest.raises(BadTime):
        set_now(PLAIN, text, NOW)
    with pytest.raises(BadTime):
        set_now(tides(), "current", NOW)


def test_definitions_are_plain_json_that_gives_the_same_timeline_again() -> None:
    for world in (tides(), gregorian("Europe/Berlin"), PLAIN):
        stored = json.loads(json.dumps(definitions_of(world)))
        assert timeline_from(stored, world.zone, world.kind) == world
    dated = set_now(tides(), "FT", NOW)
    assert timeline_from(TIDES, UTC, "fictional", "first_tide") == dated
    assert timeline_from(definitions_of(dated), UTC, dated.kind, str(dated.now)) == dated


def test_a_bound_that_means_the_present_is_stored_as_the_time_it_meant() -> None:
    world = era(timeline_from([], BERLIN), name="New", start="current", end=None).timeline
    assert definitions_of(world)[0]["era"]["start"] == "2026-03-18T12:00:00Z"


def test_what_is_no_definition_is_refused() -> None:
    with pytest.raises(BadDefinition):
        timeline_from([{"planet": {}}], UTC)


def test_built_in_eras_meet_without_a_gap() -> None:
    assert read_time("bce", PLAIN, NOW).hi + 1 == read_time("ce", PLAIN, NOW).lo
    assert CE.slug == "ce"


def test_errors_carry_the_codes_of_the_pages() -> None:
    codes: set[type[RecollectError]] = {
        BadTime,
        UnknownEra,
        TimelineFixed,
        EraConflict,
        DefinitionConflict,
        BadDefinition,
        NoCurrentTime,
    }
    assert {error.code for error in codes} == {
        "bad_time",
        "unknown_era",
        "timeline_fixed",
        "era_conflict",
        "conflict",
        "bad_input",
        "no_current_time",
    }
    assert "define_date" in str(NoCurrentTime())
