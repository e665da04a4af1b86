"""A question parsed for routing: names, dates, tags, folios and cue words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import NamedTuple

from recollect.model.ids import EntityId
from recollect.resolve.name_finder import find_names
from recollect.store.view import View
from recollect.text.content_words import split_words
from recollect.text.fold import fold_name
from recollect.text.stop_words import QUESTION_WORDS, STATEMENT_STOP_WORDS
from recollect.when.calendar_position import iso_week
from recollect.when.english.day_spans import iso_week_of, month_of, week_of, years_of
from recollect.when.english.mentions import TimeMention, find_times
from recollect.when.gregorian import ymd
from recollect.when.instant import Instant, local_day
from recollect.write.folios import Folio

_THIS_PERIOD = re.compile(r"this (?:week|month|year)", re.IGNORECASE)
_LAST_PERIOD = re.compile(r"(?:the )?last (week|month|year)", re.IGNORECASE)
_RUNNING = re.compile(r"(?:the )?(?:last|past|previous)\b", re.IGNORECASE)
_ISO_LEFT = re.compile(r"(?<![\w-])(?:(\d{4})-[Ww](\d{2})|((?:19|20)\d{2}|2100))(?![\w-])")
_LEAD = re.compile(
    r"\b(?:the\s+(day|week)\s+(?=before|after))?(since|after|before|until|till|by|from)\s+(?:the\s+)?$", re.IGNORECASE
)
_ONWARD = re.compile(r"\s+(?:onwards?\b|on\b(?!\s+\w))", re.IGNORECASE)
_CONJUNCTION = re.compile(r"\s*(?:,|&|,?\s*\b(?:and|or)\b)\s*(?:(?:in|on)\s+)?(?:the\s+)?", re.IGNORECASE)
_UNIT_DAYS = {"day": 1, "week": 7}


class DayRange(NamedTuple):
    """From one day to another, both included; none is an open end."""

    first: int | None
    last: int | None

    def intersect(self, other: "DayRange") -> "DayRange | None":
        """What both allow, if anything."""
        first = _latest(self.first, other.first)
        last = _earliest(self.last, other.last)
        return DayRange(first, last) if first is None or last is None or first <= last else None


class DateMention(NamedTuple):
    """A stretch of the question, its leading word included, and the days it means."""

    start: int
    stop: int
    days: DayRange


def find_dates(text: str, now: Instant, zone: tzinfo) -> list[DateMention]:
    """Every date expression in a question, in its order; one that means no day at all is none."""
    today = local_day(now, zone)
    mentions = find_times(text, now, zone)
    said = [_read_mention(text, each, today, zone) for each in mentions]
    covered = {letter for each in mentions for letter in range(each.start, each.end)}
    said += _find_iso_dates(text, covered)
    return sorted(each for each in said if each.days.intersect(each.days))


def combine_dates(text: str, found: Iterable[DateMention]) -> DayRange | None:
    """All dates of a question together: what all allow, from one to another where they are listed.

    One that contradicts those before it does not count.
    """
    held: DayRange | None = None
    for each in _join_listed(text, sorted(found, key=lambda each: each.start)):
        held = each.days if held is None else held.intersect(each.days) or held
    return held


def _join_listed(text: str, found: Iterable[DateMention]) -> list[DateMention]:
    """Dates that only an `and` or the like stands between, as one stretch: in March and April."""
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
    """A stretch with the words before it, which may open one of its ends or lead beside it."""
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


_RELATION = re.compile(
    r"\b(?:who|whom|whose|work(?:s|ed|ing)?|report(?:s|ed)?|relate[sd]?|relationship|connect(?:s|ed)?|connection"
    r"|depend(?:s|ed)?|between|via|path|knows?|manage[sd]?|own(?:s|ed)?|leads?|belongs?|married|allied)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"\b(?:connected|connection|between|via|path)\b", re.IGNORECASE)
_EVOLUTION = re.compile(
    r"\b(?:evolve[sd]?|evolution|changed my mind|change of mind|used to think|how did\b.*\bbecome|last met"
    r"|over time)\b",
    re.IGNORECASE | re.DOTALL,
)
_JOURNAL = re.compile(r"\bwhat did (?:i|we)\b.*?\b(?:write|do|note|log|say|work on)\b", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"(?<![\w#&/])#([\w][\w/.-]*)")
_FOLIO = re.compile(r"(?<![\w~])~(?=\w|\")")
_WORD = re.compile(r"\"([^\"]+)\"|([\w][\w-]*)")
_ROLE_WORDS = re.compile(r"\b(?:i|me|myself|we|us)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuestionName:
    """A name in the question and all whom it may mean."""

    text: str
    entities: tuple[EntityId, ...]


@dataclass(frozen=True, slots=True)
class RoutedQuestion:
    """A question taken apart; `cues` is what stands outside of names, dates, tags and folios."""

    text: str
    named: tuple[QuestionName, ...]
    roles: tuple[str, ...]
    dates: DayRange | None
    tags: tuple[str, ...]
    folios: tuple[str, ...]
    cues: str
    is_name_alone: bool

    @property
    def has_relation(self) -> bool:
        return bool(_RELATION.search(self.cues))

    @property
    def has_path(self) -> bool:
        return bool(_PATH.search(self.cues))

    @property
    def has_evolution(self) -> bool:
        return bool(_EVOLUTION.search(self.text))

    @property
    def is_journal(self) -> bool:
        return bool(_JOURNAL.search(self.text))


def parse_question(
    view: View, text: str, zone: tzinfo, folios: Sequence[Folio], roles: Sequence[str], events: Sequence[DateMention]
) -> RoutedQuestion:
    """The question taken apart; `roles` are the pronouns that stand for somebody, `events` dates of named events."""
    dates = [*([] if view.world.timeline.is_fictional else find_dates(text, view.now, zone)), *events]
    tags = [(each.start(), each.end(), each[1].rstrip(".-/")) for each in _TAG.finditer(text)]
    places = [_folio_at(text, each.end(), folios) for each in _FOLIO.finditer(text)]
    taken = [(each.start, each.stop) for each in dates] + [each[:2] for each in (*tags, *places)]
    names = [each for each in find_names(view, text) if not _overlaps((each.start, each.stop), taken)]
    stretches = [*taken, *((each.start, each.stop) for each in names)]
    playing = tuple(dict.fromkeys(found for found in map(str.lower, _ROLE_WORDS.findall(text)) if found in roles))
    return RoutedQuestion(
        text,
        tuple(QuestionName(text[each.start : each.stop], each.entities) for each in names),
        playing,
        combine_dates(text, dates),
        tuple(dict.fromkeys(each[2] for each in tags)),
        tuple(dict.fromkeys(each[2] for each in places)),
        _blank_out(text, stretches),
        len({each.entities for each in names}) == 1 and not dates and _has_no_content(_blank_out(text, stretches)),
    )


def _folio_at(text: str, start: int, folios: Sequence[Folio]) -> tuple[int, int, str]:
    """The folio named behind its mark: the longest known name that stands there, else one word."""
    rest = text[start:]
    known = [each.name for each in folios if _starts_with_name(rest, each.name)]
    if known:
        name = max(known, key=len)
        return start - 1, start + len(name), name
    word = _WORD.match(rest)
    name = (word[1] or word[2]) if word else rest
    return start - 1, start + (word.end() if word else len(rest)), name


def _starts_with_name(rest: str, name: str) -> bool:
    head, behind = rest[: len(name)], rest[len(name) : len(name) + 1]
    return fold_name(head) == fold_name(name) and not behind.isalnum()


def _overlaps(stretch: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return any(stretch[0] < stop and start < stretch[1] for start, stop in taken)


def _blank_out(text: str, stretches: Sequence[tuple[int, int]]) -> str:
    left = list(text)
    for start, stop in stretches:
        left[start:stop] = " " * (stop - start)
    return "".join(left)


def _has_no_content(rest: str) -> bool:
    return all(word in STATEMENT_STOP_WORDS or word in QUESTION_WORDS for word in split_words(rest))
