"""Times in a statement as periods, those without a year as a time of any year."""

import re
from collections.abc import Sequence
from datetime import date, tzinfo

from recollect.reason.verify.reading import Day, Stretch
from recollect.when.instant import DAY, Instant, date_of_day, day_end, day_start, local_day
from recollect.when.phrases import find_times

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)


def times_in(text: str, now: Instant, zone: tzinfo, taken: Sequence[Stretch]) -> list[Stretch]:
    """The times a text names outside what is taken already."""
    found = []
    for each in find_times(text, now, zone):
        if all(each.end <= other.start or each.start >= other.stop for other in taken):
            is_yearless = _MONTH.search(each.text) is not None and _YEAR.search(each.text) is None
            day = Day(each.lo, each.hi, _of_year(each.lo, each.hi, zone) if is_yearless else None)
            found.append(Stretch(each.start, each.end, day=day))
    return found


def year_in(zone: tzinfo, year: int) -> Day:
    """The whole of a year."""
    first = (date(year, 1, 1) - date(1970, 1, 1)).days
    last = (date(year, 12, 31) - date(1970, 1, 1)).days
    return Day(day_start(first, zone), day_end(last, zone))


def _of_year(lo: Instant, hi: Instant, zone: tzinfo) -> tuple[int, int] | None:
    first, last = date_of_day(local_day(lo, zone)), date_of_day(local_day(hi, zone))
    if first.year != last.year or hi - lo > 40 * DAY:
        return None
    return first.month * 100 + first.day, last.month * 100 + last.day
