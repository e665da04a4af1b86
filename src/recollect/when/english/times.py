"""A whole text as one time: yesterday, last week, 3 days ago, March 2026."""

import re
from datetime import tzinfo

from recollect.when.english.mentions import TimeMention, find_times
from recollect.when.instant import Instant, date_of_day, local_day
from recollect.when.period import Grain, Time

_LEAD = re.compile(r"^(?:in|on|at|since|from|until|till|by) (?=\w)", re.IGNORECASE)
_LENGTHS: dict[str, tuple[int, Grain]] = {"day": (10, "day"), "month": (7, "month"), "year": (4, "year")}


def read_english_time(text: str, now: Instant, zone: tzinfo) -> Time | None:
    """The Gregorian time that an English text names, relative to now; none unless the whole text is that time."""
    phrase = _LEAD.sub("", " ".join(text.split()).strip(" .,"), count=1)
    for lead in ("", "in "):  # a month alone is read only after a preposition
        mentions = find_times(lead + phrase, now, zone)
        if len(mentions) == 1 and mentions[0].end == len(lead + phrase) and mentions[0].start <= len(lead):
            return time_of_mention(mentions[0], zone)
    return None


def time_of_mention(mention: TimeMention, zone: tzinfo) -> Time:
    """A mention in canonical form: a date, month or year if it is exactly one, else a range of days."""
    first, last = (date_of_day(local_day(end, zone)).isoformat() for end in (mention.lo, mention.hi))
    length, grain = _LENGTHS.get(mention.unit, (0, "range"))
    if length and first[:length] == last[:length]:
        return Time(first[:length], mention.lo, mention.hi, False, grain)
    if first == last:
        return Time(first, mention.lo, mention.hi, False, "day")
    return Time(f"[{first}..{last}]", mention.lo, mention.hi, True, "range")
