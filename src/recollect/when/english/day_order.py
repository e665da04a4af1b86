"""Dates in digits whose first number may be the day or the month: 10/03/2026."""

import re
from collections.abc import Callable
from datetime import date
from typing import Literal

from recollect.when.gregorian import date_or_none

DateOrder = Literal["dmy", "mdy"]
_DATE = re.compile(r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d)(?![\d/-])")

_DAY_AND_MONTH = re.compile(r"(?<![\d/.-])(\d{1,2})/(\d{1,2})(?![\d/.%-])")
_MONTHS, _LONGEST_MONTH = 12, 31


class UnknownDayOrder(ValueError):
    """A date that is one day with the day first and another with the month first."""

    def __init__(self, day_first: date, month_first: date) -> None:
        super().__init__(day_first, month_first)
        self.readings = day_first, month_first


def day_and_month(first: int, second: int, order: DateOrder | None) -> tuple[int, int] | None:
    """Which of two numbers is the day and which the month; none where the order is unknown and both are possible."""
    if first > 12 or (order == "dmy" and second <= 12) or first == second:
        return first, second
    return (second, first) if second > 12 or order == "mdy" else None


def order_within(text: str) -> DateOrder | None:
    """The order of the days in a text that shows it: *from 9/28 to 10/12*; none where no day does, or two differ."""
    pairs = [(int(found[1]), int(found[2])) for found in _DAY_AND_MONTH.finditer(text)]
    orders: set[DateOrder] = {"dmy" if first > _MONTHS else "mdy" for first, second in pairs if _shows(first, second)}
    return orders.pop() if len(orders) == 1 else None


def _shows(first: int, second: int) -> bool:
    return (first > _MONTHS) != (second > _MONTHS) and min(first, second) > 0 and max(first, second) <= _LONGEST_MONTH


def in_iso_form(text: str, order: DateOrder | None) -> str:
    """The text with such dates as YYYY-MM-DD; where the order is unknown and it matters, it raises."""
    return _DATE.sub(_as_iso(order), text)


def _as_iso(order: DateOrder | None) -> Callable[[re.Match[str]], str]:
    def iso(match: re.Match[str]) -> str:
        first, second, year = int(match[1]), int(match[3]), int(match[4])
        full = year + 2000 if len(match[4]) == 2 else year
        day_first, month_first = date_or_none(full, second, first), date_or_none(full, first, second)
        if day_first is None or month_first is None:
            return str(day_first or month_first or match[0])
        # Dots are written where the day comes first.
        known = order or ("dmy" if match[2] == "." or day_first == month_first else None)
        if known is None:
            raise UnknownDayOrder(day_first, month_first)
        return (day_first if known == "dmy" else month_first).isoformat()

    return iso
