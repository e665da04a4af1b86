"""Memories: a year of days as a heat map, entries from daily to yearly, and the text of one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import get_args

from recollect.keep.call_conflicts import ItemNotFound
from recollect.keep.memories.editing import correct_memory
from recollect.keep.memories.memory_store import find_memory, load_memories, memories_between
from recollect.keep.memory_formats import CONTENT_LIMIT, Granularity, normalize_newlines
from recollect.keep.memory_index.stored_memory import StoredMemory
from recollect.model.ids import format_document_id
from recollect.serve.web.framework.cards import mark_changes
from recollect.serve.web.framework.pages import (
    Action,
    ActionResult,
    Page,
    PageModel,
    PageRequest,
    WebSection,
    number_field,
    required_field,
    whole_number,
)
from recollect.serve.web.framework.rendering import render_markdown
from recollect.serve.web.sections.document_views import VersionCard, versions_to_choose
from recollect.store.view import View
from recollect.when.instant import date_of_day, local_day

CELL = 13
LEVELS = 4
OPENING = 100
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)


@dataclass(frozen=True, slots=True)
class HeatDay:
    """A day of the heat map: where it is drawn, how much was written, and its first entry."""

    day: str
    x: int
    y: int
    level: int
    characters: int
    entry: str | None


@dataclass(frozen=True, slots=True)
class HeatMonth:
    label: str
    x: int


@dataclass(frozen=True, slots=True)
class EntryLine:
    id: str
    granularity: str
    period: str
    title: str
    characters: int
    version: int
    change: str = ""


@dataclass(frozen=True, slots=True)
class EntryText:
    line: EntryLine
    document: str
    content: str
    rendered: str
    instance: str
    summary: str | None
    versions: tuple[VersionCard, ...] = ()
    replaced: int | None = None
    """The version that it has now, on a page that shows an earlier text."""


@dataclass(frozen=True, slots=True)
class MemoriesPage(PageModel):
    year: int
    days: tuple[HeatDay, ...]
    months: tuple[HeatMonth, ...]
    entries: tuple[EntryLine, ...]
    entry: EntryText | None
    limit: int


def show(request: PageRequest) -> MemoriesPage:
    with request.read() as view:
        year = _asked_year(request, view)
        found = [memory for each in GRANULARITIES for memory in _of_year(view, each, year)]
        wanted = request.query.get("entry", "")
        entry = find_memory(view, wanted) if wanted else None
        text = None if entry is None else _entry_text(view, entry)
    lines = _newest_first(map(_line, found))
    if not request.clocks.is_now:
        now = show(request.of_now)
        lines = _newest_first(mark_changes(lines, now.entries, lambda line: line.id))
        if text is not None and now.entry is not None and now.entry.content != text.content:
            text = replace(text, replaced=now.entry.line.version)
    title = "Memories" if text is None else text.line.title
    days = tuple(_heat_days(year, found))
    months = tuple(
        HeatMonth(date.fromisoformat(each.day).strftime("%b"), each.x) for each in days if each.day[8:] == "01"
    )
    return MemoriesPage(title, year, days, months, tuple(lines), text, CONTENT_LIMIT)


def _newest_first(lines: Iterable[EntryLine]) -> list[EntryLine]:
    return sorted(lines, key=lambda line: (line.period, line.granularity), reverse=True)


def _asked_year(request: PageRequest, view: View) -> int:
    asked = request.query.get("year", "") or request.query.get("entry", "").partition("-")[2][:4]
    year = whole_number(asked)
    if year is not None and 1 <= year <= 9_998:
        return year
    return date_of_day(local_day(view.now, view.world.zone)).year


def _of_year(view: View, granularity: Granularity, year: int) -> list[StoredMemory]:
    first, last = f"{year:04}", f"{year:04}-~"
    return load_memories(view, memories_between(view, granularity, first, last))


def _line(memory: StoredMemory) -> EntryLine:
    period = memory.draft.period
    title = memory.title or _first_words(memory.content)
    return EntryLine(memory.id, period.granularity, period.text, title, len(memory.content), memory.version)


def _first_words(content: str) -> str:
    """The first words of a memory without a title."""
    return " ".join(content.replace("- ", " ").replace("#", " ").split())[:OPENING] or "Empty"


def _entry_text(view: View, memory: StoredMemory) -> EntryText:
    summary = memory.draft.summary
    return EntryText(
        _line(memory),
        format_document_id(memory.document.id),
        memory.content,
        str(render_markdown(memory.content.removeprefix(f"# {memory.title}\n"), levels=2)),
        memory.draft.instance,
        None if summary is None else summary.method,
        versions_to_choose(view, memory.document),
    )


def _heat_days(year: int, found: list[StoredMemory]) -> Iterator[HeatDay]:
    """Every day of the year in columns of weeks that begin on Monday."""
    written: dict[str, list[StoredMemory]] = {}
    for memory in found:
        if memory.draft.period.granularity in ("daily", "significant"):
            written.setdefault(memory.draft.period.text, []).append(memory)
    most = max((_characters(each) for each in written.values()), default=1)
    first = date(year, 1, 1)
    for number in range((date(year + 1, 1, 1) - first).days):
        day = first + timedelta(number)
        of_day = written.get(day.isoformat(), [])
        size = _characters(of_day)
        level = 0 if not of_day else 1 + min(LEVELS - 1, LEVELS * size // (most + 1))
        week = (number + first.weekday()) // 7
        yield HeatDay(day.isoformat(), week * CELL, day.weekday() * CELL, level, size, of_day[0].id if of_day else None)


def _characters(memories: list[StoredMemory]) -> int:
    return sum(len(each.content) for each in memories)


def edit(request: PageRequest) -> ActionResult:
    """Replace the text of a memory, unless somebody else changed it meanwhile."""
    ident = required_field(request, "entry", 300)
    content = normalize_newlines(required_field(request, "content", CONTENT_LIMIT))
    with request.acting("memories").write() as change:
        stored = find_memory(change, ident)
        if stored is None:
            raise ItemNotFound(f"there is no memory {ident!r}", field="entry")
        correct_memory(change, stored, content, request.caller.actor, number_field(request, "version"))
        tx = change.own_tx
    return ActionResult(request.back("memories"), "Saved" if tx else "Nothing changed", tx)


SECTION = WebSection(
    "memories",
    pages=(Page("memories", "memories", show, has_clock=True),),
    actions=(Action("memories/edit", edit),),
    label="Memories",
    group="Look",
)
