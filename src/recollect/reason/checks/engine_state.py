"""State of the consistency engine: initial scan, last checked transaction, round, queued rules job."""

from recollect.store.change import Change
from recollect.store.finding_queries import check_state, put_check_state
from recollect.store.job_queries import drop_job, job_with_id, put_job
from recollect.store.view import View

_ENGINE_KEY = "engine"
_CHECKED_TX_KEY = "seen"
_ROUND_KEY = "round"
_SCAN_POSITION_KEY = "woken_to"
_SCANNING, _SCANNED = "waking", "awake"
RULES_JOB = "rules"


def is_watching(view: View) -> bool:
    """Whether changes are checked as they are written: the initial scan has begun."""
    return check_state(view, _ENGINE_KEY) is not None


def is_initial_scan_done(view: View) -> bool:
    return check_state(view, _ENGINE_KEY) == _SCANNED


def begin_initial_scan(change: Change) -> None:
    """From here on changes are checked, so that none is missed during the scan."""
    if not is_watching(change):
        put_check_state(change, _ENGINE_KEY, _SCANNING)
        save_last_checked_tx(change, change.last_tx)


def finish_initial_scan(change: Change) -> None:
    put_check_state(change, _ENGINE_KEY, _SCANNED)


def initial_scan_position(view: View) -> str:
    """The last entity that the initial scan has reached, in the order of ids."""
    return check_state(view, _SCAN_POSITION_KEY) or ""


def save_initial_scan_position(change: Change, entity: str) -> None:
    """Record how far the scan got; it never goes back, even if several processes continue it."""
    put_check_state(change, _SCAN_POSITION_KEY, max(entity, initial_scan_position(change)))


def last_checked_tx(change: Change) -> int:
    """The last transaction that was checked before this change."""
    checked = int(check_state(change, _CHECKED_TX_KEY) or 0)
    return min(checked, change.tx - 1) if change.has_changed else checked


def current_round(view: View) -> str:
    """The number of the full run that began last; every finding checked from then on carries it."""
    return check_state(view, _ROUND_KEY) or _format_round(0)


def begin_round(change: Change) -> str:
    """Begin a full run; its number is greater than all before it, in any process."""
    round_ = _format_round(int(current_round(change)) + 1)
    put_check_state(change, _ROUND_KEY, round_)
    return round_


def _format_round(number: int) -> str:
    return f"{number:012}"


def save_last_checked_tx(change: Change, tx: int) -> None:
    put_check_state(change, _CHECKED_TX_KEY, str(tx))


def enqueue_rules_job(change: Change, tx: int) -> None:
    """Queue a run of the custom rules."""
    put_job(change, RULES_JOB, RULES_JOB, str(tx))


def pending_rules_job(view: View) -> str | None:
    """The transaction after which the custom rules have yet to run."""
    job = job_with_id(view, RULES_JOB)
    return job.payload if job is not None else None


def finish_rules_job(change: Change, tx: str) -> None:
    """Remove the job, unless another change queued it again meanwhile."""
    if pending_rules_job(change) == tx:
        drop_job(change, RULES_JOB)
