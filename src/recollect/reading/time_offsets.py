"""Times that are counted from another: ten days from now, two days before the gala on 7 November, today in a week."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from recollect.reading.clause_reading import Granularity
from recollect.reading.date_ranges import DateRange, last_of_month, one_day
from recollect.reading.time_grammar import TimeGrammar
from recollect.reading.time_words import Lead

_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_COARSENESS: dict[str, Granularity] = {"fortnight": "week", "workday": "day"}
_SATURDAY = 5
_SUBJECTS = "i|we|you|he|she|they|it|i'll|we'll|you'll|he'll|she'll|they'll"
_AS_BASE: tuple[Lead | None, ...] = (None, "on", "from")
"""Leads of a day that tells when an event is: *the gala on 7 November*."""
_ONLY_WITH_DAY = frozenset({"from", "on", "od"})
"""Words that count from a day, but say nothing of time before another word."""


class TimePhrase(NamedTuple):
    """A time in a text: where it stands, its first and last day if they are known, and the word that leads it.

    `days` is none where the phrase cannot be placed: a relative one without an anchor, an ambiguous 3/4. `is_past`
    holds for words that always look back, such as *yesterday*.
    """

    start: int
    stop: int
    text: str
    lead: Lead | None
    days: DateRange | None
    is_past: bool = False


class Offset(NamedTuple):
    """So many days, weeks, months or years ahead or, below zero, back; `amount` is none where it is not told."""

    amount: int | None
    unit: str

    def from_day(self, day: date) -> date | None:
        if self.amount is None:
            return None
        if self.unit == "workday":
            return _workdays_from(day, self.amount)
        if self.unit in _DAYS:
            return day + timedelta(days=self.amount * _DAYS[self.unit])
        index = day.year * 12 + day.month - 1 + self.amount * (12 if self.unit == "year" else 1)
        year, month = index // 12, index % 12 + 1
        return date(year, month, min(day.day, last_of_month(year, month).day))

    def from_days(self, days: DateRange | None) -> DateRange | None:
        """The day that is told by an offset from a day or a stretch of days, whose near end counts."""
        if days is None or self.amount is None:
            return None
        day = self.from_day(days.first if self.amount < 0 else days.last)
        return one_day(day) if day is not None else None


def _workdays_from(day: date, amount: int) -> date:
    """The day so many days from Monday to Friday ahead or back."""
    step = timedelta(days=1 if amount > 0 else -1)
    left = abs(amount)
    while left:
        day += step
        left -= day.weekday() < _SATURDAY
    return day


def is_offset(match: re.Match[str]) -> bool:
    """Whether a match is a count that needs a day to count from: *two days before*."""
    return any(match[name] is not None for name in ("back", "ahead", "beside", "eve", "morrow"))


def days_after_count(match: re.Match[str], grammar: TimeGrammar, anchor: date) -> DateRange | None:
    """*In two weeks*, *ten days from now*, *three days ago*; none for *in some days*."""
    offset = _counted(match, grammar)
    day = offset.from_day(anchor)
    granularity: Granularity = _COARSENESS.get(offset.unit, offset.unit)  # type: ignore[arg-type]
    return DateRange(day, day, granularity) if day is not None else None


def with_offsets(
    found: Sequence[tuple[re.Match[str], TimePhrase]], low: str, grammar: TimeGrammar
) -> Iterator[TimePhrase]:
    """The times of a text, with each count joined to the day it is counted from.

    A count from an event without a day cannot be placed, but is kept with its words.
    """
    rest = list(reversed(found))
    told: DateRange | None = None
    while rest:
        match, phrase = rest.pop()
        if is_offset(match):
            has_base = bool(rest) and _is_base(phrase, rest[-1][1], low, grammar)
            joined = (
                _from_base(match, phrase, rest.pop()[1], low, grammar)
                if has_base
                else _open(match, phrase, low, grammar) or _at_end(match, phrase, low, told)
            )
            if joined is not None:
                yield joined
        elif rest and _is_counted_on(phrase, *rest[-1], low):
            later, following = rest.pop()
            days = _counted(later, grammar).from_days(phrase.days)
            yield TimePhrase(phrase.start, following.stop, low[phrase.start : following.stop], phrase.lead, days)
        else:
            yield phrase
        told = phrase.days or told


def _at_end(match: re.Match[str], offset: TimePhrase, low: str, told: DateRange | None) -> TimePhrase | None:
    """*The week after* at the end of a clause, counted from an earlier time of the text; without one it has no days."""
    if (
        match["ahead"] is None
        or not (match["vague_offset"] or match["offset_unit_alone"])
        or low[offset.stop :].strip(" .,;!)")
    ):
        return None
    monday = told.last + timedelta(days=7 - told.last.weekday()) if told is not None and "week" in offset.text else None
    days = DateRange(monday, monday + timedelta(days=6), "week") if monday is not None else None
    return TimePhrase(offset.start, offset.stop, offset.text, offset.lead, days)


def _counted(match: re.Match[str], grammar: TimeGrammar) -> Offset:
    """The offset of *in two weeks*, *ten days from now* or *three days ago*."""
    is_past = match["ago_unit"] is not None and match["hence"] is None
    told = match["count"] or match["ago_count"]
    unit = _unit(match["unit"] or match["unit_alone"] or match["ago_unit"], grammar)
    if match["vague_count"] or match["vague_ago"] or match["half"]:
        return Offset(None, unit)
    count = _number(told, grammar) if told else 1
    return Offset(-count if is_past else count, unit)


def _number(text: str, grammar: TimeGrammar) -> int:
    return int(text) if text.isdigit() else grammar.words.counts[" ".join(text.split())]


def _unit(text: str, grammar: TimeGrammar) -> str:
    return next(unit for pattern, unit in grammar.units if pattern.fullmatch(text))


def _offset(match: re.Match[str], grammar: TimeGrammar) -> Offset:
    """The offset of *two days before*, *the day after* or *a week on*."""
    sign = -1 if match["back"] or match["eve"] else 1
    if match["eve"] or match["morrow"] or match["offset_day"]:
        return Offset(sign, "day")
    if match["vague_offset"] or (match["offset_unit_alone"] and match[0].startswith("the ")):
        return Offset(None, "day")
    unit = _unit(match["offset_unit"] or match["offset_unit_alone"], grammar)
    count = _number(match["offset_count"], grammar) if match["offset_count"] else 1
    return Offset(sign * count, unit)


@cache
def _event(and_words: str) -> re.Pattern[str]:
    """A word of those for an event: no figure, no mark and no joint."""
    return re.compile(rf"(?:\s+(?!(?:{and_words})(?![\w']))[^\W\d_][\w'’-]*)")


def _is_base(offset: TimePhrase, day: TimePhrase, low: str, grammar: TimeGrammar) -> bool:
    """Whether an offset is counted from a day, of itself or of the event that is named between them."""
    between = low[offset.stop : day.start]
    if not between.strip():
        return True
    event = rf"(?:{_event(f'{grammar.words.and_words}|{_SUBJECTS}').pattern}){{1,6}}\s*"
    return day.lead in _AS_BASE and re.fullmatch(event, between) is not None


def _from_base(match: re.Match[str], offset: TimePhrase, day: TimePhrase, low: str, grammar: TimeGrammar) -> TimePhrase:
    if match["lead"] == "for":
        return day  # how long, and not when: for three days from Monday
    weekday = match["offset_weekday"]
    if weekday is None:
        days = _offset(match, grammar).from_days(day.days)
    else:
        days = _weekday_beside(grammar.weekdays[weekday], day.days, is_before=match["back"] is not None)
    return TimePhrase(offset.start, day.stop, low[offset.start : day.stop], offset.lead, days)


def _weekday_beside(weekday: int, days: DateRange | None, *, is_before: bool) -> DateRange | None:
    """*The Monday before 7 November*: the last such weekday before it, or the first one after it."""
    if days is None:
        return None
    if is_before:
        return one_day(days.first - timedelta(days=(days.first.weekday() - weekday - 1) % 7 + 1))
    return one_day(days.last + timedelta(days=(weekday - days.last.weekday() - 1) % 7 + 1))


def _open(match: re.Match[str], offset: TimePhrase, low: str, grammar: TimeGrammar) -> TimePhrase | None:
    if match["ahead"] in _ONLY_WITH_DAY:
        return None
    event = re.match(rf"(?:{_event(grammar.words.and_words).pattern}){{1,4}}", low[offset.stop :])
    if event is None:
        return None
    stop = offset.stop + event.end()
    return TimePhrase(offset.start, stop, low[offset.start : stop], offset.lead, None)


def _is_counted_on(day: TimePhrase, match: re.Match[str], later: TimePhrase, low: str) -> bool:
    """Whether *in a week* goes on with the day before it: *heute in einer Woche*."""
    is_day = day.days is not None and day.days.granularity == "day"
    is_counted = match["unit"] is not None and match["lead"] is None and later.lead is None
    return is_day and is_counted and not low[day.stop : later.start].strip()
