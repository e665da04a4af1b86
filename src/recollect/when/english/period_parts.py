"""Parts of longer times: early May, the end of 2000, the rest of the week, later this year."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import RULES as DATES
from recollect.when.english.calendar_dates import Found
from recollect.when.english.day_spans import DaySpan, month_of, years_of
from recollect.when.english.offsets import resolve_piece
from recollect.when.english.periods import RULES as STRETCHES
from recollect.when.english.periods import adjacent_period, longest
from recollect.when.english.sentence import TimeSentence
from recollect.when.gregorian import year_of

_HALVES = {"early": 0, "late": 1, "mid": 2}
_ENDS = {"beginning": 0, "start": 0, "end": 1, "middle": 2}


def part(s: TimeSentence, i: int) -> Found | None:
    """early next week, late 2024, the end of March, mid-May."""
    start = s.after(i, "the")
    which = _HALVES.get(s.word(i))
    behind = s.after(i + 1, "-")
    is_third = False
    if which is None:
        which = _ENDS.get(s.word(start)) if s.word(start + 1) == "of" else None
        behind, is_third = start + 2, True
    if which is None:
        return None
    whole = _whole(s, behind)
    days = None if whole is None else resolve_piece(s, whole[1])
    cut = None if days is None else _cut(days, which, is_third)
    return None if whole is None or cut is None else (whole[0], cut)


def _whole(s: TimeSentence, i: int) -> Found | None:
    year = numbers.year(s, i)
    plain = None if year is None else (year[0], years_of(year[1]))
    if s.word(i) in ("the", "this") and s.word(i + 1) in ("week", "month", "year"):
        return i + 2, adjacent_period(s, s.word(i + 1), 0)
    return longest(s, i, (*DATES, *STRETCHES)) or plain


def _cut(days: DaySpan, which: int, is_third: bool) -> DaySpan | None:
    match days.unit:
        case "week":
            first, last = ((0, 2), (3, 6), (1, 4))[which]
            return DaySpan(days.first + first, days.first + last, "range")
        case "month":
            first, last = ((0, 14), (15, 30), (9, 19))[which]
            return DaySpan(days.first + first, min(days.first + last, days.last), "range")
        case "year":
            first, last = (((1, 4), (9, 12), (5, 8)) if is_third else ((1, 6), (7, 12), (5, 8)))[which]
            year = year_of(days.first)
            return DaySpan(month_of(year, first).first, month_of(year, last).last, "range")
    return None


def rest(s: TimeSentence, i: int) -> Found | None:
    """the rest of the week, earlier this month, later in the year."""
    word = s.word(i)
    if word not in ("rest", "earlier", "later") or (word == "rest" and s.word(i + 1) != "of"):
        return None
    behind = s.skip(i + 1, "of", "in", "the", "this", "my", "current")
    unit = s.word(behind)
    if unit not in ("week", "month", "year") or behind == i + 1:
        return None
    days = adjacent_period(s, unit, 0)
    last = max(s.today - 1, days.first) if word == "earlier" else days.last
    return behind + 1, DaySpan(days.first if word == "earlier" else s.today, last, "range")


RULES = (part, rest)
