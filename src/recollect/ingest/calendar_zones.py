"""Time zones of a calendar: by their names, and by what the calendar itself says of them."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.ingest.content_lines import ContentObject

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
