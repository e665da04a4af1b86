"""Days relative to today: tomorrow, next Friday, three weeks ago, the first Monday of next month."""

from recollect.when.english import numbers
from recollect.when.english.day_spans import (
    DaySpan,
    Piece,
    YearlessDays,
    month_of,
    nth_weekday,
    single_day,
    week_of,
    weekday_of,
)
from recollect.when.english.rules import COUNTS, RANKS, Found, TimeRule
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import DOUBTFUL, STEPS, TODAY, WEEKDAYS
from recollect.when.gregorian import ymd


def near_day(s: TimeSentence, i: int) -> Found | None:
    """today, tomorrow, the day before yesterday."""
    if s.word(i) in TODAY:
        return i + 1, single_day(s.today + TODAY[s.word(i)])
    if s.word(i) == "last" and s.word(i + 1) == "night":
        return i + 2, single_day(s.today - 1)
    if s.word(i) == "this" and s.word(i + 1) in ("morning", "afternoon", "evening"):
        return i + 2, single_day(s.today)
    start = s.after(i, "the")
    step = {("before", "yesterday"): -2, ("after", "tomorrow"): 2, ("after", "tmrw"): 2}
    found = step.get((s.word(start + 1), s.word(start + 2))) if s.word(start) == "day" else None
    return None if found is None else (start + 3, single_day(s.today + found))


def weekday(s: TimeSentence, i: int) -> Found | None:
    """Friday, next Friday, Friday week, Friday next week, next week on Friday, Friday the 16th."""
    stepped = _stepped_weekday(s, i) or _weekday_in_week(s, i) or _week_then_weekday(s, i)
    found = stepped or _plain_weekday(s, i) or _before_week(s, i)
    if found is None or s.word(found[0]) != "week" or s.word(found[0] + 1).isdecimal():
        return found
    day = found[1]
    assert isinstance(day, DaySpan)
    return found[0] + 1, single_day(day.first + 7)


def _before_week(s: TimeSentence, i: int) -> Found | None:
    """The weekday of *Friday week*, which needs no word that leads it."""
    day = WEEKDAYS.get(s.word(i))
    return None if day is None or s.word(i + 1) != "week" else (i + 1, single_day(nearest_weekday(s, day)))


def nearest_weekday(s: TimeSentence, day: int) -> int:
    """The last or the coming such weekday, as past or future is preferred; today counts."""
    distance = (weekday_of(s.today) - day) % 7 if s.prefer == "past" else -((day - weekday_of(s.today)) % 7)
    return s.today - distance


def _stepped_weekday(s: TimeSentence, i: int) -> Found | None:
    step, day = STEPS.get(s.word(i)), WEEKDAYS.get(s.word(i + 1))
    if step is None or day is None:
        return None
    if step < 0:
        return i + 2, single_day(s.today - 1 - (weekday_of(s.today) - 1 - day) % 7)
    if step > 0 and s.word(i) != "next":
        return i + 2, single_day(s.today + 1 + (day - weekday_of(s.today) - 1) % 7)
    found = week_of(s.today).first + 7 * step + day
    is_over = step == 0 and s.prefer == "future" and found < s.today
    return i + 2, single_day(found + 7 if is_over else found)


def _weekday_in_week(s: TimeSentence, i: int) -> Found | None:
    day = WEEKDAYS.get(s.word(i))
    week = None if day is None else stepped_week(s, s.skip(i + 1, "of", "the", ","))
    return None if day is None or week is None else (week[0], single_day(week[1].first + day))


def _week_then_weekday(s: TimeSentence, i: int) -> Found | None:
    week = stepped_week(s, i)
    end = None if week is None else s.skip(week[0], "on", ",")
    day = None if end is None else WEEKDAYS.get(s.word(end))
    return None if week is None or end is None or day is None else (end + 1, single_day(week[1].first + day))


