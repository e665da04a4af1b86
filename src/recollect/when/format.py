"""Positions of the axis and plain dates as times, in canonical text and as people write them."""

import re
from datetime import date, tzinfo
from typing import Literal

from recollect.errors import RecollectError
from recollect.when.calendar_position import CalendarPosition, ExactInstant, position_of_day, time_at
from recollect.when.era import Era
from recollect.when.instant import MIN, Instant, day_period
from recollect.when.parse import position_in_era, read_time
from recollect.when.period import Time
from recollect.when.timeline import Timeline
from recollect.when.timeline_lookup import containing_era

Unit = Literal["instant", "day", "month", "year"]
_CANONICAL = re.compile(r"\b\w++(?:\.\w++){0,12}?\.year_\d++(?:\.month_\d++(?:\.day_\d++)?+)?+~?+")


def time_of(position: int, timeline: Timeline, unit: Unit = "day") -> Time | None:
    """The time of that unit at a position, in the top-level era that contains it, if any."""
    if unit == "instant" and not timeline.is_fictional:
        return time_of_instant(Instant(position))
    era = containing_era(timeline, timeline.day_at(position))
    if era is None:
        return None
    return time_at(_position(era, timeline.day_at(position), unit), timeline)


def _position(era: Era, day: int, unit: Unit) -> CalendarPosition:
    place = position_of_day(era, day)
    month = None if unit == "year" else place.month
    return CalendarPosition(era, place.year, month, place.day if unit in ("day", "instant") else None)


def period_before(time: Time, timeline: Timeline) -> Time | None:
    """The period of the same unit that ends just before a time begins; none before the first era of a timeline."""
    unit: Unit = time.grain if time.grain in ("instant", "month", "year") else "day"
    return time_of(time.lo - 1, timeline, unit)


def time_of_instant(instant: Instant) -> Time:
    """An instant as a Gregorian time."""
    return Time(ExactInstant(instant).text, instant, instant, False, "instant")


def time_of_date(value: date, zone: tzinfo) -> Time:
    """A date as a Gregorian time: that day in the zone."""
    lo, hi = day_period(value, zone)
    return Time(value.isoformat(), lo, hi, False, "day")


def readable_time(time: Time, timeline: Timeline) -> str:
    """The time with the names of its month and era, in a form that is read back; else its canonical text."""
    return readable_text(time.text, timeline)


def readable_text(canonical: str, timeline: Timeline) -> str:
    """The same for the canonical text of a time."""
    if not timeline.is_fictional:
        return canonical
    place = position_in_era(canonical.removesuffix("~"), timeline)
    words = None if place is None else _words(place)
    if words is None:
        return canonical
    text = words + "~" * canonical.endswith("~")
    return text if _means(text, canonical, timeline) else canonical


def readable_times_in(text: str, timeline: Timeline) -> str:
    """A text with the canonical times in it as people write them."""
    if not timeline.is_fictional:
        return text
    return _CANONICAL.sub(lambda found: _readable_if_time(found[0], timeline), text)


def _readable_if_time(text: str, timeline: Timeline) -> str:
    try:
        return readable_text(text, timeline)
    except RecollectError:
        return text


def _words(place: CalendarPosition) -> str | None:
    """None if the month has no name."""
    era = place.era
    if place.year is None:
        return era.name
    year = f"{place.year} {era.abbreviation}" if era.abbreviation else f"year {place.year} of {era.name}"
    if place.month is None:
        return year
    month = era.calendar.month_name(place.month)
    if month is None:
        return None
    day = "" if place.day is None else f"{place.day} "
    return f"{day}{month}{' ' if era.abbreviation else ', '}{year}"


def _means(text: str, canonical: str, timeline: Timeline) -> bool:
    try:
        return read_time(text, timeline, Instant(MIN)).text == canonical
    except RecollectError:
        return False
