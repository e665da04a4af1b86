"""Whether a time without a year or a week is the next, the last or the nearest, by the tense of its part."""

import re
from functools import cache
from typing import NamedTuple

from recollect.reading.clause_reading import Act
from recollect.reading.date_ranges import TimeDirection
from recollect.reading.english_verbs import third_person_forms
from recollect.reading.time_grammar import time_grammar
from recollect.reading.time_words import time_words
from recollect.text.patterns import lazy_pattern

_FUTURE_ACTS = frozenset({"commitment", "request", "goal", "decision", "blocker", "concern", "question"})
_PART = re.compile(r",(?!\d)|;| [-–—] |[()]")
"""What cuts a clause into parts that have a tense of their own: *tyres ordered, come Tuesday*."""
_FILLER = re.compile(
    r"\W*(?:\b(?:and|or|at|the|latest|earliest|on|by|around|about|maybe|only|please|pls|it|was)\b\W*)*"
)
_PAST = lazy_pattern(
    r"\b(?:was|were|had|did|came|went|got|said|told|left|broke|began|started|happened|died|met|saw|took|made|gave|sold|"
    r"bought|lost|won|fell|found|felt|\w{3,}ed)\b"
)
_TOLD_BACK = lazy_pattern(
    r"\b(?:was|were|had|did|didn't|wasn't|came|went|took|began|happened"
    r"|(?:i|we|you|he|she|they|it|who|which) \w{3,}ed)\b"
)
"""The past tense of a part beside what is still to be done: *last year it took until August*."""
_MODAL = lazy_pattern(r"\b(?:will|would|shall|should|must|can|could|going to|please|pls|need|needs|have to)\b|'ll\b|\?")
_FUTURE = lazy_pattern(
    r"\b(?:will|going to|gonna|shall|due|planned|promised|expected|until|till|til|by|next)\b|'ll\b|:"
)
_PRESENT = lazy_pattern(
    r"\b(?:starts|begins|opens|arrives|leaves|launches|takes place|goes live|ends|closes|expires|lands|flies|comes|"
    r"ships|departs|returns|delivers)\b"
)
_FUTURE_PART = lazy_pattern(
    r"\W*(?:[\w'-]+ ){0,3}?(?:appt|appointment|viewing|delivery|pick-?up|collection|handover|eta|due|deadline|come|"
    r"arrive|ship|land|start|begin|open|back|will|should|expected|scheduled|is on|are on)\b"
)
"""A part that tells what comes of something done: *called the vet, appt Thursday*."""
_FUTURE_RANGE = lazy_pattern(r"\bfrom \S+(?: \S+)? (?:to|till|until) ")
_BOOKED = lazy_pattern(
    r"\b(?:re)?(?:book|reserv|rent|hir|order|schedul|arrang|plann|confirm|postpon|fix|appoint)(?:ed|e?d)\b"
    r"|\bsigned up\b"
)
"""What is done now for a time that is yet to come."""
_BOOKED_FOR = lazy_pattern(
    r"\b(?:re-?)?(?:book|schedul|arrang|plann|confirm|postpon|appoint|delay|push|mov|shift|reserv|deferr|slipp)e?d"
    r"(?: (?:it|them|him|her|us|me|back|in|again|off))*(?P<aim> (?:for|to))?(?: the)?\s*$"
)
_NEW_DAY = lazy_pattern(
    r"\bnew (?:date|day|deadline|due date|slot|appointment|time)\b"
    r"|\b(?:is|are|it's|[a-z]+s) now (?:due |on |for )?(?:the )?$"
)
_PROMISED = lazy_pattern(r"\b(?:promised|pledged|vowed|swore|undertook|offered)\b")
_AIM = re.compile(r"(?:for|to|until|till?)\b")
_DECIDED_THEN = lazy_pattern(
    r"\b(?:decided|agreed|voted) (?:on|in|last) (?:the )?(?:\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)"
    r"|\b(?P<passed>approved|rejected|refused|accepted|granted|adopted|elected|signed off)\b"
    r"(?!.* (?:to|that|for|until|till|by|from|starting)\b)"
)
"""When it was decided; the day of what was decided stands after `to` or `for`."""
_CANCELLED = r"(?:cancel+ed|called off|scrapped|axed|dropped)"
_CANCELLED_THEN = lazy_pattern(rf"\b(?:was|were|got) {_CANCELLED} (?:on |back )?$")
_CANCELLED_IT = lazy_pattern(rf"\b{_CANCELLED} (?:the|my|our|your|his|her|their|an?|it|them|all|this|that|\w+'s)\b")
_SINCE_EVENT = lazy_pattern(
    r"\b(?:since|seit|depuis|sinds)(?: (?:the|my|our|your|his|her|their|its|last|de[rmnst]|die|meiner?|unserer?|l[ae]s?"
    r"|notre|mon|ma|het|onze|mijn)(?: [\w'-]+){1,3})\s*$"
)
"""*Since the reorg in May*: what lasts since then began in the past, whatever the clause tells."""
_DIGIT = re.compile(r"\d")
MOVED = lazy_pattern(
    r"\b(?:mov|shift|postpon|push|reschedul|delay|bring|brought|chang|slip|put (?:back|off)|versch|verleg|"
    r"report[ée]|déplac|"
    r"aplaz|adiad|spostat|rinviat|verplaatst|verzet|flytt|skjut|przeło|przesun)\w*"
)
_PAID = lazy_pattern(
    r"\b(?:paid|invoiced|billed|charged|settled|(?:be|über)zahlt|überwiesen|payée?s?|réglée?s?|pagu?[éóou]|pagad[oa]s?|"
    r"pagat[oaie]|betaald|overgemaakt|paguei|pag[oa]s?|betalat|betalade|betalt|zapłaci\w+|opłaci\w+)\b"
)
_FOR = re.compile(r"(?:for|für|pour|por|para|per|voor|för|za|de)\b")


