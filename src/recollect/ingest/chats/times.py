"""Times as chat exports write them."""

import re
from datetime import UTC, datetime, tzinfo

from recollect.when.instant import SECOND, Instant, read_instant
from recollect.when.problems import BadTime

_AT = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2}) ?@ ?(\d{1,2})h ?(\d{1,2})m ?(\d{1,2})s(?: ?(\d{1,3})ms)?", re.ASCII)
_WORDS = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}), (\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2}))? ?([ap]m)", re.ASCII | re.IGNORECASE
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
LARGEST = 10**12


def epoch_seconds(value: object) -> Instant | None:
    """A number of seconds since 1970, whole or not."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST < value < LARGEST:
        return None
    return Instant(round(value * SECOND))


def moment(value: object) -> Instant | None:
    """Seconds since 1970, or the same as digits in a text; some tools write ISO 8601 in their place."""
    if not isinstance(value, str):
        return epoch_seconds(value)
    try:
        return epoch_seconds(float(value))
    except ValueError:
        return iso(value, UTC)


def iso(value: object, zone: tzinfo) -> Instant | None:
    """An instant written as ISO 8601; without an offset it is in the zone."""
    if not isinstance(value, str):
        return None
    try:
        return read_instant(value.strip(), zone)
    except BadTime:
        return None


def sent(value: object, zone: tzinfo) -> Instant | None:
    """When a message was sent, in any of the forms that SillyTavern has used."""
    if isinstance(value, str) and value.strip().isdecimal() and value.isascii():
        value = int(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return epoch_seconds(value / 1000)
    if not isinstance(value, str):
        return None
    return _at_form(value, zone) or _worded(value, zone) or iso(value, zone)


def _at_form(text: str, zone: tzinfo) -> Instant | None:
    found = _AT.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second, milli = (int(part or 0) for part in found.groups())
    return _local(zone, year, month, day, hour, minute, second, milli * 1000)


def _worded(text: str, zone: tzinfo) -> Instant | None:
    found = _WORDS.fullmatch(text.strip())
    if found is None or found[1][:3].lower() not in _MONTHS or not 1 <= int(found[4]) <= 12:
        return None
    hour = int(found[4]) % 12 + (12 if found[7].lower() == "pm" else 0)
    month = _MONTHS.index(found[1][:3].lower()) + 1
    return _local(zone, int(found[3]), month, int(found[2]), hour, int(found[5]), int(found[6] or 0), 0)


def _local(
    zone: tzinfo, year: int, month: int, day: int, hour: int, minute: int, second: int, micro: int
) -> Instant | None:
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    except ValueError:
        return None
    return Instant(int(moment.timestamp()) * SECOND + micro)
