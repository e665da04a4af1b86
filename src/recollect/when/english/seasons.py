"""Seasons of the northern year, each of three whole months; a winter belongs to the year it begins in."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import Found
from recollect.when.english.days import Days, month_of
from recollect.when.english.sentence import Sentence
from recollect.when.english.stretches import some_year
from recollect.when.english.words import SEASONS, STEPS
from recollect.when.gregorian import year_of

_LEADS = frozenset("in during since until till by before after over throughout from between".split(" "))
_WINTER = SEASONS["winter"]


def season(s: Sentence, i: int) -> Found | None:
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


def season_of(year: int, month: int) -> Days:
    """The three months that begin with this one."""
    return Days(month_of(year, month).first, month_of(year, month + 2).last, "range")


def _behind_the_second_year(s: Sentence, year: tuple[int, int], month: int) -> int:
    """A winter may name the year it ends in as well: 2024/25."""
    behind, number = year
    names_both = month == _WINTER and s.word(behind) in ("/", "-", "–") and s.is_joined(behind + 1)
    second = s.word(behind + 1) if names_both else ""
    return behind + 2 if second in (str(number + 1), str(number + 1)[-2:]) else behind


def _near(today: int, month: int, step: int) -> Days:
    """The last that is over, the next that has not begun, or the one of now, else of this year."""
    year = year_of(today)
    seasons = [season_of(each, month) for each in range(year - 2, year + 2)]
    if step < 0:
        return next(each for each in reversed(seasons) if each.last < today)
    if step > 0:
        return next(each for each in seasons if each.first > today)
    return next((each for each in seasons if each.first <= today <= each.last), season_of(year, month))


def _leaning(s: Sentence, month: int) -> Days:
    year = year_of(s.today)
    seasons = [season_of(each, month) for each in range(year - 1, year + 2)]
    if s.lean == "past":
        return next(each for each in reversed(seasons) if each.first <= s.today)
    return next(each for each in seasons if each.last >= s.today)


RULES = (season,)
