"""Consolidation of closed periods: days make the week, weeks the month, months the year."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Literal, NamedTuple

from recollect.errors import Unavailable
from recollect.keep.formats import Granularity, MemoryPeriod, period_around
from recollect.keep.memories.memory_store import (
    SUMMARY_GRANULARITIES,
    MemoryDraft,
    StoredMemory,
    SummaryProvenance,
    find_memory,
    load_memories,
    memories_between,
    merge_unique,
    put_memory,
)
from recollect.keep.memories.summary_text import extract_summary, render_summary, summarize
from recollect.keep.memory_index.index import index_memories
from recollect.llm.deferred import ask_together
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.progress import Progress
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import date_of_day, local_date


def today(view: View) -> date:
    return local_date(view.now, view.world.zone)


def is_closed(view: View, period: MemoryPeriod) -> bool:
    """Whether the last day of a period has ended in the workspace's zone."""
    return period.last < today(view)


def summary_id(period: MemoryPeriod) -> str:
    return f"{period.granularity}-{period.text}"


def is_stale(view: View, memory: StoredMemory) -> bool:
    """Whether anything that a summary rests on, near or far, was written, changed or taken out after it."""
    if memory.draft.summary is None:
        return False
    period, since = memory.draft.period, memory.document.tx_from
    if _changed_memories(view, "daily", (period.first.isoformat(), period.last.isoformat()), since):
        return True
    months = _months(period) if period.granularity == "yearly" else [period]
    between = {
        "weekly": [week for month in months for week in _weeks_inside(month)],
        "monthly": months if period.granularity == "yearly" else [],
    }
    for granularity, parts in between.items():
        ids = {summary_id(part) for part in parts} if period.granularity != "weekly" else set()
        if ids and ids & _changed_memories(view, granularity, (parts[0].text, parts[-1].text), since):
            return True
    return False


def _changed_memories(view: View, granularity: str, dates: tuple[str, str], since: int) -> set[str]:
    low, high = f"{granularity}-{dates[0]}", f"{granularity}-{dates[1]}`"
    return {row[0] for row in view.rows("memories_touched_between", low=low, high=high, since=since)}


def _weeks_inside(month: MemoryPeriod) -> list[MemoryPeriod]:
    """The weeks that lie wholly in a month."""
    weeks = {each.text: each for each in (period_around("weekly", day) for day in _days(month))}
    return [week for week in weeks.values() if month.first <= week.first and week.last <= month.last]


def _months(year: MemoryPeriod) -> list[MemoryPeriod]:
    return [period_around("monthly", date(year.first.year, number, 1)) for number in range(1, 13)]


def _days(period: MemoryPeriod) -> Iterator[date]:
    for count in range((period.last - period.first).days + 1):
        yield period.first + timedelta(days=count)


def summary_sources(view: View, period: MemoryPeriod) -> list[StoredMemory]:
    """What a summary of this period is made of, in order of date."""
    match period.granularity:
        case "weekly":
            found = load_memories(view, _dailies(view, period))
        case "monthly":
            weeks = _weeks_inside(period)
            whole = [each for each in (find_memory(view, summary_id(week)) for week in weeks) if each]
            loose = load_memories(view, _dailies(view, period))
            found = [*whole, *(day for day in loose if not any(_is_within(day, week) for week in weeks))]
        case _:
            found = [each for each in (find_memory(view, summary_id(month)) for month in _months(period)) if each]
    return sorted(found, key=lambda each: (each.draft.period.first, each.id))


def _is_within(memory: StoredMemory, week: MemoryPeriod) -> bool:
    return week.first <= memory.draft.period.first <= week.last


def _dailies(view: View, period: MemoryPeriod) -> list[Document]:
    return memories_between(view, "daily", period.first.isoformat(), period.last.isoformat())


def lower_periods(period: MemoryPeriod) -> list[MemoryPeriod]:
    """The lower summaries that one of this period is made of."""
    match period.granularity:
        case "monthly":
            return _weeks_inside(period)
        case "yearly":
            return _months(period)
        case _:
            return []


def periods_with_sources(view: View, granularity: Granularity) -> list[MemoryPeriod]:
    """The closed periods of a granularity that anything can be said about, oldest first."""
    found: dict[str, MemoryPeriod] = {}
    for below_, day in view.rows("entry_periods"):
        period = period_around(granularity, date_of_day(day))
        if below_ == "daily" or period in _parent_periods(below_, date_of_day(day), granularity):
            found[period.text] = period
    return sorted((each for each in found.values() if is_closed(view, each)), key=lambda each: each.first)


def _parent_periods(granularity: str, day: date, above: Granularity) -> list[MemoryPeriod]:
    """The periods above that take a summary of this granularity as a source."""
    match granularity, above:
        case "weekly", "monthly" | "yearly":
            week = period_around("weekly", day)
            return (
                [period_around(above, day)]
                if period_around("monthly", week.first) == period_around("monthly", week.last)
                else []
            )
        case "monthly", "yearly":
            return [period_around("yearly", day)]
        case _:
            return []


AUTHOR = "entity-core"
ConsolidationProblem = Literal["period_open", "no_sources", "written_by_hand", "write_failed"]
Action = Literal["created", "redone", "unchanged"]
SummaryState = Literal["missing", "stale", "by_hand", "current"]


