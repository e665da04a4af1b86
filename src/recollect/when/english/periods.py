"""Longer times: weeks, months, quarters, years, and windows of them."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import RULES as DATES
from recollect.when.english.calendar_dates import clear_month
from recollect.when.english.day_spans import (
    DaySpan,
    add_months,
    iso_week_of,
    month_of,
    quarter_of,
    week_of,
    weekday_of,
    weekend_of,
    years_of,
)
from recollect.when.english.offsets import RULES as OFFSETS
from recollect.when.english.offsets import length, resolve_piece, shift_day
from recollect.when.english.relative_days import RULES as RELATIVE
from recollect.when.english.relative_days import some_month
from recollect.when.english.rules import NUMBERS, RANKS, Found, TimeRule, TimeRules
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import MONTHS, STEPS, SUFFIXES, UNITS
from recollect.when.gregorian import year_of, ymd

_DAYS = TimeRules((*DATES, *RELATIVE, *OFFSETS))
_YEAR_LEADS = frozenset(["in", "since", "during", "until", "till", "before", "after", "circa", "throughout", "year"])
_YEAR_LEADS_BEFORE_A_PAUSE = frozenset(["by", "from", "of", "around", "through"])


def relative_period(s: TimeSentence, i: int) -> Found | None:
    """this week, next month, last year, the past quarter."""
    start = s.after(i, "the")
    step, unit = STEPS.get(s.word(start)), s.word(start + 1)
    if step is None or (s.word(i - 1) == "of" and s.word(i - 2) in SUFFIXES):
        return None
    rolls = s.word(start) == "last" and start > i and s.word(i - 1) in ("in", "over", "during", "within", "for")
    if (rolls or s.word(start) == "past") and UNITS.get(unit) == unit:
        return _rolling(s, start + 2, unit)
    if unit in ("week", "weekend", "month", "quarter", "year", "decade", "century"):
        return start + 2, adjacent_period(s, unit, step)
    month = numbers.month(s, start + 1)
    return None if month is None or not clear_month(s, start + 1) else (month[0], _month_near(s, month[1], step))


def _rolling(s: TimeSentence, end: int, unit: str) -> Found | None:
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}.get(unit, 0)
    days = {"day": 1, "week": 7, "fortnight": 14}.get(unit, 0)
    return end, DaySpan(add_months(s.today - days, -months), s.today, "range")


def adjacent_period(s: TimeSentence, unit: str, step: int) -> DaySpan:
    """The calendar unit a number of steps from the one that contains today."""
    year, month, _ = ymd(s.today)
    match unit:
        case "week":
            return week_of(s.today + 7 * step)
        case "weekend":
            return weekend_of(s.today + 7 * step)
        case "month":
            return month_of(year, month + step)
        case "quarter":
            return quarter_of(year, (month + 2) // 3 + step)
        case "decade":
            return years_of(year // 10 * 10 + 10 * step, 10)
        case "century":
            return years_of(year // 100 * 100 + 100 * step, 100)
    return years_of(year + step)


def _month_near(s: TimeSentence, month: int, step: int) -> DaySpan:
    year, this, _ = ymd(s.today)
    if step > 0:
        return month_of(year + (month <= this), month)
    return month_of(year - (month >= this), month) if step < 0 else month_of(year, month)


def after_next(s: TimeSentence, i: int) -> Found | None:
    """the week after next, the month before last."""
    start = s.after(i, "the")
    unit, side = s.word(start), s.word(start + 1)
    if unit not in ("week", "weekend", "month", "quarter", "year") or side not in ("after", "before"):
        return None
    end = s.after(start + 2, "the")
    if (side, s.word(end)) not in (("after", "next"), ("before", "last")):
        return None
    return end + 1, adjacent_period(s, unit, 2 if side == "after" else -2)


def weekend(s: TimeSentence, i: int) -> Found | None:
    """the weekend: the one of this week, or the one just past."""
    if s.word(i) not in ("the", "my") or s.word(i + 1) != "weekend" or s.word(i + 2) in ("after", "before", "of"):
        return None
    back = 7 if s.prefer == "past" and weekday_of(s.today) < 5 else 0
    return i + 2, weekend_of(s.today - back)


def window(s: TimeSentence, i: int) -> Found | None:
    """the last 3 weeks, next 2 days, past few months."""
    start = s.after(i, "the")
    step = STEPS.get(s.word(start), 0)
    amount = length(s, start + 1) if step and s.word(start + 1) not in ("a", "an") else None
    if amount is None or s.word(amount[0]) == "of":
        return None
    far = shift_day(s.today, amount[1], step)
    if far is None:
        return None
    return amount[0], DaySpan(far, s.today, "range") if step < 0 else DaySpan(s.today + 1, far, "range")


def within(s: TimeSentence, i: int) -> Found | None:
    """within 5 days, within the next 3 months."""
    if s.word(i) != "within":
        return None
    stop = s.skip(i + 1, "the", "next", "coming", "upcoming")
    amount = length(s, stop)
    far = None if amount is None else shift_day(s.today, amount[1], 1)
    if amount is None or far is None or s.word(amount[0]) == "of":
        return None
    end = amount[0] + 2 if (s.word(amount[0]), s.word(amount[0] + 1)) in _FROM_NOW else amount[0]
    return end, DaySpan(s.today, far, "range")


_FROM_NOW = frozenset({("from", "now"), ("from", "today")})


def year_alone(s: TimeSentence, i: int) -> Found | None:
    """in 2024, since nineteen ninety nine, year 247."""
    if s.word(i) == "year":
        number = numbers.digits(s, i + 1) or numbers.spoken_year(s, i + 1)
        return None if number is None or not number[1] >= 100 else (number[0], years_of(number[1]))
    lead, found = s.word(i - 1), numbers.year(s, i)
    if found is None or (s.word(found[0]) in ("-", "/") and s.word(found[0] + 1).isdecimal()):
        return None
    sure = lead in _YEAR_LEADS or (lead in _YEAR_LEADS_BEFORE_A_PAUSE and s.ends_clause(found[0]))
    return (found[0], years_of(found[1])) if sure and s.word(found[0]) not in UNITS else None


def quarter(s: TimeSentence, i: int) -> Found | None:
    """Q2 2024, 2024 Q2, H1 2024, the third quarter of 2024."""
    led = numbers.digits(s, i)
    if led is not None and len(s.word(i)) == 4:
        part = _part_of_year(s, s.skip(led[0], "-", "the", ","))
        return None if part is None else (part[0], _quarter_in(led[1], part[1], part[2]))
    part = _part_of_year(s, s.after(i, "the"))
    if part is None:
        return None
    year = some_year(s, s.skip(part[0], "of", "in", ",", "-"))
    if year is not None:
        return year[0], _quarter_in(year[1], part[1], part[2])
    short = numbers.short_year(s, part[0])
    if short is not None:
        return short[0], _quarter_in(short[1], part[1], part[2])
    return (part[0], _preferred_quarter(s, part[1])) if part[2] == 4 and s.word(part[0] - 2) == "q" else None


def _part_of_year(s: TimeSentence, i: int) -> tuple[int, int, int] | None:
    """The index after it, the number, and how many such parts a year has."""
    count = {"q": 4, "h": 2}.get(s.word(i))
    number = s.word(i + 1)
    if count is not None and s.is_joined(i + 1) and number.isdecimal() and 1 <= int(number) <= count:
        return i + 2, int(number), count
    rank = numbers.ordinal(s, i)
    named = {"quarter": 4, "half": 2}.get(s.word(rank[0])) if rank is not None else None
    return None if rank is None or named is None or not 1 <= rank[1] <= named else (rank[0] + 1, rank[1], named)


def _quarter_in(year: int, number: int, count: int) -> DaySpan:
    if count == 4:
        return quarter_of(year, number)
    return DaySpan(quarter_of(year, 2 * number - 1).first, quarter_of(year, 2 * number).last, "range")


def _preferred_quarter(s: TimeSentence, number: int) -> DaySpan:
    this = quarter_of(year_of(s.today), number)
    if s.prefer == "past":
        return this if this.first <= s.today else quarter_of(year_of(s.today) - 1, number)
    return this if this.last >= s.today else quarter_of(year_of(s.today) + 1, number)


def some_year(s: TimeSentence, i: int) -> tuple[int, int] | None:
    """2024, next year, the year 2024."""
    step = STEPS.get(s.word(i))
    if step is not None and s.word(i + 1) == "year":
        return i + 2, year_of(s.today) + step
    return numbers.year(s, s.skip(i, "the", "year"))


def month_of_some_year(s: TimeSentence, i: int) -> Found | None:
    """June next year, June of last year."""
    named = numbers.month(s, i)
    end = None if named is None else s.skip(named[0], "of", "in")
    if named is None or end is None or STEPS.get(s.word(end)) is None:
        return None
    year = some_year(s, end)
    return None if year is None else (year[0], month_of(year[1], named[1]))


def numbered_week(s: TimeSentence, i: int) -> Found | None:
    """week 10, the third week of July, the last week of 2015."""
    if s.word(i) == "week":
        number = numbers.digits(s, i + 1, 2)
        if number is None or not 1 <= number[1] <= 53:
            return None
        year = some_year(s, s.skip(number[0], "of", "in", ","))
        return (number[0], _preferred_week(s, number[1])) if year is None else _week(year, number[1])
    start = s.after(i, "the")
    rank = (start + 1, -1) if s.word(start) == "last" else numbers.ordinal(s, start)
    if rank is None or s.word(rank[0]) != "week":
        return None
    end = s.skip(rank[0] + 1, "of", "in", "the")
    year = some_year(s, end)
    if year is not None:
        return _week(year, rank[1])
    month = some_month(s, end)
    span = None if month is None else resolve_piece(s, month[1])
    return None if month is None or span is None else (month[0], _week_in(span, rank[1]))


_WEEKS_JUST_OVER = 120
"""Days for which a week that is over is still the one of this year, even ahead."""


def _preferred_week(s: TimeSentence, number: int) -> DaySpan:
    year = year_of(s.today)
    this = iso_week_of(year, number)
    if s.prefer == "past":
        return this if this.first <= s.today else iso_week_of(year - 1, number)
    return this if this.first + _WEEKS_JUST_OVER > s.today else iso_week_of(year + 1, number)


def _week(year: tuple[int, int], number: int) -> Found:
    last = iso_week_of(year[1] + 1, 1).first - 7
    return year[0], week_of(last) if number < 0 else iso_week_of(year[1], number)


def _week_in(month: DaySpan, rank: int) -> DaySpan:
    """A week belongs to the month that contains its Thursday."""
    first = week_of(month.first + (3 - weekday_of(month.first)) % 7)
    last = week_of(month.last - (weekday_of(month.last) - 3) % 7)
    return last if rank < 0 else week_of(first.first + 7 * (rank - 1))


def week_around(s: TimeSentence, i: int) -> Found | None:
    """the week of March 16, week commencing 4 February, the month of May 2."""
    start = s.after(i, "the")
    end = start + 2
    if (s.word(start), s.word(start + 1), s.word(start + 2)) == ("w", "/", "c"):
        end, unit = start + 3, "week"
    elif s.word(start) in ("week", "month") and s.word(start + 1) in _AROUND:
        unit = s.word(start)
    else:
        return None
    found = _DAYS.longest(s, s.after(end, "on"))
    day = None if found is None else resolve_piece(s, found[1])
    if found is None or day is None or day.unit != "day":
        return None
    return found[0], week_of(day.first) if unit == "week" else month_of(*ymd(day.first)[:2])


_AROUND = frozenset({"of", "commencing", "starting", "beginning", "ending"})


RULES = (
    TimeRule(relative_period, {"the", *STEPS}),
    TimeRule(after_next, {"the", "week", "weekend", "month", "quarter", "year"}),
    TimeRule(weekend, {"the", "my"}),
    TimeRule(window, {"the", *STEPS}),
    TimeRule(within, {"within"}),
    TimeRule(year_alone, {"year", *NUMBERS}),
    TimeRule(quarter, {"the", "q", "h", *RANKS}),
    TimeRule(month_of_some_year, MONTHS.keys()),
    TimeRule(numbered_week, {"the", "week", "last", *RANKS}),
    TimeRule(week_around, {"the", "w", "week", "month"}),
)
