"""Consolidation of closed periods: days into weeks, weeks into months, months into years."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Literal, NamedTuple

from recollect.errors import Unavailable
from recollect.keep.memories.memory_store import (
    find_memory,
    id_range,
    load_memories,
    memories_between,
    merge_unique,
    put_memory,
)
from recollect.keep.memories.summary_text import extract_summary, render_summary, summarize
from recollect.keep.memory_formats import Granularity, MemoryPeriod, period_around
from recollect.keep.memory_index.index import index_memories
from recollect.keep.memory_index.stored_memory import (
    SUMMARY_GRANULARITIES,
    MemoryDraft,
    StoredMemory,
    SummaryProvenance,
)
from recollect.llm.port import ask_together
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.model.progress import Progress
from recollect.store.change import Change
from recollect.store.document_queries import memories_changed_between
from recollect.store.memory_queries import indexed_periods
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
    """Whether a direct or indirect source of a summary was written, changed or deleted after it."""
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
    return memories_changed_between(view, *id_range(granularity, *dates), since)


def _weeks_inside(month: MemoryPeriod) -> list[MemoryPeriod]:
    """The weeks that lie completely within a month."""
    weeks = {each.text: each for each in (period_around("weekly", day) for day in _days(month))}
    return [week for week in weeks.values() if month.first <= week.first and week.last <= month.last]


def _months(year: MemoryPeriod) -> list[MemoryPeriod]:
    return [period_around("monthly", date(year.first.year, number, 1)) for number in range(1, 13)]


def _days(period: MemoryPeriod) -> Iterator[date]:
    for count in range((period.last - period.first).days + 1):
        yield period.first + timedelta(days=count)


def summary_sources(view: View, period: MemoryPeriod) -> list[StoredMemory]:
    """The memories that a summary of this period is made of, by date."""
    match period.granularity:
        case "weekly":
            found = load_memories(view, _dailies(view, period))
        case "monthly":
            weeks = _weeks_inside(period)
            weekly = [each for each in (find_memory(view, summary_id(week)) for week in weeks) if each]
            days = load_memories(view, _dailies(view, period))
            found = [*weekly, *(day for day in days if not any(_is_within(day, week) for week in weeks))]
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
    """The closed periods of a granularity that have sources, oldest first."""
    found: dict[str, MemoryPeriod] = {}
    for lower, day in indexed_periods(view):
        period = period_around(granularity, date_of_day(day))
        if lower == "daily" or period in _parent_periods(lower, date_of_day(day), granularity):
            found[period.text] = period
    return sorted((each for each in found.values() if is_closed(view, each)), key=lambda each: each.first)


def _parent_periods(granularity: str, day: date, above: Granularity) -> list[MemoryPeriod]:
    """The periods above that a summary of this granularity is a source of."""
    match granularity, above:
        case "weekly", "monthly" | "yearly":
            week = period_around("weekly", day)
            is_in_one_month = period_around("monthly", week.first) == period_around("monthly", week.last)
            return [period_around(above, day)] if is_in_one_month else []
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
    """The summary of a period, and the transaction that wrote it, if one did."""

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
    """Write every missing or stale summary of these levels, the lower ones first."""
    with memory.write() as change:
        index_memories(change)
    progress = _PeriodProgress(memory, sum(len(_pending_periods(memory, level, force)) for level in levels))
    return [outcome for level in levels for outcome in _consolidate_level(progress, level, force)]


class _PeriodProgress:
    """Reports how many periods are done."""

    def __init__(self, memory: Memory, total: int) -> None:
        self.memory = memory
        self._done, self._total = 0, total

    def report(self, period: MemoryPeriod) -> None:
        self._done += 1
        self.memory.report_progress(Progress(self._done, max(self._done, self._total), summary_id(period)))


def _pending_periods(memory: Memory, level: Granularity, force: bool) -> list[MemoryPeriod]:
    with memory.read() as view:
        return [each for each in periods_with_sources(view, level) if force or summary_state(view, each) != "current"]


def _consolidate_level(progress: _PeriodProgress, level: Granularity, force: bool) -> list[ConsolidationOutcome]:
    def consolidate_period(period: MemoryPeriod) -> list[ConsolidationOutcome]:
        outcomes = consolidate(progress.memory, period, force=force)
        progress.report(period)
        return outcomes

    return ask_together(consolidate_period, _pending_periods(progress.memory, level, force))


def consolidate(memory: Memory, period: MemoryPeriod, *, force: bool = False) -> list[ConsolidationOutcome]:
    """Summarise one period, after the lower ones that it needs."""
    with memory.read() as view:
        state = summary_state(view, period)
        if not is_closed(view, period):
            return [ConsolidationFailure(period, "period_open")]
        known = find_memory(view, summary_id(period))
        lower = [each for each in lower_periods(period) if _is_needed(view, each)]
    if known is not None and state == "current" and not force:
        return [ConsolidationDone(period, "unchanged", known, None)]
    if state == "by_hand" and not force:
        return [ConsolidationFailure(period, "written_by_hand")]
    outcomes = ask_together(partial(consolidate, memory), lower)
    return [*outcomes, _write_summary(memory, period)]


def summary_state(view: View, period: MemoryPeriod) -> SummaryState:
    """The state of a period's summary; `by_hand` is a stale one that a person wrote."""
    known = find_memory(view, summary_id(period))
    if known is None:
        return "missing"
    if not is_stale(view, known):
        return "current"
    return "by_hand" if known.draft.summary and known.draft.summary.method == "hand" else "stale"


def _is_needed(view: View, period: MemoryPeriod) -> bool:
    """Whether a lower summary has to be written first; a stale one written by hand is used as it is."""
    state = summary_state(view, period)
    return state in ("missing", "stale") and (
        bool(summary_sources(view, period)) or any(_is_needed(view, each) for each in lower_periods(period))
    )


def _write_summary(memory: Memory, period: MemoryPeriod) -> ConsolidationOutcome:
    generated = _summarize_with_model(memory, period)
    try:
        with memory.write() as change:
            return _put_summary(change, period, generated)
    except Unavailable:
        return ConsolidationFailure(period, "write_failed")


class _ModelSummary(NamedTuple):
    """The bullets that a model wrote for these texts, outside of any transaction."""

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


def _put_summary(change: Change, period: MemoryPeriod, generated: _ModelSummary | None) -> ConsolidationOutcome:
    sources = summary_sources(change, period)
    if not sources:
        return ConsolidationFailure(period, "no_sources")
    known = find_memory(change, summary_id(period))
    texts = tuple(each.content for each in sources)
    is_current = generated is not None and generated.texts == texts
    text = render_summary(period, generated.bullets) if generated and is_current else extract_summary(period, texts)
    draft = MemoryDraft(
        period=period,
        instance=AUTHOR,
        participants=merge_unique(*(each.draft.participants for each in sources)),
        chats=(),
        created_at=known.draft.created_at if known else change.now,
        updated_at=change.now,
        summary=SummaryProvenance("model" if is_current else "extractive", tuple(each.id for each in sources)),
    )
    if known and known.content == text and known.draft.summary == draft.summary and not is_stale(change, known):
        return ConsolidationDone(period, "unchanged", known, None)
    written = put_memory(change, draft, text)
    return ConsolidationDone(period, "redone" if known else "created", written, change.tx)
