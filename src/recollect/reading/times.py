"""The time reader of mails, notes and chats in nine languages: dates and deadlines; others: `when/english/`."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import lru_cache, partial

from recollect.reading.context import Context
from recollect.reading.date_ranges import (
    DateRange,
    Step,
    TimeDirection,
    day_of_month,
    month_days,
    named_span,
    nearest_year,
    one_day,
    quarter_days,
    season_days,
    weekday_near,
    weekday_of_month,
)
from recollect.reading.language_table import LANGUAGES
from recollect.reading.time_grammar import RANKS, TimeGrammar, time_grammar
from recollect.reading.time_lookalikes import is_time, lead_of
from recollect.reading.time_offsets import TimePhrase, days_after_count, is_offset, with_offsets
from recollect.reading.time_words import NEVER, TimeWords
from recollect.text.patterns import lazy_pattern
from recollect.when.english.day_order import day_and_month, order_within
from recollect.when.feasts import RankedWeekday

_JUST_OVER = 3
"""Months back within which a month without a year is rather that one than the next."""
_MONTHS_BESIDE = frozenset({"last month", "this month", "next month"})
_PARTS_OF_YEAR = {
    "start": ((1, 1), (4, 30)), "mid": ((5, 1), (8, 31)), "end": ((9, 1), (12, 31)), "last": ((12, 31), (12, 31)),
}  # fmt: skip
_WEEK, _NO_TIME = timedelta(days=7), timedelta(0)
_COUNTED_FROM = lazy_pattern(r" of (?!(?:today|now|this (?:e-?mail|mail|letter|message|notice|note))\b)\w")
"""What tells that a count begins on another day: *within two days of that date*."""
_DAY_ENDS = re.compile(r"\s*(?:[.,;!?)]|$)")
_HOURS = 12
_SOON = timedelta(days=13)
"""How far off a weekday and its number may be that might as well be a count: *on Friday 10 chairs*."""
_OR = re.compile(r",? (?:or|oder|ou|o|of|eller|albo|lub) (?:the )?")
_LONGEST_CHOICE = timedelta(days=14)
_WEEK_OF = re.compile(r"w(?:ee)?k of$")


DirectionAt = Callable[[int, int], TimeDirection]


def find_time_phrases(low: str, context: Context, direction_at: DirectionAt) -> list[TimePhrase]:
    """The times that a text in small letters names, in their order; `direction_at` tells of each which way it lies."""
    language = readable_language(context.language)
    matches = time_matches(low, language)
    if not matches:
        return []
    grammar = time_grammar(language)
    directions = [(match, direction_at(match.start(), match.end())) for match in matches]
    found = [
        (match, _time_phrase(match, low, context, grammar, direction))
        for match, direction in directions
        if not (direction == "future" and _is_month_told_of(match, grammar, context.anchor))
    ]
    return list(_joined(list(with_offsets(found, low, grammar)), low, grammar))


def _is_month_told_of(match: re.Match[str], grammar: TimeGrammar, anchor: date | None) -> bool:
    """Whether a month that is just over tells what papers are wanted, and not when: *your sheets for April*."""
    if match["lone_month"] is None or anchor is None or match["lone_year"] or match["part"]:
        return False
    months = (anchor.month - grammar.months[match["lone_month"]]) % 12
    return 0 < months <= _JUST_OVER and match["lead"] in (None, "for")


def names_time(low: str, language: str, *, at_least: int = 1) -> bool:
    """Whether a text in small letters names a time at all, or so many, wherever they lie."""
    return len(time_matches(low, readable_language(language))) >= at_least


def end_of_opening_time(low: str, language: str) -> int:
    """Where the times end that a text in small letters begins with, such as *yesterday*; 0 if it begins otherwise."""
    end = len(low) - len(low.lstrip())
    start = end
    for match in time_matches(low, readable_language(language)):
        if low[end : match.start()].strip():
            break
        end = match.end()
    return end if end > start else 0


def readable_language(language: str) -> str:
    return language if language in LANGUAGES else "en"


@lru_cache(2_048)
def time_matches(low: str, language: str) -> tuple[re.Match[str], ...]:
    """Where times stand in a text; a clause is looked through once, however often it is asked about."""
    grammar = time_grammar(language)
    return tuple(match for match in grammar.phrase.finditer(low) if is_time(match, low, grammar))


def _time_phrase(
    match: re.Match[str], low: str, context: Context, grammar: TimeGrammar, direction: TimeDirection
) -> TimePhrase:
    lead = lead_of(match["lead"], grammar) or ("within" if _is_within(match, grammar) else None)
    anchor = context.anchor
    try:
        days = _days(match, context, grammar, anchor, "past" if lead == "since" else direction)
    except (ValueError, OverflowError):
        days = None
    if match["unit"] and _COUNTED_FROM.match(low, match.end()):
        days = None
    if days is not None and days.granularity == "day" and match["lead"] and _WEEK_OF.search(match["lead"]):
        monday = days.first - timedelta(days=days.first.weekday())
        days = DateRange(monday, monday + timedelta(days=6), "week")
    stop = match.end() - (low[match.end() - 1] == "." and low[match.end() - 2].isalpha())
    return TimePhrase(match.start(), stop, low[match.start() : stop], lead, days, _looks_back(match, grammar))


def _is_within(match: re.Match[str], grammar: TimeGrammar) -> bool:
    """Whether a count is led by the word for *within*, which is also one for *in*."""
    within = re.compile(grammar.words.leads.get("within", NEVER))
    return (match["unit"] or match["unit_alone"]) is not None and within.match(match[0]) is not None


def _looks_back(match: re.Match[str], grammar: TimeGrammar) -> bool:
    """Whether the words always mean a time that is over: yesterday, two weeks ago, last Friday."""
    step = match["step"] or match["step_last"]
    if step is not None:
        return re.fullmatch(grammar.words.last_words, step.strip()) is not None
    if match["day_word"]:
        return grammar.words.days[" ".join(match["day_word"].split())] < 0
    return match["ago_unit"] is not None and match["hence"] is None


def _joined(found: list[TimePhrase], low: str, grammar: TimeGrammar) -> Iterator[TimePhrase]:
    """Two times with *to* or *until* between them as one range."""
    to = re.compile(rf"\s*(?:{grammar.words.to or '-|–'})\s*(?:the )?$")
    index = 0
    while index < len(found):
        first = found[index]
        following = found[index + 1] if index + 1 < len(found) else None
        if following is not None and _makes_range(first, following, low, to):
            assert first.days is not None
            assert following.days is not None
            last = following.days.last
            is_week_later = last < first.days.first <= last + _WEEK and following.days.granularity == "day"
            last += _WEEK if is_week_later and _names_weekday(following.text, grammar) else _NO_TIME
            days = DateRange(first.days.first, last, "range") if first.days.first <= last else following.days
            yield TimePhrase(first.start, following.stop, low[first.start : following.stop], first.lead, days)
            index += 2
        elif following is not None and _makes_choice(first, following, low):
            assert first.days is not None
            assert following.days is not None
            days = DateRange(first.days.first, following.days.last, "range")
            yield TimePhrase(first.start, following.stop, low[first.start : following.stop], first.lead, days)
            index += 2
        else:
            yield first
            index += 1


def _makes_choice(first: TimePhrase, second: TimePhrase, low: str) -> bool:
    """Whether either of two times is meant: *Tuesday or Wednesday* is over when Wednesday is."""
    if first.days is None or second.days is None or not _OR.fullmatch(low[first.stop : second.start]):
        return False
    is_free = first.lead in (None, "on") and second.lead in (None, "on") and not (first.is_past or second.is_past)
    return is_free and first.days.last < second.days.first <= first.days.last + _LONGEST_CHOICE


def _names_weekday(text: str, grammar: TimeGrammar) -> bool:
    return text.split()[-1] in grammar.weekdays


def _makes_range(first: TimePhrase, second: TimePhrase, low: str, to: re.Pattern[str]) -> bool:
    between = low[first.stop : second.start]
    joined = second.lead in ("until", None) and (
        to.fullmatch(between) or (second.lead == "until" and not between.strip(" ,"))
    )
    return bool(joined and first.days and second.days and first.lead not in ("by", "before", "until"))


def _days(
    match: re.Match[str], context: Context, grammar: TimeGrammar, anchor: date | None, direction: TimeDirection
) -> DateRange | None:
    if match["iso"]:
        day = date.fromisoformat(match["iso"])
        return DateRange(day, day, "day")
    if match["num_a"]:
        weekday = grammar.weekdays.get(match["weekday_of_number"] or "")
        return _since_day(match["num_from"], _numeric(match, context, anchor, direction, weekday))
    if match["dom"] or match["dom_last"]:
        month = grammar.months[match["month"] or match["month_first"]]
        year = match["year"] or match["year_last"]
        weekday = grammar.weekdays.get(match["weekday_of_day"] or match["weekday_of_month"] or "")
        days = nearest_year(int(match["dom"] or match["dom_last"]), month, _year(year), anchor, direction, weekday)
        until = match["dom_until"] or match["dom_last_until"]
        if days is not None and until:
            return DateRange(days.first, days.first.replace(day=int(until)), "range")
        return days
    if match["rank"]:
        return _ranked_weekday(match, grammar, anchor, direction)
    if match["lone_year_only"]:
        return _whole_year(match, grammar)
    if match["lone_month"]:
        return _month(match, grammar, anchor, direction)
    if match["quarter"]:
        return _quarter(match, anchor, direction)
    if match["quarter_rank"]:
        return quarter_days(int(match["quarter_of"]), RANKS[match["quarter_rank"]])
    if match["season"]:
        return season_days(_span_code(match, "season", grammar), int(match["season_year"]))
    return _relative(match, grammar, anchor, direction) if anchor is not None and not is_offset(match) else None


def _relative(match: re.Match[str], grammar: TimeGrammar, anchor: date, direction: TimeDirection) -> DateRange | None:
    if match["weekday"]:
        return _weekday(match, grammar, anchor, direction)
    if match["day_word"]:
        days = grammar.words.days[" ".join(match["day_word"].split())]
        weeks = _weeks_later(match["day_later"], grammar) if match["day_later"] else 0
        day = anchor + timedelta(days=days, weeks=weeks)
        return DateRange(day, day, "day")
    if match["week_then"]:
        week = named_span(_span_code(match, "week_then", grammar), anchor, direction)
        return one_day(week.first + timedelta(days=grammar.weekdays[match["day_of_week"]]))
    if match["span_word"]:
        return named_span(_span_code(match, "span_word", grammar), anchor, direction)
    if match["unit"] or match["unit_alone"] or match["ago_unit"]:
        return days_after_count(match, grammar, anchor)
    if match["bare"]:
        return day_of_month(int(match["bare"]), anchor, direction)
    if match["week_number"]:
        return _week(int(match["week_number"]), anchor, direction)
    return DateRange(anchor, anchor, "day")


def _span_code(match: re.Match[str], group: str, grammar: TimeGrammar) -> str:
    """The code of a stretch; what must follow its words stands after them."""
    found = ((pattern.match(match.string, match.start(group)), code) for pattern, code in grammar.spans)
    return next(code for each, code in found if each is not None and each.end() == match.end(group))


def _numeric(
    match: re.Match[str], context: Context, anchor: date | None, direction: TimeDirection, weekday: int | None
) -> DateRange | None:
    order = context.date_order or ("dmy" if match["num_sign"] == "." or context.language != "en" else None)
    order = order or order_within(match.string)
    found = day_and_month(int(match["num_a"]), int(match["num_b"]), order)
    if found is None:
        return None
    day, month = found
    return nearest_year(day, month, _year(match["num_c"]), anchor, direction, weekday)


def _since_day(first: str | None, days: DateRange | None) -> DateRange | None:
    """The days from an earlier one of the same month on: *24.-26.3.*"""
    if first is None or days is None:
        return days
    return DateRange(days.first.replace(day=int(first)), days.last, "range") if int(first) < days.last.day else None


def _year(text: str | None) -> int | None:
    if not text:
        return None
    year = int(text.lstrip("'"))
    return year + 2000 if year < 100 else year


def _whole_year(match: re.Match[str], grammar: TimeGrammar) -> DateRange:
    year = int(match["lone_year_only"])
    part = _part(match["year_part"], grammar)
    if part is None:
        return DateRange(date(year, 1, 1), date(year, 12, 31), "year")
    first, last = _PARTS_OF_YEAR[part]
    return DateRange(date(year, *first), date(year, *last), "range")


def _part(words: str | None, grammar: TimeGrammar) -> str | None:
    return next((part for pattern, part in grammar.parts if words and pattern.fullmatch(words.strip())), None)


def _month(
    match: re.Match[str], grammar: TimeGrammar, anchor: date | None, direction: TimeDirection
) -> DateRange | None:
    month = grammar.months[match["lone_month"]]
    days = month_days(month, _year(match["lone_year"]), anchor, direction)
    part = _part(match["part"], grammar)
    if days is None or part is None:
        return days
    if part == "last":
        return DateRange(days.last, days.last, "day")
    first, last = {"start": (1, 10), "mid": (11, 20), "end": (21, days.last.day)}[part]
    return DateRange(days.first.replace(day=first), days.first.replace(day=last), "range")


def _quarter(match: re.Match[str], anchor: date | None, direction: TimeDirection) -> DateRange | None:
    quarter = int(match["quarter"])
    year = _year(match["quarter_year"])
    if year is None and anchor is not None:
        this = (anchor.month + 2) // 3
        year = anchor.year + (direction == "future" and quarter < this) - (direction == "past" and quarter > this)
    return quarter_days(year, quarter) if year is not None else None


def _weekday(match: re.Match[str], grammar: TimeGrammar, anchor: date, direction: TimeDirection) -> DateRange | None:
    wanted = grammar.weekdays[match["weekday"]]
    step = match["step"] or match["step_last"] or ("this" if match["lead"] == "this" else "")
    if match["week_later"] == "after next":
        return None  # whether a week or two are meant depends on who says it
    named: Step | None = "next" if match["of_next_week"] else _step(step, grammar.words)
    near = partial(weekday_near, wanted, anchor, direction, step=named)
    found = near(dom=match["weekday_dom"] or match["weekday_number"])
    if match["weekday_number"] and not _is_day_for_sure(match) and not _is_soon(found, anchor):
        found = near()  # the number counts something
    if found is None or not match["week_later"]:
        return found
    later = timedelta(weeks=_weeks_later(match["week_later"], grammar))
    return DateRange(found.first + later, found.last + later, "day")


def _is_day_for_sure(match: re.Match[str]) -> bool:
    """Whether the number after a weekday names a day, right or wrong, and neither a count nor an hour."""
    if match["maybe_count"] is not None or match["maybe_counts"] is not None:
        return False
    is_at_end = _DAY_ENDS.match(match.string, match.end("weekday_number")) is not None
    return not is_at_end or int(match["weekday_number"]) > _HOURS


def _is_soon(days: DateRange | None, anchor: date) -> bool:
    return days is not None and abs(days.first - anchor) <= _SOON


def _step(text: str, words: TimeWords) -> Step | None:
    steps: tuple[tuple[Step, str], ...] = (("next", words.next_words), ("last", words.last_words), ("this", "this"))
    return next((step for step, pattern in steps if re.fullmatch(pattern, text.strip())), None)


def _weeks_later(words: str, grammar: TimeGrammar) -> int:
    """How many weeks *week*, *en huit* or *en quinze* after a day stand for."""
    return grammar.words.weeks_later.get(words.strip(), 1)


def _ranked_weekday(
    match: re.Match[str], grammar: TimeGrammar, anchor: date | None, direction: TimeDirection
) -> DateRange | None:
    """*The first Monday of May*, *the last Friday of next month*; none for one that comes every month."""
    rank, weekday, unit = RANKS[match["rank"]], grammar.weekdays[match["rank_day"]], match["rank_unit"]
    if unit is None:
        wanted = RankedWeekday(rank, weekday, grammar.months[match["rank_month"]])
        return weekday_of_month(wanted, _year(match["rank_year"]), anchor, direction)
    if anchor is None or unit not in _MONTHS_BESIDE:
        return None
    month = named_span(unit.replace(" ", "_"), anchor, direction).first
    return weekday_of_month(RankedWeekday(rank, weekday, month.month), month.year, anchor, direction)


def _week(number: int, anchor: date, direction: TimeDirection) -> DateRange | None:
    years = (anchor.year, anchor.year - 1) if direction == "past" else (anchor.year, anchor.year + 1)
    for year in years:
        first = date.fromisocalendar(year, number, 1)
        if first <= anchor if direction == "past" else first + timedelta(days=120) > anchor:
            return DateRange(first, first + timedelta(days=6), "week")
    return None
