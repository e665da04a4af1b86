"""The parser of valid times, shared by every surface."""

import re

from recollect.when.calendar_position import (
    CalendarPosition,
    EndOfTime,
    ExactInstant,
    WrittenTime,
    iso_place,
    iso_week,
    time_at,
)
from recollect.when.era import Era, slug_of
from recollect.when.instant import MAX, MIN, Instant, read_instant
from recollect.when.period import Time
from recollect.when.time_errors import FICTIONAL_FORMS, FORMS, BadTime, TimelineFixed, UnknownEra
from recollect.when.timeline import Timeline
from recollect.when.timeline_lookup import find_era, require_era

_ISO = re.compile(r"(-?\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
_ISO_WEEK = re.compile(r"(\d{4})-[Ww](\d{2})", re.ASCII)
_LOOKS_INSTANT = re.compile(r"[+-]?\d{4,6}-\d\d-\d\d[Tt ]\d.*", re.ASCII | re.DOTALL)
_NUMBERED = re.compile(
    r"(?P<era>.+?)\.year_(?P<year>-?\d{1,12})(?:\.month_(?P<month>\d{1,6})(?:\.day_(?P<day>\d{1,6}))?)?",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_COUNTED = re.compile(r"(-?\d{1,12})\s+(\D.*)", re.ASCII | re.DOTALL)
_YEAR_OF_ERA = re.compile(r"year\s+(?P<year>-?\d{1,12})\s+of\s+(?P<era>.+)", re.ASCII | re.IGNORECASE | re.DOTALL)
_IN_MONTH = re.compile(
    r"(?:(?P<day>\d{1,6})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?P<month>[^\W\d].*?),?\s+(?P<year>(?:year\s+)?-?\d.*)",
    re.IGNORECASE | re.DOTALL,
)
_UNIT_WITHOUT_YEAR = re.compile(r".*\.(?:year|month|day)_-?\d+", re.ASCII | re.IGNORECASE | re.DOTALL)
_EMPTY_PART = re.compile(r"\.\.|^\.")
_UNIT_AS_ERA = re.compile(r"(?:.*\.)?(?:year|month|day)_(?:-?\d*|[^\W_])", re.ASCII | re.IGNORECASE | re.DOTALL)
# A path begins with a letter or is joined by underscores, so that 20240301 and 5pm are no eras.
_PATH = re.compile(r"(?:[^\W\d_]|[0-9]+[^\W\d_]*_)\w*(?:\.[^\W_]\w*)*")
_ABBREVIATION = re.compile(r"[A-Z][A-Z0-9]{0,7}")
_RANGE = re.compile(r"\[(?P<start>.*?)\.\.(?P<end>.*)\]", re.DOTALL)
LONGEST_TIME = 400


def read_time(text: str, timeline: Timeline, now: Instant, *, weeks: bool = False) -> Time:
    """The period that a text means, in canonical form; `weeks` also allows YYYY-Www."""
    stripped = text.strip()
    if len(stripped) > LONGEST_TIME:
        raise BadTime(f"{stripped[:50]}…", "too long for a time")
    match = _RANGE.fullmatch(stripped)
    if match is None:
        return _read_about(stripped, timeline, now, weeks)
    start, end = match["start"].strip(), match["end"].strip()
    if not start and not end:
        raise _malformed(stripped, timeline)
    first = _read_about(start, timeline, now, weeks) if start else None
    last = _read_about(end, timeline, now, weeks) if end else None
    return between(first, last)


def between(first: Time | None, last: Time | None) -> Time:
    """Some time from one time to another; a missing one is open, but not both."""
    text = f"[{first or ''}..{last or ''}]"
    if first is None and last is None:
        raise BadTime(text)
    low = MIN if first is None else first.lo
    high = MAX if last is None else last.hi
    if low > high:
        raise BadTime(text, "the range ends before it begins")
    return Time(text, low, high, True, "range")


def _read_about(text: str, timeline: Timeline, now: Instant, weeks: bool) -> Time:
    about = text.endswith("~")
    written = _read_written(text[:-1].rstrip() if about else text, timeline, now, weeks)
    return time_at(written, timeline, about=about)


def _read_written(text: str, timeline: Timeline, now: Instant, weeks: bool) -> WrittenTime:
    word = text.lower()
    if word == "current":
        return _present(timeline, now)
    named = timeline.date(word)
    if named is not None:
        return _read_place(named.time.text, timeline, weeks)
    return _read_place(text, timeline, weeks)


def present(timeline: Timeline, now: Instant) -> Time:
    """The time that `current` means."""
    return time_at(_present(timeline, now), timeline)


def _present(timeline: Timeline, now: Instant) -> WrittenTime:
    if timeline.now is not None:
        return _read_place(timeline.now.text, timeline, False)
    return EndOfTime() if timeline.is_fictional else ExactInstant(now)


def _read_place(text: str, timeline: Timeline, weeks: bool) -> WrittenTime:
    written = _read_iso(text, timeline, weeks)
    if written is not None:
        if timeline.is_fictional:
            raise TimelineFixed(f"{text!r}, a Gregorian time,", timeline.kind)
        return written
    return _read_in_era(text, timeline)


def _read_iso(text: str, timeline: Timeline, weeks: bool) -> WrittenTime | None:
    match = _ISO.fullmatch(text)
    if match is not None:
        year, month, day = (None if part is None else int(part) for part in match.groups())
        return iso_place(year or 0, month, day)
    if _LOOKS_INSTANT.fullmatch(text):
        return ExactInstant(read_instant(text, timeline.zone))
    week = _ISO_WEEK.fullmatch(text) if weeks else None
    return None if week is None else _iso_week(text, int(week[1]), int(week[2]))


def _iso_week(text: str, year: int, number: int) -> WrittenTime:
    week = iso_week(year, number)
    if week is None:
        raise BadTime(text, f"{year:04} has no such ISO week")
    return week


def position_in_era(text: str, timeline: Timeline) -> CalendarPosition | None:
    """The position of a canonical text, an era with or without numbers; None for any other text."""
    match = _NUMBERED.fullmatch(text)
    if match is None:
        era = find_era(timeline, text)
        return None if era is None else CalendarPosition(era)
    numbers = (None if match[unit] is None else int(match[unit]) for unit in ("year", "month", "day"))
    return CalendarPosition(require_era(timeline, match["era"]), *numbers)


def _malformed(text: str, timeline: Timeline) -> BadTime:
    return BadTime(text, accepted=FICTIONAL_FORMS if timeline.is_fictional else FORMS)


def _read_in_era(text: str, timeline: Timeline) -> WrittenTime:
    if _EMPTY_PART.search(text):
        raise _malformed(text, timeline)
    if _NUMBERED.fullmatch(text) is not None:
        position = position_in_era(text, timeline)
        assert position is not None
        return position
    if _UNIT_WITHOUT_YEAR.fullmatch(text):
        raise BadTime(text, "a month needs its year before it and a day its month: era.year_1.month_1.day_1")
    return position_in_era(text, timeline) or _read_in_month(text, timeline) or _read_counted(text, timeline)


def _read_in_month(text: str, timeline: Timeline) -> CalendarPosition | None:
    """A named month of a fictional calendar: `3 Flow 45 ST`, `3rd of Flow, year 45 of Second Tide`."""
    match = _IN_MONTH.fullmatch(text) if timeline.is_fictional else None
    if match is None:
        return None
    place = _read_year(match["year"], timeline)
    month = None if place is None else _month_number(place.era, match["month"])
    if place is None or month is None:
        return None
    return CalendarPosition(place.era, place.year, month, None if match["day"] is None else int(match["day"]))


def _read_year(text: str, timeline: Timeline) -> CalendarPosition | None:
    """`45 ST`, `year 45 of Second Tide`, or only the number in a world with one era."""
    match = _YEAR_OF_ERA.fullmatch(text)
    if match is not None:
        named = match["era"]
        era = find_era(timeline, named) or find_era(timeline, re.sub(r"^the\s+", "", named, flags=re.IGNORECASE))
        return None if era is None else CalendarPosition(era, int(match["year"]))
    counted = _COUNTED.fullmatch(text)
    era = find_era(timeline, counted[2]) if counted is not None else _only_era(timeline)
    if era is None or (counted is None and not re.fullmatch(r"-?\d{1,12}", text, re.ASCII)):
        return None
    return CalendarPosition(era, int(text if counted is None else counted[1]))


def _only_era(timeline: Timeline) -> Era | None:
    eras = [era for era in timeline.eras if era.parent is None]
    return eras[0] if len(eras) == 1 else None


def _month_number(era: Era, name: str) -> int | None:
    slug = slug_of(name)
    names = [era.calendar.month_name(month) for month in range(1, era.calendar.month_count + 1)]
    return next((month for month, each in enumerate(names, start=1) if each and slug_of(each) == slug), None)


def _read_counted(text: str, timeline: Timeline) -> WrittenTime:
    """A year before the era's abbreviation or name, `45 ST`, or in words."""
    year = _read_year(text, timeline) if _YEAR_OF_ERA.fullmatch(text) else None
    if year is not None:
        return year
    match = _COUNTED.fullmatch(text)
    era = None if match is None else find_era(timeline, match[2])
    if match is not None and era is not None:
        return CalendarPosition(era, int(match[1]))
    if _UNIT_AS_ERA.fullmatch(text):
        raise _malformed(text, timeline)
    if _PATH.fullmatch(text) or (match is not None and _ABBREVIATION.fullmatch(match[2])):
        raise UnknownEra(text if match is None else match[2], [era.path for era in timeline.eras])
    raise _malformed(text, timeline)
