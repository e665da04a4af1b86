"""Parser of GEDCOM dates in all their calendars, as times of the Gregorian timeline."""

import re
from dataclasses import dataclass, replace

from recollect.when.calendar_position import ABOUT, iso_place
from recollect.when.english.words import MONTHS
from recollect.when.foreign_calendars import FRENCH, HEBREW, JULIAN, ForeignCalendar
from recollect.when.gregorian import day_number, month_days, year_start, ymd

_ESCAPE = re.compile(r"^@#D\s*+([A-Z _]*+)@\s*", re.IGNORECASE)
_CALENDAR_WORD = re.compile(r"^(GREGORIAN|JULIAN|HEBREW|FRENCH_R)\b\s*", re.IGNORECASE)
_EPOCH = re.compile(r"\s*\(?\b(B\.?\s?C\.?(?:\s?E\.?)?|A\.?D\.?|C\.?\s?E\.?)\)?\s*$", re.IGNORECASE)
_PARTS = re.compile(r"^(?:(?:(\d{1,2})\.?\s+)?([A-Z]+)\.?\s*,?\s+)?(\d{1,4})(?:\s*[/-]\s*(\d{1,4}))?$", re.IGNORECASE)
_HEBREW = "TSH CSH KSL TVT SHV ADR ADS NSN IYR SVN TMZ AAV ELL".split()
_FRENCH = "VEND BRUM FRIM NIVO PLUV VENT GERM FLOR PRAI MESS THER FRUC COMP".split()
_ADAR, _ADAR_SHENI = 6, 7


@dataclass(frozen=True, slots=True)
class DateUnit:
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
        return _day_text(self.first) if self.calendar else _unit_text(self.year, self.month, self.day)

    @property
    def end(self) -> str:
        """The time to end a range with."""
        return _day_text(self.last) if self.calendar else _unit_text(self.year, self.month, self.day)

    @property
    def text(self) -> str:
        """The unit as a time; a month or year of another calendar is some time between its days."""
        return self.start if self.start == self.end else f"[{self.start}..{self.end}]"

    @property
    def about(self) -> str:
        """About that time."""
        if self.calendar is None or self.first == self.last:
            return f"{self.start}~"
        first, last = _widen(self.calendar, self)
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


def parse_unit(text: str) -> DateUnit | None:
    """The unit that a text names; none if no calendar has it."""
    rest, calendar = _calendar_of(text.strip())
    if calendar is None:
        return None
    epoch = _EPOCH.search(rest)
    found = _PARTS.match(rest[: epoch.start()].strip() if epoch else rest.strip())
    if found is None:
        return None
    is_before = epoch is not None and epoch[1].upper().startswith("B")
    year = _astronomical_year(int(found[3]), found[4], is_before)
    month = _month_number(found[2], calendar) if found[2] else None
    if year is None or (found[2] and month is None):
        return None
    day = int(found[1]) if found[1] else None
    return _gregorian_unit(year, month, day) if calendar == "gregorian" else _foreign_unit(calendar, year, month, day)


def _calendar_of(text: str) -> tuple[str, str | ForeignCalendar | None]:
    """The text without its calendar, and the calendar; none if it cannot be converted."""
    found = _ESCAPE.match(text) or _CALENDAR_WORD.match(text)
    if found is None:
        return text, "gregorian"
    name = found[1].strip().upper().replace("_", " ")
    known: dict[str, str | ForeignCalendar] = {
        "GREGORIAN": "gregorian",
        "JULIAN": JULIAN,
        "HEBREW": HEBREW,
        "FRENCH R": FRENCH,
        "FRENCH": FRENCH,
    }
    return text[found.end() :], known.get(name)


def _astronomical_year(year: int, second: str | None, is_before: bool) -> int | None:
    """The astronomical year; of two adjacent ones the second."""
    if second is not None:
        if is_before or str(year + 1)[-len(second) :] != second or len(second) > len(str(year + 1)):
            return None
        year += 1
    if year == 0:
        return None
    return 1 - year if is_before else year


def _month_number(word: str, calendar: str | ForeignCalendar) -> int | None:
    upper = word.upper()
    if calendar is HEBREW or calendar is FRENCH:
        names = _HEBREW if calendar is HEBREW else _FRENCH
        return names.index(upper) + 1 if upper in names else None
    return MONTHS.get(word.lower())


def _gregorian_unit(year: int, month: int | None, day: int | None) -> DateUnit | None:
    if month is None:
        return DateUnit(year, None, None, year_start(year), year_start(year + 1) - 1)
    days = month_days(year, month)
    if day is None:
        first = day_number(year, month, 1)
        return DateUnit(year, month, None, first, first + days - 1)
    if not 1 <= day <= days:
        return None
    number = day_number(year, month, day)
    return DateUnit(year, month, day, number, number)


def _foreign_unit(calendar: str | ForeignCalendar, year: int, month: int | None, day: int | None) -> DateUnit | None:
    if isinstance(calendar, str) or (calendar is not JULIAN and year < 1):
        return None
    if calendar is HEBREW and month == _ADAR_SHENI and not calendar.months(year)[month - 1]:
        month = _ADAR  # A common year has one Adar.
    if month is None or day is None:
        period = calendar.period(year, month)
        return None if period is None else DateUnit(year, month, None, *period, calendar)
    number = calendar.day(year, month, day)
    return None if number is None else DateUnit(year, month, day, number, number, calendar)


def _widen(calendar: ForeignCalendar, unit: DateUnit) -> tuple[int, int]:
    """The days of the unit with those of the units around it that `about` may mean."""
    if unit.month is None:
        return calendar.year_start(unit.year - ABOUT), calendar.year_start(unit.year + ABOUT + 1) - 1
    reach = ABOUT * 30
    return unit.first - reach, unit.last + reach


