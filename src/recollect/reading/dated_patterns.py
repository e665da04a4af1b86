"""Sentence forms whose value is a time: `my birthday is 12 May`, `I was born on …`, `our standup is at 9:15`."""

import re

from recollect.reading.attribute_patterns import match_attributes
from recollect.reading.context import Context
from recollect.reading.phrases import is_attribute_noun, words_of
from recollect.reading.state import GROUP, HOUSE, OWNER, State, subject_in
from recollect.reading.state_lexicon import DATE_NOUNS
from recollect.reading.state_patterns import match_forms
from recollect.reading.state_time import (
    TimedClause,
    may_name_time,
    resolve_relative_date,
    take_times,
    without_times,
)
from recollect.text.patterns import lazy_pattern

_DATED_DAY = lazy_pattern(r"\b(last|first|moving) day\b")
_DATED = lazy_pattern(r"^(?P<head>.+? (?:is|was) )(?:on )?(?P<value>.+)$")
MOVED = lazy_pattern(
    r"^(?P<head>.+?)(?: has been| have been| has| have| was| were| is| are| got)?(?: now| just)? "
    r"(?:moved|shifted|postponed|pushed|brought|rescheduled|extended|slipped|changed)(?: back| out| forward)?"
    r"(?: from (?P<a>.+?))? (?:to|until|till) (?P<v>.+)$"
)
"""What now takes place on another day; what is told as a plan has not been moved yet."""
_BORN_ON = lazy_pattern(r"^(?P<x>.{1,60}?) (?:was|am|is) born (?:on (?P<v>.+)|in (?P<year>1[89]\d\d|20\d\d))$")
CLOCK = r"(?:at |from )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?(?: ?(?:-|–|to|until|till) ?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?)?"
DAYS = (
    r"(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days|weekends)"
    r"(?:(?:,| and|, and) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends))*"
    r"|every (?:other |second )?(?:day|week|month|weekday|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|daily|weekly|monthly"
)
_REGULAR = lazy_pattern(
    r"^(?:(?P<head>(?:[Mm]y|[Oo]ur|[A-Z][\w'-]*(?: [A-Z][\w'-]*)*'s) [a-z][a-z -]{1,40}?)"
    r"|(?:[Tt]he )?(?P<n>[A-Za-z][a-z]+(?: [a-z]+){0,2}?)) (?:is|are|is always|takes place) "
    rf"(?:at |on )?(?P<v>(?:(?:{DAYS})(?:,? {CLOCK})?|{CLOCK},? (?:{DAYS})))$",
    re.IGNORECASE,
)

_LAUNCH = lazy_pattern(
    r"^(?P<x>.{1,60}?) (?P<verb>launches|will launch|is launching|goes live|will go live|is released|will be released) "
    r"(?:on )?(?P<v>.+)$"
)
_LAUNCHES = {"launch": "launch", "live": "go-live", "released": "release"}
_NEXT = lazy_pattern(r"\bnext (?=[a-z])")

DATED_FORMS = (_DATED, MOVED, _BORN_ON, _REGULAR, _LAUNCH)


def match_dated(text: str, context: Context) -> State | None:
    """What a clause says whose time is the value itself, and no bound of it."""
    readers = (_dated_attribute, _moved_date, _birthday, _schedule, _launch)
    return next((found for read in readers if (found := read(text, context)) is not None), None)


def times_in(text: str, context: Context) -> TimedClause:
    """The words of a clause and its times; its day is asked for only where it may name one."""
    return take_times(text, context.anchor, context.zone) if may_name_time(text) else without_times(text)


def _dated_attribute(text: str, context: Context) -> State | None:
    """An attribute whose value is a date, so that the date is no bound: `my birthday is 12 May`."""
    match = _DATED.match(text)
    if match is None or not (DATE_NOUNS & set(words_of(match["head"])) or "day" in words_of(match["head"])):
        return None
    head, is_next = _NEXT.subn("", match["head"], count=1)
    value, attribute = _date_in(match["value"], context), _attribute_of_date(head, context)
    if attribute is None or value is None:
        return None
    if is_next:  # there is one at a time
        return attribute._replace(predicate=f"next {attribute.predicate}", target=value, replaces=True)
    return attribute._replace(target=value)


def _moved_date(text: str, context: Context) -> State | None:
    """`The deadline of the grant moved from 30 June to 15 July`."""
    match = MOVED.match(text)
    if match is None or DATE_NOUNS.isdisjoint(words_of(match["head"])):
        return None
    before, value = _date_in(match["a"] or "", context), _date_in(match["v"], context)
    attribute = _attribute_of_date(f"{match['head']} is ", context)
    if attribute is None or value is None or (match["a"] and before is None):
        return None
    return attribute._replace(target=value, tense="change", replaces=True, replaced=before)


def _launch(text: str, context: Context) -> State | None:
    """`Heron launches on 3 December`: the day of a thing, which nobody has promised."""
    match = _LAUNCH.match(text)
    subject = subject_in(match["x"], context.known, has_topic=context.has_topic) if match is not None else None
    if match is None or subject is None or subject in (OWNER, GROUP):
        return None
    value, kind = _date_in(match["v"], context), match["verb"].removesuffix("es").removesuffix("ing").split()[-1]
    return State(subject, _LAUNCHES[kind], value) if value is not None else None


def _date_in(text: str, context: Context) -> str | None:
    """The date that words name and nothing else; none if they name anything else."""
    value = resolve_relative_date(text, context.anchor, context.zone)
    return value if value and times_in(f"on {value}", context).text == "" else None


def _attribute_of_date(head: str, context: Context) -> State | None:
    named = _DATED_DAY.sub(r"\1-day", head)
    found = match_forms(f"{named}Value", context.known, has_topic=context.has_topic)
    return found[0] if len(found) == 1 and _is_dated(found[0].predicate) else None


def _is_dated(noun: str) -> bool:
    return noun.split()[-1] in DATE_NOUNS or noun.endswith(("last-day", "first-day", "moving-day"))


def _birthday(text: str, context: Context) -> State | None:
    """`I was born on 3 May 1988`: the whole date is the value."""
    match = _BORN_ON.match(text)
    subject = subject_in(match["x"], context.known, has_topic=context.has_topic) if match is not None else None
    if match is None or subject is None:
        return None
    if match["year"]:
        return State(subject, "birth year", match["year"], "present", "person")
    is_date = not times_in(f"on {match['v']}", context).text
    return State(subject, "birthday", match["v"], "present", "person") if is_date else None


def _schedule(text: str, context: Context) -> State | None:
    """`Our standup is at 9:15 on weekdays`, `bin collection is on Tuesdays`: when something takes place as a rule."""
    match = _REGULAR.match(text)
    if match is None:
        return None
    if match["n"] is not None:
        return State(HOUSE, match["n"].lower(), match["v"]) if is_attribute_noun(match["n"].lower()) else None
    found = match_attributes(f"{match['head']} is Value", context.known, context.has_topic)
    return found[0]._replace(target=match["v"]) if len(found) == 1 and not found[0].is_judgement else None
