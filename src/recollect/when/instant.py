"""Instants: microseconds since 1970-01-01T00:00:00Z, parsed and formatted as ISO 8601."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NewType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.when.gregorian import day_number, month_days, ymd
from recollect.when.time_errors import BadTime, UnknownZone

Instant = NewType("Instant", int)

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

# The ends of every axis. They leave room in a signed 64-bit column for sums and differences by one.
MIN = -(2**62)
MAX = 2**62

# Furthest year, either way, whose microseconds stay inside the ends.
LAST_YEAR = 140_000

_EPOCH = datetime(1970, 1, 1)
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
# Days that a datetime can hold with a day to spare for any offset.
_FIRST_DAY = date.min.toordinal() - _EPOCH_ORDINAL + 2
_LAST_DAY = date.max.toordinal() - _EPOCH_ORDINAL - 2

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_INSTANT = re.compile(
    r"([+-]?\d{4,6})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?([Zz]|[+-]\d{2}(?::?\d{2})?)?",
    re.ASCII,
)


def read_zone(text: str) -> ZoneInfo:
    """The IANA time zone of this name."""
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UnknownZone(text) from error


@lru_cache(8192)
def format_instant(instant: Instant) -> str:
    """An instant in UTC, with a fraction of three or six digits only if it is not zero."""
    whole, fraction = divmod(instant, SECOND)
    tail = "" if not fraction else f".{fraction // 1000:03}" if fraction % 1000 == 0 else f".{fraction:06}"
    return f"{_format_second(whole)}{tail}Z"


def format_millis(instant: Instant) -> str:
    """An instant in UTC, always with milliseconds."""
    whole, fraction = divmod(instant, SECOND)
    return f"{_format_second(whole)}.{fraction // 1000:03}Z"


def _format_second(second: int) -> str:
    day, rest = divmod(second, 86_400)
    year, month, dom = ymd(day)
    return f"{format_year(year)}-{month:02}-{dom:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def format_year(year: int) -> str:
    """A year as ISO 8601 writes it: four digits, signed outside 0000 to 9999."""
    if year < 0:
        return f"-{-year:04}"
    return f"{year:04}" if year <= 9999 else f"+{year}"


def read_instant(text: str, zone: tzinfo) -> Instant:
    """The instant an ISO 8601 text names; without an offset it is in this zone."""
    match = _INSTANT.fullmatch(text.strip())
    if match is None:
        raise BadTime(text, "not an ISO 8601 instant such as 2026-03-14T10:22:00Z")
    year, month, dom, hour, minute = (int(part) for part in match.group(1, 2, 3, 4, 5))
    second = int(match[6] or 0)
    day = check_day(text, year, month, dom)
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and (minute or second)):
        raise BadTime(text, "no such time of day")
    micro = int((match[7] or "").ljust(6, "0")[:6])
    local = day * DAY + hour * HOUR + minute * MINUTE + second * SECOND + micro
    return Instant(local - (offset_at_local(local, zone) if match[8] is None else _read_offset(text, match[8])))


def _read_offset(text: str, offset: str) -> int:
    if offset in "Zz":
        return 0
    digits = offset[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 23 or minutes > 59:
        raise BadTime(text, "no such offset from UTC")
    return (hours * HOUR + minutes * MINUTE) * (-1 if offset[0] == "-" else 1)


def check_day(text: str, year: int, month: int, dom: int) -> int:
    """The day number of a Gregorian date that exists and lies on the axis."""
    if not -LAST_YEAR <= year <= LAST_YEAR:
        raise BadTime(text, f"years reach from {-LAST_YEAR} to {LAST_YEAR}")
    if not 1 <= month <= 12:
        raise BadTime(text, "months are 01 to 12")
    if not 1 <= dom <= month_days(year, month):
        raise BadTime(text, f"{format_year(year)}-{month:02} has {month_days(year, month)} days")
    return day_number(year, month, dom)


def read_date(text: str) -> date:
    """The calendar date written YYYY-MM-DD, from year 0001 on."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        raise BadTime(text, "not a date such as 2026-03-14")
    year, month, dom = (int(part) for part in match.groups())
    day = check_day(text, year, month, dom)
    if year < 1:
        raise BadTime(text, "dates begin with 0001-01-01")
    return date_of_day(day)


def date_of_day(day: int) -> date:
    """The date of a day counted from 1970-01-01."""
    return date.fromordinal(day + _EPOCH_ORDINAL)


@lru_cache(1024)
def format_date(day: int) -> str:
    """The date of a day counted from 1970-01-01 in ISO 8601, for any year."""
    year, month, dom = ymd(day)
    return f"{format_year(year)}-{month:02}-{dom:02}"


def day_of_date(value: date) -> int:
    """The number of a date's day, counted from 1970-01-01."""
    return value.toordinal() - _EPOCH_ORDINAL


def local_day(instant: Instant, zone: tzinfo) -> int:
    """The day, counted from 1970-01-01, that this instant falls on in a zone."""
    offset = zone.utcoffset(None)
    if offset is None:
        offset = _clamped(instant).replace(tzinfo=UTC).astimezone(zone).utcoffset()
    return (instant + _microseconds(offset)) // DAY if offset else instant // DAY


def local_date(instant: Instant, zone: tzinfo) -> date:
    day = local_day(instant, zone)
    if not _FIRST_DAY <= day <= _LAST_DAY:
        raise BadTime(format_instant(instant), "outside the years 0001 to 9999")
    return date_of_day(day)


def day_start(day: int, zone: tzinfo) -> Instant:
    """The first instant of a day in a zone, also if midnight is skipped or occurs twice."""
    local = day * DAY
    return Instant(local - offset_at_local(local, zone))


def day_period(value: date, zone: tzinfo) -> tuple[Instant, Instant]:
    """The first and last instant of a date in a zone."""
    day = day_of_date(value)
    lo = day_start(day, zone)
    return lo, Instant(max(lo, day_end(day, zone)))


def day_end(day: int, zone: tzinfo) -> Instant:
    """The last instant of a day in a zone; of a day the zone skipped, the one before its first."""
    return Instant(day_start(day + 1, zone) - 1)


def offset_at_local(local: int, zone: tzinfo) -> int:
    """The UTC offset in microseconds at a local time, the earlier one if it occurs twice."""
    fixed = zone.utcoffset(None)
    return _microseconds(_clamped(local).replace(tzinfo=zone).utcoffset() if fixed is None else fixed)


def _clamped(position: int) -> datetime:
    # Zones have no rules beyond a datetime's years; the rule at its ends goes on.
    day, rest = divmod(position, DAY)
    return _EPOCH + timedelta(days=min(max(day, _FIRST_DAY), _LAST_DAY), microseconds=rest)


def _microseconds(offset: timedelta | None) -> int:
    return (offset.days * 86_400 + offset.seconds) * SECOND if offset else 0
