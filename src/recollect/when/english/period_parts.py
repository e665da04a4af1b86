"""Seasons, decades and centuries, and parts of longer times: early May, the rest of the week."""

import re

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import RULES as DATES
from recollect.when.english.day_spans import DaySpan, YearlessDays, month_of, single_day, years_of
from recollect.when.english.offsets import resolve_piece
from recollect.when.english.periods import RULES as STRETCHES
from recollect.when.english.periods import adjacent_period, some_year
from recollect.when.english.rules import NUMBERS, RANKS, Found, TimeRule, TimeRules
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import DECADES, SEASONS, STEPS
from recollect.when.feasts import ENGLISH_FEASTS, feast_day
from recollect.when.gregorian import day_number, year_of

_WHOLE = TimeRules((*DATES, *STRETCHES))
_HALVES = {"early": 0, "late": 1, "mid": 2}
_ENDS = {"beginning": 0, "start": 0, "end": 1, "middle": 2}


def part(s: TimeSentence, i: int) -> Found | None:
    """early next week, late 2024, the end of March, mid-May, end of year, the last day of the month."""
    start = s.after(i, "the")
    which = _HALVES.get(s.word(i))
    end = s.after(i + 1, "-")
    if which is None:
        which = _ENDS.get(s.word(start)) if s.word(start + 1) == "of" else None
        end = start + 2
    if which is None:
        return _last_day(s, start)
    whole = _whole(s, end) or (_bare_unit(s, end) if end == start + 2 else None)
    days = None if whole is None else resolve_piece(s, whole[1])
    cut = None if days is None else _cut(days, which)
    return None if whole is None or cut is None else (whole[0], cut)


def _last_day(s: TimeSentence, i: int) -> Found | None:
    if (s.word(i), s.word(i + 1), s.word(i + 2)) != ("last", "day", "of"):
        return None
    whole = _whole(s, i + 3)
    days = None if whole is None else resolve_piece(s, whole[1])
    return None if whole is None or days is None else (whole[0], single_day(days.last))


def _bare_unit(s: TimeSentence, i: int) -> Found | None:
    """The month of *by end of month*."""
    unit = s.word(i)
    return (i + 1, adjacent_period(s, unit, 0)) if unit in ("week", "month", "year") else None


def _whole(s: TimeSentence, i: int) -> Found | None:
    year = numbers.year(s, i)
    plain = None if year is None else (year[0], years_of(year[1]))
    if s.word(i) in ("the", "this") and s.word(i + 1) in ("week", "month", "year"):
        return i + 2, adjacent_period(s, s.word(i + 1), 0)
    found = _WHOLE.longest(s, i) or plain
    if found is None and s.word(i - 1) == "-" and (named := numbers.month(s, i)) is not None:
        return named[0], YearlessDays(named[1])  # mid-June
    return found


def _cut(days: DaySpan, which: int) -> DaySpan | None:
    """A third of a month or a year; Monday and Tuesday, Wednesday, Thursday and Friday of a week."""
    match days.unit:
        case "week":
            first, last = ((0, 1), (3, 4), (2, 2))[which]
            return DaySpan(days.first + first, days.first + last, "range")
        case "month":
            first, last = ((0, 9), (20, 30), (10, 19))[which]
            return DaySpan(days.first + first, min(days.first + last, days.last), "range")
        case "year":
            first, last = ((1, 4), (9, 12), (5, 8))[which]
            year = year_of(days.first)
            return DaySpan(month_of(year, first).first, month_of(year, last).last, "range")
    return None


def end_of_unit(s: TimeSentence, i: int) -> Found | None:
    """EOW, EOM, EOY: the last day; of a week Friday."""
    unit = {"eow": "week", "eom": "month", "eoy": "year"}.get(s.word(i))
    if unit is None:
        return None
    last = adjacent_period(s, unit, 0).last
    return i + 1, single_day(last - 2 if unit == "week" else last)


_FEAST_LEADS = frozenset("by on before after since until till this last next".split(" "))
_FEAST_NAMES = {
    tuple(re.findall(r"\w+|[^\w\s]", name)): code for code, names in ENGLISH_FEASTS.items() for name in names
}
_FEAST_WORDS = frozenset(words[0] for words in _FEAST_NAMES)
_LONGEST_FEAST = max(map(len, _FEAST_NAMES))


def feast(s: TimeSentence, i: int) -> Found | None:
    """by Labor Day, on Christmas Eve; *at* or *for* Christmas may mean the days around it."""
    if s.word(i - 1) not in _FEAST_LEADS:
        return None
    for length in range(_LONGEST_FEAST, 0, -1):
        code = _FEAST_NAMES.get(tuple(s.word(j) for j in range(i, i + length)))
        if code is not None:
            year = some_year(s, i + length)
            end, around = (i + length, year_of(s.today)) if year is None else year
            years = (around,) if year is not None else (around, around - 1 if s.prefer == "past" else around + 1)
            days = [day_number(*feast_day(code, each).timetuple()[:3]) for each in years]
            fits = [day for day in days if year or (day <= s.today if s.prefer == "past" else day >= s.today)]
            return (end, single_day(fits[0])) if fits else None
    return None


