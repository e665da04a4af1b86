"""The knowledge clock: `as_of` as an instant, a date or the number of a transaction."""

import re
from dataclasses import dataclass
from datetime import tzinfo

from recollect.when.instant import Instant, day_period, read_date, read_instant
from recollect.when.time_errors import BadTime

_TX = re.compile(r"(?:tx:\s*)?(\d+)", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_BEYOND_ALL = 10**18


@dataclass(frozen=True, slots=True)
class AtInstant:
    """What was known at this instant."""

    instant: Instant


@dataclass(frozen=True, slots=True)
class AtTransaction:
    """What was known once this transaction had happened."""

    number: int


AsOfMoment = AtInstant | AtTransaction


def parse_as_of(value: int | str, zone: tzinfo) -> AsOfMoment:
    """The moment that an `as_of` names; a date is the end of that local day."""
    if isinstance(value, int):
        return AtTransaction(_number(value))
    text = value.strip()
    match = _TX.fullmatch(text)
    if match is not None:
        digits = match[1].lstrip("0")
        return AtTransaction(int(digits or 0) if len(digits) <= 18 else _BEYOND_ALL)
    if _DATE.fullmatch(text):
        return AtInstant(day_period(read_date(text), zone)[1])
    try:
        return AtInstant(read_instant(text, zone))
    except BadTime as error:
        raise BadTime(value, "as_of is an instant, a date (YYYY-MM-DD) or a transaction number") from error


def _number(number: int) -> int:
    """A transaction's number; one that is too large means the last."""
    if isinstance(number, bool) or number < 0:
        raise BadTime(str(number), "transactions are numbered from 1")
    return min(number, _BEYOND_ALL)
