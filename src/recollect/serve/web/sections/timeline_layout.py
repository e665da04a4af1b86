"""Where the bars, events, marks and eras of a timeline are drawn: pure arithmetic on positions of the axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypedDict

from recollect.model.ids import format_entity_id, format_fact_id
from recollect.reason.timeline_lanes import Lane, LaneItem
from recollect.store.world import World
from recollect.surfaces.recollect.views import BriefEntity
from recollect.text.fold import shorten
from recollect.when.format import time_of
from recollect.when.ruler import EraBand, RulerUnit, Tick, choose_step, day_label, ruler_calendar, ruler_ticks
from recollect.when.span import Span

WIDTH = 1000
ROW = 27
HEAD = 26
ERA_ROW = 20
MAX_ROWS = 40
_LETTER = 7.6
_LABEL_LETTERS = 46


@dataclass(frozen=True, slots=True)
class Scale:
    """From positions of the axis to the width of the drawing."""

    span: Span

    def x(self, position: int) -> float:
        share = (position - self.span.lo) / max(1, self.span.hi - self.span.lo)
        return round(WIDTH * min(1.0, max(0.0, share)), 1)


@dataclass(frozen=True, slots=True)
class BarView:
    """A bar or, without width, an event. `opens_left` and `opens_right` if it continues beyond the drawing."""

    fact: str
    text: str
    label: str
    predicate: str
    since: str | None
    until: str | None
    x: float
    width: float
    y: int
    label_x: float
    is_event: bool
    state: str
    opens_left: bool
    opens_right: bool
    change: str = ""
    """How it differs from now, on a page that shows another moment."""


@dataclass(frozen=True, slots=True)
class LaneView:
    entity: BriefEntity
    colour: int
    y: int
    height: int
    bars: tuple[BarView, ...]
    undated: int
    outside: int
    more: int


@dataclass(frozen=True, slots=True)
class MarkLine:
    x: float
    label: str
    is_major: bool


@dataclass(frozen=True, slots=True)
class EraBox:
    name: str
    x: float
    width: float
    y: int
    is_odd: bool


@dataclass(frozen=True, slots=True)
class TimelineDrawing:
    height: int
    ruler_y: int
    marks: tuple[MarkLine, ...]
    eras: tuple[EraBox, ...]
    lanes: tuple[LaneView, ...]
    now_x: float | None


def lay_out(
    lanes: Sequence[Lane],
    span: Span,
    ticks: Sequence[Tick],
    eras: Sequence[EraBand],
    now: int,
    changes: Mapping[str, str] = MappingProxyType({}),
) -> TimelineDrawing:
    """The drawing of some lanes in a part of the axis; `changes` says what became of facts since."""
    scale = Scale(span)
    boxes = tuple(
        EraBox(band.name, scale.x(band.lo), scale.x(band.hi) - scale.x(band.lo), band.depth * ERA_ROW, index % 2 == 1)
        for index, band in enumerate(eras)
    )
    ruler_y = max((box.y + ERA_ROW for box in boxes), default=0)
    y, shown = ruler_y + HEAD, []
    for number, lane in enumerate(lanes):
        view = _lane(lane, scale, y, number % 8, changes, now)
        shown.append(view)
        y += view.height
    marks = tuple(MarkLine(scale.x(tick.at), tick.label, tick.is_major) for tick in ticks)
    now_x = scale.x(now) if span.lo <= now <= span.hi else None
    return TimelineDrawing(y + 6, ruler_y, marks, boxes, tuple(shown), now_x)


def _lane(lane: Lane, scale: Scale, y: int, colour: int, changes: Mapping[str, str], now: int) -> LaneView:
    inside = [item for item in lane.items if item.overlaps(scale.span)]
    rows = _Rows()
    bars = []
    for item in sorted(inside, key=lambda each: (scale.span.lo if each.lo is None else each.lo, each.fact)):
        placed = rows.place(*_extent(item, scale))
        if placed is not None:
            bar = _bar(item, scale, y + HEAD + placed * ROW, now)
            bars.append(replace(bar, change=changes.get(bar.fact, "")))
    entity: BriefEntity = {
        "id": format_entity_id(lane.entity.id),
        "name": lane.entity.name,
        "type": lane.entity.type,
    }
    height = HEAD + max(1, rows.count) * ROW
    unplaced = len(inside) - len(bars)
    return LaneView(
        entity, colour, y, height, tuple(bars), lane.undated, len(lane.items) - len(inside), lane.more + unplaced
    )


class _Rows:
    """Places items in the first row that is free where they begin."""

    def __init__(self) -> None:
        self._ends: list[float] = []

    @property
    def count(self) -> int:
        return len(self._ends)

    def place(self, start: float, end: float) -> int | None:
        for row, free_from in enumerate(self._ends):
            if free_from <= start:
                self._ends[row] = end
                return row
        if len(self._ends) == MAX_ROWS:
            return None
        self._ends.append(end)
        return len(self._ends) - 1


def _edges(item: LaneItem, scale: Scale) -> tuple[float, float]:
    first = scale.x(scale.span.lo if item.lo is None else item.lo)
    last = scale.x(scale.span.hi if item.hi is None else item.hi)
    return first, max(first, last)


def _label(item: LaneItem) -> str:
    return shorten(item.text, _LABEL_LETTERS)


def _label_start(first: float, label: str) -> float:
    """A label begins with its bar, but ends inside the drawing."""
    return max(0.0, min(first, WIDTH - len(label) * _LETTER))


def _extent(item: LaneItem, scale: Scale) -> tuple[float, float]:
    first, last = _edges(item, scale)
    label = _label(item)
    start = _label_start(first, label)
    return min(first, start), max(last, start + len(label) * _LETTER) + 10


def _state(item: LaneItem, now: int) -> str:
    has_ended = not item.is_event and item.hi is not None and item.hi < now
    return "ended" if has_ended else "disputed" if item.is_disputed else "current"


def _bar(item: LaneItem, scale: Scale, y: int, now: int) -> BarView:
    first, last = _edges(item, scale)
    label = _label(item)
    return BarView(
        format_fact_id(item.fact),
        item.text,
        label,
        item.predicate,
        item.since,
        item.until,
        first,
        0.0 if item.is_event else round(max(3.0, last - first), 1),
        y,
        _label_start(first, label),
        item.is_event,
        _state(item, now),
        item.lo is None or item.lo < scale.span.lo,
        item.hi is None or item.hi > scale.span.hi,
    )


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
    """The axis of a span with at most `most` marks, each with its full label."""
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
