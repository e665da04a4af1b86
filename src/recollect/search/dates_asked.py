"""The dates that a question names, read as a searcher means them: days up to today, ends open where said so."""

import re
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import NamedTuple

from recollect.when.english.days import iso_week_of, month_of, week_of, years_of
from recollect.when.gregorian import ymd
from recollect.when.instant import Instant, local_day
from recollect.when.phrases import Mention, find_times
from recollect.when.place import iso_week

_THIS = re.compile(r"this (?:week|month|year)", re.IGNORECASE)
_LAST_WHOLE = re.compile(r"(?:the )?last (week|month|year)", re.IGNORECASE)
_RUNNING = re.compile(r"(?:the )?(?:last|past|previous)\b", re.IGNORECASE)
_ISO_LEFT = re.compile(r"(?<![\w-])(?:(\d{4})-[Ww](\d{2})|((?:19|20)\d{2}|2100))(?![\w-])")
_LEAD = re.compile(
    r"\b(?:the\s+(day|week)\s+(?=before|after))?(since|after|before|until|till|by|from)\s+(?:the\s+)?$", re.IGNORECASE
)
_ONWARD = re.compile(r"\s+(?:onwards?\b|on\b(?!\s+\w))", re.IGNORECASE)
_AND = re.compile(r"\s*(?:,|&|,?\s*\b(?:and|or)\b)\s*(?:(?:in|on)\s+)?(?:the\s+)?", re.IGNORECASE)
_LONG = {"day": 1, "week": 7}


class Days(NamedTuple):
    """From one day to another, both included; none is an open end."""

    first: int | None
    last: int | None

    def meet(self, other: "Days") -> "Days | None":
        """What both allow, if anything."""
        first = _latest(self.first, other.first)
        last = _earliest(self.last, other.last)
        return Days(first, last) if first is None or last is None or first <= last else None


class DateAsked(NamedTuple):
    """A stretch of the question, its leading word included, and the days it means."""

    start: int
    stop: int
    days: Days


def dates_asked(text: str, now: Instant, zone: tzinfo) -> list[DateAsked]:
    """Every date expression in a question, in its order; one that means no day at all is none."""
    today = local_day(now, zone)
    mentions = find_times(text, now, zone)
    said = [_asked(text, each, today, zone) for each in mentions]
    covered = {letter for each in mentions for letter in range(each.start, each.end)}
    said += _iso(text, covered)
    return sorted(each for each in said if each.days.meet(each.days))


def whole(text: str, found: Iterable[DateAsked]) -> Days | None:
    """All dates of a question together: what all allow, from one to another where they are listed.

    One that contradicts those before it does not count.
    """
    held: Days | None = None
    for each in _listed(text, sorted(found, key=lambda each: each.start)):
        held = each.days if held is None else held.meet(each.days) or held
    return held


def _listed(text: str, found: Iterable[DateAsked]) -> list[DateAsked]:
    """Dates that only an `and` or the like stands between, as one stretch: in March and April."""
    joined: list[DateAsked] = []
    for each in found:
        if joined and None not in (*joined[-1].days, *each.days) and _AND.fullmatch(text, joined[-1].stop, each.start):
            start, _, (first, last) = joined.pop()
            joined.append(
                DateAsked(start, each.stop, Days(_earliest(first, each.days.first), _latest(last, each.days.last)))
            )
        else:
            joined.append(each)
    return joined


def _asked(text: str, mention: Mention, today: int, zone: tzinfo) -> DateAsked:
    first, last = local_day(mention.lo, zone), local_day(mention.hi, zone)
    unit = _LAST_WHOLE.fullmatch(mention.text)
    if unit:
        first, last = _one_before(unit[1].lower(), today)
    elif _THIS.fullmatch(mention.text):
        last = today
    elif mention.unit == "range" and last == today and _RUNNING.match(mention.text):
        first += 1
    return led(text, mention.start, mention.end, first, last)


def _one_before(unit: str, today: int) -> tuple[int, int]:
    year, month, _ = ymd(today)
    match unit:
        case "week":
            days = week_of(today - 7)
        case "month":
            days = month_of(year, month - 1)
        case _:
            days = years_of(year - 1)
    return days.first, days.last


def led(text: str, start: int, stop: int, first: int, last: int) -> DateAsked:
    """A stretch with the words before it, which may open one of its ends or lead beside it."""
    lead = _LEAD.search(text, 0, start)
    if lead is None:
        return DateAsked(start, stop, Days(first, last))
    long = _LONG.get((lead[1] or "").lower())
    match lead[2].lower():
        case "from":
            days = Days(first, None if _ONWARD.match(text, stop) else last)
        case "since":
            days = Days(first, None)
        case "after":
            days = Days(last + 1, None if long is None else last + long)
        case "before":
            days = Days(None if long is None else first - long, first - 1)
        case _:
            days = Days(None, last)
    return DateAsked(lead.start(), stop, days)


def _iso(text: str, covered: set[int]) -> Iterator[DateAsked]:
    """Weeks and bare years, which prose does not count as dates."""
    for found in _ISO_LEFT.finditer(text):
        if not covered.isdisjoint(range(found.start(), found.end())):
            continue
        if found[3]:
            days = years_of(int(found[3]))
            yield led(text, found.start(), found.end(), days.first, days.last)
        elif iso_week(int(found[1]), int(found[2])) is not None:
            first = iso_week_of(int(found[1]), int(found[2])).first
            yield led(text, found.start(), found.end(), first, first + 6)


def _latest(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _earliest(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)
