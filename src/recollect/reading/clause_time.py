"""The time of a clause: a deadline, a validity or a day on which something happens."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from itertools import pairwise, zip_longest

from recollect.reading.clause_reading import NO_TIME, Act, ClauseReading, TimeReading, TimeRole
from recollect.reading.context import Context
from recollect.reading.date_ranges import DateRange
from recollect.reading.time_direction import MOVED, direction_of, is_in_past_aside, is_paid_for
from recollect.reading.time_grammar import NAMES_CLOCK
from recollect.reading.time_offsets import TimePhrase
from recollect.reading.time_words import time_words
from recollect.reading.times import find_time_phrases
from recollect.text.patterns import lazy_pattern

_ROLES: dict[Act, TimeRole] = {
    "commitment": "due", "request": "due", "goal": "due", "decision": "valid", "blocker": "valid", "attribute": "valid",
    "relation": "valid", "preference": "valid",
}  # fmt: skip
_DUE = frozenset(act for act, role in _ROLES.items() if role == "due")
_FUTURE_WORDS = ("for ", "until ", "till ", "til ", "by ", "before ")
"""What is booked for a day or paid until one is done before it."""
_NAMES_END = lazy_pattern(r"\b(?:ende?s?|out|einde|fine?|final|slutet|koniec|końcem)\b")
"""What is due before the end of a month is due in it."""
_DONE_BY = lazy_pattern(
    r"\W*(?!.*\b(?:have|has|had|is|are|was|were|been|got|i|we|he|she|they|you)\b)"
    r"(?:[\w'’-]+ ){1,5}?[\w-]+(?:ed|en|t) by "
)
_TO_DAY = re.compile(
    r"\b(?:to|until|till?|auf|à|au|al|a|naar|na)(?: the| den| le| il| el)? ?$|^(?:to|until|till?|auf|à|au|al)\b"
)
_LONGEST_DEADLINE = 6
_WEEK = timedelta(days=7)
_LONG_AGO = timedelta(days=240)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DEADLINES = frozenset({"by", "before", "until", "within"})
_TOLD_MATTER = lazy_pattern(
    r"\b(?:told|reminded|informed|warned|assured|promised|let \w+ know)\b"
    r"(?: (?:that|about|the|an?|my|our|your|his|her|their|its))?(?: (?!and\b|but\b|then\b)[\w'’-]+){1,6}?"
    r" (?:is|are|was|were|will|would|can|could|should|has|have|had|comes?|came|starts?|started|begins?|began|arrives?"
    r"|arrived|opens?|opened|closes?|closed|ends?|ended|leaves?|left|ships?|shipped)\b"
)
"""Whom something was told, and the verb of what was told."""
_EVENT = lazy_pattern(
    r"\b(?:(?:before|until|till|after|once|as soon as|by the (?:time|next|start|end|beginning)|in time for) "
    r"(?!(?:it|all|possible)\b)[^,.;:!?()]{3,40}|by (?:next )?(?:the )?(?:harvest|half[- ]term|lambing"
    r"|midterm|graduation|launch|opening|deadline|cut-?off|diwali|eid|ramadan|passover|hanukkah|lent|advent|carnival)\b"
    r"|at half[- ]term\b|by (?:then|that time)\b|bis dahin\b|d'ici là|avant (?:ça|cette date)\b|jusque-là"
    r"|(?:para|hasta) entonces\b|antes de eso\b|(?:entro|per|prima di) allora\b|(?:v[oó][oó]r|tegen|tot) die tijd\b"
    r"|até (?:lá|então)\b|antes disso\b|(?:till|innan|före) dess\b|do te(?:go czasu|j pory)\b)"
    r"|, ?(?:\d{1,2}|an?|two|three|four|five|six) (?:days?|wks?|weeks?|months?|mths?)\W*$"
)
"""What something is to be done before or after, where that is no day of a calendar."""


def time_phrases(low: str, context: Context, act: Act | None) -> list[TimePhrase]:
    """The times in a clause in small letters, in the direction that its act gives them: future, past or near."""
    return find_time_phrases(low, context, partial(direction_of, low, act, context.language))


def is_future(phrase: TimePhrase, context: Context) -> bool:
    """Whether a time is not known to be over."""
    return phrase.days is None or context.anchor is None or phrase.days.last >= context.anchor


def clause_time(low: str, context: Context, act: Act | None) -> TimeReading:
    """The time that belongs to the act of a clause."""
    role = _ROLES.get(act, "happened") if act is not None else "happened"
    phrases = time_phrases(low, context, act)
    if role == "due":
        phrases = [each for each in phrases if _may_be_due(each, low)]
    elif role == "happened":
        phrases = [each for each in phrases if not (_is_paid_for(each, low) or _is_of_told_matter(each, low))]
    else:
        phrases = [each for each in phrases if not _is_paid_for(each, low)]
    if not phrases:
        return NO_TIME
    moved = _move(low, phrases)
    if moved is not None:
        return moved
    chosen = _chosen(phrases, role)
    if act == "completion" and chosen.text.startswith(_FUTURE_WORDS):
        chosen = _chosen(find_time_phrases(low, context, lambda *_: "future") or phrases, role)
    if act == "completion" and _is_future_day(chosen, low, context):
        return NO_TIME
    if chosen.days is None:
        return TimeReading("pending", chosen.text, role=role)
    is_due = role == "due"
    if _is_end(chosen, low, context.language, needs_verb=is_due) or (is_due and _is_visit(chosen, low, context)):
        role = "lasting"
    return _bounded(chosen, chosen.days, role, context)


def _is_future_day(phrase: TimePhrase, low: str, context: Context) -> bool:
    """Whether a day without a year is that of what was bought or arranged: *got tickets for Fado night, 5 Dec*."""
    if phrase.days is None or context.anchor is None or phrase.is_past or _YEAR.search(phrase.text):
        return False
    if not low[: phrase.start].rstrip().endswith((",", "(")):
        return False
    return phrase.days.granularity == "day" and phrase.days.last < context.anchor - _LONG_AGO


def _may_be_due(phrase: TimePhrase, low: str) -> bool:
    is_back = phrase.is_past and phrase.lead not in _DEADLINES
    return not is_back and not is_in_past_aside(low, phrase.start, phrase.stop)


def _is_paid_for(phrase: TimePhrase, low: str) -> bool:
    is_day = phrase.days is None or phrase.days.granularity in ("day", "range")
    return is_paid_for(low, phrase.text, is_day=is_day)


def _is_of_told_matter(phrase: TimePhrase, low: str) -> bool:
    """Whether a time belongs to what somebody was told, not to the telling: *told Anna the report comes on Friday*."""
    told = _TOLD_MATTER.search(low)
    return told is not None and told.end() <= phrase.start


def _is_end(phrase: TimePhrase, low: str, language: str, *, needs_verb: bool) -> bool:
    """Whether a time is the end of something that lasts, and no deadline: *I'll hold the price until Friday*."""
    until, lasting = _duration(language)
    return until.match(phrase.text) is not None and (not needs_verb or lasting.search(low) is not None)