def stepped_week(s: TimeSentence, i: int) -> tuple[int, DaySpan] | None:
    """this week, next week, last week."""
    step = STEPS.get(s.word(i))
    return (i + 2, week_of(s.today + 7 * step)) if step is not None and s.word(i + 1) == "week" else None


def _plain_weekday(s: TimeSentence, i: int) -> Found | None:
    day = WEEKDAYS.get(s.word(i))
    if day is None:
        return None
    dated = _weekday_and_number(s, i, day)
    if dated is not None:
        return dated
    led = s.word(i - 1) in _WEEKDAY_LEADS
    short = len(s.word(i)) <= 4
    if _recurs(s, i) or (short and not led) or (s.word(i) in DOUBTFUL and not s.is_capital(i)):
        return None
    if not led and _is_name(s, i):
        return None
    return i + 1, single_day(nearest_weekday(s, day))


_WEEKDAY_LEADS = ("on", "by", "until", "till", "before", "after", "since", "from", "to", "between", "and", "due")
_POSSESSIVES = ("a", "an", "the", "my", "our", "your", "his", "her", "their")
_PARTS_OF_DAYS = ("mornings", "afternoons", "evenings", "nights")


def _recurs(s: TimeSentence, i: int) -> bool:
    """Whether a weekday is one of many: every Friday, Monday to Friday, the second Sunday."""
    counted = numbers.ordinal(s, i - 1) or numbers.cardinal(s, i - 1)
    if s.word(i - 1) in ("every", "each", *_POSSESSIVES) or (counted is not None and counted[0] == i):
        return True
    runs_on = s.word(i + 1) in ("to", "through", "thru", "-", "–") and s.word(i + 2) in WEEKDAYS
    ran_on = s.word(i - 1) in ("to", "through", "thru", "-", "–") and s.word(i - 2) in WEEKDAYS
    return runs_on or ran_on or s.word(i + 1) in _PARTS_OF_DAYS


def _is_name(s: TimeSentence, i: int) -> bool:
    """Whether a weekday is a label or part of a name: Aspen Saturday Market, Monday: soup."""
    named_before = s.is_capital(i - 1) and s.word(i - 1).isalpha() and s.word(i - 2) not in ("", ".", "!", "?")
    return named_before or (s.is_capital(i + 1) and s.word(i + 1) != "i") or s.word(i + 1) in (":", "*")


def _weekday_and_number(s: TimeSentence, i: int, day: int) -> Found | None:
    end = s.after(i + 1, ",")
    number = numbers.day_of_month(s, end + 1) if s.word(end) == "the" else _number_at_end(s, end)
    if number is None:
        return None
    # Both must agree within half a year; the nearest such day is meant.
    near = (s.today + sign * n for n in range(190) for sign in (1, -1))
    found = next((d for d in near if weekday_of(d) == day and ymd(d)[2] == number[1]), None)
    return None if found is None else (number[0], single_day(found))


def _number_at_end(s: TimeSentence, i: int) -> tuple[int, int] | None:
    """The number of *on Sat 30*, where it counts nothing that follows."""
    number = numbers.digits(s, i, 2)
    is_alone = number is not None and s.word(number[0]) in ("", ".", ",", "!", "?", ";", ")")
    return number if is_alone and not s.word(i + 2).isdecimal() else None


def weekdays_away(s: TimeSentence, i: int) -> Found | None:
    """two Sundays from now."""
    number = numbers.count(s, i)
    day = None if number is None else WEEKDAYS.get(s.word(number[0]).removesuffix("s"))
    if number is None or day is None or (s.word(number[0] + 1), s.word(number[0] + 2)) != ("from", "now"):
        return None
    first = s.today + 1 + (day - weekday_of(s.today) - 1) % 7
    return number[0] + 3, single_day(first + 7 * (min(number[1], 999) - 1))


