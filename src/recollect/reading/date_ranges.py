"""Ranges of dates that words name: weekdays, days of a month, weeks and seasons, counted from an anchor day."""

from datetime import date, timedelta
from typing import Literal, NamedTuple

from recollect.reading.clause_reading import Granularity
from recollect.when.feasts import FEASTS, RankedWeekday, feast_day
from recollect.when.gregorian import date_or_none

TimeDirection = Literal["future", "past", "near"]
"""Where a time without a year or a week lies: the next such day, the last one or the nearest."""
Step = Literal["last", "this", "next"]
_DAY = timedelta(days=1)
_SOME_WEEKS = timedelta(weeks=8)


class DateRange(NamedTuple):
    """From one date to another, both included, with what a text named: a day, a week, a month."""

    first: date
    last: date
    granularity: Granularity


def one_day(day: date) -> DateRange:
    return DateRange(day, day, "day")


def nearest_year(
    dom: int, month: int, year: int | None, anchor: date | None, direction: TimeDirection, weekday: int | None = None
) -> DateRange | None:
    """A day of a month; without a year the next, the last or the nearest one, in the direction of the sentence.

    A weekday beside it tells the year where it fits a day some weeks away.
    """
    if year is not None:
        return one_day(date(year, month, dom))
    if anchor is None:
        return None
    found = [
        day for offset in (-1, 0, 1, 2, 3, 4) if (day := date_or_none(anchor.year + offset, month, dom)) is not None
    ]
    fitting = [day for day in found if day.weekday() == weekday and abs(day - anchor) <= _SOME_WEEKS]
    return one_day(_day_in_direction(fitting or found, anchor, direction)) if found else None


def month_days(month: int, year: int | None, anchor: date | None, direction: TimeDirection) -> DateRange | None:
    """A month; without a year the one in the direction of the sentence."""
    if year is None and anchor is None:
        return None
    if year is None:
        assert anchor is not None
        found = [_month_of(anchor.year + offset, month) for offset in (-1, 0, 1)]
        return _stretch_in_direction(found, anchor, direction)
    return _month_of(year, month)


def _month_of(year: int, month: int) -> DateRange:
    return DateRange(date(year, month, 1), last_of_month(year, month), "month")