@dataclass(frozen=True, slots=True)
class ConsolidationDone:
    """The summary of a period as it now stands, and the transaction that made it, if one did."""

    period: MemoryPeriod
    action: Action
    memory: StoredMemory
    tx: int | None


@dataclass(frozen=True, slots=True)
class ConsolidationFailure:
    """Why a period has no new summary."""

    period: MemoryPeriod
    error: ConsolidationProblem


ConsolidationOutcome = ConsolidationDone | ConsolidationFailure


def consolidate_all(
    memory: Memory, levels: tuple[Granularity, ...] = SUMMARY_GRANULARITIES, *, force: bool = False
) -> list[ConsolidationOutcome]:
    """Make every summary of these levels that is missing or stale, the lower ones first."""
    with memory.write() as change:
        index_memories(change)
    course = _PeriodProgress(memory, sum(len(_pending_periods(memory, level, force)) for level in levels))
    return [outcome for level in levels for outcome in _consolidate_level(course, level, force)]


class _PeriodProgress:
    """How many periods are done, told to whoever waits for them."""

    def __init__(self, memory: Memory, total: int) -> None:
        self.memory = memory
        self._done, self._total = 0, total

    def report(self, period: MemoryPeriod) -> None:
        self._done += 1
        self.memory.report_progress(Progress(self._done, max(self._done, self._total), summary_id(period)))


def _pending_periods(memory: Memory, level: Granularity, force: bool) -> list[MemoryPeriod]:
    with memory.read() as view:
        return [each for each in periods_with_sources(view, level) if force or summary_state(view, each) != "current"]


def _consolidate_level(course: _PeriodProgress, level: Granularity, force: bool) -> list[ConsolidationOutcome]:
    def summed_up(period: MemoryPeriod) -> list[ConsolidationOutcome]:
        outcomes = consolidate(course.memory, period, force=force)
        course.report(period)
        return outcomes

    return ask_together(summed_up, _pending_periods(course.memory, level, force))


def consolidate(memory: Memory, period: MemoryPeriod, *, force: bool = False) -> list[ConsolidationOutcome]:
    """Sum up one period, after the lower ones that it needs."""
    with memory.read() as view:
        state = summary_state(view, period)
        if not is_closed(view, period):
            return [ConsolidationFailure(period, "period_open")]
        held = find_memory(view, summary_id(period))
        lower = [each for each in lower_periods(period) if _is_needed(view, each)]
    if held is not None and state == "current" and not force:
        return [ConsolidationDone(period, "unchanged", held, None)]
    if state == "by_hand" and not force:
        return [ConsolidationFailure(period, "written_by_hand")]
    made = ask_together(partial(consolidate, memory), lower)
    return [*made, _write_summary(memory, period)]


def summary_state(view: View, period: MemoryPeriod) -> SummaryState:
    """How the summary of a period stands; by hand is one that is stale and was written so."""
    held = find_memory(view, summary_id(period))
    if held is None:
        return "missing"
    if not is_stale(view, held):
        return "current"
    return "by_hand" if held.draft.summary and held.draft.summary.method == "hand" else "stale"


def _is_needed(view: View, period: MemoryPeriod) -> bool:
    """Whether a lower summary has to be made first: one that is stale by hand is used as it is."""
    state = summary_state(view, period)
    return state in ("missing", "stale") and (
        bool(summary_sources(view, period)) or any(_is_needed(view, each) for each in lower_periods(period))
    )


def _write_summary(memory: Memory, period: MemoryPeriod) -> ConsolidationOutcome:
    told = _summarize_with_model(memory, period)
    try:
        with memory.write() as change:
            return _put_summary(change, period, told)
    except Unavailable:
        return ConsolidationFailure(period, "write_failed")


class _ModelSummary(NamedTuple):
    """What a model made of these texts, outside any transaction."""

    texts: tuple[str, ...]
    bullets: list[str]


def _summarize_with_model(memory: Memory, period: MemoryPeriod) -> _ModelSummary | None:
    model = memory.model
    if model is None:
        return None
    with memory.read() as view:
        texts = tuple(each.content for each in summary_sources(view, period))
    bullets = summarize(model, period, texts) if texts else None
    return _ModelSummary(texts, bullets) if bullets else None


def _put_summary(change: Change, period: MemoryPeriod, retold: _ModelSummary | None) -> ConsolidationOutcome:
    sources = summary_sources(change, period)
    if not sources:
        return ConsolidationFailure(period, "no_sources")
    held = find_memory(change, summary_id(period))
    texts = tuple(each.content for each in sources)
    is_told = retold is not None and retold.texts == texts
    text = render_summary(period, retold.bullets) if retold and is_told else extract_summary(period, texts)
    draft = MemoryDraft(
        period=period,
        instance=AUTHOR,
        participants=merge_unique(*(each.draft.participants for each in sources)),
        chats=(),
        created_at=held.draft.created_at if held else change.now,
        updated_at=change.now,
        summary=SummaryProvenance("model" if is_told else "extractive", tuple(each.id for each in sources)),
    )
    if held and held.content == text and held.draft.summary == draft.summary and not is_stale(change, held):
        return ConsolidationDone(period, "unchanged", held, None)
    made = put_memory(change, draft, text)
    return ConsolidationDone(period, "redone" if held else "created", made, change.tx)
