"""Dates that name their month: in words, in numbers, with or without a year."""

from recollect.when.english import numbers
from recollect.when.english.day_spans import DaySpan, YearlessDays, month_of
from recollect.when.english.rules import FIGURES, NUMBERS, Found, TimeRule
from recollect.when.english.sentence import TimeSentence
from recollect.when.english.words import DOUBTFUL, MONTHS, NAMES, WEEKDAYS

_LEADS = frozenset(
    "in on by since until till before after during from of this next last for through throughout around early late mid "
    "between end start beginning middle".split(" ")
)
_JOINTS = frozenset({"and", "to", "until", "till", "through", "thru", "-", "–"})
_LONGEST_NUMBER = 5
_MEASURES = frozenset(
    [
        "inch",
        "inches",
        "cup",
        "cups",
        "mile",
        "miles",
        "teaspoon",
        "teaspoons",
        "tablespoon",
        "tablespoons",
        "tsp",
        "tbsp",
        "scale",
    ]
)


def month_day(s: TimeSentence, i: int) -> Found | None:
    """March 16, Mar. 16th, Monday, March the sixteenth 2026."""
    start = weekday_before(s, i)
    named = numbers.month(s, start)
    if named is None:
        return None
    end = s.after(s.after(named[0], "-", "/", ".") if s.is_joined(named[0]) else named[0], "the")
    day = numbers.day_of_month(s, end)
    if day is None or s.word(day[0]) in _MEASURES:
        return None
    found = with_year(s, day[0], YearlessDays(named[1], day[1]))
    plain = s.word(end).isdecimal() and day[0] == end + 1
    sure = not plain or isinstance(found[1], DaySpan) or clear_month(s, start)
    return found if sure else None


def day_month(s: TimeSentence, i: int) -> Found | None:
    """16 March, the 16th of March, Wed, 16 Mar 2026."""
    start = s.after(weekday_before(s, i), "the")
    day = numbers.day_of_month(s, start)
    if day is None:
        return None
    end = s.after(day[0], "of", "-", "/", ".")
    named = numbers.month(s, end)
    if named is None or (s.word(start).isalpha() and s.word(end - 1) != "of"):
        return None
    found = with_year(s, named[0], YearlessDays(named[1], day[1]))
    sure = isinstance(found[1], DaySpan) or clear_month(s, end) or end > day[0]
    return found if sure else None


def with_year(s: TimeSentence, i: int, piece: YearlessDays) -> Found:
    """The piece with the year that follows, if one does."""
    end = s.skip(i, ",", "-", "/", ".", "of", "in")
    year = numbers.year(s, end) or numbers.short_year(s, s.after(i, ","))
    dated = None if year is None else piece.in_year(year[1])
    return (i, piece) if year is None or dated is None else (year[0], dated)


def weekday_before(s: TimeSentence, i: int) -> int:
    """The index after a weekday and its comma, if there is one."""
    return s.after(s.after(i + 1, "."), ",") if s.word(i) in WEEKDAYS else i


def clear_month(s: TimeSentence, i: int) -> bool:
    """Whether the token is surely a month and not another word."""
    return s.word(i) not in DOUBTFUL or s.is_capital(i)


def month_alone(s: TimeSentence, i: int) -> Found | None:
    """March, March 2026, in May; not the verb and not the modal."""
    named = numbers.month(s, i)
    if named is None:
        return None
    year = numbers.year(s, s.skip(named[0], ",", "of", "-", "/"))
    year = year or numbers.short_year(s, named[0])
    if year is not None:
        return year[0], month_of(year[1], named[1])
    led = _is_led(s, i)
    sure = s.word(i) not in DOUBTFUL | NAMES or (led and (s.word(i) in NAMES or s.is_capital(i)))
    long = len(s.word(i)) > 3 or (s.is_capital(i) and not s.tokens[i].text.isupper())
    return (i + 1, YearlessDays(named[1])) if sure and long else None


def _is_led(s: TimeSentence, i: int) -> bool:
    """Whether a preposition precedes the month, or it is an end of a range of months."""
    if s.word(i - 1) in _LEADS or (s.word(i + 1) in _JOINTS - {"and"} and s.word(i + 2) in MONTHS):
        return True
    before = {s.word(j) for j in range(i - 4, i - 1)}
    if (
        s.word(i - 1) in ("and", "or", ",")
        and s.word(i - 2) in MONTHS
        and (s.word(i - 2) not in NAMES or _is_led(s, i - 2))
    ):
        return True
    return s.word(i - 1) in _JOINTS and (
        not before.isdisjoint(("between", "from")) or (s.word(i - 2) in MONTHS and s.word(i - 1) != "and")
    )


