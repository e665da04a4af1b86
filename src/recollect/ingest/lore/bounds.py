"""From the times that somebody wrote to the bounds of a relation."""

from typing import NamedTuple

from recollect.errors import Refused
from recollect.ingest.lore.problems import BadStatement
from recollect.model.relations import is_point, say_relation
from recollect.store.world import World
from recollect.when.period import Bounds, Time
from recollect.when.problems import NoCurrentTime

RANGE = " .. "


class Times(NamedTuple):
    """When something was, as texts."""

    valid_from: str | None = None
    valid_until: str | None = None
    at: str | None = None


def read(world: World, text: str, field: str) -> Time:
    """The time a text stands for; a failure names the field."""
    try:
        time = world.read(text)
    except Refused as problem:
        problem.field = field
        raise
    if time.text == "current":
        raise NoCurrentTime
    return time


def bounds_of(world: World, relation: str, times: Times) -> Bounds:
    """The bounds of a relation; one that happens at a point has both or none."""
    if times.at is not None and (times.valid_from is not None or times.valid_until is not None):
        raise BadStatement("at stands for both bounds; leave out valid_from and valid_until", field="at")
    if times.at is not None:
        both = read(world, times.at, "at")
        return Bounds(both, both)
    start = None if times.valid_from is None else read(world, times.valid_from, "valid_from")
    end = None if times.valid_until is None else read(world, times.valid_until, "valid_until")
    if is_point(relation):
        start, end = start or end, end or start
    return checked(Bounds(start, end))


def checked(bounds: Bounds) -> Bounds:
    start, end = bounds.valid_from, bounds.valid_until
    if start is not None and end is not None and start.lo > end.hi:
        raise BadStatement(f"valid_until {end} lies before valid_from {start}; swap them", field="valid_until")
    return bounds


def stretch(world: World, relation: str, text: str, times: Times) -> tuple[str, Bounds]:
    """The object of a relation to a time: its canonical text, and its ends as bounds."""
    if times != Times():
        given = next(key for key, value in zip(Times._fields, times, strict=True) if value is not None)
        raise BadStatement(f"{say_relation(relation)} has its time as its object; leave out {given}", field=given)
    first, _, last = text.partition(RANGE)
    start = read(world, first.strip(), "to")
    if not last.strip():
        return start.text, Bounds(start, start)
    end = read(world, last.strip(), "to")
    bounds = checked(Bounds(start, end))
    return f"{start}{RANGE}{end}", bounds
