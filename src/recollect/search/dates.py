"""Dates in a question: the days that its expressions mean, and what was stated, began, ended or is due on them."""

import re
from collections.abc import Iterable, Iterator
from datetime import tzinfo
from typing import NamedTuple

from recollect.model.fact import Fact
from recollect.store.view import View
from recollect.when.calendar_position import iso_week
from recollect.when.english.day_spans import iso_week_of, month_of, week_of, years_of
from recollect.when.english.mentions import TimeMention, find_times
from recollect.when.gregorian import ymd
from recollect.when.instant import Instant, local_day

_THIS_PERIOD = re.compile(r"this (?:week|month|year)", re.IGNORECASE)
_LAST_PERIOD = re.compile(r"(?:the )?last (week|month|year)", re.IGNORECASE)
_RUNNING = re.compile(r"(?:the )?(?:last|past|previous)\b", re.IGNORECASE)
_ISO_LEFT = re.compile(r"(?<![\w-])(?:(\d{4})-[Ww](\d{2})|((?:19|20)\d{2}|2100))(?![\w-])")
_LEAD = re.compile(
    r"\b(?:the\s+(day|week)\s+(?=before|after))?(since|after|before|until|till|by|from)\s+(?:the\s+)?$", re.IGNORECASE
)
_ONWARD = re.compile(r"\s+(?:onwards?\b|on\b(?!\s+\w))", re.IGNORECASE)
_CONJUNCTION = re.compile(
    r"\s*+(?:&|,(?:\s*+(?:and|or)\b)?+|\b(?:and|or)\b)\s*+(?:(?:in|on)\s++)?(?:the\s+)?", re.IGNORECASE
)
_UNIT_DAYS = {"day": 1, "week": 7}


class DayRange(NamedTuple):
    """From one day number to another, both included; an end of None is open."""

    first: int | None
    last: int | None

    def intersect(self, other: "DayRange") -> "DayRange | None":
        """What both allow, if anything."""
        first = _latest(self.first, other.first)
        last = _earliest(self.last, other.last)
        return DayRange(first, last) if first is None or last is None or first <= last else None


class DateMention(NamedTuple):
    """A span of the question, its leading word included, and the days it means."""

    start: int
    stop: int
    days: DayRange


def find_dates(text: str, now: Instant, zone: tzinfo) -> list[DateMention]:
    """Every date expression in a question, in its order; an empty range is left out."""
    today = local_day(now, zone)
    mentions = find_times(text, now, zone)
    covered = {letter for each in mentions for letter in range(each.start, each.end)}
    found = [*(_read_mention(text, each, today, zone) for each in mentions), *_find_iso_dates(text, covered)]
    return sorted(each for each in found if each.days.intersect(each.days))


def combine_dates(text: str, found: Iterable[DateMention]) -> DayRange | None:
    """All dates of a question together: what all allow, from one to another where they are listed.

    One that contradicts those before it does not count.
    """
    combined: DayRange | None = None
    for each in _join_listed(text, sorted(found, key=lambda each: each.start)):
        combined = each.days if combined is None else combined.intersect(each.days) or combined
    return combined


def _join_listed(text: str, found: Iterable[DateMention]) -> list[DateMention]:
    """Dates that are joined by a conjunction, as one range: in March and April."""
    joined: list[DateMention] = []
    for each in found:
        if (
            joined
            and None not in (*joined[-1].days, *each.days)
            and _CONJUNCTION.fullmatch(text, joined[-1].stop, each.start)
        ):
            start, _, (first, last) = joined.pop()
            joined.append(
                DateMention(
                    start, each.stop, DayRange(_earliest(first, each.days.first), _latest(last, each.days.last))
                )
            )
        else:
            joined.append(each)
    return joined


def _read_mention(text: str, mention: TimeMention, today: int, zone: tzinfo) -> DateMention:
    first, last = local_day(mention.lo, zone), local_day(mention.hi, zone)
    unit = _LAST_PERIOD.fullmatch(mention.text)
    if unit:
        first, last = _previous_period(unit[1].lower(), today)
    elif _THIS_PERIOD.fullmatch(mention.text):
        last = today
    elif mention.unit == "range" and last == today and _RUNNING.match(mention.text):
        first += 1
    return apply_lead(text, mention.start, mention.end, first, last)


def _previous_period(unit: str, today: int) -> tuple[int, int]:
    year, month, _ = ymd(today)
    match unit:
        case "week":
            days = week_of(today - 7)
        case "month":
            days = month_of(year, month - 1)
        case _:
            days = years_of(year - 1)
    return days.first, days.last


def apply_lead(text: str, start: int, stop: int, first: int, last: int) -> DateMention:
    """A date with the word before it, which may open one of its ends or move it: since, before, the week after."""
    lead = _LEAD.search(text, 0, start)
    if lead is None:
        return DateMention(start, stop, DayRange(first, last))
    long = _UNIT_DAYS.get((lead[1] or "").lower())
    match lead[2].lower():
        case "from":
            days = DayRange(first, None if _ONWARD.match(text, stop) else last)
        case "since":
            days = DayRange(first, None)
        case "after":
            days = DayRange(last + 1, None if long is None else last + long)
        case "before":
            days = DayRange(None if long is None else first - long, first - 1)
        case _:
            days = DayRange(None, last)
    return DateMention(lead.start(), stop, days)


def _find_iso_dates(text: str, covered: set[int]) -> Iterator[DateMention]:
    """Weeks and bare years, which prose does not count as dates."""
    for found in _ISO_LEFT.finditer(text):
        if not covered.isdisjoint(range(found.start(), found.end())):
            continue
        if found[3]:
            days = years_of(int(found[3]))
            yield apply_lead(text, found.start(), found.end(), days.first, days.last)
        elif iso_week(int(found[1]), int(found[2])) is not None:
            first = iso_week_of(int(found[1]), int(found[2])).first
            yield apply_lead(text, found.start(), found.end(), first, first + 6)


def _latest(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _earliest(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


IN_TIME = 1.3
"""What the score of an answer from the days asked about is multiplied with."""


class QuestionDates(NamedTuple):
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


def question_dates(view: View, question: str) -> QuestionDates:
    zone = view.world.zone
    if view.world.timeline.is_fictional:
        return QuestionDates(None, zone)
    return QuestionDates(combine_dates(question, find_dates(question, view.now, zone)), zone)
