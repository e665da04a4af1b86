"""Rulers: round marks along an axis, named in its own calendar."""

from zoneinfo import ZoneInfo

import pytest

from recollect.when.instant import read_instant
from recollect.when.ruler import day_label, era_bands, ruler_ticks
from recollect.when.span import Span
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import timeline_from

UTC = ZoneInfo("UTC")
REAL = Timeline("gregorian", UTC)
MERE = timeline_from(
    [
        {
            "calendar": {
                "name": "Mere",
                "months": [{"name": "Thaw", "days": 30}, {"name": "Reed", "days": 30}, {"name": "Frost", "days": 40}],
            }
        },
        {"era": {"name": "First Light", "start": 1, "end": 50}},
        {"era": {"name": "Long Night", "start": "after:first_light", "end": None}},
    ],
    UTC,
    "fictional",
    None,
)


def span(first: str, last: str) -> Span:
    return Span(read_instant(f"{first}T00:00:00Z", UTC), read_instant(f"{last}T00:00:00Z", UTC))


@pytest.mark.parametrize(
    ("first", "last", "most", "labels"),
    [
        ("2020-01-01", "2024-06-01", 8, ["2020", "2021", "2022", "2023", "2024"]),
        ("1890-01-01", "2024-06-01", 8, ["1900", "1920", "1940", "1960", "1980", "2000", "2020"]),
        ("2026-01-15", "2026-05-02", 6, ["February", "March", "April", "May"]),
        ("2025-11-15", "2026-02-02", 6, ["December", "2026", "February"]),
        ("2026-03-01", "2026-03-04", 6, ["1 March", "2 March", "3 March", "4 March"]),
    ],
)
def test_marks_are_at_round_places(first: str, last: str, most: int, labels: list[str]) -> None:
    assert [tick.label for tick in ruler_ticks(REAL, span(first, last), most)] == labels


def test_years_before_the_common_era_are_named_so() -> None:
    lo, hi = (read_instant(f"{year}-01-01T00:00:00Z", UTC) for year in ("-0049", "0010"))
    assert [tick.label for tick in ruler_ticks(REAL, Span(lo, hi), 8)] == [
        "50 BCE",
        "40 BCE",
        "30 BCE",
        "20 BCE",
        "10 BCE",
        "10",
    ]


@pytest.mark.parametrize("most", [2, 3, 6, 12, 40])
def test_there_are_never_more_marks_than_asked_for(most: int) -> None:
    for last in ("2000-01-05", "2000-04-01", "2003-02-01", "2090-01-01", "9000-01-01"):
        assert len(ruler_ticks(REAL, span("2000-01-01", last), most)) <= most


def test_a_fictional_ruler_speaks_of_its_own_months_and_eras() -> None:
    assert [tick.label for tick in ruler_ticks(MERE, Span(0, 120), 5)] == [
        "First Light 1",
        "Reed",
        "Frost",
        "First Light 2",
    ]
    assert day_label(MERE, 35) == "6 Reed, First Light 1"
    assert day_label(MERE, 5000) == "1 Thaw, Long Night 1"


def test_steps_of_several_months_begin_anew_with_each_year() -> None:
    labels = [tick.label for tick in ruler_ticks(MERE, Span(0, 290), 4)]
    assert labels == ["First Light 1", "First Light 2", "First Light 3"]


def test_eras_are_bands_cut_to_the_span() -> None:
    bands = era_bands(MERE, Span(4000, 6000))
    assert [(band.name, band.lo, band.hi) for band in bands] == [
        ("First Light", 4000, 4999),
        ("Long Night", 5000, 6000),
    ]


def test_a_day_is_written_for_people() -> None:
    assert day_label(REAL, read_instant("2026-03-03T10:00:00Z", UTC)) == "3 March 2026"
    assert day_label(REAL, read_instant("2026-03-03T10:00:00Z", UTC), "month") == "March 2026"
