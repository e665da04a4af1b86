"""Timelines that several tests stand on."""

from typing import Any

from recollect.when.instant import Instant, read_instant, read_zone
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import timeline_from

UTC = read_zone("UTC")
BERLIN = read_zone("Europe/Berlin")
NOW: Instant = read_instant("2026-03-18T12:00:00Z", UTC)

TIDES: list[dict[str, dict[str, Any]]] = [
    {
        "calendar": {
            "name": "Tide Reckoning",
            "months": [["Ebb", 30], ["Flow", 30], 5],
            "week": ["Oneday", "Twoday", "Threeday"],
            "intercalary": [{"name": "Stillday", "after_month": 2, "days": 1}],
            "leap": {"every": 4, "except_every": 100, "unless_every": 400, "month": 1, "days": 2},
        }
    },
    {"calendar": {"name": "Moons", "months": [28] * 13}},
    {"era": {"name": "Before", "start": None, "end": 0, "direction": "down", "abbreviation": "BF"}},
    {"era": {"name": "First Tide", "start": 1, "end": 300, "abbreviation": "FT"}},
    {"era": {"name": "Second Tide", "start": "after:first_tide", "end": None, "abbreviation": "ST", "first_year": 0}},
    {
        "era": {
            "name": "Grey Years",
            "parent_era": "second_tide",
            "start": "second_tide.year_40.month_2.day_3",
            "end": "second_tide.year_60",
        }
    },
    {"era": {"name": "Moon Years", "parent_era": "first_tide", "start": 2, "end": 9, "calendar": "moons"}},
    {"date": {"slug": "the_flood", "label": "The Flood", "era": "first_tide", "year": 7, "month": 2, "day": 31}},
]


def tides() -> Timeline:
    """A fictional world with leap years, intercalary days, sub-eras and an era that counts down."""
    return timeline_from(TIDES, UTC)


def gregorian(zone: str = "UTC") -> Timeline:
    """A Gregorian world with one era of its own."""
    regency = {"name": "Regency", "start": "1811-02-05", "end": "1820-01-29", "abbreviation": "RG"}
    return timeline_from([{"era": regency}], read_zone(zone), "gregorian")
