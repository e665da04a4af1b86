"""Times in and out: every one is a period, both ends inclusive, in the workspace's zone."""

from dataclasses import replace

from recollect.errors import Refused
from recollect.store.view import View
from recollect.store.world import World
from recollect.surfaces.carabase.problems import BadInput, RangeReversed
from recollect.when.instant import MAX, MIN, Instant, local_day, say_instant
from recollect.when.period import Time
from recollect.when.read import read_time
from recollect.when.span import Span

FORMS = ("YYYY", "YYYY-MM", "YYYY-MM-DD", "YYYY-Www", "an instant with offset")


def read_at(view: View, text: str | None, field: str = "at_time") -> Time:
    """The time asked about on the workspace's timeline; its now if none was named."""
    return view.world.now if text is None else _read(text, field, view.world)


def read_dates(view: View, first: str | None, last: str | None, names: tuple[str, str]) -> Span | None:
    """From the first moment of one time to the last of another, by the calendar on the wall; none for none."""
    if first is None and last is None:
        return None
    world = view.world
    wall = replace(world, timeline=replace(world.timeline, kind="gregorian"))
    low = MIN if first is None else _read(first, names[0], wall).lo
    high = MAX if last is None else _read(last, names[1], wall).hi
    if low > high:
        raise RangeReversed(*names)
    return Span(low, high)


def _read(text: str, field: str, world: World) -> Time:
    try:
        return read_time(text, world.timeline, world.clock, weeks=True)
    except Refused as problem:
        raise BadInput(f"{field}: {problem}", field=field, accepted=FORMS) from None


def say_day(instant: Instant, world: World) -> str:
    """The date on the wall of the workspace."""
    day = local_day(instant, world.zone)
    return say_instant(Instant(day * 86_400_000_000)).partition("T")[0]
