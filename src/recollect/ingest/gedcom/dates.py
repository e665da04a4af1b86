"""Dates as family trees write them, said again as times of the Gregorian timeline."""

import re
from dataclasses import dataclass, replace

from recollect.ingest.gedcom.unit import Unit, read_unit

# 17MAR1848 and ABT1850 are written too.
_SEAM = re.compile(r"(?<=\d)(?=[A-Za-z@])|(?<=[A-Za-z@])(?=\d)")
_PHRASE = re.compile(r"^(?P<date>.*?)\s*\((?P<phrase>.*)\)$")
_QUALIFIED = re.compile(r"^([A-Za-z]+)\b[.:]?\s*(.+)$")
_BETWEEN = re.compile(r"^BET(?:WEEN)?\b\.?\s*(.+?)\s*\bAND\b\s*(.+)$", re.IGNORECASE)
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
_MEANT = {word: meant for meant, words in _QUALIFIERS.items() for word in words.split()}
_KEYWORD = re.compile(rf"\b(?:BET|BETWEEN|AND|FROM|TO|{'|'.join(_MEANT)})\b\.?", re.IGNORECASE)
_CALENDAR_FIRST = re.compile(rf"^(@#D[^@]*@)\s*({_KEYWORD.pattern}.*)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dated:
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


def read_date(text: str) -> Dated:
    """What a DATE value says; one that says nothing readable is kept as text."""
    cleaned = " ".join(text.split())
    if not cleaned:
        return Dated()
    found = _read(" ".join(_SEAM.sub(" ", cleaned).split()))
    if found is None:
        return Dated(kept=cleaned, is_unread=True)
    return replace(found, kept=cleaned) if found.kept is not None else found


def _read(text: str) -> Dated | None:
    phrase = _PHRASE.match(text)
    if phrase is not None and read_unit(text) is None:
        inner = _read(phrase["date"]) if phrase["date"] else None
        return None if inner is None else replace(inner, kept=text)
    plain = _with_calendars(text)
    return _between(plain) or _duration(plain) or _single(plain)


def _with_calendars(text: str) -> str:
    """A calendar that stands before the keyword, as some programs write it, put before each date."""
    found = _CALENDAR_FIRST.match(text)
    return _KEYWORD.sub(lambda keyword: f"{keyword[0]} {found[1]}", found[2]) if found else text


def _between(text: str) -> Dated | None:
    found = _BETWEEN.match(text)
    one, other = (read_unit(found[1]), read_unit(found[2])) if found else (None, None)
    if one is None or other is None:
        return None
    first, last = sorted((one, other), key=lambda unit: (unit.first, unit.last))
    return _at(f"[{first.start}..{last.end}]", text, first, last)


def _duration(text: str) -> Dated | None:
    found, ending = _FROM.match(text), _TO.match(text)
    said = (found[1], found[2]) if found else (None, ending[1] if ending else None)
    start, end = (None if part is None else read_unit(part) for part in said)
    if (start is None and end is None) or any(
        part is not None and unit is None for part, unit in zip(said, (start, end), strict=True)
    ):
        return None
    if start is not None and end is not None and start.first > end.last:
        return None
    point = f"[{start.start if start else ''}..{end.end if end else ''}]"
    known = [unit for unit in (start, end) if unit is not None]
    kept = text if any(unit.is_foreign for unit in known) else None
    return Dated(start.text if start else None, end.text if end else None, point, kept, False, known[0].first)


def _single(text: str) -> Dated | None:
    plain = read_unit(text)
    if plain is not None:
        return _at(plain.text, text, plain)
    found = _QUALIFIED.match(text)
    meant = _MEANT.get(found[1].upper()) if found else None
    unit = read_unit(found[2]) if found and meant else None
    return None if unit is None or meant is None else _at(_qualified(meant, unit), text, unit)


def _qualified(meant: str, unit: Unit) -> str:
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


def _at(time: str, text: str, *units: Unit) -> Dated:
    is_foreign = any(unit.is_foreign for unit in units)
    return Dated(time, time, time, text if is_foreign else None, False, units[0].first)
