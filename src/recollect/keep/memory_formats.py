"""Formats of names, ids and dates: patterns matched in full, and the periods that memories cover."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args
from unicodedata import category

from recollect.errors import Refused
from recollect.text.fold import shorten
from recollect.when.gregorian import month_days
from recollect.when.instant import day_of_date

Category = Literal["self", "user", "relationship", "custom"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

CONTENT_LIMIT = 1 << 20
UNKNOWN_INSTANCE = "unknown"

FILENAME = re.compile(r"[A-Za-z0-9_-]{1,100}\.md", re.ASCII)
INSTANCE = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
INSTANCE_TYPE = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}", re.ASCII)
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}", re.ASCII)
PROMPT_LABEL = re.compile(r"(?![xX][mM][lL])[A-Za-z_][A-Za-z0-9_.-]{0,63}", re.ASCII)
MEMORY_ID = re.compile(
    r"daily-\d{4}-\d\d-\d\d_(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
    r"|significant-\d{4}-\d\d-\d\d_[a-z0-9][a-z0-9_-]{0,79}"
    r"|weekly-\d{4}-W\d\d|monthly-\d{4}-\d\d|yearly-\d{4}",
    re.ASCII,
)
CHAT_ID = re.compile(r"[^\],\r\n\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]{1,200}")
AUTHOR = re.compile(r"[^\r\n\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]{1,200}")

_INVALID_IN_INSTANCE = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_DOTS = re.compile(r"\.{2,}")


def matches_format(pattern: re.Pattern[str], text: str) -> bool:
    """Whether the whole text has this form."""
    return pattern.fullmatch(text) is not None


def is_visible(text: str) -> bool:
    """Whether a text has a visible character: not only whitespace, control and format characters."""
    return any(category(letter) not in _INVISIBLE_CATEGORIES for letter in text.strip())


def normalize_newlines(text: str) -> str:
    """The text with every line break as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def sanitize_instance(name: str | None) -> str:
    """A valid instance id made from a name, or `unknown`."""
    id_ = _DOTS.sub(".", _INVALID_IN_INSTANCE.sub("-", name or "")).lstrip("._-")[:64]
    return id_ or UNKNOWN_INSTANCE


Granularity = Literal["daily", "significant", "weekly", "monthly", "yearly"]
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)
"""In the order in which listings show the memories of one day."""

_DATE_FORMS: dict[Granularity, str] = {
    "daily": "YYYY-MM-DD",
    "significant": "YYYY-MM-DD",
    "weekly": "YYYY-Www",
    "monthly": "YYYY-MM",
    "yearly": "YYYY",
}
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_WEEK = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)


class BadMemoryDate(Refused):
    def __init__(self, given: str, granularity: Granularity, fitting: str | None, field: str) -> None:
        form = _DATE_FORMS[granularity]
        hint = f"; {fitting} would fit" if fitting else ""
        message = f"{field} {shorten(given, 40)!r} is not an existing {granularity} date of the form {form}{hint}"
        super().__init__(message, field=field, accepted=(fitting or form,))


@dataclass(frozen=True, slots=True)
class MemoryPeriod:
    """The days that a memory covers, from first to last."""

    granularity: Granularity
    text: str
    first: date
    last: date

    def overlaps(self, first: date, last: date) -> bool:
        return self.first <= last and first <= self.last

    @property
    def days(self) -> tuple[int, int]:
        """The numbers of its first and last day."""
        return day_of_date(self.first), day_of_date(self.last)


def parse_period(granularity: Granularity, text: str, field: str = "date") -> MemoryPeriod:
    """The period of a date at this granularity."""
    try:
        return _period_of_text(granularity, text)
    except ValueError:
        raise BadMemoryDate(text, granularity, _suggest_date(granularity, text), field) from None


def _period_of_text(granularity: Granularity, text: str) -> MemoryPeriod:
    match granularity:
        case "daily" | "significant":
            day = parse_day(text)
            return MemoryPeriod(granularity, text, day, day)
        case "weekly":
            return week_period(*_match_numbers(_WEEK, text))
        case "monthly":
            return month_period(*_match_numbers(_MONTH, text))
        case "yearly":
            return year_period(*_match_numbers(_YEAR, text))


def parse_day(text: str) -> date:
    """The day of a YYYY-MM-DD text; raises ValueError for any other text."""
    return date(*_match_numbers(_DAY, text))


def _match_numbers(pattern: re.Pattern[str], text: str) -> list[int]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return [int(part) for part in found.groups() or (found[0],)]


def week_period(of: int, number: int) -> MemoryPeriod:
    """An ISO week; the last one of the calendar ends with the calendar."""
    first = date.fromisocalendar(of, number, 1)
    last = first + timedelta(days=6) if first <= date.max - timedelta(days=6) else date.max
    return MemoryPeriod("weekly", f"{of:04}-W{number:02}", first, last)


def month_period(of: int, number: int) -> MemoryPeriod:
    first = date(of, number, 1)
    return MemoryPeriod("monthly", f"{of:04}-{number:02}", first, first.replace(day=month_days(of, number)))


def year_period(number: int) -> MemoryPeriod:
    return MemoryPeriod("yearly", f"{number:04}", date(number, 1, 1), date(number, 12, 31))


def period_around(granularity: Granularity, day: date) -> MemoryPeriod:
    """The period of this granularity that a day lies in."""
    match granularity:
        case "daily" | "significant":
            return MemoryPeriod(granularity, day.isoformat(), day, day)
        case "weekly":
            return week_period(*day.isocalendar()[:2])
        case "monthly":
            return month_period(day.year, day.month)
        case "yearly":
            return year_period(day.year)


def _suggest_date(granularity: Granularity, text: str) -> str | None:
    """The date at this granularity for a text that begins with a day, as older names do."""
    try:
        return period_around(granularity, parse_day(text[:10])).text
    except ValueError:
        return None
