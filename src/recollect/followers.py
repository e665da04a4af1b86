"""Who follows every change, inside its transaction: what rests on facts and documents is never behind them.

Each imports its ability when it is first needed, so that a process that only reads does not pay for it.
"""

from recollect import memory
from recollect.memory import Follower, Memory
from recollect.settings import Settings
from recollect.when.clock import Clock


def standard() -> tuple[Follower, ...]:
    """The followers of every door."""
    return ()


def open_memory(
    db: str | None = None, workspace: str | None = None, settings: Settings | None = None, clock: Clock | None = None
) -> Memory:
    """The memory at an address, with everything that follows its changes."""
    return memory.open_memory(db, workspace, settings, clock, standard())