def _unit_text(year: int, month: int | None, day: int | None) -> str:
    return iso_place(year, month, day).text


def _day_text(day: int) -> str:
    return iso_place(*ymd(day)).text


def _year_or_month(day: int, is_month: bool) -> str:
    year, month, _ = ymd(day)
    return iso_place(year, month if is_month else None).text


# Some programs write 17MAR1848 and ABT1850.
_SEAM = re.compile(r"(?<=\d)(?=[A-Za-z@])|(?<=[A-Za-z@])(?=\d)")
_PHRASE = re.compile(r"^(?P<date>.*?)\s*\((?P<phrase>.*)\)$")
_QUALIFIED = re.compile(r"^([A-Za-z]+)\b[.:]?\s*(.+)$")
_BETWEEN = re.compile(r"^BET(?:WEEN)?\b\.?\s*+(\S.*?)\s*\bAND\b\s*+(.+)$", re.IGNORECASE)
_LONGEST_DATE = 500
_FROM = re.compile(r"^FROM\b\s*(.+?)(?:\s*\bTO\b\s*(.+))?$", re.IGNORECASE)
_TO = re.compile(r"^TO\b\s*(.+)$", re.IGNORECASE)
_QUALIFIERS = {
    "about": "ABT ABOUT CIRCA CIR CA C",
    "calculated": "CAL CALCULATED",
    "estimated": "EST ESTIMATED",
    "before": "BEF BEFORE",
    "after": "AFT AFTER",
    "interpreted": "INT INTERPRETED",
}
_QUALIFIER_BY_WORD = {word: meant for meant, words in _QUALIFIERS.items() for word in words.split()}
_KEYWORD = re.compile(rf"\b(?:BET|BETWEEN|AND|FROM|TO|{'|'.join(_QUALIFIER_BY_WORD)})\b\.?", re.IGNORECASE)
_CALENDAR_FIRST = re.compile(rf"^(@#D[^@]*@)\s*({_KEYWORD.pattern}.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GedcomDate:
    """When something was, as times of the timeline.

    `point` is the one time at which an event fell; `kept` the original, where the times say less than it does;
    `first_day` orders dates among each other.
    """

    start: str | None = None
    end: str | None = None
    point: str | None = None
    kept: str | None = None
    is_unread: bool = False
    first_day: int | None = None


def parse_date(text: str) -> GedcomDate:
    """Parse a DATE value; one that cannot be read is kept as text."""
    cleaned = " ".join(text.split())
    if not cleaned:
        return GedcomDate()
    found = _parse_date(" ".join(_SEAM.sub(" ", cleaned).split())) if len(cleaned) <= _LONGEST_DATE else None
    if found is None:
        return GedcomDate(kept=cleaned, is_unread=True)
    return replace(found, kept=cleaned) if found.kept is not None else found


def _parse_date(text: str) -> GedcomDate | None:
    phrase = _PHRASE.match(text)
    if phrase is not None and parse_unit(text) is None:
        inner = _parse_date(phrase["date"]) if phrase["date"] else None
        return None if inner is None else replace(inner, kept=text)
    plain = _distribute_calendar(text)
    return _parse_between(plain) or _parse_duration(plain) or _parse_single(plain)


def _distribute_calendar(text: str) -> str:
    """Some programs write the calendar before the keyword: move it before each date."""
    found = _CALENDAR_FIRST.match(text)
    return _KEYWORD.sub(lambda keyword: f"{keyword[0]} {found[1]}", found[2]) if found else text


def _parse_between(text: str) -> GedcomDate | None:
    found = _BETWEEN.match(text)
    one, other = (parse_unit(found[1]), parse_unit(found[2])) if found else (None, None)
    if one is None or other is None:
        return None
    first, last = sorted((one, other), key=lambda unit: (unit.first, unit.last))
    return _make_date(f"[{first.start}..{last.end}]", text, first, last)


def _parse_duration(text: str) -> GedcomDate | None:
    found, ending = _FROM.match(text), _TO.match(text)
    said = (found[1], found[2]) if found else (None, ending[1] if ending else None)
    start, end = (None if part is None else parse_unit(part) for part in said)
    if (start is None and end is None) or any(
        part is not None and unit is None for part, unit in zip(said, (start, end), strict=True)
    ):
        return None
    if start is not None and end is not None and start.first > end.last:
        return None
    point = f"[{start.start if start else ''}..{end.end if end else ''}]"
    known = [unit for unit in (start, end) if unit is not None]
    kept = text if any(unit.is_foreign for unit in known) else None
    return GedcomDate(start.text if start else None, end.text if end else None, point, kept, False, known[0].first)


def _parse_single(text: str) -> GedcomDate | None:
    plain = parse_unit(text)
    if plain is not None:
        return _make_date(plain.text, text, plain)
    found = _QUALIFIED.match(text)
    meant = _QUALIFIER_BY_WORD.get(found[1].upper()) if found else None
    unit = parse_unit(found[2]) if found and meant else None
    return None if unit is None or meant is None else _make_date(_qualify(meant, unit), text, unit)


def _qualify(meant: str, unit: DateUnit) -> str:
    match meant:
        case "about":
            return unit.about
        case "calculated":
            return unit.years_around(1)
        case "estimated":
            return unit.years_around(10)
        case "before":
            return f"[..{unit.before}]"
        case "after":
            return f"[{unit.after}..]"
        case _:
            return unit.text


def _make_date(time: str, text: str, *units: DateUnit) -> GedcomDate:
    is_foreign = any(unit.is_foreign for unit in units)
    return GedcomDate(time, time, time, text if is_foreign else None, False, units[0].first)
