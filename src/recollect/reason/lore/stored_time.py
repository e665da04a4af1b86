"""Times that stand in properties and literals as texts."""

from typing import Any

from recollect.errors import Refused
from recollect.store.world import World
from recollect.when.period import Time
from recollect.when.read import read_time


def time_stored(value: Any, world: World) -> Time | None:
    """The time that a stored value stands for, if it does; `T1 .. T2` is the whole stretch."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"{value:04}"
    if not isinstance(value, str):
        return None
    first, _, last = value.partition(" .. ")
    try:
        start = read_time(first, world.timeline, world.clock)
        end = read_time(last, world.timeline, world.clock) if last else start
    except Refused:
        return None
    return start if start == end else Time(value, start.lo, max(start.lo, end.hi), start.uncertain or end.uncertain)
