"""Scores our reader of dates in English text, and dateparser where it is installed, on the same cases.

Usage: python benchmarks/dates.py [FOLDER] [--misses]

A case is a sentence with the day it was written on. The gold answer has one stretch of text and its period in a
future and a past reading, which often agree. Where the gold has no text or an impossible day (30 February) nothing
may be found. Seasons, for which the gold has a text but no days, are left out.

An answer is right when
- its text overlaps the gold text, and nothing is found outside it;
- its first day is the gold start;
- its last day is the gold end, or the day before it (gold ends are exclusive for units, inclusive between days), or the
  gold end is the first day of the week, month or year in which the answer ends (gold stops where the last unit begins).
`either` counts an answer that fits one reading; `both` wants the future reading when asked to lean towards the
future and the past one when asked to lean towards the past.
"""

# ruff: noqa: T201

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from recollect.when.english.mentions import find_times
from recollect.when.instant import Instant, date_of_day, local_day, read_instant

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "dates"
FILES = ("DateParser.json", "DatePeriodParser.json")

DatePreference = Literal["past", "future"]
Answer = tuple[int, int, date, date]
Reader = Callable[[str, datetime, DatePreference], list[Answer]]


@dataclass(frozen=True, slots=True)
class Gold:
    """A period of the gold file: ends as written there, none where it gives none."""

    first: date | None
    last: date | None


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    written: datetime
    span: tuple[int, int] | None
    future: Gold | None
    past: Gold | None


def cases(path: Path) -> Iterator[Case]:
    """The cases of one file that say when they were written."""
    for entry in json.loads(path.read_text(encoding="utf-8-sig")):
        written = entry.get("Context", {}).get("ReferenceDateTime", "2019-11-07T00:00:00")
        results = entry["Results"]
        if not results:
            yield Case(entry["Input"], datetime.fromisoformat(written), None, None, None)
            continue
        value = results[0]["Value"]
        if not value.get("FutureResolution"):
            continue
        readings = [gold(value.get(side) or {}) for side in ("FutureResolution", "PastResolution")]
        start = results[0]["Start"]
        span = (start, start + results[0]["Length"])
        yield Case(entry["Input"], datetime.fromisoformat(written), span, *readings)


def gold(resolution: dict[str, str]) -> Gold | None:
    """The period of one reading; none where it is empty or impossible."""
    days = {key: date.fromisoformat(text) for key, text in resolution.items() if text != "0001-01-01"}
    if not days:
        return None
    return Gold(days.get("date") or days.get("startDate"), days.get("date") or days.get("endDate"))


def fits(answer: Answer, wanted: Gold) -> bool:
    """Whether a period is the gold one, by the rule above."""
    _, _, first, last = answer
    if wanted.first is None or wanted.last is None:
        return False
    monday = last - timedelta(days=last.weekday())
    in_last_unit = wanted.last in (monday, last.replace(day=1), last.replace(month=1, day=1)) and last > first
    return first == wanted.first and (last in (wanted.last, wanted.last - timedelta(days=1)) or in_last_unit)


def judge(case: Case, reader: Reader) -> tuple[bool, bool, bool]:
    """Whether anything was found, whether it fits either reading, whether it fits both."""
    answers = {prefer: reader(case.text, case.written, prefer) for prefer in ("future", "past")}
    found = any(answers.values())
    if case.span is None or case.future is None or case.past is None:
        return found, not found, not found
    start, end = case.span
    clean = {
        prefer: a[0] if len(a) == 1 and a[0][0] < end and start < a[0][1] else None for prefer, a in answers.items()
    }
    readings = (case.future, case.past)
    either = any(a is not None and any(fits(a, wanted) for wanted in readings) for a in clean.values())
    future, past = clean["future"], clean["past"]
    both = future is not None and past is not None and fits(future, case.future) and fits(past, case.past)
    return found, either, both


def ours(text: str, written: datetime, prefer: DatePreference) -> list[Answer]:
    """What recollect finds."""
    reference = read_instant(written.isoformat(timespec="seconds"), UTC)
    found = find_times(text, reference, UTC, prefer=prefer)
    return [(m.start, m.end, _day(m.lo), _day(m.hi)) for m in found]


def _day(instant: Instant) -> date:
    return date_of_day(local_day(instant, UTC))


def dateparser_reader() -> Reader:
    """What dateparser finds, its periods widened to the unit it names."""
    search: Any = importlib.import_module("dateparser.search")
    data_parser: Any = importlib.import_module("dateparser.date").DateDataParser

    def read(text: str, written: datetime, prefer: DatePreference) -> list[Answer]:
        settings = {"RELATIVE_BASE": written, "PREFER_DATES_FROM": prefer}
        answers = []
        behind = 0
        for words, _ in search.search_dates(text, languages=["en"], settings=settings) or []:
            data = data_parser(languages=["en"], settings=settings).get_date_data(words)
            start = text.find(words, behind)
            if data.date_obj is None:
                continue
            answers.append((start, start + len(words), *_widened(data.date_obj.date(), data.period)))
            behind = start + len(words)
        return answers

    return read


def _widened(day: date, period: str) -> tuple[date, date]:
    if period == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    if period == "month":
        following = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
        return day.replace(day=1), following - timedelta(days=1)
    return (day.replace(month=1, day=1), day.replace(month=12, day=31)) if period == "year" else (day, day)


def main() -> None:
    """Print the table, and with --misses what we did not get."""
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder = Path(arguments[0]) if arguments else FOLDER
    readers: dict[str, Reader] = {"recollect": ours}
    if importlib.util.find_spec("dateparser") is not None:
        readers["dateparser"] = dateparser_reader()
    print(f"{'file':22}{'reader':12}{'n':>5}{'found':>7}{'either':>8}{'both':>7}{'wrong':>7}")
    for file in FILES:
        every = list(cases(folder / file))
        for name, reader in readers.items():
            marks = [judge(case, reader) for case in every]
            found, either, both = (sum(column) for column in zip(*marks, strict=True))
            wrong = sum(mark[0] and not mark[1] for mark in marks)
            print(f"{file:22}{name:12}{len(every):5}{found:7}{either:8}{both:7}{wrong:7}")
            if name == "recollect" and "--misses" in sys.argv:
                _print_misses(every, marks)


def _print_misses(every: list[Case], marks: list[tuple[bool, bool, bool]]) -> None:
    for case, (found, either, both) in zip(every, marks, strict=True):
        if not both:
            answers = [
                [(case.text[a[0] : a[1]], str(a[2]), str(a[3])) for a in ours(case.text, case.written, prefer)]
                for prefer in ("future", "past")
            ]
            print(
                "  ",
                "WRONG" if found and not either else "half" if either else "none",
                case.text,
                "@",
                case.written.date(),
                answers,
                case.future,
                case.past,
            )


if __name__ == "__main__":
    main()