def day_of_month(dom: int, anchor: date, direction: TimeDirection) -> DateRange | None:
    """*The 15th*: of this month or the next, or the last one."""
    months = [(anchor.year * 12 + anchor.month - 1 + offset) for offset in (-2, -1, 0, 1, 2)]
    found = [day for month in months if (day := date_or_none(month // 12, month % 12 + 1, dom)) is not None]
    return one_day(_day_in_direction(found, anchor, "past" if direction == "past" else "future")) if found else None


def weekday_near(
    wanted: int, anchor: date, direction: TimeDirection, *, step: Step | None = None, dom: str | None = None
) -> DateRange | None:
    """A weekday: the coming one, the one of this or next week, or the last one."""
    if dom is not None:
        return _weekday_with_dom(wanted, int(dom), anchor, "near" if direction == "past" else direction)
    monday = anchor - timedelta(days=anchor.weekday())
    if step == "this" and (direction == "past" or wanted >= anchor.weekday()):
        return one_day(monday + timedelta(days=wanted))
    is_next, is_last = step == "next", step == "last"
    if is_next:
        return one_day(anchor + timedelta(days=7 - anchor.weekday() + wanted))
    if is_last or direction == "past":
        return one_day(anchor - timedelta(days=(anchor.weekday() - wanted - is_last) % 7 + is_last))
    return one_day(anchor + timedelta(days=(wanted - anchor.weekday()) % 7))


def _weekday_with_dom(wanted: int, dom: int, anchor: date, direction: TimeDirection) -> DateRange | None:
    """The day of that number that is such a weekday within some months; none if they do not agree."""
    signs = {"future": (1,), "past": (-1,), "near": (1, -1)}[direction]
    near = (anchor + timedelta(days=sign * distance) for distance in range(100) for sign in signs)
    found = next((day for day in near if day.weekday() == wanted and day.day == dom), None)
    return one_day(found) if found is not None else None


def weekday_of_month(
    wanted: RankedWeekday, year: int | None, anchor: date | None, direction: TimeDirection
) -> DateRange | None:
    """Such a weekday of a month; without a year of the one in the direction of the sentence."""
    if year is None and anchor is None:
        return None
    years = (year,) if year is not None or anchor is None else (anchor.year - 1, anchor.year, anchor.year + 1)
    found = [day for each in years if each is not None and (day := wanted.in_year(each)) is not None]
    if not found:
        return None
    return one_day(found[0] if anchor is None or year is not None else _day_in_direction(found, anchor, direction))


def _day_in_direction(found: list[date], anchor: date, direction: TimeDirection) -> date:
    if direction == "past":
        return max((day for day in found if day <= anchor), default=found[0])
    if direction == "future":
        return min((day for day in found if day >= anchor), default=found[-1])
    # Somewhat more is planned than told: a day three months ahead is as near as one two months back.
    return min(found, key=lambda day: (day - anchor) if day >= anchor else (anchor - day) * 1.5)


def _stretch_in_direction(found: list[DateRange], anchor: date, direction: TimeDirection) -> DateRange:
    """The stretch of days in the direction: the last one that has begun, or the next one that is not over."""
    if direction == "past":
        return next((each for each in reversed(found) if each.first <= anchor), found[0])
    last = _day_in_direction([each.last for each in found], anchor, direction)
    return next(each for each in found if each.last == last)


def last_of_month(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - _DAY


def named_span(code: str, anchor: date, direction: TimeDirection) -> DateRange:
    """The days of a stretch by its code, such as `next_week` or `end_month`."""
    part, _, unit = code.partition("_")
    if part in ("rest", "earlier"):
        whole = _unit_span(unit, anchor)
        return DateRange(anchor, whole.last, "range") if part == "rest" else _before(whole, anchor)
    name = code.removeprefix("end_").removeprefix("start_").removeprefix("mid_")
    if name in FEASTS or name in _SEASONS:
        return _of_the_year(name, anchor, direction)
    step, _, season = name.partition("_")
    if season in _SEASONS:
        return _season_beside(season, anchor, is_next=step == "next")
    is_over = code == "end_week" and anchor.weekday() > 4
    whole = _unit_span(name, anchor + 7 * _DAY if is_over else anchor)
    if code.startswith("end_"):
        last = whole.last - 2 * _DAY if whole.granularity == "week" else whole.last
        return DateRange(last, last, "day")
    if code.startswith("start_"):
        return (
            DateRange(whole.first, whole.first + _DAY, "range") if whole.granularity == "week" else one_day(whole.first)
        )
    return one_day(whole.first + 2 * _DAY) if code.startswith("mid_") else whole


def _before(whole: DateRange, anchor: date) -> DateRange:
    return DateRange(whole.first, max(anchor - _DAY, whole.first), "range")


def _unit_span(name: str, anchor: date) -> DateRange:
    step = 1 if name.startswith("next_") else -1 if name.startswith("last_") else 2 if name == "week_after_next" else 0
    unit = "week" if name == "week_after_next" else name.rpartition("_")[2]
    if unit in ("week", "weekend"):
        monday = anchor - timedelta(days=anchor.weekday()) + timedelta(weeks=step)
        if unit == "weekend":
            return DateRange(monday + 5 * _DAY, monday + 6 * _DAY, "range")
        return DateRange(monday, monday + 6 * _DAY, "week")
    if unit == "month":
        index = anchor.year * 12 + anchor.month - 1 + step
        return DateRange(date(index // 12, index % 12 + 1, 1), last_of_month(index // 12, index % 12 + 1), "month")
    if unit == "quarter":
        index = anchor.year * 4 + (anchor.month - 1) // 3 + step
        return quarter_days(index // 4, index % 4 + 1)
    return DateRange(date(anchor.year + step, 1, 1), date(anchor.year + step, 12, 31), "year")


def quarter_days(year: int, quarter: int) -> DateRange:
    return DateRange(date(year, 3 * quarter - 2, 1), last_of_month(year, 3 * quarter), "quarter")


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def _of_the_year(name: str, anchor: date, direction: TimeDirection) -> DateRange:
    found = [season_days(name, anchor.year + offset) for offset in (-1, 0, 1)]
    return _stretch_in_direction(found, anchor, direction)


def _season_beside(name: str, anchor: date, *, is_next: bool) -> DateRange:
    """The season that begins next or ended last; one that is going on is neither."""
    found = [season_days(name, anchor.year + offset) for offset in (-2, -1, 0, 1)]
    if is_next:
        return next(each for each in found if each.first > anchor)
    return next(each for each in reversed(found) if each.last < anchor)


def season_days(name: str, year: int) -> DateRange:
    """A season or feast in the year that it begins in."""
    if name in FEASTS:
        return one_day(feast_day(name, year))
    month = _SEASONS[name]
    end = month + 2
    return DateRange(date(year, month, 1), last_of_month(year + (end > 12), (end - 1) % 12 + 1), "range")
