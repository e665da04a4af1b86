"""Moments of knowing: `as_of` as an instant, a date or the number of a transaction."""

import re
from dataclasses import dataclass
from datetime import tzinfo

from recollect.when.instant import Instant, day_period, read_date, read_instant
from recollect.when.problems import BadTime

_TX = re.compile(r"(?:tx:\s*)?(\d{1,18})", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AtInstant:
    """What was known at this instant."""

    instant: Instant


@dataclass(frozen=True, slots=True)
class AtTx:
    """What was known once this transaction had happened."""

    number: int


KnownAt = AtInstant | AtTx


def read_known(value: int | str, zone: tzinfo) -> KnownAt:
    """The moment of knowing that an `as_of` names; a date is the end of that local day."""
    if isinstance(value, int):
        return AtTx(_not_negative(value))
    text = value.strip()
    match = _TX.fullmatch(text)
    if match is not None:
        return AtTx(int(match[1]))
    if _DATE.fullmatch(text):
        return AtInstant(day_period(read_date(text), zone)[1])
    try:
        return AtInstant(read_instant(text, zone))
    except BadTime as error:
        raise BadTime(value, "as_of is an instant, a date (YYYY-MM-DD) or a transaction number") from error


def _not_negative(number: int) -> int:
    if isinstance(number, bool) or not 0 <= number < 10**18:
        raise BadTime(str(number), "transactions are numbered from 1")
    return number
