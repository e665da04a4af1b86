"""State of the engine: initial scan, last checked transaction, round, queued rules job."""

from recollect.store.change import Change
from recollect.store.view import View

_ENGINE_KEY = "engine"
_CHECKED_TX_KEY = "seen"
_ROUND_KEY = "round"
_SCAN_POSITION_KEY = "woken_to"
_SCANNING, _SCANNED = "waking", "awake"
RULES_JOB = "rules"


def is_watching(view: View) -> bool:
    """Whether changes are followed: the engine is awake or about to be."""
    return bool(view.rows("check_state", key=_ENGINE_KEY))


def is_initial_scan_done(view: View) -> bool:
    return view.rows("check_state", key=_ENGINE_KEY) == [(_SCANNED,)]


def begin_initial_scan(change: Change) -> None:
    """From here on changes are followed, so that none is missed while the world is gone through."""
    if not is_watching(change):
        _put_state(change, _ENGINE_KEY, _SCANNING)
        save_last_checked_tx(change, change.last_tx)


def finish_initial_scan(change: Change) -> None:
    _put_state(change, _ENGINE_KEY, _SCANNED)


def initial_scan_position(view: View) -> str:
    """The last entity that waking has come to, in the order of ids."""
    found = view.rows("check_state", key=_SCAN_POSITION_KEY)
    return str(found[0][0]) if found else ""


def save_initial_scan_position(change: Change, entity: str) -> None:
    """Waking has come so far; it never goes back, though several may go on with it."""
    _put_state(change, _SCAN_POSITION_KEY, max(entity, initial_scan_position(change)))


def last_checked_tx(change: Change) -> int:
    """The last transaction that was looked at before this change."""
    found = change.rows("check_state", key=_CHECKED_TX_KEY)
    seen = int(found[0][0]) if found else 0
    return min(seen, change.tx - 1) if change.has_changed else seen


def current_round(view: View) -> str:
    """The mark of the full run that began last; whatever is looked at from then on carries it."""
    found = view.rows("check_state", key=_ROUND_KEY)
    return str(found[0][0]) if found else _format_round(0)


def begin_round(change: Change) -> str:
    """Begin a full run: its mark is greater than all before it, whichever process made them."""
    mark = _format_round(int(current_round(change)) + 1)
    _put_state(change, _ROUND_KEY, mark)
    return mark


def _format_round(number: int) -> str:
    return f"{number:012}"


def save_last_checked_tx(change: Change, tx: int) -> None:
    _put_state(change, _CHECKED_TX_KEY, str(tx))


def _put_state(change: Change, key: str, value: str) -> None:
    change.connection.run("check_state_put", {"ws": change.ws, "key": key, "value": value})


def enqueue_rules_job(change: Change, tx: int) -> None:
    """Let the added rules run soon."""
    job = {"ws": change.ws, "id": RULES_JOB, "kind": RULES_JOB, "payload": str(tx), "due_at": change.now}
    change.connection.run("job_put", job)


def pending_rules_job(view: View) -> str | None:
    """The mark of the change after which the added rules have yet to run."""
    found = view.rows("job_one", id=RULES_JOB)
    return str(found[0][1]) if found else None


def finish_rules_job(change: Change, mark: str) -> None:
    """They ran, unless another change came meanwhile."""
    if pending_rules_job(change) == mark:
        change.connection.run("job_drop", {"ws": change.ws, "id": RULES_JOB})
