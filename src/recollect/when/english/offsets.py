"""Days at a distance: three weeks ago, in four business days, the Sunday before October 25."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import RULES as DATES
from recollect.when.english.day_spans import (
    DaySpan,
    Piece,
    Unit,
    add_months,
    resolve_year,
    single_day,
    week_of,
    weekday_of,
)
from recollect.when.english.relative_days import nearest_weekday
from recollect.when.english.rules import COUNTS, Found, TimeRule, TimeRules
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import TODAY, UNITS, WEEKDAYS

Length = tuple[int, int, Unit]
_DATES = TimeRules(DATES)


def length(s: TimeSentence, i: int) -> tuple[int, Length] | None:
    """An amount of time as months and days: 3 weeks; 2 years, 1 month and 21 days."""
    months = days = 0
    unit: Unit = "day"
    end = i
    while (part := _part(s, s.skip(end, ",", "and") if end > i else i)) is not None:
        end, (more_months, more_days, unit) = part[0], part[1]
        months, days = months + more_months, days + more_days
    return (end, (months, days, unit)) if end > i else None


def _part(s: TimeSentence, i: int) -> tuple[int, tuple[int, int, Unit]] | None:
    number = numbers.count(s, i)
    if number is None:
        return None
    name = UNITS.get(s.word(number[0]))
    sizes: dict[str, tuple[int, int, Unit]] = {
        "day": (0, 1, "day"),
        "week": (0, 7, "week"),
        "fortnight": (0, 14, "week"),
        "month": (1, 0, "month"),
        "quarter": (3, 0, "month"),
        "year": (12, 0, "year"),
        "decade": (120, 0, "year"),
        "century": (1200, 0, "year"),
    }
    if name is None:
        return None
    months, days, unit = sizes[name]
    return number[0] + 1, (months * number[1], days * number[1], unit)


def shift_day(day: int, amount: Length, direction: int) -> int | None:
    """The day at a distance from another, unless it is out of range."""
    months, days = amount[0], amount[1]
    return add_months(day + direction * days, direction * months) if months < 48_000 and days < 1_000_000 else None


def ago(s: TimeSentence, i: int) -> Found | None:
    """three weeks ago, two days from now, four days before yesterday."""
    amount = length(s, i)
    if amount is None:
        return None
    anchor = _anchor(s, amount[0])
    if anchor is None:
        return None
    end, day, direction = anchor
    found = shift_day(day, amount[1], direction)
    if found is None or (s.word(i - 2), s.word(i - 1)) != ("less", "than"):
        return None if found is None else (end, DaySpan(found, found, amount[1][2]))
    return end, DaySpan(min(day, found), max(day, found), "range")


def _anchor(s: TimeSentence, i: int) -> tuple[int, int, int] | None:
    word, second = s.word(i), s.word(i + 1)
    if word == "ago":
        return i + 1, s.today, -1
    if word == "hence" or (word == "from" and second == "now"):
        return (i + 1 if word == "hence" else i + 2), s.today, 1
    direction = {"from": 1, "after": 1, "before": -1}.get(word)
    if word in ("from", "on") and second in WEEKDAYS:
        return i + 2, nearest_weekday(s, WEEKDAYS[second]), 1
    if direction is not None and second in TODAY:
        return i + 2, s.today + TODAY[second], direction
    dated = None if direction is None or word == "from" else _date(s, i + 1)
    return None if direction is None or dated is None else (dated[0], dated[1], direction)


def _date(s: TimeSentence, i: int) -> tuple[int, int] | None:
    """A day with its month, as a day number."""
    found = _DATES.longest(s, i)
    day = None if found is None else resolve_piece(s, found[1])
    return None if found is None or day is None or day.unit != "day" else (found[0], day.first)


def beside_date(s: TimeSentence, i: int) -> Found | None:
    """the Sunday before October 25, the week after 3 May 2026, the weekend before May 9."""
    start = s.after(i, "the")
    side = {"before": -1, "after": 1}.get(s.word(start + 1))
    dated = None if side is None else _date(s, start + 2)
    if side is None or dated is None:
        return None
    end, day = dated
    named, word = WEEKDAYS.get(s.word(start)), s.word(start)
    if named is not None:
        gap = (weekday_of(day) - named) * -side
        return end, single_day(day + side * ((gap - 1) % 7 + 1))
    beside: dict[str, DaySpan] = {"day": single_day(day + side), "week": week_of(day + 7 * side)}
    if word == "weekend":
        saturday = day - 1 - (weekday_of(day) - 6) % 7 if side < 0 else day + 1 + (4 - weekday_of(day)) % 7
        beside["weekend"] = DaySpan(saturday, saturday + 1, "range")
    return (end, beside[word]) if word in beside else None


def in_future(s: TimeSentence, i: int) -> Found | None:
    """in three weeks, in four business days."""
    if s.word(i) != "in":
        return None
    business = _business_days(s, i + 1)
    if business is not None:
        return business
    amount = None if _is_negated(s, i) else length(s, i + 1)
    if amount is None or s.word(amount[0]) in ("of", "or", "-", "ago") or s.word(i + 1) == "the":
        return None
    found = shift_day(s.today, amount[1], 1)
    return None if found is None else (amount[0], DaySpan(found, found, amount[1][2]))


def _is_negated(s: TimeSentence, i: int) -> bool:
    """Whether the clause is about something that has not happened for that long."""
    for j in range(i - 1, max(i - 9, -1), -1):
        if s.word(j) in (".", "!", "?", ";"):
            return False
        if s.word(j) in _PERFECT:
            return True
    return False


_PERFECT = frozenset({"haven", "hasn", "hadn", "didn", "never", "not", "ve", "first", "how", "times", "once", "twice"})


def _business_days(s: TimeSentence, i: int) -> Found | None:
    number = numbers.count(s, i)
    if number is None or number[1] > 400 or s.word(number[0]) not in ("business", "working"):
        return None
    if UNITS.get(s.word(number[0] + 1)) != "day":
        return None
    day, left = s.today, number[1]
    while left:
        day += 1
        left -= weekday_of(day) < 5
    return number[0] + 2, single_day(day)


def resolve_piece(s: TimeSentence, piece: Piece) -> DaySpan | None:
    """The span with its year, in the past or the future as the sentence suggests."""
    return resolve_year(piece, s.today, s.prefer)


RULES = (
    TimeRule(beside_date, {"the", "day", "week", "weekend", *WEEKDAYS}),
    TimeRule(ago, COUNTS),
    TimeRule(in_future, {"in"}),
)
