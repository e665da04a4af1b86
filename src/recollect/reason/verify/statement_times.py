"""Times in a statement as periods; those without a year as a time of any year."""

import re
from collections.abc import Sequence
from datetime import tzinfo

from recollect.reason.verify.parsed_statement import StatementPeriod, StatementSpan
from recollect.when.english.mentions import find_times
from recollect.when.gregorian import year_start, ymd
from recollect.when.instant import DAY, Instant, day_end, day_start, local_day

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)


def find_statement_times(text: str, now: Instant, zone: tzinfo, taken: Sequence[StatementSpan]) -> list[StatementSpan]:
    """The times a text names outside what is taken already."""
    found = []
    for each in find_times(text, now, zone):
        if all(each.end <= other.start or each.start >= other.stop for other in taken):
            is_yearless = _MONTH.search(each.text) is not None and _YEAR.search(each.text) is None
            day = StatementPeriod(
                each.lo, each.hi, _days_of_year(each.lo, each.hi, zone) if is_yearless else None, each.lead
            )
            found.append(StatementSpan(each.start, each.end, day=day))
    return found


def period_of_year(zone: tzinfo, year: int) -> StatementPeriod:
    """The whole of a year."""
    return StatementPeriod(day_start(year_start(year), zone), day_end(year_start(year + 1) - 1, zone))


def _days_of_year(lo: Instant, hi: Instant, zone: tzinfo) -> tuple[int, int] | None:
    (year, month, dom), (last_year, last_month, last_dom) = ymd(local_day(lo, zone)), ymd(local_day(hi, zone))
    if year != last_year or hi - lo > 40 * DAY:
        return None
    return month * 100 + dom, last_month * 100 + last_dom
