"""Background jobs: when each is due and what it does. Adding a job means adding a line."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from recollect.settings import BadSetting
from recollect.when.instant import DAY, HOUR, Instant

if TYPE_CHECKING:
    from recollect.memory import Memory

log = logging.getLogger(__name__)

DueTest = Callable[["Memory", Instant | None], bool]
CONSOLIDATION_HOUR = 6
RULE_STEP_SECONDS = 2.0
KEY_DAYS = 7
SNAPSHOT_AT = "entity_core.daily_snapshot_at"


@dataclass(frozen=True, slots=True)
class BackgroundJob:
    """One kind of work, named like its function in logs.

    `due` gets the time of the last run in this process; `run` returns true if more is waiting.
    """

    name: str
    due: DueTest
    run: "Callable[[Memory], bool]"
    has_time_of_day: bool = False
    """Is due at an hour of the day: only in a long-running server, and not with a fixed clock."""


def always(_memory: "Memory", _last: Instant | None) -> bool:
    return True


def once(_memory: "Memory", last: Instant | None) -> bool:
    return last is None


def is_file_unchecked(memory: "Memory", _last: Instant | None) -> bool:
    return not memory.engine.is_checked


def hourly(memory: "Memory", last: Instant | None) -> bool:
    # A last run in the future was told by a clock that has been set back since.
    return last is None or not 0 <= memory.clock.now() - last < HOUR


def is_consolidation_due(memory: "Memory", last: Instant | None) -> bool:
    """Hourly from six in the morning, unless switched off."""
    if not hourly(memory, last) or not memory.settings.flag("entity_core.auto_consolidate", default=True):
        return False
    return _local_time(memory).hour >= CONSOLIDATION_HOUR


def is_snapshot_due(memory: "Memory", _last: Instant | None) -> bool:
    """Once a day from the configured time, unless another process has taken it."""
    from recollect.keep.snapshot_store import WHOLE_STATE, snapshots_of

    now, time = _local_time(memory), _time_of_day(memory)
    if (now.hour, now.minute) < time:
        return False
    begins = now.replace(hour=time.hour, minute=time.minute, second=0, microsecond=0)
    with memory.read() as view:
        taken = (each.at for each in snapshots_of(view, WHOLE_STATE) if each.reason == "scheduled")
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


def _local_time(memory: "Memory") -> datetime:
    """The time now in the workspace's zone."""
    with memory.read() as view:
        return datetime.fromtimestamp(memory.clock.now() / 1_000_000, view.world.zone)


def resume_memory_extraction(memory: "Memory") -> bool:
    from recollect.keep.graph.extraction_queue import resume_extraction

    resume_extraction(memory)
    return False


def extract_from_memory(memory: "Memory") -> bool:
    from recollect.keep.graph.extraction_queue import extract_next

    return extract_next(memory)


def extract_from_records(memory: "Memory") -> bool:
    from recollect.ingest.extract.queue import process_next

    return process_next(memory)


def reread_lore(memory: "Memory") -> bool:
    """Read lore prose again whose times an earlier version could not read."""
    from recollect.ingest.lore.prose_rereading import reread_pending_prose

    reread_pending_prose(memory.as_actor("lore-engine", "add_lore_source", memory.actor.name))
    return False


def assess_stored_trust(memory: "Memory") -> bool:
    """Assess what earlier releases stored: how far its sources are trusted, and attacks in it."""
    from recollect.ingest.stored_trust import assess_next

    return assess_next(memory)


def index(memory: "Memory") -> bool:
    """Index a small batch; models run outside any transaction."""
    from recollect.indexing import index_step
    from recollect.ingest.job_steps import rechunk_next
    from recollect.reason.unread import scan_passages

    return rechunk_next(memory) or index_step(memory) or scan_passages(memory)


def continue_checks(memory: "Memory") -> bool:
    """Continue the first scan of a workspace whose findings were asked for; true if more is left."""
    from recollect.reason.checks.check_runs import continue_initial_scan, is_initial_scan_running

    return is_initial_scan_running(memory) and not continue_initial_scan(memory, RULE_STEP_SECONDS)


def run_rules(memory: "Memory") -> bool:
    """Run custom rules after writes; each stops at its own limit."""
    from recollect.reason.checks.custom_rules import run_pending_rules

    run_pending_rules(memory)
    return False


def consolidate(memory: "Memory") -> bool:
    from recollect.keep.memories.consolidation import AUTHOR, consolidate_all

    consolidate_all(memory.as_actor("entity-core", "memory_consolidate", AUTHOR))
    return False


def take_snapshot(memory: "Memory") -> bool:
    """Take the daily snapshot and drop expired ones."""
    from recollect.keep.memories.restore import snapshot_everything
    from recollect.keep.snapshot_store import SERVER_SOURCE, drop_expired

    with memory.as_actor("entity-core", "snapshot_create", SERVER_SOURCE).write() as change:
        drop_expired(change, memory.settings)
        snapshot_everything(change, "scheduled")
    return False


def sweep_expired(memory: "Memory") -> bool:
    """Remove bodies, single measurements and idempotency keys whose retention has ended."""
    from recollect.keep.artifacts.artifact import sweep_expired_bodies
    from recollect.keep.series.measurements import sweep_series
    from recollect.store.idempotency import sweep_claims

    sweep_claims(memory.engine, memory.workspace.ws, memory.clock.now() - KEY_DAYS * DAY)
    sweep_expired_bodies(memory)
    sweep_series(memory)
    return False


def check_file(memory: "Memory") -> bool:
    """Look for damage in the file; nothing is written any more once there is any."""
    for problem in memory.engine.check()[:1]:
        log.error("the store is damaged: %s; nothing is written to it", " ".join(problem.split()))
    return False


def shorten_audit_log(memory: "Memory") -> bool:
    """Remove entries older than `audit.retention_days`; 0 keeps all."""
    from recollect.store.audit import AuditStore

    days = memory.settings.integer("audit.retention_days", 0)
    if days > 0:
        now = memory.clock.now()
        AuditStore(memory.engine).drop_before(now - days * DAY, now)
    return False


BACKGROUND_JOBS: tuple[BackgroundJob, ...] = (
    BackgroundJob("check_file", is_file_unchecked, check_file),
    BackgroundJob("sweep_expired", hourly, sweep_expired),
    BackgroundJob("shorten_audit_log", hourly, shorten_audit_log),
    BackgroundJob("resume_memory_extraction", once, resume_memory_extraction),
    BackgroundJob("assess_stored_trust", always, assess_stored_trust),
    BackgroundJob("extract_from_memory", always, extract_from_memory),
    BackgroundJob("extract_from_records", always, extract_from_records),
    BackgroundJob("reread_lore", once, reread_lore),
    BackgroundJob("index", always, index),
    BackgroundJob("continue_checks", always, continue_checks),
    BackgroundJob("run_rules", always, run_rules),
    BackgroundJob("consolidate", is_consolidation_due, consolidate, has_time_of_day=True),
    BackgroundJob("take_snapshot", is_snapshot_due, take_snapshot, has_time_of_day=True),
)
