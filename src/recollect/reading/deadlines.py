"""The day by which something is to be done, as a sentence gives it."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from recollect.text.patterns import lazy_pattern

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBERS = {name[:length]: number for number, name in enumerate(_MONTHS, 1) for length in (3, len(name))} | {
    "sept": 9
}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAY_NUMBERS = {name: number for number, name in enumerate(_DAYS)} | {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6,
}  # fmt: skip
_NUMBERS = {
    word: number
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
_TRAILING_MONTH = _MONTH.replace("<month>", "<month_last>")
_ORDINAL = r"(?:st|nd|rd|th)?"
_ANY_WEEKDAY = rf"(?:{'|'.join(_DAYS)}|(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b(?!['’]s)\.?"
_WEEKDAY = (
    rf"(?P<weekday>{_ANY_WEEKDAY})(?! week\b| after next\b)"
    r"(?P<next_week>,? (?:of )?next week\b)?(?:,? (?:the )?(?P<day_of_month>\d{1,2})(?:st|nd|rd|th)\b)?"
)
_ZONE = r"(?: (?-i:[A-Z]{2,4}))?"
_CLOCK = (
    r"(?:(?:(?:\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m\.|p\.m\.)|\d{1,2}:\d\d|noon|midday|midnight|lunch)"
    rf"{_ZONE}(?: on)?,? )?)"
)
_DAY = (
    rf"(?:(?P<iso>\d{{4}}-\d\d-\d\d)(?![\d/-])"
    rf"|(?:{_ANY_WEEKDAY},? \(?(?:the )?)?(?P<dom>\d{{1,2}}){_ORDINAL} (?:of )?{_MONTH}(?:,? (?P<year>\d{{4}})\b)?"
    rf"|(?:{_ANY_WEEKDAY},? \(?)?{_TRAILING_MONTH} (?P<dom_last>\d{{1,2}}){_ORDINAL}\b(?!:)"
    r"(?:,? (?P<year_last>\d{4})\b)?"
    r"|(?P<tomorrow>tomorrow\b(?!['’]s))"
    rf"|(?P<next>next )?(?:this |coming )?{_WEEKDAY})"
)
_CLOSING = (
    r"(?:today\b(?!['’]s)|tonight\b|EOD\b|COB\b"
    r"|(?:the )?end of (?:the )?(?:business )?day\b|(?:the )?close of business\b)"
)
_LEAD = r"\b(?<!a week )(?P<lead>by|on or before|on|until|due|no later than|before|this|next|in|within)"
_LEADS = rf"{_LEAD}(?: (?:on|by|the))?"

_PATTERNS = {
    "dated": lazy_pattern(rf"{_LEADS} {_CLOCK}(?:the )?{_DAY}", re.IGNORECASE),
    "closing": lazy_pattern(rf"\b{_CLOSING}", re.IGNORECASE),
    "week": lazy_pattern(rf"{_LEADS} (?:EOW\b|(?:the )?end of (?:the |this )?week\b)", re.IGNORECASE),
    "month": lazy_pattern(rf"{_LEADS} (?:EOM\b|(?:the )?end of (?:the |this )?month\b)", re.IGNORECASE),
    "month_named": lazy_pattern(
        rf"{_LEADS} (?:the )?end of {_MONTH}(?! \d{{1,2}}\b)(?:,? (?P<year>\d{{4}})\b)?", re.IGNORECASE
    ),
    "span": lazy_pattern(
        rf"\b(?:in|within)(?: the next)? (?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)}) (?P<unit>days?|weeks?)\b",
        re.IGNORECASE,
    ),
}  # fmt: skip
_DEADLINE_WORD = lazy_pattern(
    r"by|until|due|no later than|on or before|before|within|(?<=by )|(?<=by the )", re.IGNORECASE
)
_DAY_AFTER_CLOSING = lazy_pattern(rf"{_ZONE},? (?:on |of )?(?:the )?{_DAY}", re.IGNORECASE)
_DAY_BEFORE_CLOSING = lazy_pattern(rf"{_DAY},?(?: by| at| before)?(?: the)?$", re.IGNORECASE)


def find_deadline(read: str, said_on: date) -> date | None:
    """The day that the sentence names as a deadline, seen from the day it was said on.

    Of several the first that is said to be one: *by Friday* counts before *on Monday*.
    """
    found = min(_iter_deadlines(read, said_on), key=lambda each: each[:2], default=None)
    return found[2] if found is not None else None


def _iter_deadlines(read: str, said_on: date) -> Iterator[tuple[bool, int, date]]:
    for name, pattern in _PATTERNS.items():
        for match in pattern.finditer(read):
            day = _closing_day(read, match, said_on) if name == "closing" else _matched_day(name, match, said_on)
            if day is not None:
                yield not _DEADLINE_WORD.match(read, match.start()), match.start(), day


def _matched_day(name: str, match: re.Match[str], said_on: date) -> date | None:
    try:
        found = _DAY_READERS[name](match, said_on)
        is_before = name != "span" and match["lead"].casefold() == "before"
        return found - timedelta(days=1) if found is not None and is_before else found
    except (ValueError, OverflowError):
        return None


def _closing_day(read: str, match: re.Match[str], said_on: date) -> date | None:
    """The end of a day: that of a day named beside it, else of the day it was said on."""
    beside = _DAY_AFTER_CLOSING.match(read, match.end()) or _DAY_BEFORE_CLOSING.search(read[: match.start()].rstrip())
    try:
        named = _named_day(beside, said_on) if beside else None
    except (ValueError, OverflowError):
        named = None
    return named or said_on


def _named_day(match: re.Match[str], said_on: date) -> date | None:
    if match["iso"]:
        return date.fromisoformat(match["iso"])
    if match["tomorrow"]:
        return said_on + timedelta(days=1)
    month = match["month"] or match["month_last"]
    if month:
        number = _MONTH_NUMBERS[month.casefold().rstrip(".")]
        return _next_calendar_day(
            number, int(match["dom"] or match["dom_last"]), match["year"] or match["year_last"], said_on
        )
    is_next = bool(match["next"] or match["next_week"]) or match.groupdict().get("lead", "").casefold() == "next"
    found = _next_weekday(_DAY_NUMBERS[match["weekday"].casefold().rstrip(".")], said_on, is_next)
    return _with_day_of_month(found, int(match["day_of_month"])) if match["day_of_month"] else found


def _next_calendar_day(month: int, dom: int, year: str | None, said_on: date) -> date | None:
    """A day of a month; without a year the first such day from the day it was said on."""
    if year is not None:
        return date(int(year), month, dom)
    for candidate in range(said_on.year, said_on.year + 9):
        try:
            found = date(candidate, month, dom)
        except ValueError:
            continue
        if found >= said_on:
            return found
    return None


def _next_weekday(wanted: int, said_on: date, is_next: bool) -> date:
    if is_next:
        return said_on + timedelta(days=7 - said_on.weekday() + wanted)
    return said_on + timedelta(days=(wanted - said_on.weekday()) % 7)


def _with_day_of_month(first: date, wanted: int) -> date | None:
    """The first of the weekdays from a day on that is this day of its month; none that is far away."""
    days = (first + timedelta(weeks=weeks) for weeks in range(10))
    return next((day for day in days if day.day == wanted), None)


def _end_of_week(match: re.Match[str], said_on: date) -> date:
    del match
    return _next_weekday(4, said_on, False)


def _end_of_month(match: re.Match[str], said_on: date) -> date:
    del match
    return _last_day(said_on.year, said_on.month)


def _end_of_named_month(match: re.Match[str], said_on: date) -> date:
    month = _MONTH_NUMBERS[match["month"].casefold().rstrip(".")]
    year = int(match["year"]) if match["year"] else said_on.year + (month < said_on.month)
    return _last_day(year, month)


def _last_day(year: int, month: int) -> date:
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)


def _after_a_span(match: re.Match[str], said_on: date) -> date:
    text = match["count"].casefold()
    count = int(text) if text.isdigit() else _NUMBERS[text]
    return said_on + timedelta(days=count * (7 if match["unit"].casefold().startswith("week") else 1))


_DAY_READERS = {
    "dated": _named_day,
    "week": _end_of_week,
    "month": _end_of_month,
    "month_named": _end_of_named_month,
    "span": _after_a_span,
}
