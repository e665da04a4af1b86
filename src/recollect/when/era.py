"""Eras: named ranges of days, in a tree, that number the years of a calendar."""

import re
from dataclasses import dataclass
from typing import Literal

from recollect.when.calendar import GREGORIAN, Calendar

Direction = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Era:
    """A range of days with its own numbering of years; a missing end is open."""

    path: str
    name: str
    calendar: Calendar
    first_day: int | None
    last_day: int | None
    first_year: int = 1
    direction: Direction = "up"
    abbreviation: str | None = None

    @property
    def slug(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def parent(self) -> str | None:
        """The path of the parent era."""
        return self.path.rpartition(".")[0] or None

    @property
    def years(self) -> int | None:
        """The number of calendar years the era overlaps; None if an end is open."""
        if self.first_day is None or self.last_day is None:
            return None
        return self.calendar.year_of(self.last_day) - self.calendar.year_of(self.first_day) + 1

    def calendar_year(self, number: int) -> int:
        """The calendar's year for a year of the era."""
        if self.direction == "down":
            return self._last_year() - number + 1
        return self._base_year() + number - self.first_year

    def number_of(self, calendar_year: int) -> int:
        """The era's number for a year of the calendar."""
        if self.direction == "down":
            return self._last_year() - calendar_year + 1
        return calendar_year - self._base_year() + self.first_year

    def holds_day(self, day: int) -> bool:
        """Whether the day lies in the era."""
        return self.clip(day, day) is not None

    def clip(self, first: int, last: int) -> tuple[int, int] | None:
        """The part of a range of days that lies in the era."""
        low = first if self.first_day is None else max(first, self.first_day)
        high = last if self.last_day is None else min(last, self.last_day)
        return (low, high) if low <= high else None

    def overlaps(self, other: "Era") -> bool:
        """Whether the two overlap."""
        return not (_is_before(self, other) or _is_before(other, self))

    def covers(self, other: "Era") -> bool:
        """Whether all days of the other lie in this one."""
        starts = self.first_day is None or (other.first_day is not None and self.first_day <= other.first_day)
        ends = self.last_day is None or (other.last_day is not None and other.last_day <= self.last_day)
        return starts and ends

    def _base_year(self) -> int:
        # Only an era that counts down may lack a first day.
        return self.calendar.year_of(self.first_day or 0)

    def _last_year(self) -> int:
        # Only an era that counts up may lack a last day.
        return self.calendar.year_of(self.last_day or 0)


def _is_before(one: Era, other: Era) -> bool:
    return one.last_day is not None and other.first_day is not None and one.last_day < other.first_day


CE = Era("ce", "Common Era", GREGORIAN, GREGORIAN.year_start(1), None, abbreviation="CE")
BCE = Era("bce", "Before the Common Era", GREGORIAN, None, GREGORIAN.year_start(1) - 1, 1, "down", "BCE")

_RESERVED = re.compile(r"current|ce|bce|(year|month|day)_\d+")


def slug_of(name: str) -> str:
    """A name in lower case with runs of anything but letters and digits as one underscore.

    Only a-z and 0-9 count if the name has any of these letters, so that published paths stay; else those of any script.
    """
    ascii_slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if any(letter.isalpha() for letter in ascii_slug):
        return ascii_slug
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def is_reserved(slug: str) -> bool:
    """Whether the slug is reserved by the parser of times."""
    return _RESERVED.fullmatch(slug) is not None
