"""Seasons, decades and centuries."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import Found
from recollect.when.english.day_spans import DaySpan, month_of, years_of
from recollect.when.english.periods import some_year
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import DECADES, SEASONS, STEPS
from recollect.when.gregorian import year_of

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
        return _behind_the_second_year(s, year, month), season_of(year[1], month)
    if s.word(i - 1) not in _LEADS or s.word(named + 1) == "of" or not s.ends_clause(named + 1):
        return None
    shared = some_year(s, named + 3) if s.word(named + 2) in SEASONS else None
    return named + 1, _leaning(s, month) if shared is None else season_of(shared[1], month)


def season_of(year: int, month: int) -> DaySpan:
    """The three months that begin with this one."""
    return DaySpan(month_of(year, month).first, month_of(year, month + 2).last, "range")


def _behind_the_second_year(s: TimeSentence, year: tuple[int, int], month: int) -> int:
    """A winter may name the year it ends in as well: 2024/25."""
    behind, number = year
    names_both = month == _WINTER and s.word(behind) in ("/", "-", "–") and s.is_joined(behind + 1)
    second = s.word(behind + 1) if names_both else ""
    return behind + 2 if second in (str(number + 1), str(number + 1)[-2:]) else behind


def _near(today: int, month: int, step: int) -> DaySpan:
    """The last one that is over, the next one that has not begun, or the current one, else that of this year."""
    year = year_of(today)
    seasons = [season_of(each, month) for each in range(year - 2, year + 2)]
    if step < 0:
        return next(each for each in reversed(seasons) if each.last < today)
    if step > 0:
        return next(each for each in seasons if each.first > today)
    return next((each for each in seasons if each.first <= today <= each.last), season_of(year, month))


def _leaning(s: TimeSentence, month: int) -> DaySpan:
    year = year_of(s.today)
    seasons = [season_of(each, month) for each in range(year - 1, year + 2)]
    if s.lean == "past":
        return next(each for each in reversed(seasons) if each.first <= s.today)
    return next(each for each in seasons if each.last >= s.today)


RULES = (season,)


def decade(s: TimeSentence, i: int) -> Found | None:
    """the 1970s, the '40s, the nineteen seventies, the noughties."""
    start = s.after(i, "the")
    behind, number = s.after(start, "'", "’"), s.word(s.after(start, "'", "’"))
    if number.isdecimal() and number[-1] == "0" and len(number) in (2, 4):
        end = s.after(behind + 1, "'", "’")
        if s.word(end) != "s" or not s.is_joined(end) or (len(number) == 2 and not _is_decade_led(s, i, behind)):
            return None
        return end + 1, years_of(numbers.full_year(int(number)) if len(number) == 4 else 1900 + int(number), 10)
    return _spoken_decade(s, i, start)


def _is_decade_led(s: TimeSentence, i: int, behind: int) -> bool:
    return behind > i or s.word(i - 1) in ("in", "during", "since")


def _spoken_decade(s: TimeSentence, i: int, start: int) -> Found | None:
    if (s.word(start), s.word(start + 1)) == ("two", "thousands"):
        return start + 2, years_of(2000, 10)
    century = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}.get(s.word(start))
    behind = start if century is None else s.after(start + 1, "-")
    number = DECADES.get(s.word(behind))
    if number is None or start == i or (century is None and number == 10):
        return None
    return behind + 1, years_of((century or (2000 if number == 0 else 1900)) + number, 10)


def century(s: TimeSentence, i: int) -> Found | None:
    """the 15th century."""
    start = s.after(i, "the")
    rank = numbers.ordinal(s, start)
    if rank is None or s.word(rank[0]) != "century" or not 1 < rank[1] <= 30:
        return None
    return rank[0] + 1, years_of((rank[1] - 1) * 100, 100)


DECADE_RULES = (decade, century)