def direction_of(low: str, act: Act | None, language: str, start: int, stop: int) -> TimeDirection:
    """Where the time at a place of a clause in small letters lies, seen from the day on which it is told."""
    if _SINCE_EVENT.search(low, 0, start):
        return "past"
    part, before = _own_part(low, start, stop)
    is_whole = len(part) == len(low)
    if act == "cancellation":
        return _direction_of_cancelled(low, start, stop, language)
    if act == "decision":
        return _direction_of_decision(low, start, stop, language)
    if act == "commitment" and _PROMISED.search(low, 0, start) and _names_date(low[start:stop], language):
        return "near"  # what somebody promised then may be late by now
    if act in _FUTURE_ACTS:
        return "past" if not is_whole and _is_told_back(part) else "future"
    if _NEW_DAY.search(before):
        return "future"
    booked = _BOOKED_FOR.search(before)
    if booked is not None and (booked["aim"] or _AIM.match(low, start)):
        return "future"
    if _BOOKED.search(part) and _names_date(low[start:stop], language):
        return "near"  # what is ordered or confirmed for a day may be that long ago or soon to come
    if act == "completion":
        if _BOOKED.search(low) and _FUTURE_RANGE.search(low):
            return "future"
        return "future" if not is_whole and _tells_of_coming(part) else "past"
    return _direction_of_event(part, language)


def _names_date(text: str, language: str) -> bool:
    """Whether a time is a day of a month that it names."""
    months = time_grammar(language).months
    return _DIGIT.search(text) is not None and any(word in months for word in re.findall(r"[^\W\d_]+", text))


def is_in_past_aside(low: str, start: int, stop: int) -> bool:
    """Whether a time stands in an aside in the past tense: *send the list, last year it took until May*."""
    part = _own_part(low, start, stop)[0]
    return len(part) < len(low) and _is_told_back(part)


