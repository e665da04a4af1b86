"""How old somebody is, in whole years of the calendar they were born under."""

from recollect.reason.lore.existence import Existence
from recollect.when.calendar import Calendar, split_day
from recollect.when.instant import MAX
from recollect.when.period import Time
from recollect.when.timeline import Timeline, containing_era


def age_at(existence: Existence, at: Time, timeline: Timeline) -> int | None:
    """Whole years from the birth to the time, or to the death if that is earlier; none if the birth leaves it open."""
    birth, death = existence.start, existence.end
    if birth is None or birth.uncertain:
        return None
    until = at.lo if death is None else min(at.lo, death.lo)
    if until == MAX or birth.lo > until:
        return None
    return _years(timeline.day_at(birth.lo), timeline.day_at(until), _calendar(timeline, timeline.day_at(birth.lo)))


def _calendar(timeline: Timeline, day: int) -> Calendar:
    era = containing_era(timeline, day)
    return timeline.primary_calendar if era is None else era.calendar


def _years(birth: int, until: int, calendar: Calendar) -> int:
    first, last = split_day(calendar, birth), split_day(calendar, until)
    return last[0] - first[0] - (last[1:] < first[1:])
