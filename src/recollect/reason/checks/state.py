"""Whether the engine is awake: until somebody asks for findings, no write pays for them."""

from recollect.store.change import Change
from recollect.store.view import View

_ENGINE = "engine"
_SEEN = "seen"
_ROUND = "round"
_WOKEN_TO = "woken_to"
_WAKING, _AWAKE = "waking", "awake"
RULES_JOB = "rules"


def watches(view: View) -> bool:
    """Whether changes are followed: the engine is awake or about to be."""
    return bool(view.rows("check_state", key=_ENGINE))


def is_awake(view: View) -> bool:
    return view.rows("check_state", key=_ENGINE) == [(_AWAKE,)]


def begin_waking(change: Change) -> None:
    """From here on changes are followed, so that none is missed while the world is gone through."""
    if not watches(change):
        _put(change, _ENGINE, _WAKING)
        put_seen(change, change.last_tx)


def wake(change: Change) -> None:
    _put(change, _ENGINE, _AWAKE)


def woken_to(view: View) -> str:
    """The last entity that waking has come to, in the order of ids."""
    found = view.rows("check_state", key=_WOKEN_TO)
    return str(found[0][0]) if found else ""


def put_woken_to(change: Change, entity: str) -> None:
    """Waking has come so far; it never goes back, though several may go on with it."""
    _put(change, _WOKEN_TO, max(entity, woken_to(change)))


def seen_tx(change: Change) -> int:
    """The last transaction that was looked at before this change."""
    found = change.rows("check_state", key=_SEEN)
    seen = int(found[0][0]) if found else 0
    return min(seen, change.tx - 1) if change.has_changed else seen


def round_now(view: View) -> str:
    """The mark of the full run that began last; whatever is looked at from then on carries it."""
    found = view.rows("check_state", key=_ROUND)
    return str(found[0][0]) if found else _mark(0)


def begin_round(change: Change) -> str:
    """Begin a full run: its mark is greater than all before it, whichever process made them."""
    mark = _mark(int(round_now(change)) + 1)
    _put(change, _ROUND, mark)
    return mark


def _mark(number: int) -> str:
    return f"{number:012}"


def put_seen(change: Change, tx: int) -> None:
    _put(change, _SEEN, str(tx))


def _put(change: Change, key: str, value: str) -> None:
    change.connection.run("check_state_put", {"ws": change.ws, "key": key, "value": value})


def queue_rules(change: Change, tx: int) -> None:
    """Let the added rules run soon."""
    job = {"ws": change.ws, "id": RULES_JOB, "kind": RULES_JOB, "payload": str(tx), "due_at": change.now}
    change.connection.run("job_put", job)


def queued_rules(view: View) -> str | None:
    """The mark of the change after which the added rules have yet to run."""
    found = view.rows("job_one", id=RULES_JOB)
    return str(found[0][1]) if found else None


def drop_queued(change: Change, mark: str) -> None:
    """They ran, unless another change came meanwhile."""
    if queued_rules(change) == mark:
        change.connection.run("job_drop", {"ws": change.ws, "id": RULES_JOB})
