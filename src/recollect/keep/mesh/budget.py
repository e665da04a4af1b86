"""How much was fetched lately: kept in the store, so that a restart forgives nothing."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep

from recollect.keep.mesh.problems import Busy
from recollect.memory import Memory
from recollect.store.change import Change
from recollect.store.view import View
from recollect.when.instant import MINUTE, SECOND, day_start, local_day

BATCH = MINUTE
SLOT = 30 * SECOND
WAIT_SECONDS = 2.0
STEP_SECONDS = 0.05


def used_today(view: View) -> int:
    """The workspace's tokens since local midnight."""
    midnight = day_start(local_day(view.now, view.world.zone), view.world.zone)
    return sum(tokens for *_, tokens in view.rows("mesh_used", since=midnight))


def used_lately(view: View, session: str) -> int:
    """This session's tokens in the last minute."""
    rows = view.rows("mesh_used", since=view.now - BATCH + 1)
    return sum(tokens for who, _, tokens in rows if who == session)


def debit(change: Change, session: str, tokens: int) -> None:
    """Count what was given, and forget what no rung asks about any more."""
    use = {"ws": change.ws, "at": change.now, "id": secrets.token_hex(8), "session": session, "tokens": tokens}
    change.connection.run("mesh_use_add", use)
    yesterday = day_start(local_day(change.now, change.world.zone) - 1, change.world.zone)
    change.connection.run("mesh_use_forget", {"ws": change.ws, "before": yesterday})


@contextmanager
def slot(memory: Memory, most: int) -> Iterator[None]:
    """A place among those that fetch at the same time, whichever process they are in."""
    taken = secrets.token_hex(8)
    until = monotonic() + WAIT_SECONDS
    while not _take(memory, taken, most):
        if monotonic() > until:
            raise Busy(most)
        sleep(STEP_SECONDS)
    try:
        yield
    finally:
        with memory.write() as change:
            change.connection.run("mesh_slot_free", {"ws": change.ws, "id": taken, "now": change.now})


def _take(memory: Memory, taken: str, most: int) -> bool:
    with memory.write() as change:
        if len(change.rows("mesh_slots", now=change.now)) >= most:
            return False
        change.connection.run("mesh_slot_take", {"ws": change.ws, "id": taken, "until": change.now + SLOT})
    return True