def rest(s: TimeSentence, i: int) -> Found | None:
    """the rest of the week, earlier this month, later in the year."""
    word = s.word(i)
    if word not in ("rest", "earlier", "later") or (word == "rest" and s.word(i + 1) != "of"):
        return None
    end = s.skip(i + 1, "of", "in", "the", "this", "my", "current")
    unit = s.word(end)
    if unit not in ("week", "month", "year") or end == i + 1:
        return None
    days = adjacent_period(s, unit, 0)
    last = max(s.today - 1, days.first) if word == "earlier" else days.last
    return end + 1, DaySpan(days.first if word == "earlier" else s.today, last, "range")


PART_RULES = (
    TimeRule(part, {"the", "last", *_HALVES, *_ENDS}),
    TimeRule(rest, {"rest", "earlier", "later"}),
    TimeRule(end_of_unit, {"eow", "eom", "eoy"}),
    TimeRule(feast, _FEAST_WORDS),
)


_LEADS = frozenset("in during since until till by before after over throughout from between".split(" "))
_WINTER = SEASONS["winter"]


def season(s: TimeSentence, i: int) -> Found | None:
    """last summer, spring 2025, the winter of 2024/25, in the fall; not a fall, not spring water."""
    start = s.after(i, "the")
    step = STEPS.get(s.word(start))
    named = start if step is None else start + 1
    month = SEASONS.get(s.word(named))
    if month is None:
        return None
    if step is not None:
        return None if s.word(named + 1) == "of" else (named + 1, _near(s.today, month, step))
    year = some_year(s, s.skip(named + 1, "of", "in", ",")) or numbers.short_year(s, named + 1)
    if year is not None:
        return _after_the_second_year(s, year, month), season_of(year[1], month)
    if s.word(i - 1) not in _LEADS or s.word(named + 1) == "of" or not s.ends_clause(named + 1):
        return None
    shared = some_year(s, named + 3) if s.word(named + 2) in SEASONS else None
    return named + 1, _preferred_season(s, month) if shared is None else season_of(shared[1], month)


def season_of(year: int, month: int) -> DaySpan:
    """The three months that begin with this one."""
    return DaySpan(month_of(year, month).first, month_of(year, month + 2).last, "range")


def _after_the_second_year(s: TimeSentence, year: tuple[int, int], month: int) -> int:
    """A winter may name the year it ends in as well: 2024/25."""
    end, number = year
    names_both = month == _WINTER and s.word(end) in ("/", "-", "–") and s.is_joined(end + 1)
    second = s.word(end + 1) if names_both else ""
    return end + 2 if second in (str(number + 1), str(number + 1)[-2:]) else end


def _near(today: int, month: int, step: int) -> DaySpan:
    """The last one that is over, the next one that has not begun, or the current one, else that of this year."""
    year = year_of(today)
    seasons = [season_of(each, month) for each in range(year - 2, year + 2)]
    if step < 0:
        return next(each for each in reversed(seasons) if each.last < today)
    if step > 0:
        return next(each for each in seasons if each.first > today)
    return next((each for each in seasons if each.first <= today <= each.last), season_of(year, month))


def _preferred_season(s: TimeSentence, month: int) -> DaySpan:
    year = year_of(s.today)
    seasons = [season_of(each, month) for each in range(year - 1, year + 2)]
    if s.prefer == "past":
        return next(each for each in reversed(seasons) if each.first <= s.today)
    return next(each for each in seasons if each.last >= s.today)


SEASON_RULES = (TimeRule(season, {"the", *STEPS, *SEASONS}),)


def decade(s: TimeSentence, i: int) -> Found | None:
    """the 1970s, the '40s, the nineteen seventies, the noughties."""
    start = s.after(i, "the")
    stop, number = s.after(start, "'", "’"), s.word(s.after(start, "'", "’"))
    if number.isdecimal() and number[-1] == "0" and len(number) in (2, 4):
        end = s.after(stop + 1, "'", "’")
        if s.word(end) != "s" or not s.is_joined(end) or (len(number) == 2 and not _is_decade_led(s, i, stop)):
            return None
        return end + 1, years_of(numbers.full_year(int(number)) if len(number) == 4 else 1900 + int(number), 10)
    return _spoken_decade(s, i, start)


def _is_decade_led(s: TimeSentence, i: int, end: int) -> bool:
    return end > i or s.word(i - 1) in ("in", "during", "since")


def _spoken_decade(s: TimeSentence, i: int, start: int) -> Found | None:
    if (s.word(start), s.word(start + 1)) == ("two", "thousands"):
        return start + 2, years_of(2000, 10)
    century = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}.get(s.word(start))
    end = start if century is None else s.after(start + 1, "-")
    number = DECADES.get(s.word(end))
    if number is None or start == i or (century is None and number == 10):
        return None
    return end + 1, years_of((century or (2000 if number == 0 else 1900)) + number, 10)


def century(s: TimeSentence, i: int) -> Found | None:
    """the 15th century."""
    start = s.after(i, "the")
    rank = numbers.ordinal(s, start)
    if rank is None or s.word(rank[0]) != "century" or not 1 < rank[1] <= 30:
        return None
    return rank[0] + 1, years_of((rank[1] - 1) * 100, 100)


DECADE_RULES = (TimeRule(decade, {"the", "'", "’", *NUMBERS, *DECADES}), TimeRule(century, {"the", *RANKS}))
