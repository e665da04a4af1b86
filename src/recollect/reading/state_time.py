"""The times of a clause that asserts a state: taken out of its words, and what bounds they give."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Literal

from recollect.text.patterns import lazy_pattern
from recollect.when.english.mentions import TimeMention, find_times, may_name_times, time_of_mention
from recollect.when.english.sentence import has_signal
from recollect.when.english.words import MONTH_PATTERN
from recollect.when.format import time_of_date
from recollect.when.instant import Instant, date_of_day, local_date, local_day
from recollect.when.parse import between
from recollect.when.period import Bounds, Time

Role = Literal["from", "until", "point", "range"]
Tense = Literal["present", "past", "perfect", "change", "coming"]
"""`coming` is a change that is told as a plan: `the rent goes up in July`."""

_FROM = r"since|from|starting(?: in| on| from)?|beginning(?: in| on)?|effective(?: from)?|as of|as from"
_UNTIL = r"until|till|up to|up until|through"
_POINT = r"in|on|during"
_UNREAD = r"by|before|after|around|about|for|over|within|at|circa|roughly|approximately|early|late|sometime"
_LEAD = lazy_pattern(
    rf"\b(?:(?P<start>{_FROM})|(?P<end>{_UNTIL})|(?P<point>{_POINT})|(?P<unread>{_UNREAD}))\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_RANGE = lazy_pattern(r"^(?:from|between)\b|\b(?:to|until|till|through|thru|and)\b|[–—]|\d\s?-\s?\d{4}\b")
_ONWARDS = lazy_pattern(r"\s*\b(?:on|onwards?|forward)\b(?=\s*(?:[,.;]|$))")
_SLASHES = lazy_pattern(r"\d/\d")
_YEAR = lazy_pattern(r"\d{4}")
_MONTH = lazy_pattern(rf"\b(?:{MONTH_PATTERN})\b", re.IGNORECASE)
_ISO_DAY = lazy_pattern(r"\d{4}-\d\d-\d\d")
_ISO_MONTH = lazy_pattern(r"\d{4}-\d\d(?!\d)")
_LONE_NUMBER = lazy_pattern(r"(?<![\d-])\d{1,2}(?:st|nd|rd|th)?\b(?!-)")
_RANGE_JOINT = lazy_pattern(r"(?<!\s)\s++(?:(?:to|until|till|through|thru|and|-)\s++|[–—]\s*+)|[–—]\s*+")
_RELATIVE = lazy_pattern(r"\b(?:yesterday|today|last|this|ago|past)\b", re.IGNORECASE)
_CUE = lazy_pattern(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|to ?day|to ?night|tomorrow|"
    r"yesterday|now|ago|last|past|this|next|coming|previous|early|late|mid|year|month|week|day|hour|minute|decade|centur|"
    r"quarter|spring|summer|autumn|fall|winter|christmas|xmas|easter|new year|noon|midnight|morning|evening|afternoon|"
    r"night|nineteen|twenty|eighteen|seventeen|sixteen|fifteen|turn of|\w+ies\b)",
    re.IGNORECASE,
)
"""What every time in words has; most clauses name none, and looking for one costs more than the rest."""
_SOON = 183 * 86_400_000_000
_END_OF = lazy_pattern(r"^(?:the )?(?:very )?end of\b", re.IGNORECASE)
_PRESENT = lazy_pattern(r"^(?:today|now)$", re.IGNORECASE)


class UnreadableTime(Exception):
    """A clause has a time that cannot be read with certainty."""


@dataclass(frozen=True, slots=True)
class ClauseTime:
    """One time of a clause, with a missing year resolved backwards."""

    role: Role
    mention: TimeMention
    clause: str
    reference: Instant
    zone: tzinfo

    @property
    def has_sure_year(self) -> bool:
        text = self.mention.text
        return bool(_YEAR.search(text) or _RELATIVE.search(text))

    def read(self, *, forwards: bool = False) -> Time:
        """The time; `forwards` resolves a missing year to the future."""
        return time_of_mention(self.seen(forwards=forwards), self.zone)

    def seen(self, *, forwards: bool) -> TimeMention:
        found = find_times(self.clause, self.reference, self.zone, prefer="future") if forwards else ()
        return next((each for each in found if each.start == self.mention.start), self.mention)


@dataclass(frozen=True, slots=True)
class TimedClause:
    """The words of a clause without its times, and these times."""

    text: str
    times: tuple[ClauseTime, ...]

    def bounds(self, tense: Tense, said_before: Time | None) -> Bounds:
        """When a state holds that the clause asserts in this tense; raises if that is uncertain.

        `said_before` is the time up to the day of the text, at which what is told in the past tense had ended.
        """
        start = end = None
        if tense == "coming" and not self.times:
            raise UnreadableTime(self.text)
        for each in self.times:
            match each.role:
                case "range":
                    start, end = _ends_of_range(each, forwards=tense == "present" and not each.has_sure_year)
                case "from":
                    start = _start(each, tense)
                case "until":
                    end = _end(each, tense)
                case "point":
                    start, end = _point(each, tense, start, end)
        return _ended_by(Bounds(start, end), tense, said_before)

    @property
    def day(self) -> Time | None:
        """The only time of the clause, if it is one in which something passing holds: `today`, `next week`."""
        is_point = len(self.times) == 1 and self.times[0].role == "point"
        return self.times[0].read(forwards=not self.times[0].has_sure_year) if is_point else None


@lru_cache(2_048)
def may_name_time(text: str) -> bool:
    """Whether a text may name a time; if not, it names none on any day."""
    return _CUE.search(text) is not None and has_signal(text) and may_name_times(text)


def without_times(text: str) -> TimedClause:
    """A clause that names no time."""
    return TimedClause(" ".join(text.split()), ())


@lru_cache(2048)
def take_times(text: str, day: date | None, zone: tzinfo) -> TimedClause:
    """Separate the times of a clause from its words; without the day of the text only whole dates can be read."""
    if not may_name_time(text):
        return without_times(text)
    rest, found = text, []
    reference = _noon(day, zone) if day is not None else Instant(0)
    for mention in reversed(find_times(text, reference, zone)):
        if day is None and not _is_whole(mention.text):
            raise UnreadableTime(mention.text)
        role, start, stop = _role_and_span(text, mention)
        found.append(ClauseTime(role, mention, text, reference, zone))
        rest = f"{rest[:start].rstrip(' ,')} {rest[stop:].lstrip(' ,')}"
    return TimedClause(" ".join(rest.split()), tuple(reversed(found)))


def _noon(day: date, zone: tzinfo) -> Instant:
    return Instant(int(datetime.combine(day, time(12), zone).timestamp()) * 1_000_000)


def _is_whole(text: str) -> bool:
    """Whether a date says by itself when it is."""
    return _YEAR.search(text) is not None and _RELATIVE.search(text) is None


def _role_and_span(text: str, mention: TimeMention) -> tuple[Role, int, int]:
    if _SLASHES.search(mention.text):
        raise UnreadableTime(mention.text)
    lead = _LEAD.search(text, 0, mention.start)
    start = lead.start() if lead else mention.start
    if lead is not None and lead["unread"]:
        raise UnreadableTime(text[start : mention.end])
    if mention.unit == "range" and _RANGE.search(mention.text):
        return "range", start, mention.end
    if lead is not None and lead["start"]:
        onwards = _ONWARDS.match(text, mention.end)
        return "from", start, onwards.end() if onwards else mention.end
    if lead is not None and lead["end"]:
        return "until", start, mention.end
    return "point", start, mention.end


def _start(time: ClauseTime, tense: Tense) -> Time:
    """`since June` lies in the past; `from June` lies ahead, unless the sentence is about the past."""
    if tense == "coming":
        return time.read(forwards=not time.has_sure_year)
    is_since = time.mention.lead == "since"
    if tense == "present" and not is_since and not time.has_sure_year:
        return _soon(time)
    return time.read()


def _soon(time: ClauseTime) -> Time:
    """What holds `from June` begins in the next one, unless that is so far off that the last one may be meant."""
    ahead = time.read(forwards=True)
    if not time.reference < ahead.lo <= time.reference + _SOON:
        raise UnreadableTime(time.mention.text)
    return ahead


def _end(time: ClauseTime, tense: Tense) -> Time:
    if tense in ("change", "coming"):
        raise UnreadableTime(time.mention.text)
    seen = time.seen(forwards=tense in ("present", "perfect") and not time.has_sure_year)
    is_last_day = _END_OF.match(seen.text) is not None
    return time_of_date(local_date(seen.hi, time.zone), time.zone) if is_last_day else time_of_mention(seen, time.zone)


def _point(time: ClauseTime, tense: Tense, start: Time | None, end: Time | None) -> tuple[Time | None, Time | None]:
    if tense in ("change", "coming"):
        return time.read(forwards=tense == "coming" and not time.has_sure_year), end
    if tense == "past" and start is None and end is None:
        return time.read(), time.read()
    if tense == "present" and _PRESENT.match(time.mention.text):
        return start, end
    raise UnreadableTime(time.mention.text)


def _ends_of_range(time: ClauseTime, *, forwards: bool) -> tuple[Time, Time]:
    """Both ends of a range, as coarse as they were written; what holds has not ended before it is told."""
    zone, mention = time.zone, time.mention
    if forwards and mention.hi < time.reference:
        mention = time.seen(forwards=True)
    first, last = (date_of_day(local_day(end, zone)) for end in (mention.lo, mention.hi))
    length = _coarseness(first.isoformat(), (last + timedelta(days=1)).isoformat())
    start, until = (written or length for written in _written_lengths(mention.text))
    return _part_of_range(mention.lo, start, zone), _part_of_range(mention.hi, until, zone)


def _written_lengths(text: str) -> tuple[int, int]:
    """How many characters of a date each end of a range gives; none where it gives no day, month or year."""
    has_month = _MONTH.search(text) is not None
    ends = _RANGE_JOINT.split(text, maxsplit=1)
    lengths = [_written_length(end, has_month=has_month) for end in ends]
    return lengths[0], lengths[-1]


def _written_length(text: str, *, has_month: bool) -> int:
    if _ISO_DAY.search(text) or (has_month and _LONE_NUMBER.search(text)):
        return 10
    if _MONTH.search(text) or _ISO_MONTH.search(text):
        return 7
    return 4 if _YEAR.search(text) else 0


def _coarseness(first: str, after: str) -> int:
    """How many characters of a date tell a range of whole years, months or days."""
    if first.endswith("-01-01") and after.endswith("-01-01"):
        return 4
    return 7 if first.endswith("-01") and after.endswith("-01") else 10


def _part_of_range(at: Instant, length: int, zone: tzinfo) -> Time:
    day = time_of_date(local_date(at, zone), zone)
    text = day.text[:length]
    if length == 10:
        return day
    [mention] = find_times(f"in {text}", at, zone)
    return Time(text, mention.lo, mention.hi, False, "year" if length == 4 else "month")


def _ended_by(bounds: Bounds, tense: Tense, said_before: Time | None) -> Bounds:
    """A state told in the past tense has ended, at the latest on the day before."""
    if tense != "past" or bounds.valid_until is not None:
        return bounds
    if said_before is None:
        raise UnreadableTime("the day before the text was written")
    return Bounds(bounds.valid_from, said_before)


def day_before(day: date, zone: tzinfo) -> Time:
    """Some time up to the day before another."""
    return between(None, time_of_date(day - timedelta(days=1), zone))


def resolve_relative_date(text: str, day: date | None, zone: tzinfo) -> str:
    """A date in words such as `Friday` as a calendar date; a text with a date of its own as it is."""
    mentions = find_times(text, _noon(day, zone), zone, prefer="future") if day is not None else ()
    if len(mentions) != 1 or mentions[0].text != text or re.search(r"\d", text):
        return text
    return time_of_mention(mentions[0], zone).text