def year_first(s: TimeSentence, i: int) -> Found | None:
    """2026 March, 2026-mar-16."""
    year = numbers.year(s, i)
    named = None if year is None else numbers.month(s, s.skip(year[0], ",", "-", "/"))
    if year is None or named is None or not s.word(i).isdecimal():
        return None
    if s.word(named[0]) in ("-", "/") and s.is_joined(named[0]):
        day = numbers.day_of_month(s, named[0] + 1)
        dated = None if day is None else YearlessDays(named[1], day[1]).in_year(year[1])
        return None if day is None or dated is None else (day[0], dated)
    return named[0], month_of(year[1], named[1])


def numeric(s: TimeSentence, i: int) -> Found | None:
    """2026-03-16, 16.3.2026, 3/16/26; the month first where both could be it."""
    parts, end = _joined_numbers(s, i)
    if len(parts) != 3 or s.word(end - 2) not in "-/.,":
        return None
    first, second, third = parts
    if len(s.word(i)) == 4:
        return _dated(end, first, second, third)
    if len(s.word(end - 1)) not in (2, 4):
        return None
    month, day = (second, first) if first > 12 else (first, second)
    return _dated(end, numbers.full_year(third), month, day)


def _dated(end: int, year: int, month: int, day: int) -> Found | None:
    dated = YearlessDays(month, day).in_year(year) if 1 <= month <= 12 and year else None
    return None if dated is None else (end, dated)


def _joined_numbers(s: TimeSentence, i: int) -> tuple[list[int], int]:
    """Numbers joined by the same separator, and the index after them."""
    if not s.word(i).isdecimal() or (s.is_joined(i) and s.word(i - 1) not in "(['\"|"):
        return [], i
    parts, end, sign = [_number(s.word(i))], i + 1, s.word(i + 1)
    while (
        (s.word(end) == sign or s.word(end) == ",")
        and sign in ("-", "/", ".")
        and s.is_joined(end)
        and s.is_joined(end + 1)
        and s.word(end + 1).isdecimal()
    ):
        parts.append(_number(s.word(end + 1)))
        end += 2
    return parts, end


def _number(digits: str) -> int:
    """A number; of one too long for any date the beginning, since Python refuses to read thousands of digits."""
    return int(digits[:_LONGEST_NUMBER])


def month_and_day_number(s: TimeSentence, i: int) -> Found | None:
    """4/22, or on 4-22 and on 4.22; never a fraction or a score."""
    parts, end = _joined_numbers(s, i)
    if len(parts) != 2 or max(len(s.word(i)), len(s.word(i + 2))) > 2 or parts == [24, 7]:
        return None
    led = s.word(i - 1) in ("on", "by", "from", "to", "until", "since", "before", "after", "between", "and", "in")
    telling = s.word(i + 1) == "/" and (max(parts) > 12 or s.word(i)[0] == "0" or s.word(i + 2)[0] == "0")
    if not (telling or (led and s.word(i - 1) != "and")) or s.word(end) in _MEASURES or s.word(end) == "%":
        return None
    month, day = (parts[1], parts[0]) if parts[0] > 12 else (parts[0], parts[1])
    if s.word(i + 1) != "/" and not (s.word(i - 1) in ("on", "in") and s.ends_clause(end)):
        return None
    return (end, YearlessDays(month, day)) if 1 <= month <= 12 and 1 <= day <= 31 else None


def month_number(s: TimeSentence, i: int) -> Found | None:
    """2026-3, 3/2026, with or without spaces."""
    if not s.word(i).isdecimal() or s.is_joined(i) or s.word(i + 1) not in ("-", "/"):
        return None
    one, other = s.word(i), s.word(i + 2)
    if not other.isdecimal() or (s.is_joined(i + 4) and s.word(i + 3) in ("-", "/", ".", ":")):
        return None
    year, month = (one, other) if len(one) == 4 else (other, one)
    if len(year) != 4 or len(month) > 2 or not 1900 <= int(year) <= 2099 or not 1 <= int(month) <= 12:
        return None
    return i + 3, month_of(int(year), int(month))


RULES = (
    TimeRule(month_day, MONTHS.keys() | WEEKDAYS),
    TimeRule(day_month, {"the", *WEEKDAYS, *NUMBERS}),
    TimeRule(month_alone, MONTHS.keys()),
    TimeRule(year_first, {FIGURES}),
    TimeRule(numeric, {FIGURES}),
    TimeRule(month_and_day_number, {FIGURES}),
    TimeRule(month_number, {FIGURES}),
)
