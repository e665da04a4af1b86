"""Lines of GEDCOM, escaped and continued, and times of facts as its dates, else as phrases."""

import re
from collections.abc import Iterator
from typing import Literal

from recollect.exporters.graph import ExportedFact
from recollect.ingest.gedcom.dates import parse_date, parse_unit
from recollect.when.gregorian import MONTH_NAMES

GedcomVersion = Literal["5.5.1", "7.0"]
_ISO = re.compile(r"(?P<year>-?\d{4,})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?:T\S*)?")
_BEFORE_CHRIST = re.compile(r"bce\.year_(?P<year>\d+)(?:\.month_(?P<month>\d+)(?:\.day_(?P<day>\d+))?)?")
"""A time before Christ as the eras of a workspace write it."""
_RANGE = re.compile(r"\[(?P<first>[^\[\]]*)\.\.(?P<last>[^\[\]]*)\]")
_EXPLAINED = re.compile(r"(?:INT )?(?P<date>[^()]+) \((?P<phrase>[^()]+)\)")
_ESCAPE = re.compile(r"@#D(?P<name>[^@]*)@")

_LONGEST_LINE = 200
_SHORTEST_LINE = 100


def tag_lines(level: int, tag: str, value: str, version: GedcomVersion) -> Iterator[str]:
    """The lines of one value; only version 5.5.1 limits their length."""
    for number, part in enumerate(value.splitlines() or [""]):
        yield from _continued(level + (number > 0), "CONT" if number else tag, part, version)


def _continued(level: int, tag: str, text: str, version: GedcomVersion) -> Iterator[str]:
    is_old = version == "5.5.1"
    text = text.replace("@", "@@") if is_old else re.sub("^@", "@@", text)
    size = _cut(text) if is_old else len(text)
    yield f"{level} {tag} {text[:size]}\n" if text else f"{level} {tag}\n"
    while rest := text[size:]:
        text, size = rest, _cut(rest)
        yield f"{level + (tag != 'CONT')} CONC {text[:size]}\n"


def _cut(text: str) -> int:
    """Where a long line is cut: inside a word, for programs trim lines, and never inside of an escape."""
    if len(text) <= _LONGEST_LINE:
        return len(text)
    places = range(_LONGEST_LINE, _SHORTEST_LINE, -1)
    return next((at for at in places if not re.search(r"[\s@]", text[at - 1 : at + 1])), _LONGEST_LINE)


def date_lines(fact: ExportedFact, version: GedcomVersion) -> Iterator[str]:
    """The DATE of a fact, at the second level; none if it has no time."""
    kept = str(fact.attributes.get("date_text") or "")
    explained = _EXPLAINED.fullmatch(kept)
    if explained is not None and not parse_date(explained["date"]).is_unread:
        yield from _explained_lines(explained["date"], explained["phrase"], version)
        return
    told = _original(kept, version) or _span(fact.valid_from, fact.valid_until, version)
    phrase = kept or " ".join(filter(None, (fact.valid_from, fact.valid_until)))
    if told is not None:
        yield f"2 DATE {told}\n"
    elif phrase:
        plain = phrase[1:-1] if phrase.startswith("(") and phrase.endswith(")") else phrase
        yield f"2 DATE\n3 PHRASE {plain}\n" if version == "7.0" else f"2 DATE ({plain})\n"


def _explained_lines(date: str, phrase: str, version: GedcomVersion) -> Iterator[str]:
    """A date that somebody worked out, with what it was made of."""
    plain = _original(date, version) or date
    if version == "5.5.1":
        yield f"2 DATE INT {plain} ({phrase})\n"
    else:
        yield f"2 DATE {plain}\n"
        yield f"3 PHRASE {phrase}\n"


def _original(kept: str, version: GedcomVersion) -> str | None:
    """The date as the file it came from wrote it, if it is one."""
    if not kept or "(" in kept or parse_date(kept).is_unread:
        return None
    return kept if version == "5.5.1" else _ESCAPE.sub(lambda found: found["name"].replace(" ", "_"), kept)


def _span(first: str | None, last: str | None, version: GedcomVersion) -> str | None:
    if first == last or first is None or last is None:
        known = first or last
        single = _single(known, version) if known is not None else None
        if single is None or first == last:
            return single
        word = "FROM" if last is None else "TO"
        plain = _unit(known or "", version)
        return f"{word} {plain}" if plain is not None else None
    start, end = _unit(first, version), _unit(last, version)
    return f"FROM {start} TO {end}" if start is not None and end is not None else None


def _single(time: str, version: GedcomVersion) -> str | None:
    """One time: a date, about a date, or a time within a range."""
    found = _RANGE.fullmatch(time)
    if found is not None:
        return _range(found["first"], found["last"], version)
    unit = _unit(time.removesuffix("~"), version)
    return f"ABT {unit}" if unit is not None and time.endswith("~") else unit


def _range(first: str, last: str, version: GedcomVersion) -> str | None:
    start, end = _unit(first, version), _unit(last, version)
    if first and last:
        return f"BET {start} AND {end}" if start is not None and end is not None else None
    unit = parse_unit(_unit(first or last, "5.5.1") or "")
    if unit is None:
        return None
    beyond = _unit(unit.before if first else unit.after, version)
    return f"{'AFT' if first else 'BEF'} {beyond}"


def _unit(text: str, version: GedcomVersion) -> str | None:
    """A year, month or day of the Gregorian calendar."""
    found, before = _ISO.fullmatch(text), _BEFORE_CHRIST.fullmatch(text)
    if found is not None:
        year = int(found["year"])
        year, is_before = (year, False) if year > 0 else (1 - year, True)
    elif before is not None:
        found, year, is_before = before, int(before["year"]), True
    else:
        return None
    month = MONTH_NAMES[int(found["month"]) - 1][:3].upper() if found["month"] else ""
    day = str(int(found["day"])) if found["day"] else ""
    epoch = "" if not is_before else "BC" if version == "5.5.1" else "BCE"
    return " ".join(part for part in (day, month, str(year), epoch) if part)