def ranked_weekday(s: TimeSentence, i: int) -> Found | None:
    """the first Friday of July, the last Monday of next month."""
    rank = _rank(s, s.after(i, "the"))
    day = None if rank is None else WEEKDAYS.get(s.word(rank[0]))
    if rank is None or day is None:
        return None
    month = some_month(s, s.skip(rank[0] + 1, "of", "in", "the"))
    if month is None:
        return None
    if isinstance(month[1], DaySpan):
        found = nth_weekday(month[1], day, rank[1])
        return None if found is None else (month[0], found)
    return _ranked_in_some_year(s, month[0], month[1], day, rank[1])


def _ranked_in_some_year(s: TimeSentence, end: int, month: YearlessDays, day: int, rank: int) -> Found | None:
    this = ymd(s.today)[0]
    years = (this, this - 1) if s.prefer == "past" else (this, this + 1)
    found = [nth_weekday(month_of(year, month.month), day, rank) for year in years]
    fits = [d for d in found if d is not None and (d.first <= s.today if s.prefer == "past" else d.first >= s.today)]
    return (end, fits[0]) if fits else None


def _rank(s: TimeSentence, i: int) -> tuple[int, int] | None:
    return (i + 1, -1) if s.word(i) == "last" else numbers.ordinal(s, i)


def some_month(s: TimeSentence, i: int) -> tuple[int, Piece] | None:
    """July, July 2026, next month."""
    step = STEPS.get(s.word(i))
    if step is not None and s.word(i + 1) == "month":
        year, month, _ = ymd(s.today)
        return i + 2, month_of(year, month + step)
    named = numbers.month(s, i)
    if named is None:
        return None
    year_found = numbers.year(s, s.skip(named[0], ",", "of"))
    if year_found is None:
        return named[0], YearlessDays(named[1])
    return year_found[0], month_of(year_found[1], named[1])


def day_of_some_month(s: TimeSentence, i: int) -> Found | None:
    """the 20th of next month, by the 27th."""
    number = numbers.ordinal(s, s.after(i, "the"))
    if number is None or s.word(number[0]) != "of":
        return _day_alone(s, i)
    month = some_month(s, s.skip(number[0], "of", "the"))
    if month is None or isinstance(month[1], YearlessDays):
        return None
    day = _number_in(month[1], number[1])
    return None if day is None else (month[0], single_day(day))


def _day_alone(s: TimeSentence, i: int) -> Found | None:
    led = s.word(i - 1) in ("on", "by", "until", "till", "before", "since", "for", "of", "from", "to")
    led_bare = s.word(i - 1) in ("on", "by", "until", "since", "for")
    number = numbers.ordinal(s, i + 1) or numbers.digits(s, i + 1, 2)
    if not led or s.word(i) != "the" or number is None or not 1 <= number[1] <= 31:
        return None
    # The first, the second … are mostly ranks; a bare number may count what follows it.
    in_words = s.word(i + 1).isalpha()
    bare = number[0] == i + 2 and not in_words
    if (in_words and number[1] <= 10) or not s.ends_clause(number[0]) or s.word(number[0]) in ("-", "/"):
        return None
    if bare and (not led_bare or s.word(number[0]) not in ("", ".", ",", "!", "?", ";", ":", ")")):
        return None
    year, month, _ = ymd(s.today)
    near = (0, -1, -2) if s.prefer == "past" else (0, 1, 2)
    candidates = [_number_in(month_of(year, month + n), number[1]) for n in near]
    fits = [d for d in candidates if d is not None and (d <= s.today if s.prefer == "past" else d >= s.today)]
    return (number[0], single_day(fits[0])) if fits else None


def _number_in(month: DaySpan, number: int) -> int | None:
    day = month.first + number - 1
    return day if number >= 1 and day <= month.last else None


RULES = (
    TimeRule(near_day, {*TODAY, "last", "this", "the", "day"}),
    TimeRule(weekday, STEPS.keys() | WEEKDAYS),
    TimeRule(weekdays_away, COUNTS),
    TimeRule(ranked_weekday, {"the", "last", *RANKS}),
    TimeRule(day_of_some_month, {"the", *RANKS}),
)
