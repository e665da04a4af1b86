"""A part of the time axis as pages draw it: its ends, labelled marks, and the eras on it."""

from dataclasses import dataclass
from typing import TypedDict

from recollect.store.world import World
from recollect.when.format import time_of
from recollect.when.ruler import RulerUnit, choose_step, day_label, ruler_calendar, ruler_ticks
from recollect.when.span import Span


@dataclass(frozen=True, slots=True)
class ZoomLinks:
    """Addresses of other parts of an axis; an empty one cannot be reached."""

    into: str
    out: str
    earlier: str
    later: str
    everything: str


class MarkView(TypedDict):
    """A mark; `value` is what the clock bar reads."""

    at: int
    label: str
    value: str


class AxisView(TypedDict):
    """From `lo` to `hi`; `now` is the world's present. Marks are labelled for people."""

    lo: int
    hi: int
    now: int
    marks: list[MarkView]


def axis_view(world: World, span: Span, most: int) -> AxisView:
    """The axis of a span with at most so many marks, each with its full label."""
    unit = _unit(world, span, most)
    marks: list[MarkView] = [
        {"at": tick.at, "label": day_label(world.timeline, tick.at, unit), "value": moment_text(world, tick.at, unit)}
        for tick in ruler_ticks(world.timeline, span, most)
    ]
    return {"lo": span.lo, "hi": span.hi, "now": world.present.lo, "marks": marks}


def _unit(world: World, span: Span, most: int) -> RulerUnit:
    first, last = world.timeline.day_at(span.lo), world.timeline.day_at(span.hi)
    return choose_step(ruler_calendar(world.timeline, (first + last) // 2), last - first + 1, most).unit


def moment_text(world: World, position: int, unit: RulerUnit) -> str:
    """A position as the clock bar and addresses write it; empty before the first era."""
    time = time_of(position, world.timeline, unit)
    return "" if time is None else time.text
