"""A day, month or year in one of the calendars that family trees use, as stretches of Gregorian days."""

import re
from dataclasses import dataclass

from recollect.when.foreign import FRENCH, HEBREW, JULIAN, ForeignCalendar
from recollect.when.gregorian import day_number, month_days, year_start, ymd
from recollect.when.place import ABOUT, iso_place

_ESCAPE = re.compile(r"^@#D\s*([A-Z _]*?)\s*@\s*", re.IGNORECASE)
_CALENDAR_WORD = re.compile(r"^(GREGORIAN|JULIAN|HEBREW|FRENCH_R)\b\s*", re.IGNORECASE)
_EPOCH = re.compile(r"\s*\(?\b(B\.?\s?C\.?(?:\s?E\.?)?|A\.?D\.?|C\.?\s?E\.?)\)?\s*$", re.IGNORECASE)
_PARTS = re.compile(r"^(?:(?:(\d{1,2})\.?\s+)?([A-Z]+)\.?\s*,?\s+)?(\d{1,4})(?:\s*[/-]\s*(\d{1,4}))?$", re.IGNORECASE)
_ENGLISH = "january february march april may june july august september october november december".split()
_HEBREW = "TSH CSH KSL TVT SHV ADR ADS NSN IYR SVN TMZ AAV ELL".split()
_FRENCH = "VEND BRUM FRIM NIVO PLUV VENT GERM FLOR PRAI MESS THER FRUC COMP".split()
_ADAR, _ADAR_SHENI = 6, 7


@dataclass(frozen=True, slots=True)
class Unit:
    """A day, month or year: its parts by its own calendar, and its first and last day."""

    year: int
    month: int | None
    day: int | None
    first: int
    last: int
    calendar: ForeignCalendar | None = None

    @property
    def is_foreign(self) -> bool:
        return self.calendar is not None

    @property
    def start(self) -> str:
        """The time to begin a range with."""
        return _day_text(self.first) if self.calendar else _own_text(self.year, self.month, self.day)

    @property
    def end(self) -> str:
        """The time to end a range with."""
        return _day_text(self.last) if self.calendar else _own_text(self.year, self.month, self.day)

    @property
    def text(self) -> str:
        """The unit as a time; a month or year of another calendar is some time between its days."""
        return self.start if self.start == self.end else f"[{self.start}..{self.end}]"

    @property
    def about(self) -> str:
        """About that time."""
        if self.calendar is None or self.first == self.last:
            return f"{self.start}~"
        first, last = _stretched(self.calendar, self)
        return f"[{_day_text(first)}..{_day_text(last)}]"

    @property
    def before(self) -> str:
        """The unit before it."""
        if self.calendar is not None or self.day is not None:
            return _day_text(self.first - 1)
        return _year_or_month(self.first - 1, self.month is not None)

    @property
    def after(self) -> str:
        """The unit after it."""
        if self.calendar is not None or self.day is not None:
            return _day_text(self.last + 1)
        return _year_or_month(self.last + 1, self.month is not None)

    def years_around(self, reach: int) -> str:
        """Whole years before and after it."""
        low, high = ymd(self.first)[0] - reach, ymd(self.last)[0] + reach
        return f"[{iso_place(low).text}..{iso_place(high).text}]"


def read_unit(text: str) -> Unit | None:
    """The unit that a text names; none if no calendar has it."""
    rest, calendar = _calendar_of(text.strip())
    if calendar is None:
        return None
    epoch = _EPOCH.search(rest)
    found = _PARTS.match(rest[: epoch.start()].strip() if epoch else rest.strip())
    if found is None:
        return None
    is_before = epoch is not None and epoch[1].upper().startswith("B")
    year = _year(int(found[3]), found[4], is_before)
    month = _month(found[2], calendar) if found[2] else None
    if year is None or (found[2] and month is None):
        return None
    day = int(found[1]) if found[1] else None
    return _gregorian(year, month, day) if calendar == "gregorian" else _foreign(calendar, year, month, day)


def _calendar_of(text: str) -> tuple[str, str | ForeignCalendar | None]:
    """The text without its calendar, and the calendar; none if it is one that nobody can convert."""
    found = _ESCAPE.match(text) or _CALENDAR_WORD.match(text)
    if found is None:
        return text, "gregorian"
    name = found[1].upper().replace("_", " ")
    known: dict[str, str | ForeignCalendar] = {
        "GREGORIAN": "gregorian",
        "JULIAN": JULIAN,
        "HEBREW": HEBREW,
        "FRENCH R": FRENCH,
        "FRENCH": FRENCH,
    }
    return text[found.end() :], known.get(name)


def _year(year: int, second: str | None, is_before: bool) -> int | None:
    """The astronomical year; of two adjacent ones the second."""
    if second is not None:
        if is_before or str(year + 1)[-len(second) :] != second or len(second) > len(str(year + 1)):
            return None
        year += 1
    if year == 0:
        return None
    return 1 - year if is_before else year


def _month(word: str, calendar: str | ForeignCalendar) -> int | None:
    upper = word.upper()
    if calendar is HEBREW or calendar is FRENCH:
        names = _HEBREW if calendar is HEBREW else _FRENCH
        return names.index(upper) + 1 if upper in names else None
    lower = word.lower()
    known = [n for n, name in enumerate(_ENGLISH, start=1) if lower in (name, name[:3]) or lower == name[:4] == "sept"]
    return known[0] if known else None


def _gregorian(year: int, month: int | None, day: int | None) -> Unit | None:
    if month is None:
        return Unit(year, None, None, year_start(year), year_start(year + 1) - 1)
    days = month_days(year, month)
    if day is None:
        first = day_number(year, month, 1)
        return Unit(year, month, None, first, first + days - 1)
    if not 1 <= day <= days:
        return None
    number = day_number(year, month, day)
    return Unit(year, month, day, number, number)


def _foreign(calendar: str | ForeignCalendar, year: int, month: int | None, day: int | None) -> Unit | None:
    if isinstance(calendar, str) or (calendar is not JULIAN and year < 1):
        return None
    if calendar is HEBREW and month == _ADAR_SHENI and not calendar.months(year)[month - 1]:
        month = _ADAR  # A common year has one Adar, whatever it is called.
    if month is None or day is None:
        period = calendar.period(year, month)
        return None if period is None else Unit(year, month, None, *period, calendar)
    number = calendar.day(year, month, day)
    return None if number is None else Unit(year, month, day, number, number, calendar)


def _stretched(calendar: ForeignCalendar, unit: Unit) -> tuple[int, int]:
    """The days of the unit with those of the units around it that `about` may mean."""
    if unit.month is None:
        return calendar.year_start(unit.year - ABOUT), calendar.year_start(unit.year + ABOUT + 1) - 1
    reach = ABOUT * 30
    return unit.first - reach, unit.last + reach


def _own_text(year: int, month: int | None, day: int | None) -> str:
    return iso_place(year, month, day).text


def _day_text(day: int) -> str:
    return iso_place(*ymd(day)).text


def _year_or_month(day: int, is_month: bool) -> str:
    year, month, _ = ymd(day)
    return iso_place(year, month if is_month else None).text
