"""Positions on a calendar as written: a unit of an era, a week, an instant, or the end of time."""

from dataclasses import dataclass

from recollect.when.calendar import GREGORIAN, split_day
from recollect.when.era import BCE, CE, Era
from recollect.when.instant import LAST_YEAR, MAX, SECOND, Instant, format_instant
from recollect.when.period import Grain, Time
from recollect.when.time_errors import BadTime
from recollect.when.timeline import Timeline

Days = tuple[int | None, int | None]

ABOUT = 5  # units either side of an uncertain time
_FURTHEST = 1_000_000_000  # a fictional year beyond this would leave the axis in the longest calendar


@dataclass(frozen=True, slots=True)
class CalendarPosition:
    """An era, or a year, month or day in one."""

    era: Era
    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def grain(self) -> Grain:
        """The unit it was written in."""
        if self.year is None:
            return "era"
        return "year" if self.month is None else "month" if self.day is None else "day"

    @property
    def text(self) -> str:
        """The canonical form: ISO in the common era, else the path and the numbers."""
        if self.era is CE and self.year is not None and 1 <= self.year <= 9999:
            parts = (f"{self.year:04}", *(f"{n:02}" for n in (self.month, self.day) if n is not None))
            return "-".join(parts)
        numbers = (("year", self.year), ("month", self.month), ("day", self.day))
        return ".".join((self.era.path, *(f"{unit}_{n}" for unit, n in numbers if n is not None)))


@dataclass(frozen=True, slots=True)
class IsoWeek:
    """An ISO week, by its Monday's day number."""

    text: str
    monday: int
    grain: Grain = "week"


@dataclass(frozen=True, slots=True)
class ExactInstant:
    instant: Instant
    grain: Grain = "instant"

    @property
    def text(self) -> str:
        """The instant in UTC."""
        return format_instant(self.instant)


@dataclass(frozen=True, slots=True)
class EndOfTime:
    """A point after every time: the present of a world without a defined present."""

    text: str = "current"
    grain: Grain = "instant"


WrittenTime = CalendarPosition | IsoWeek | ExactInstant | EndOfTime


def time_at(written: WrittenTime, timeline: Timeline, *, about: bool = False) -> Time:
    """The time as written, exact or approximate."""
    reach = ABOUT if about else 0
    text = written.text + "~" * about
    match written:
        case EndOfTime():
            return Time(text, MAX, MAX, about, written.grain)
        case ExactInstant(instant):
            return Time(text, instant - reach * SECOND, instant + reach * SECOND, about, written.grain)
        case IsoWeek(_, monday):
            low, high = timeline.positions(monday - 7 * reach, monday + 6 + 7 * reach)
            return Time(text, low, high, about, written.grain)
        case _:
            low, high = timeline.positions(*(_about_days(written) if about else _days(written)))
            return Time(text, low, high, about, written.grain)


def _days(place: CalendarPosition) -> Days:
    """The first and last day of the position, clipped to its era."""
    era = place.era
    if place.year is None:
        return era.first_day, era.last_day
    year = _calendar_year(place, place.year)
    first, last = _unit_days(place, year, 0)
    clipped = era.clip(first, last)
    if clipped is None:
        raise BadTime(place.text, f"era {era.path} has {_year_range(era)}, {_day_range(era)}")
    return clipped


def _about_days(place: CalendarPosition) -> Days:
    low, high = _days(place)
    if place.year is None:
        return low, high
    return _unit_days(place, place.era.calendar_year(place.year), ABOUT)


def _unit_days(place: CalendarPosition, year: int, reach: int) -> tuple[int, int]:
    calendar = place.era.calendar
    if place.month is None:
        return calendar.year_start(year - reach), calendar.year_start(year + reach + 1) - 1
    if not 1 <= place.month <= calendar.month_count:
        raise BadTime(place.text, f"calendar {calendar.slug} has months 1 to {calendar.month_count}")
    if place.day is None:
        month = place.month
        return calendar.month_start(year, month - reach), calendar.month_start(year, month + reach + 1) - 1
    days = calendar.month_days(year, place.month)
    if not 1 <= place.day <= days:
        raise BadTime(place.text, f"that month has days 1 to {days}")
    day = calendar.month_start(year, place.month) + place.day - 1
    return day - reach, day + reach


def _calendar_year(place: CalendarPosition, number: int) -> int:
    furthest = LAST_YEAR if place.era.calendar is GREGORIAN else _FURTHEST
    year = place.era.calendar_year(number)
    if abs(year) > furthest:
        raise BadTime(place.text, f"years reach to {furthest}")
    return year


def _year_range(era: Era) -> str:
    ends = [None if day is None else era.number_of(era.calendar.year_of(day)) for day in (era.first_day, era.last_day)]
    known = sorted(end for end in ends if end is not None)
    return f"years {known[0]} to {known[1]}" if len(known) == 2 else f"years from {known[0]}"


def _day_range(era: Era) -> str:
    first = "open" if era.first_day is None else position_of_day(era, era.first_day).text
    last = "open" if era.last_day is None else position_of_day(era, era.last_day).text
    return f"first day {first}, last day {last}"


def position_of_day(era: Era, day: int) -> CalendarPosition:
    year, month, dom = split_day(era.calendar, day)
    return CalendarPosition(era, era.number_of(year), month, dom)


def iso_place(year: int, month: int | None = None, day: int | None = None) -> CalendarPosition:
    """A Gregorian year, month or day, years before 1 in `bce`."""
    return CalendarPosition(CE, year, month, day) if year > 0 else CalendarPosition(BCE, 1 - year, month, day)


def iso_week(year: int, week: int) -> IsoWeek | None:
    """An ISO week; None if the year has no such week."""
    fourth = GREGORIAN.year_start(year) + 3
    first = fourth - (fourth + 3) % 7
    following = GREGORIAN.year_start(year + 1) + 3
    monday = first + 7 * (week - 1)
    return IsoWeek(f"{year:04}-W{week:02}", monday) if week >= 1 and monday < following - (following + 3) % 7 else None
