"""When an event or a task of a calendar is: moments, whole days, lengths, and the last day of what is repeated."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from recollect.ingest.calendar_zones import CalendarZones, zone_label
from recollect.ingest.content_lines import ContentLine, ContentObject

_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?")
_DURATION = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_UNTIL = re.compile(r"UNTIL=(\d{4})(\d\d)(\d\d)")
_COUNTED_DAYS = {"DAILY": 1, "WEEKLY": 7}
_MOST_REPETITIONS = 100_000


class EventTime(NamedTuple):
    """A day, or a moment with its zone."""

    value: date
    zone: str | None = None

    @property
    def text(self) -> str:
        return self.value.isoformat()

    @property
    def shown(self) -> str:
        if not isinstance(self.value, datetime):
            return self.value.isoformat()
        return f"{self.value:%Y-%m-%d %H:%M}" + (f" ({self.zone})" if self.zone else "")


def moment_of(line: ContentLine | None, zones: CalendarZones) -> EventTime | None:
    """A day or a moment in its zone."""
    found = _TIME.fullmatch(line.value.strip()) if line is not None else None
    if line is None or found is None:
        return None
    try:
        if found[4] is None:
            return EventTime(date(*(int(each) for each in found.groups()[:3])))
        named = line.params.get("TZID", "").strip('"')
        place = UTC if found[7] else zones.named(named)
        moment = datetime(*(int(each) for each in found.groups()[:6]), tzinfo=place)  # type: ignore[misc, arg-type]
    except ValueError:
        return None
    return EventTime(moment, "UTC" if found[7] else zone_label(named))


def end_of(event: ContentObject, start: EventTime, zones: CalendarZones) -> EventTime | None:
    """When an event ends; the end of whole days is the day after them."""
    end = moment_of(event.first("DTEND"), zones)
    if end is None:
        length = _DURATION.fullmatch((event.text("DURATION") or "").lstrip("+"))
        if length is None:
            return None
        weeks, days, hours, minutes, seconds = (int(each or 0) for each in length.groups())
        try:
            span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
            end = start._replace(value=start.value + span)
        except OverflowError:
            return None
    if isinstance(end.value, datetime) or end.value <= start.value:
        return end
    return end._replace(value=end.value - timedelta(days=1))


def stamp_of(event: ContentObject) -> str | None:
    """When the event was last changed or sent."""
    for key in ("LAST-MODIFIED", "DTSTAMP", "CREATED"):
        moment = moment_of(event.first(key), CalendarZones(UTC))
        if moment is not None:
            return moment.text if isinstance(moment.value, datetime) else f"{moment.text}T00:00:00Z"
    return None


def days_of(event: ContentObject, name: str) -> list[str]:
    """The days that a repetition leaves out or adds."""
    values = (each for line in event.all(name) for each in line.value.split(","))
    found = (_day_of(start) for each in values if (start := _TIME.match(each.strip())))
    return [each.isoformat() for each in found if each is not None]


def last_day(rule: str, start: EventTime) -> str | None:
    """Until when something is repeated, if its rule says so in a way that is plain to count."""
    found = _UNTIL.search(rule)
    if found is not None:
        until = _day_of(found)
        return until.isoformat() if until is not None else None
    given = dict(each.partition("=")[::2] for each in rule.upper().split(";"))
    count, interval, step = given.get("COUNT", ""), given.get("INTERVAL", "1"), _COUNTED_DAYS.get(given.get("FREQ", ""))
    is_plain = not given.keys() - {"FREQ", "COUNT", "INTERVAL", "WKST"} and count.isdecimal() and interval.isdecimal()
    if step is None or not is_plain or int(count) * int(interval) > _MOST_REPETITIONS:
        return None
    try:
        last = start.value + timedelta(days=step * int(interval) * (int(count) - 1))
    except OverflowError:
        return None
    return last.isoformat()[:10]


def _day_of(found: re.Match[str]) -> date | None:
    try:
        return date(*(int(each) for each in found.groups()[:3]))
    except ValueError:
        return None
