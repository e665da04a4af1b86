"""Times in a statement as periods, those without a year as a time of any year."""

import re
from collections.abc import Sequence
from datetime import tzinfo

from recollect.reason.verify.reading import Day, Stretch
from recollect.when.gregorian import year_start, ymd
from recollect.when.instant import DAY, Instant, day_end, day_start, local_day
from recollect.when.phrases import find_times

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)


def times_in(text: str, now: Instant, zone: tzinfo, taken: Sequence[Stretch]) -> list[Stretch]:
    """The times a text names outside what is taken already."""
    found = []
    for each in find_times(text, now, zone):
        if all(each.end <= other.start or each.start >= other.stop for other in taken):
            is_yearless = _MONTH.search(each.text) is not None and _YEAR.search(each.text) is None
            day = Day(each.lo, each.hi, _of_year(each.lo, each.hi, zone) if is_yearless else None, each.lead)
            found.append(Stretch(each.start, each.end, day=day))
    return found


def year_in(zone: tzinfo, year: int) -> Day:
    """The whole of a year."""
    return Day(day_start(year_start(year), zone), day_end(year_start(year + 1) - 1, zone))


def _of_year(lo: Instant, hi: Instant, zone: tzinfo) -> tuple[int, int] | None:
    (year, month, dom), (last_year, last_month, last_dom) = ymd(local_day(lo, zone)), ymd(local_day(hi, zone))
    if year != last_year or hi - lo > 40 * DAY:
        return None
    return month * 100 + dom, last_month * 100 + last_dom
