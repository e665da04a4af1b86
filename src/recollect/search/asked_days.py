"""The days that a question asks about: what was told, began, ended or is due on one of them ranks higher."""

from datetime import tzinfo
from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.search.dates import DayRange, combine_dates, find_dates
from recollect.store.view import View
from recollect.when.instant import Instant, local_day

IN_TIME = 1.3
"""What the score of an answer from the days asked about is multiplied with."""


class AskedDays(NamedTuple):
    """The days of a question, if it names any."""

    days: DayRange | None
    zone: tzinfo

    def fact_weight(self, fact: Fact) -> float:
        start, end = fact.valid_from, fact.valid_until
        if self._holds(fact.source_at) or (start and self._holds(start.lo)) or (end and self._holds(end.hi)):
            return IN_TIME
        return 1.0

    def weight(self, source_at: int) -> float:
        """For a text with a source of this time."""
        return IN_TIME if self._holds(source_at) else 1.0

    def _holds(self, at: int) -> bool:
        if self.days is None:
            return False
        day, (first, last) = local_day(Instant(at), self.zone), self.days
        return (first is None or first <= day) and (last is None or day <= last)


def asked_days(view: View, question: str) -> AskedDays:
    zone = view.world.zone
    if view.world.timeline.is_fictional:
        return AskedDays(None, zone)
    return AskedDays(combine_dates(question, find_dates(question, view.now, zone)), zone)