def _is_told_back(part: str) -> bool:
    return _TOLD_BACK.search(part) is not None and _MODAL.search(part) is None


def is_paid_for(low: str, text: str, *, is_day: bool) -> bool:
    """Whether a stretch of time is what something was paid for, and not when: *paid Rosa for April*."""
    return not is_day and _FOR.match(text) is not None and _PAID.search(low) is not None


def _own_part(low: str, start: int, stop: int) -> tuple[str, str]:
    """The part of a clause, and what of it stands before the time."""
    first, last = _part_around(low, start, stop)
    rest = f"{low[first:start]} {low[stop:last]}"
    return (low, low[:start]) if _FILLER.fullmatch(rest) else (low[first:last], low[first:start])


def _part_around(low: str, start: int, stop: int) -> tuple[int, int]:
    first = max((cut.end() for cut in _PART.finditer(low, 0, start)), default=0)
    following = _PART.search(low, stop)
    return first, following.start() if following is not None else len(low)


def _tells_of_coming(part: str) -> bool:
    return _PAST.search(part) is None and (
        _PRESENT.search(part) is not None or _FUTURE_PART.match(part) is not None or _does().match(part) is not None
    )


@cache
def _does() -> re.Pattern[str]:
    """A verb in the present at the beginning of a part, or after one word: *picks up Tuesday*."""
    return re.compile(rf"\W*(?:[\w'-]+ )?(?:{'|'.join(sorted(third_person_forms(), key=len, reverse=True))})\b")


def _direction_of_event(part: str, language: str) -> TimeDirection:
    if language != "en":
        return "past" if _tense(language).past.search(part) and MOVED.search(part) is None else "near"
    if _PRESENT.search(part) and _PAST.search(part) is None:
        return "future"
    if _PAST.search(part) and MOVED.search(part) is None and _FUTURE.search(part) is None:
        return "past"
    return "near"


def _direction_of_decision(low: str, start: int, stop: int, language: str) -> TimeDirection:
    """The day of a decision stands in its own clause, that of what was decided after *to* or *that*."""
    tense = _tense(language)
    if language == "en":
        decided = _DECIDED_THEN.search(low)
        if decided is None or decided["passed"]:
            return "future" if decided is None else "past" if low.rstrip(" .!").endswith("day") else "near"
        return "past" if tense.complement.match(low, stop) else "near"
    first, last = _part_around(low, start, stop)
    verb = tense.past.search(low[first:last])
    if verb is None:
        return "future"
    is_beyond = tense.complement.search(low, first + verb.start(), start) is not None
    return "future" if is_beyond or (tense.is_split and first + verb.end() <= start) else "past"


def _direction_of_cancelled(low: str, start: int, stop: int, language: str) -> TimeDirection:
    """What is cancelled is in the future; the weekday of who cancelled something tells when that was."""
    tense = _tense(language)
    is_weekday = _weekday(language).search(low, start, stop) is not None and not _DIGIT.search(low, start, stop)
    if language == "en":
        is_told = _CANCELLED_THEN.search(low[:start]) is not None or _CANCELLED_IT.search(low) is not None
        return "past" if is_weekday and is_told else "future"
    is_active = tense.past.search(low) is not None and tense.passive.search(low) is None
    return "past" if is_weekday and is_active else "future"


class _Tense(NamedTuple):
    """How a language tells of what is over; `is_split` where the participle ends the clause."""

    past: re.Pattern[str]
    passive: re.Pattern[str]
    complement: re.Pattern[str]
    is_split: bool


@cache
def _tense(language: str) -> _Tense:
    words = time_words(language)
    past, passive, complement = (
        re.compile(rf"(?<!\w)(?:{each})(?!\w)") for each in (words.past, words.passive, words.complement)
    )
    return _Tense(past, passive, re.compile(rf"\s*{complement.pattern}"), language in ("de", "nl"))


@cache
def _weekday(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(time_grammar(language).weekdays)})(?!\w)")
