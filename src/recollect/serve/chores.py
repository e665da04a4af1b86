"""The chores: what is done while nobody asks, when it is due, and how. To add one is to add a line."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from recollect.settings import BadSetting
from recollect.when.instant import HOUR, Instant

if TYPE_CHECKING:
    from recollect.memory import Memory

Due = Callable[["Memory", Instant | None], bool]
CONSOLIDATION_HOUR = 6
WAKING_SECONDS = 2.0
SNAPSHOT_AT = "entity_core.daily_snapshot_at"


@dataclass(frozen=True, slots=True)
class Chore:
    """One kind of work: `due` is told when it last ran in this process, `run` says whether more of it waits."""

    name: str
    due: Due
    run: "Callable[[Memory], bool]"
    by_the_clock: bool = False
    """Runs by the hour of the day, so only where the clock moves and a server stays."""


def always(memory: "Memory", last: Instant | None) -> bool:
    del memory, last
    return True


def once(memory: "Memory", last: Instant | None) -> bool:
    del memory
    return last is None


def hourly(memory: "Memory", last: Instant | None) -> bool:
    return last is None or memory.clock.now() - last >= HOUR


def may_consolidate(memory: "Memory", last: Instant | None) -> bool:
    """From six in the morning, hourly, unless it was switched off."""
    if not hourly(memory, last) or not memory.settings.flag("entity_core.auto_consolidate", default=True):
        return False
    return _local(memory).hour >= CONSOLIDATION_HOUR


def wants_snapshot(memory: "Memory", last: Instant | None) -> bool:
    """Once a day, from the hour that was set, unless another process took it."""
    del last
    from recollect.keep.snapshots.naming import WHOLE, snapshots_of

    now, time = _local(memory), _time_of_day(memory)
    if (now.hour, now.minute) < time:
        return False
    begins = now.replace(hour=time.hour, minute=time.minute, second=0, microsecond=0)
    with memory.read() as view:
        taken = (each.at for each in snapshots_of(view, WHOLE) if each.reason == "scheduled")
        return view.last_tx > 0 and max(taken, default=0) < int(begins.timestamp()) * 1_000_000


class TimeOfDay(NamedTuple):
    hour: int
    minute: int


def _time_of_day(memory: "Memory") -> TimeOfDay:
    text = memory.settings.text(SNAPSHOT_AT, "03:00") or ""
    try:
        found = datetime.strptime(text, "%H:%M")
    except ValueError:
        raise BadSetting(SNAPSHOT_AT, text, "a time of day such as 03:00") from None
    return TimeOfDay(found.hour, found.minute)


def _local(memory: "Memory") -> datetime:
    """What the workspace's clocks on the wall show."""
    with memory.read() as view:
        return datetime.fromtimestamp(memory.clock.now() / 1_000_000, view.world.zone)


def begin_reading(memory: "Memory") -> bool:
    from recollect.keep.reading import queue as reading_queue

    reading_queue.begin_reading(memory)
    return False


def read_memory(memory: "Memory") -> bool:
    from recollect.keep.reading.queue import read_next

    return read_next(memory)


def read_records(memory: "Memory") -> bool:
    from recollect.ingest.extract.queue import read_waiting

    return read_waiting(memory)


def index(memory: "Memory") -> bool:
    """Take a small step towards complete indexes; each model works outside any transaction."""
    from recollect.ingest.recutting import recut_waiting
    from recollect.keep.indexing import index_step

    return recut_waiting(memory) or index_step(memory)


def wake_engine(memory: "Memory") -> bool:
    """Go on looking through a world whose findings somebody asked for; whether more of it is left."""
    from recollect.reason.checks.full import go_on_waking, is_waking

    return is_waking(memory) and not go_on_waking(memory, WAKING_SECONDS)


def run_rules(memory: "Memory") -> bool:
    """Run the added rules after what was written; each stops at its own limit."""
    from recollect.reason.checks.queued import run_due

    run_due(memory)
    return False


def consolidate(memory: "Memory") -> bool:
    from recollect.keep.summaries.consolidation import AUTHOR, consolidate_all

    consolidate_all(memory.acting("entity-core", "memory_consolidate", AUTHOR))
    return False


def take_snapshot(memory: "Memory") -> bool:
    """Name the state of the day and drop the names whose time is over."""
    from recollect.keep.snapshots.naming import SERVER, drop_expired
    from recollect.keep.snapshots.state import name_whole_state

    with memory.acting("entity-core", "snapshot_create", SERVER).write() as change:
        drop_expired(change, memory.settings)
        name_whole_state(change, "scheduled")
    return False


def sweep(memory: "Memory") -> bool:
    """Remove bodies and single measurements whose time is over."""
    from recollect.keep.artifacts.retention import sweep_bodies
    from recollect.keep.series.sweep import sweep_series

    sweep_bodies(memory)
    sweep_series(memory)
    return False


CHORES: tuple[Chore, ...] = (
    Chore("sweep", hourly, sweep),
    Chore("begin_reading", once, begin_reading),
    Chore("read_memory", always, read_memory),
    Chore("read_records", always, read_records),
    Chore("index", always, index),
    Chore("findings", always, wake_engine),
    Chore("rules", always, run_rules),
    Chore("consolidate", may_consolidate, consolidate, by_the_clock=True),
    Chore("snapshot", wants_snapshot, take_snapshot, by_the_clock=True),
)
