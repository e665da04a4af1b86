"""Times that an English text names or is: last Tuesday, Q2 2024, between May 2 and May 5."""

import re
from dataclasses import dataclass, replace
from datetime import tzinfo

from recollect.when.english.day_spans import DaySpan, Unit, resolve_year
from recollect.when.english.ranges import RULES as RANGES
from recollect.when.english.ranges import SINGLE
from recollect.when.english.rules import TimeRules
from recollect.when.english.sentence import (
    DatePreference,
    DayMatters,
    TimeSentence,
    sentence_of,
    undated_sentence,
)
from recollect.when.english.words import NUMBER_PATTERN
from recollect.when.instant import DAY, MAX, MIN, Instant, date_of_day, day_end, day_start, local_day
from recollect.when.period import Grain, Time

_RULES = TimeRules((*RANGES, *SINGLE))
_LEADS = frozenset(
    [
        "on",
        "in",
        "by",
        "since",
        "until",
        "till",
        "before",
        "after",
        "during",
        "from",
        "due",
        "this",
        "next",
        "within",
        "around",
        "about",
    ]
)


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A part of a text and the period it names, first to last instant."""

    start: int
    end: int
    text: str
    lo: Instant
    hi: Instant
    unit: Unit
    lead: str


def find_times(
    text: str, reference: Instant, zone: tzinfo, *, prefer: DatePreference = "past"
) -> tuple[TimeMention, ...]:
    """The times a text names, relative to the reference day; a missing year is resolved to the past or the future."""
    s = sentence_of(text, local_day(reference, zone), prefer)
    over = replace(s, prefer="past")
    mentions: list[TimeMention] = []
    end = 0
    for i in s.starts:
        seen = over if s.word(i - 1) == "since" else s
        found = _RULES.longest(seen, i) if i >= end else None
        days = None if found is None else resolve_year(found[1], s.today, seen.prefer)
        if found is not None and days is not None:
            mentions.append(_mention(text, s, i, found[0], days, zone))
            end = found[0]
    return tuple(mentions)


def may_name_times(text: str) -> bool:
    """Whether a text may name a time; if not, it names none on any day."""
    s = undated_sentence(text)
    try:
        return any(read(s, i) is not None for i in s.starts for read in _RULES.at(s, i))
    except DayMatters:
        return True


def _mention(text: str, s: TimeSentence, first: int, stop: int, days: DaySpan, zone: tzinfo) -> TimeMention:
    start, end = s.tokens[first].start, s.tokens[stop - 1].end
    lead = _lead(s, first, days)
    period = day_start(days.first, zone), day_end(days.last, zone)
    return TimeMention(start, end, text[start:end], *period, days.unit, lead)


def _lead(s: TimeSentence, first: int, days: DaySpan) -> str:
    before = s.word(first - 2) if s.word(first - 1) in ("the", "than") else s.word(first - 1)
    if before == "more" and s.word(first - 1) == "than":
        return "before" if days.first < s.today else "after"
    return before if before in _LEADS else ""


def window(mention: TimeMention, reference: Instant) -> tuple[Instant, Instant]:
    """The period of a mention, considering its leading word and its vagueness."""
    lo, hi = _widen_vague_mention(mention)
    match mention.lead:
        case "since":
            return lo, Instant(max(reference, hi))
        case "before":
            return Instant(MIN), Instant(mention.lo - 1)
        case "after":
            return Instant(mention.hi + 1), Instant(MAX)
        case "by" | "until" | "till":
            return Instant(MIN), hi
    return lo, hi


def _widen_vague_mention(mention: TimeMention) -> tuple[Instant, Instant]:
    """A single day expressed in weeks, months or years is only as precise as that unit."""
    slack = _SLACK.get(mention.unit, 0) * DAY if mention.hi - mention.lo < 2 * DAY else 0
    return Instant(mention.lo - slack), Instant(mention.hi + slack)


_SLACK = {"week": 3, "month": 15, "year": 183}


_LEAD = re.compile(r"^(?:in|on|at|since|from|until|till|by) (?=\w)", re.IGNORECASE)
_LENGTH = re.compile(
    rf"(?:\d+|an?|{NUMBER_PATTERN}|(?:a )?few|a couple of|half an?)"
    r" (?:hours?|days?|weeks?|fortnights?|months?|years?|decades?)",
    re.IGNORECASE,
)
_LENGTHS: dict[str, tuple[int, Grain]] = {"day": (10, "day"), "month": (7, "month"), "year": (4, "year")}


def read_english_time(text: str, now: Instant, zone: tzinfo) -> Time | None:
    """The Gregorian time that an English text names, relative to now; none unless the whole text is that time."""
    whole = " ".join(text.split()).strip(" .,")
    phrase = _LEAD.sub("", whole, count=1)
    # A month alone is read only after a preposition; a length of time alone, such as "3 days", names no time.
    is_length = _LENGTH.fullmatch(whole) is not None
    for lead in ("",) if is_length else ("", "in "):
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
