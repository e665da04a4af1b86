"""Ranges: from one time to another, between two, or a run of days in a month."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import RULES as DATES
from recollect.when.english.calendar_dates import month_alone, with_year
from recollect.when.english.day_spans import (
    DaySpan,
    Piece,
    YearlessDays,
    iso_week_of,
    single_day,
    span_of,
    weekday_of,
    years_of,
)
from recollect.when.english.offsets import RULES as OFFSETS
from recollect.when.english.offsets import length, shift_day
from recollect.when.english.period_parts import DECADE_RULES as DECADES
from recollect.when.english.period_parts import PART_RULES as PARTS
from recollect.when.english.period_parts import SEASON_RULES as SEASONS
from recollect.when.english.periods import RULES as STRETCHES
from recollect.when.english.relative_days import RULES as RELATIVE
from recollect.when.english.relative_days import some_month, stepped_week
from recollect.when.english.rules import COUNTS, FIGURES, NUMBERS, Found, TimeRule, TimeRules
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import MONTHS, STEPS, WEEKDAYS
from recollect.when.gregorian import year_of

SINGLE = (*DATES, *RELATIVE, *OFFSETS, *STRETCHES, *DECADES, *PARTS, *SEASONS)
_SINGLE = TimeRules(SINGLE)
_DAYS = TimeRules((*DATES, *RELATIVE, *OFFSETS))

_TO = ("to", "until", "till", "through", "thru", "-", "–", "—")
_JOINTS = frozenset(_TO)
_LONGEST_END = 24
"""The most words of one end of a range: looking through the whole sentence for each takes time with its square."""


def between(s: TimeSentence, i: int) -> Found | None:
    """from May 2 to May 5, between 2014 and 2018, May 2 - May 5."""
    opening = s.word(i)
    if opening != "between" and _JOINTS.isdisjoint([each.word for each in s.tokens[i + 1 : i + 1 + _LONGEST_END]]):
        return None
    start = i + 1 if opening in ("from", "between") else i
    first = _end(s, start, bare=start > i)
    if first is None:
        return None
    joint = s.word(first[0])
    if joint not in _TO and not (opening == "between" and joint == "and"):
        return None
    last = _end(s, first[0] + 1, bare=start > i)
    whole = None if last is None else span_of(first[1], last[1], s.today, s.prefer)
    return None if last is None or whole is None else (last[0], whole)


def _end(s: TimeSentence, i: int, *, bare: bool) -> tuple[int, Piece] | None:
    """One end of a range, where a bare year, `now` and a numbered week count as well."""
    found = _SINGLE.longest(s, i)
    year = numbers.year(s, i)
    if found is None and year is not None and bare:
        return year[0], years_of(year[1])
    if found is None and bare and s.word(i) == "now":
        return i + 1, single_day(s.today)
    return found or (_later(s, i) if bare else None)


def _later(s: TimeSentence, i: int) -> tuple[int, Piece] | None:
    amount = length(s, i)
    far = shift_day(s.today, amount[1], 1) if amount is not None and s.word(amount[0]) == "later" else None
    return None if amount is None or far is None else (amount[0] + 1, single_day(far))


def year_range(s: TimeSentence, i: int) -> Found | None:
    """2014-2018."""
    first = numbers.year(s, i)
    if first is None or s.word(first[0]) not in ("-", "–") or not s.word(i).isdecimal() or s.is_joined(i):
        return None
    last = numbers.year(s, first[0] + 1)
    near = last is not None and first[1] < last[1] <= first[1] + 200 and first[1] >= 1500
    if last is None or not near or not s.word(last[0] - 1).isdecimal():
        return None
    return last[0], DaySpan(years_of(first[1]).first, years_of(last[1]).last, "range")


def days_then_month(s: TimeSentence, i: int) -> Found | None:
    """from 4 to 22 January 1995, between 3 and 12 of September, 4-23 next month, 14 and 16 March."""
    start = s.after(i, "from", "between")
    pair = _pair(s, s.after(start, "the"), joined=True)
    if pair is None:
        return None
    end, first, last = pair
    month = some_month(s, s.skip(end, "of", "in"))
    if month is None:
        return None
    return _run(s, month, first, last)


def month_then_days(s: TimeSentence, i: int) -> Found | None:
    """November 19-20, November 19 to 20, November between 19 and 20, November 19 and 20."""
    named = numbers.month(s, i)
    start = i if named is None else s.after(named[0], "from", "between")
    pair = None if named is None else _pair(s, start, joined=True)
    if named is None or pair is None or numbers.month(s, s.after(pair[0], "of")) is not None:
        return None
    if start == named[0] and s.word(start + 1) == "and" and not s.ends_clause(pair[0]):
        return None
    if s.word(pair[0]) in ("-", "/", ".") and s.is_joined(pair[0] + 1) and s.word(pair[0] + 1).isdecimal():
        return None
    piece = YearlessDays(named[1], pair[1], pair[2])
    return with_year(s, pair[0], piece)


def day_to_date(s: TimeSentence, i: int) -> Found | None:
    """from 4 to January 22, 1995."""
    first = numbers.day_of_month(s, i + 1) if s.word(i) == "from" else None
    if first is None or s.word(first[0]) not in _TO:
        return None
    month = numbers.month(s, first[0] + 1)
    last = None if month is None else numbers.day_of_month(s, month[0])
    if month is None or last is None or first[1] > last[1]:
        return None
    return with_year(s, last[0], YearlessDays(month[1], first[1], last[1]))


def _pair(s: TimeSentence, i: int, *, joined: bool = False) -> tuple[int, int, int] | None:
    """Two days of a month; `joined` if `and` can only mean a range."""
    first = numbers.day_of_month(s, i)
    if first is None or s.word(first[0]) not in (*_TO, "and"):
        return None
    if s.word(first[0]) == "and" and s.word(i - 1) != "between" and not joined:
        return None
    last = numbers.day_of_month(s, s.after(first[0] + 1, "the"))
    return None if last is None or first[1] >= last[1] else (last[0], first[1], last[1])


def _run(s: TimeSentence, month: tuple[int, Piece], first: int, last: int) -> Found | None:
    end, piece = month
    if isinstance(piece, YearlessDays):
        return with_year(s, end, YearlessDays(piece.month, first, last))
    span = DaySpan(piece.first + first - 1, piece.first + last - 1, "range")
    return (end, span) if span.last <= piece.last else None


def several_months(s: TimeSentence, i: int) -> Found | None:
    """March and April 2025, in May, June or July: from the first to the last of them."""
    months = [numbers.month(s, i)]
    while months[-1] is not None and s.word(months[-1][0]) in (",", "and", "or", "&"):
        months.append(numbers.month(s, s.skip(months[-1][0], ",", "and", "or", "&")))
    named = [each for each in months if each is not None]
    if len(named) < 2 or len(named) < len(months):
        return None
    end, last = with_year(s, named[-1][0], YearlessDays(named[-1][1]))
    is_sure = isinstance(last, DaySpan) or month_alone(s, i) is not None
    whole = span_of(YearlessDays(named[0][1]), last, s.today, s.prefer) if is_sure else None
    return None if whole is None else (end, whole)


def week_between(s: TimeSentence, i: int) -> Found | None:
    """next week between Wednesday and Friday."""
    week = stepped_week(s, i)
    if week is None or s.word(week[0]) not in ("from", "between"):
        return None
    first, last = WEEKDAYS.get(s.word(week[0] + 1)), WEEKDAYS.get(s.word(week[0] + 3))
    if first is None or last is None or s.word(week[0] + 2) not in (*_TO, "and") or first > last:
        return None
    return week[0] + 4, DaySpan(week[1].first + first, week[1].first + last, "range")


def weekdays_between(s: TimeSentence, i: int) -> Found | None:
    """from Monday to Friday, between Friday and Sunday: the days in a row nearest to today."""
    first, last = WEEKDAYS.get(s.word(i + 1)), WEEKDAYS.get(s.word(i + 3))
    if s.word(i) not in ("from", "between") or s.word(i + 2) not in (*_TO, "and") or first is None or last is None:
        return None
    run = (last - first) % 7
    offset = (weekday_of(s.today) - first) % 7
    start = s.today - offset if s.prefer == "past" or offset == 0 else s.today - offset + 7
    return i + 4, DaySpan(start, start + run, "range")


def weeks_between(s: TimeSentence, i: int) -> Found | None:
    """from week 31 to week 35."""
    start = s.after(i, "from", "between")
    first = numbers.digits(s, start + 1, 2) if s.word(start) == "week" else None
    if first is None or s.word(first[0]) not in (*_TO, "and"):
        return None
    last = numbers.digits(s, s.after(first[0] + 1, "week"), 2)
    if last is None or not 1 <= first[1] <= last[1] <= 53:
        return None
    year = year_of(s.today)
    return last[0], DaySpan(iso_week_of(year, first[1]).first, iso_week_of(year, last[1]).last, "range")


def for_length(s: TimeSentence, i: int) -> Found | None:
    """for 3 days from today, 2 weeks starting May 20th."""
    amount = length(s, s.after(i, "for"))
    if amount is None:
        return None
    opening = s.after(amount[0], ",")
    starting = s.after(opening, "starting", "beginning")
    end = s.after(starting, "from", "on")
    if end == opening or (starting == opening and s.word(i) != "for"):
        return None
    found = _DAYS.longest(s, end)
    if found is None:
        return None
    start = span_of(found[1], found[1], s.today, s.prefer)
    far = None if start is None else shift_day(start.first, amount[1], 1)
    return None if start is None or far is None else (found[0], DaySpan(start.first, far - 1, "range"))


RULES = (
    TimeRule(between),
    TimeRule(year_range, {FIGURES}),
    TimeRule(days_then_month, {"from", "between", "the", *NUMBERS}),
    TimeRule(month_then_days, MONTHS.keys()),
    TimeRule(day_to_date, {"from"}),
    TimeRule(several_months, MONTHS.keys()),
    TimeRule(week_between, STEPS.keys()),
    TimeRule(weekdays_between, {"from", "between"}),
    TimeRule(weeks_between, {"from", "between", "week"}),
    TimeRule(for_length, {"for", *COUNTS}),
)
