"""Positions of the axis and plain dates as times, in canonical text."""

from datetime import date
from typing import Literal
from zoneinfo import ZoneInfo

from recollect.when.calendar_position import CalendarPosition, ExactInstant, position_of_day, time_at
from recollect.when.era import Era
from recollect.when.instant import Instant, day_period
from recollect.when.period import Time
from recollect.when.timeline import Timeline, containing_era

Unit = Literal["instant", "day", "month", "year"]


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


def time_of_date(value: date, zone: ZoneInfo) -> Time:
    """A date as a Gregorian time: that day in the zone."""
    lo, hi = day_period(value, zone)
    return Time(value.isoformat(), lo, hi, False, "day")


def weekday_of(time: Time, timeline: Timeline, era: Era) -> str | None:
    """The weekday of a day; None for longer times and calendars without a week."""
    return era.calendar.weekday(timeline.day_at(time.lo)) if time.grain == "day" else None
