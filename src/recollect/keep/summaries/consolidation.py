"""Closed periods summed up, each in its own transaction: days make the week, weeks the month, months the year."""

from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from recollect.errors import Unavailable
from recollect.keep.memories.dates import Granularity, Period
from recollect.keep.memories.index import index_memories
from recollect.keep.memories.keeping import SUMMARIES, Kept, MemoryDraft, Summary, find_memory, put_memory, union
from recollect.keep.summaries.extract import summary_text, titled
from recollect.keep.summaries.periods import below, is_closed, is_stale, sources_of, summary_id, with_sources
from recollect.keep.summaries.retelling import told
from recollect.llm.unanswered import together
from recollect.memory import Memory
from recollect.model.progress import Progress
from recollect.store.change import Change
from recollect.store.view import View

AUTHOR = "entity-core"
Problem = Literal["period_open", "no_sources", "written_by_hand", "write_failed"]
Action = Literal["created", "redone", "unchanged"]
State = Literal["missing", "stale", "by_hand", "current"]


@dataclass(frozen=True, slots=True)
class Done:
    """The summary of a period as it now stands, and the transaction that made it, if one did."""

    period: Period
    action: Action
    memory: Kept
    tx: int | None


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a period has no new summary."""

    period: Period
    error: Problem


Outcome = Done | Failed


def consolidate_all(
    memory: Memory, levels: tuple[Granularity, ...] = SUMMARIES, *, force: bool = False
) -> list[Outcome]:
    """Make every summary of these levels that is missing or stale, the lower ones first."""
    with memory.write() as change:
        index_memories(change)
    course = _Course(memory, sum(len(_waiting(memory, level, force)) for level in levels))
    return [outcome for level in levels for outcome in _level(course, level, force)]


class _Course:
    """How many periods are done, told to whoever waits for them."""

    def __init__(self, memory: Memory, total: int) -> None:
        self.memory = memory
        self._done, self._total = 0, total

    def tell(self, period: Period) -> None:
        self._done += 1
        self.memory.tell(Progress(self._done, max(self._done, self._total), summary_id(period)))


def _waiting(memory: Memory, level: Granularity, force: bool) -> list[Period]:
    with memory.read() as view:
        return [each for each in with_sources(view, level) if force or state_of(view, each) != "current"]


def _level(course: _Course, level: Granularity, force: bool) -> list[Outcome]:
    def summed_up(period: Period) -> list[Outcome]:
        outcomes = consolidate(course.memory, period, force=force)
        course.tell(period)
        return outcomes

    return together(summed_up, _waiting(course.memory, level, force))


def consolidate(memory: Memory, period: Period, *, force: bool = False) -> list[Outcome]:
    """Sum up one period, after the lower ones that it needs."""
    with memory.read() as view:
        state = state_of(view, period)
        if not is_closed(view, period):
            return [Failed(period, "period_open")]
        held = find_memory(view, summary_id(period))
        lower = [each for each in below(period) if _is_needed(view, each)]
    if held is not None and state == "current" and not force:
        return [Done(period, "unchanged", held, None)]
    if state == "by_hand" and not force:
        return [Failed(period, "written_by_hand")]
    made = together(partial(consolidate, memory), lower)
    return [*made, _written(memory, period)]


def state_of(view: View, period: Period) -> State:
    """How the summary of a period stands; by hand is one that is stale and was written so."""
    held = find_memory(view, summary_id(period))
    if held is None:
        return "missing"
    if not is_stale(view, held):
        return "current"
    return "by_hand" if held.draft.summary and held.draft.summary.method == "hand" else "stale"


def _is_needed(view: View, period: Period) -> bool:
    """Whether a lower summary has to be made first: one that is stale by hand is used as it is."""
    state = state_of(view, period)
    return state in ("missing", "stale") and (
        bool(sources_of(view, period)) or any(_is_needed(view, each) for each in below(period))
    )


def _written(memory: Memory, period: Period) -> Outcome:
    told = _told(memory, period)
    try:
        with memory.write() as change:
            return _write(change, period, told)
    except Unavailable:
        return Failed(period, "write_failed")


class _Told(NamedTuple):
    """What a model made of these texts, outside any transaction."""

    texts: tuple[str, ...]
    bullets: list[str]


def _told(memory: Memory, period: Period) -> _Told | None:
    model = memory.model
    if model is None:
        return None
    with memory.read() as view:
        texts = tuple(each.content for each in sources_of(view, period))
    bullets = told(model, period, texts) if texts else None
    return _Told(texts, bullets) if bullets else None


def _write(change: Change, period: Period, retold: _Told | None) -> Outcome:
    sources = sources_of(change, period)
    if not sources:
        return Failed(period, "no_sources")
    held = find_memory(change, summary_id(period))
    texts = tuple(each.content for each in sources)
    is_told = retold is not None and retold.texts == texts
    text = titled(period, retold.bullets) if retold and is_told else summary_text(period, texts)
    draft = MemoryDraft(
        period=period,
        instance=AUTHOR,
        participants=union(*(each.draft.participants for each in sources)),
        chats=(),
        created_at=held.draft.created_at if held else change.now,
        updated_at=change.now,
        summary=Summary("model" if is_told else "extractive", tuple(each.id for each in sources)),
    )
    if held and held.content == text and held.draft.summary == draft.summary and not is_stale(change, held):
        return Done(period, "unchanged", held, None)
    made = put_memory(change, draft, text)
    return Done(period, "redone" if held else "created", made, change.tx)
