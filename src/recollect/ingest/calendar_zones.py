"""When an event or a task of a calendar is: moments, whole days, lengths, last days, in zones that calendars define."""

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.ingest.content_lines import ContentLine, ContentObject

ZONE_PARTS = frozenset({"VTIMEZONE", "STANDARD", "DAYLIGHT"})
_WINDOWS_ZONES = {
    "W. Europe Standard Time": "Europe/Berlin",
    "Romance Standard Time": "Europe/Paris",
    "Central Europe Standard Time": "Europe/Budapest",
    "Central European Standard Time": "Europe/Warsaw",
    "GMT Standard Time": "Europe/London",
    "Greenwich Standard Time": "Atlantic/Reykjavik",
    "E. Europe Standard Time": "Europe/Chisinau",
    "FLE Standard Time": "Europe/Kyiv",
    "GTB Standard Time": "Europe/Bucharest",
    "Russian Standard Time": "Europe/Moscow",
    "Eastern Standard Time": "America/New_York",
    "Central Standard Time": "America/Chicago",
    "Mountain Standard Time": "America/Denver",
    "Pacific Standard Time": "America/Los_Angeles",
    "E. South America Standard Time": "America/Sao_Paulo",
    "India Standard Time": "Asia/Kolkata",
    "China Standard Time": "Asia/Shanghai",
    "Singapore Standard Time": "Asia/Singapore",
    "Tokyo Standard Time": "Asia/Tokyo",
    "AUS Eastern Standard Time": "Australia/Sydney",
    "New Zealand Standard Time": "Pacific/Auckland",
    "UTC": "UTC",
}
"""The zones that Outlook names in its own way."""
_PLACE = re.compile(r"(?:.*/)?([A-Z]\w+/[A-Z][\w+-]+(?:/[A-Z]\w+)?)")
"""A place in the names that programs make, such as `/mozilla.org/20050126_1/America/New_York`."""
_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)(?:\d\d)?")
_WINTER, _SUMMER = datetime(2026, 1, 15, tzinfo=UTC), datetime(2026, 7, 15, tzinfo=UTC)

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


def zone_label(name: str) -> str | None:
    """The name of a zone as it is shown."""
    found = _PLACE.fullmatch(name)
    return (found[1] if found else name) or None


def _zone_called(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(_WINDOWS_ZONES.get(name) or zone_label(name) or "") if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@dataclass(slots=True)
class CalendarZones:
    """The zones of one calendar; times in a zone that nothing explains are read in the zone of the workspace."""

    default: tzinfo
    unknown: set[str] = field(default_factory=set)
    _defined: dict[str, tzinfo] = field(default_factory=dict)
    _offsets: dict[str, timedelta] = field(default_factory=dict)

    def define(self, part: ContentObject) -> None:
        """Take in a definition, whose parts come before itself."""
        if part.name != "VTIMEZONE":
            found = _OFFSET.fullmatch(part.text("TZOFFSETTO") or "")
            if found is not None:
                size = timedelta(hours=int(found[2]), minutes=int(found[3]))
                self._offsets[part.name] = -size if found[1] == "-" else size
            return
        standard, daylight = self._offsets.get("STANDARD"), self._offsets.get("DAYLIGHT")
        self._offsets = {}
        zone: tzinfo | None = None if standard is None else timezone(standard)
        if standard is not None and daylight is not None and daylight != standard:
            zone = _zone_with(standard, daylight)
        if zone is not None:
            self._defined[part.text("TZID") or ""] = zone

    def named(self, name: str) -> tzinfo:
        zone = _zone_called(name) or self._defined.get(name)
        if zone is None and name:
            self.unknown.add(name)
        return zone or self.default


def _zone_with(standard: timedelta, daylight: timedelta) -> tzinfo | None:
    """A zone with these offsets in winter and in summer."""
    for name in _WINDOWS_ZONES.values():
        zone = ZoneInfo(name)
        offsets = (_WINTER.astimezone(zone).utcoffset(), _SUMMER.astimezone(zone).utcoffset())
        if offsets in ((standard, daylight), (daylight, standard)):
            return zone
    return None


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
        try:
            weeks, days, hours, minutes, seconds = (int(each or 0) for each in length.groups())
            span = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
            end = start._replace(value=start.value + span)
        except (OverflowError, ValueError):
            return None
    first_day = start.value.date() if isinstance(start.value, datetime) else start.value
    if isinstance(end.value, datetime) or end.value <= first_day:
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
