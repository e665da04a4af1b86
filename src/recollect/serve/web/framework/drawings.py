"""Drawings: the two clocks of a fact, the neighbourhood of an entity, and bars of validity."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recollect.serve.web.framework.cards import EntityCard
from recollect.text.fold import shorten
from recollect.when.instant import MAX, MIN

WIDTH, HEIGHT = 800.0, 280.0
LEFT, TOP, RIGHT, BOTTOM = 162.0, 26.0, 14.0, 38.0
LEAST = 5.0


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A version of a fact: when it was true and when that was known, both ends included; open ends are MIN and MAX."""

    text: str
    state: str
    valid_lo: int
    valid_hi: int
    since: str | None
    until: str | None
    known_lo: int
    known_hi: int
    known_from: str
    known_until: str | None
    transaction: int
    by: str


@dataclass(frozen=True, slots=True)
class VersionBox:
    """A version as a rectangle; `is_open_start` and `is_open_end` if its validity has no bound there."""

    version: KnownVersion
    x: float
    y: float
    width: float
    height: float
    is_open_start: bool
    is_open_end: bool


@dataclass(frozen=True, slots=True)
class AxisTick:
    place: float
    label: str


@dataclass(frozen=True, slots=True)
class TwoClockDiagram:
    boxes: tuple[VersionBox, ...]
    valid_ticks: tuple[AxisTick, ...]
    known_ticks: tuple[AxisTick, ...]
    cross_x: float
    cross_y: float
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    top: float = TOP
    right: float = WIDTH - RIGHT
    bottom: float = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class _Axis:
    """A linear scale from positions of time to places of the drawing."""

    lo: int
    hi: int
    first: float
    last: float

    def place(self, position: int) -> float:
        share = (min(max(position, self.lo), self.hi) - self.lo) / (self.hi - self.lo)
        return round(self.first + share * (self.last - self.first), 1)


def draw_two_clocks(versions: Sequence[KnownVersion], at: int, known: int, now: int) -> TwoClockDiagram:
    """The diagram of a fact's versions with a crosshair at the moment that the page shows."""
    valid = _axis([end for each in versions for end in (each.valid_lo, each.valid_hi)] + [at], LEFT, WIDTH - RIGHT)
    # What was learned this very moment has a height too.
    last_known = max(now, known, *(each.known_lo + 1 for each in versions))
    known_ends = [each.known_lo for each in versions] + [min(each.known_hi, last_known) for each in versions]
    down = _rows(sorted({*known_ends, last_known}))
    return TwoClockDiagram(
        tuple(_box(each, valid, down, last_known) for each in versions),
        tuple(_valid_ticks(versions, valid)),
        tuple(AxisTick(down[each.known_lo], each.known_from) for each in versions),
        valid.place(at),
        _place_known(down, known),
    )


