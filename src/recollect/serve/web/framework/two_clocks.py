"""The two-clock diagram of a fact: valid time across, known time down, each version a rectangle."""

from collections.abc import Sequence
from dataclasses import dataclass

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
