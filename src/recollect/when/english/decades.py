"""Decades and centuries: the 1970s, the noughties, the 15th century."""

from recollect.when.english import numbers
from recollect.when.english.calendar_dates import Found
from recollect.when.english.days import years_of
from recollect.when.english.sentence import Sentence
from recollect.when.english.words import DECADES


def decade(s: Sentence, i: int) -> Found | None:
    """the 1970s, the '40s, the nineteen seventies, the noughties."""
    start = s.after(i, "the")
    behind, number = s.after(start, "'", "’"), s.word(s.after(start, "'", "’"))
    if number.isdecimal() and number[-1] == "0" and len(number) in (2, 4):
        end = s.after(behind + 1, "'", "’")
        if s.word(end) != "s" or not s.is_joined(end) or (len(number) == 2 and not _is_led(s, i, behind)):
            return None
        return end + 1, years_of(numbers.full_year(int(number)) if len(number) == 4 else 1900 + int(number), 10)
    return _spoken_decade(s, i, start)


def _is_led(s: Sentence, i: int, behind: int) -> bool:
    return behind > i or s.word(i - 1) in ("in", "during", "since")


def _spoken_decade(s: Sentence, i: int, start: int) -> Found | None:
    if (s.word(start), s.word(start + 1)) == ("two", "thousands"):
        return start + 2, years_of(2000, 10)
    century = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}.get(s.word(start))
    behind = start if century is None else s.after(start + 1, "-")
    number = DECADES.get(s.word(behind))
    if number is None or start == i or (century is None and number == 10):
        return None
    return behind + 1, years_of((century or (2000 if number == 0 else 1900)) + number, 10)


def century(s: Sentence, i: int) -> Found | None:
    """the 15th century."""
    start = s.after(i, "the")
    rank = numbers.ordinal(s, start)
    if rank is None or s.word(rank[0]) != "century" or not 1 < rank[1] <= 30:
        return None
    return rank[0] + 1, years_of((rank[1] - 1) * 100, 100)


RULES = (decade, century)
