"""Up to which transaction every record was read with all that matters to it."""

from recollect.memory import Memory
from recollect.store.change import Change
from recollect.store.view import View


def read_to(view: View) -> int:
    """The number of the last transaction whose names, issues and affiliations were seen to."""
    rows = view.rows("reading_to")
    return int(rows[0][0]) if rows else 0


def note_read_to(change: Change, tx: int) -> None:
    change.connection.run("reading_put", {"ws": change.ws, "tx": tx})


def is_all_read(memory: Memory) -> bool:
    """Whether no record can gain by what came since; if so, all of it is taken as seen to."""
    with memory.read() as view:
        last = view.last_tx
        if last <= read_to(view):
            return not view.rows("awaited_any")
        if view.rows("awaited_any") or view.rows("employers_suggested"):
            return False
    with memory.write() as change:
        note_read_to(change, last)
    return True