def _axis(positions: Sequence[int], first: float, last: float) -> _Axis:
    # Before the calendar of a world is known, not even its present has a place.
    bounded = [each for each in positions if MIN < each < MAX] or [0]
    lo, hi = min(bounded), max(bounded)
    margin = max((hi - lo) // 8, 1)
    return _Axis(lo - margin, hi + margin, first, last)


def _rows(moments: Sequence[int]) -> dict[int, float]:
    """Places of the moments of knowledge, evenly apart: what matters is their order, and they may lie years apart."""
    span = HEIGHT - TOP - BOTTOM
    step = span / max(1, len(moments) - 1)
    return {moment: round(TOP + number * step, 1) for number, moment in enumerate(moments)}


def _place_known(down: dict[int, float], known: int) -> float:
    earlier = [moment for moment in down if moment <= known]
    if not earlier:
        return TOP
    here = max(earlier)
    later = [moment for moment in down if moment > known]
    return down[here] if not later or here == known else round((down[here] + down[min(later)]) / 2, 1)


def _box(version: KnownVersion, valid: _Axis, down: dict[int, float], last_known: int) -> VersionBox:
    x, right = valid.place(version.valid_lo), valid.place(version.valid_hi)
    y, bottom = down[version.known_lo], down[min(version.known_hi, last_known)]
    return VersionBox(
        version,
        x,
        y,
        max(LEAST, round(right - x, 1)),
        max(LEAST, round(bottom - y, 1)),
        version.valid_lo <= MIN,
        version.valid_hi >= MAX,
    )


def _valid_ticks(versions: Sequence[KnownVersion], valid: _Axis) -> list[AxisTick]:
    """The bounds of the versions, once each, without labels that would overlap."""
    ticks: dict[float, str] = {}
    for each in versions:
        for position, label in ((each.valid_lo, each.since), (each.valid_hi, each.until)):
            if label and MIN < position < MAX:
                ticks.setdefault(valid.place(position), label)
    shown: list[AxisTick] = []
    for place, label in sorted(ticks.items()):
        if not shown or place - shown[-1].place > 90:
            shown.append(AxisTick(place, label))
    return shown


EGO_WIDTH = 860
EGO_HEIGHTS = {1: 70, 2: 70, 3: 190, 4: 190}
"""Of few neighbours a low drawing is enough."""
EGO_HEIGHT = 300
LONGEST_NAME = 20


@dataclass(frozen=True, slots=True)
class EgoNeighbour:
    """A neighbour and how it is connected."""

    entity: EntityCard
    words: str
    count: int


@dataclass(frozen=True, slots=True)
class PlacedNeighbour:
    entity: EntityCard
    words: str
    count: int
    x: float
    y: float
    label: str
    anchor: str


@dataclass(frozen=True, slots=True)
class EgoGraph:
    nodes: tuple[PlacedNeighbour, ...] = ()
    width: int = EGO_WIDTH
    height: int = EGO_HEIGHT


def draw_ego_graph(neighbours: Sequence[EgoNeighbour]) -> EgoGraph:
    """Place the neighbours on an ellipse, beginning at the top."""
    count = len(neighbours)
    height = EGO_HEIGHTS.get(count, EGO_HEIGHT)
    return EgoGraph(
        tuple(_place(each, number, count, height) for number, each in enumerate(neighbours)), EGO_WIDTH, height
    )


def _place(each: EgoNeighbour, number: int, count: int, height: int) -> PlacedNeighbour:
    first = 0.0 if count < 3 else -math.pi / 2 + (math.pi / count if count % 2 == 0 else 0)
    angle = 2 * math.pi * number / count + first
    x, y = EGO_WIDTH / 2 + 210 * math.cos(angle), height / 2 + (height / 2 - 30) * math.sin(angle)
    anchor = "middle" if abs(math.cos(angle)) < 0.2 else "start" if math.cos(angle) > 0 else "end"
    name = each.entity.name
    label = shorten(name, LONGEST_NAME)
    return PlacedNeighbour(each.entity, each.words, each.count, round(x, 1), round(y, 1), label, anchor)


STRIP_WIDTH = 1000.0
LEAST_BAR = 6.0


@dataclass(frozen=True, slots=True)
class DatedBar:
    """A fact with its bounds on the axis of time, which may be open."""

    fact: str
    text: str
    lo: int
    hi: int
    since: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class StripBar:
    """A bar of a strip, in thousandths of its width."""

    fact: str
    text: str
    x: float
    width: float
    since: str | None
    until: str | None


@dataclass(frozen=True, slots=True)
class Strip:
    bars: tuple[StripBar, ...] = ()
    now: float | None = None


def make_strip(bars: Sequence[DatedBar], now: int) -> Strip:
    """The bars on an axis from the first bound to the last or to now; open ends reach the edge."""
    ends = [end for bar in bars for end in (bar.lo, bar.hi) if MIN < end < MAX]
    if not ends:
        return Strip()
    lo, hi = min(*ends, now), max(*ends, now)
    margin = max(1, (hi - lo) // 25)
    lo, hi = lo - margin, hi + margin
    scale = STRIP_WIDTH / (hi - lo)
    return Strip(tuple(_bar(bar, lo, hi, scale) for bar in bars), round((now - lo) * scale, 1))


def _bar(bar: DatedBar, lo: int, hi: int, scale: float) -> StripBar:
    start = (max(bar.lo, lo) - lo) * scale
    width = max(LEAST_BAR, (min(bar.hi, hi) - max(bar.lo, lo)) * scale)
    return StripBar(
        bar.fact, bar.text, round(start, 1), round(min(width, STRIP_WIDTH - start), 1), bar.since, bar.until
    )


def by_start(bars: Iterable[DatedBar], limit: int) -> list[DatedBar]:
    """The first bars in order of time; those with an end of their own are preferred."""
    chosen = sorted(bars, key=lambda bar: (bar.lo <= MIN, bar.hi >= MAX))[:limit]
    return sorted(chosen, key=lambda bar: (bar.lo, bar.hi))
