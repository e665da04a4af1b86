"""Times of an invented world print with the names of their months and eras, and are read back."""

import pytest
from tests.when.worlds import NOW, UTC, gregorian, tides

from recollect.when.format import readable_time, readable_times_in
from recollect.when.parse import read_time
from recollect.when.time_errors import BadTime
from recollect.when.timeline_definitions import timeline_from

SHOWN = {
    "second_tide.year_45.month_2.day_3": "3 Flow 45 ST",
    "second_tide.year_45.month_2": "Flow 45 ST",
    "second_tide.year_45": "45 ST",
    "second_tide": "Second Tide",
    "before.year_12.month_1.day_30": "30 Ebb 12 BF",
    "second_tide.grey_years.year_3.month_1.day_9": "9 Ebb, year 3 of Grey Years",
    "second_tide.grey_years.year_3": "year 3 of Grey Years",
    "second_tide.year_45.month_2.day_3~": "3 Flow 45 ST~",
    "second_tide.year_45.month_3": "second_tide.year_45.month_3",
    "[first_tide.year_3..first_tide.year_5]": "[first_tide.year_3..first_tide.year_5]",
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.items())
def test_a_time_prints_with_names_and_is_read_back(text: str, shown: str) -> None:
    time = read_time(text, tides(), NOW)
    assert readable_time(time, tides()) == shown
    assert read_time(shown, tides(), NOW) == time


@pytest.mark.parametrize(
    "text", ["3rd of Flow, 45 ST", "3 flow, year 45 of the Second Tide", "3. FLOW 45 second tide", "3 Flow, 45 ST"]
)
def test_other_spellings_of_a_day_are_read(text: str) -> None:
    assert read_time(text, tides(), NOW) == read_time("second_tide.year_45.month_2.day_3", tides(), NOW)


def test_the_year_alone_is_enough_in_a_world_with_one_era() -> None:
    world = timeline_from(
        [
            {"calendar": {"name": "Tides", "months": [["Ebb", 30], ["Flood", 30]]}},
            {"era": {"name": "Salt", "start": 1, "end": None}},
        ],
        UTC,
    )
    assert read_time("3 Flood 12", world, NOW).text == "salt.year_12.month_2.day_3"


@pytest.mark.parametrize("text", ["3 Flow 45", "3 Nomonth 45 ST"])
def test_a_day_without_its_era_or_in_no_month_is_refused(text: str) -> None:
    with pytest.raises(BadTime):
        read_time(text, tides(), NOW)


def test_gregorian_times_print_as_before() -> None:
    world = gregorian()
    assert readable_time(read_time("1848-03-17", world, NOW), world) == "1848-03-17"


def test_times_within_a_text_are_said_as_people_write_them() -> None:
    text = "held second_tide.year_45.month_2.day_3 .. second_tide.year_46~, see example.year_1 and 1.5"
    assert readable_times_in(text, tides()) == "held 3 Flow 45 ST .. 46 ST~, see example.year_1 and 1.5"
    assert readable_times_in(text, gregorian()) == text
