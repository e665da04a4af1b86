"""A week of local days that ends on the day a question is asked about."""

from dataclasses import dataclass
from datetime import date, timedelta, tzinfo

from recollect.memory import AsOfValue
from recollect.store.activity_queries import time_of_last_transaction
from recollect.store.view import View
from recollect.when.as_of import AtInstant, parse_as_of
from recollect.when.instant import Instant, date_of_day, day_of_date, day_start, local_day

_SIX_DAYS = timedelta(days=6)
_EARLIEST = day_of_date(date.min + _SIX_DAYS)
_LATEST = day_of_date(date.max - _SIX_DAYS)


@dataclass(frozen=True, slots=True)
class Week:
    """Seven local days, both ends included."""

    last: date
    zone: tzinfo

    @property
    def first(self) -> date:
        return self.last - _SIX_DAYS

    @property
    def start(self) -> Instant:
        return day_start(day_of_date(self.first), self.zone)

    def contains(self, instant: Instant) -> bool:
        return day_of_date(self.first) <= local_day(instant, self.zone) <= day_of_date(self.last)


def week_at(view: View, as_of: AsOfValue) -> Week:
    """The week that ends today, or on the day of `as_of`."""
    zone = view.world.zone
    day = local_day(_instant_of(view, as_of), zone)
    return Week(date_of_day(min(max(day, _EARLIEST), _LATEST)), zone)


def _instant_of(view: View, as_of: AsOfValue) -> Instant:
    if as_of is None:
        return view.now
    moment = parse_as_of(as_of, view.world.zone)
    if isinstance(moment, AtInstant):
        return moment.instant
    last = time_of_last_transaction(view)
    return view.now if last is None else last
