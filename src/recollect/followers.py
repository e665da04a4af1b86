"""Who follows every change, inside its transaction: what rests on facts and documents is never behind them.

Each imports its ability when it is first needed, so that a process that only reads does not pay for it.
"""

from recollect import memory
from recollect.memory import Follower, Memory
from recollect.settings import Settings
from recollect.store.change import Change
from recollect.when.clock import Clock


def standard() -> tuple[Follower, ...]:
    """The followers of every door."""
    return _link_memories, _check, _index


def _link_memories(_: Memory, change: Change) -> None:
    if change.touched.documents or change.touched.facts:
        from recollect.keep.network.following import follow_memories

        follow_memories(change)


def _check(memory: Memory, change: Change) -> None:
    from recollect.reason.checks.state import watches

    if watches(change):
        from recollect.reason.checks.after import check_after

        check_after(memory, change)


def _index(_: Memory, change: Change) -> None:
    if change.touched.documents:
        from recollect.keep.indexing import index_written

        index_written(change)


def open_memory(
    db: str | None = None, workspace: str | None = None, settings: Settings | None = None, clock: Clock | None = None
) -> Memory:
    """The memory at an address, with everything that follows its changes."""
    return memory.open_memory(db, workspace, settings, clock, standard())