def _is_visit(phrase: TimePhrase, low: str, context: Context) -> bool:
    """Whether a day is that of a visit, a meeting or a day off, and no deadline: *I'll come over on Friday*."""
    is_day = phrase.days is not None and phrase.days.granularity == "day"
    return is_day and phrase.lead not in _DEADLINES and _visits(context.language).search(low) is not None


@cache
def _visits(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{time_words(language).visits})(?!\w)")


@cache
def _duration(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = time_words(language)
    return re.compile(rf"(?:{words.until_words})(?!\w)"), re.compile(rf"(?<!\w)(?:{words.lasting_verbs})(?!\w)")


def event_phrase(low: str) -> str | None:
    """The words for a time that is no day of a calendar: *before the wedding*, *by then*, *, 2 wks*."""
    found = _EVENT.search(low)
    return found[0].strip(" ,.!") if found is not None else None


def with_task_ahead(reading: ClauseReading, low: str, context: Context) -> ClauseReading:
    """A clause; a bare participle with a day ahead is what is to be done by then: *500 labels printed by Friday*."""
    due = reading.time.until if reading.time.start is None else None
    if reading.act != "completion" or context.kind != "note" or due is None or _DONE_BY.match(low) is None:
        return reading
    if context.anchor is None or due <= context.anchor:
        return reading
    time = clause_time(low, context, "commitment")
    return reading._replace(act="commitment", fact_type="commitment", time=time, doer=None, decided_by="done by a day")


def with_following_deadlines(readings: Sequence[ClauseReading]) -> tuple[ClauseReading, ...]:
    """The readings, with a deadline that stands by itself after what it is for: *Send it over. By Friday noon.*"""
    following = zip_longest(readings, readings[1:])
    return tuple(
        one._replace(time=_deadline_after(one.time, after.time))
        if after is not None and one.is_fact and one.act in _DUE and _is_deadline_of(one, after)
        else one
        for one, after in following
    )


def _deadline_after(earliest: TimeReading, deadline: TimeReading) -> TimeReading:
    """A deadline; a weekday is not the one before the first day: *not before Monday but by Wednesday*."""
    until, first = deadline.until, earliest.start
    is_week_before = until is not None and first is not None and until < first <= until + _WEEK
    return replace(deadline, until=until + _WEEK if until is not None and is_week_before else until, role="due")


def _is_deadline_of(one: ClauseReading, after: ClauseReading) -> bool:
    """Whether a clause without an act only tells until when another is due."""
    time = after.time
    is_deadline = after.act is None and time.status == "read" and time.start is None and time.until is not None
    is_alone = len(after.text.split()) <= _LONGEST_DEADLINE and 2 * len(time.phrase) >= len(after.text.strip())
    is_open = one.time.status == "none" or one.time.is_earliest
    return is_open and is_deadline and is_alone


def _chosen(phrases: Sequence[TimePhrase], role: TimeRole) -> TimePhrase:
    """The time that counts: a deadline where something is due, else the first that can be read.

    Beside a day a month tells what is due and not when: *the January bill on Friday*.
    """
    read = [each for each in phrases if each.days is not None]
    if role == "due":
        due = [each for each in phrases if each.lead in _DEADLINES]
        if due:
            return due[0]
        read = [each for each in read if each.days is not None and each.days.granularity == "day"] or read
    return read[0] if read else phrases[0]


def _bounded(phrase: TimePhrase, days: DateRange, role: TimeRole, context: Context) -> TimeReading:
    first, last = days.first, days.last
    read = TimeReading("read", phrase.text, role=role, granularity=days.granularity)
    match phrase.lead:
        case "before" if NAMES_CLOCK.search(phrase.text) or _NAMES_END.search(phrase.text):
            return _with(read, None, last)
        case "before":
            if context.anchor is not None and first == context.anchor and days.granularity == "day":
                first += timedelta(days=7)
            return _with(read, None, first - timedelta(days=1))
        case "by" | "until" | "within":
            return _with(read, None, last)
        case "since" | "from" if days.granularity != "range":
            return _with(read, first, None)
        case "after":
            return _with(read, last + timedelta(days=1), None)
        case "earliest":
            return _with(replace(read, role="valid"), first, None)
    if role in ("due", "lasting") and days.granularity != "range":
        return _with(read, None, last)
    return _with(read, first, last)


def _with(read: TimeReading, start: object, until: object) -> TimeReading:
    return TimeReading(read.status, read.phrase, start, until, read.role, read.granularity)  # type: ignore[arg-type]


def _move(low: str, phrases: Sequence[TimePhrase]) -> TimeReading | None:
    """The new day of something that moved from one day to another; the former is kept apart."""
    if MOVED.search(low) is None:
        return None
    first = phrases[0]
    if first.days is not None and first.lead in ("since", "from") and first.days.granularity == "range":
        start, last = first.days.first, first.days.last
        return TimeReading("read", first.text, last, last, "happened", "day", (start, start))
    if len(phrases) >= 2 and first.days is not None and phrases[1].days is not None and first.lead in ("since", "from"):
        new = phrases[1].days
        phrase = low[first.start : phrases[1].stop]
        return TimeReading("read", phrase, new.first, new.last, "happened", new.granularity, first.days[:2])
    return _move_to(low, phrases)


def _move_to(low: str, phrases: Sequence[TimePhrase]) -> TimeReading | None:
    """The new day after the verb, where the former stands before it: *the tasting on the 3rd is moved to 10 May*."""
    for first, second in pairwise(phrases):
        old, new = first.days, second.days
        if old is None or new is None or MOVED.search(low, first.stop, second.start) is None:
            continue
        if _TO_DAY.search(low[first.stop : second.start]) or _TO_DAY.match(second.text):
            phrase = low[first.start : second.stop]
            return TimeReading("read", phrase, new.first, new.last, "happened", new.granularity, old[:2])
    return None
