"""What a workspace says of its own time and policies."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from recollect.model.fact import Policy
from recollect.store.port import Row
from recollect.when.instant import Instant, read_zone
from recollect.when.parse import present, present_span, read_time
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import timeline_from


@dataclass(frozen=True)
class World:
    """Zone, timeline, the instant of the clock, and the workspace's settings behind them."""

    zone: ZoneInfo
    timeline: Timeline
    clock: Instant
    settings: Mapping[str, Any]

    @cached_property
    def now(self) -> Time:
        """The world's present."""
        return present(self.timeline, self.clock)

    @cached_property
    def present(self) -> Span:
        """Where `now` lies on the axis."""
        return present_span(self.timeline, self.clock)

    @property
    def conflict_policy(self) -> Policy | None:
        chosen: Policy | None = self.settings.get("conflict_policy")
        return chosen

    def at(self, clock: Instant) -> "World":
        """The same world at another instant of the clock."""
        return World(self.zone, self.timeline, clock, self.settings)

    def read(self, text: str) -> Time:
        """The period a text stands for here."""
        if self.timeline.is_fictional or "current" in text.lower():
            return read_time(text, self.timeline, self.clock)
        return _read_fixed_time(text, self.timeline)


@lru_cache(1024)
def _read_fixed_time(text: str, timeline: Timeline) -> Time:
    """A time that is the same whatever the clock says, as all but the present are."""
    return read_time(text, timeline, Instant(0))


def world_from(rows: Sequence[Row], clock: Instant) -> World:
    """The world of rows (what it is, its key, its value, the order of definitions)."""
    told = _read_world(tuple(rows))
    return World(told.zone, told.timeline, clock, told.settings)


class _WorldSettings(NamedTuple):
    """What a workspace says of itself, whenever it is asked."""

    zone: ZoneInfo
    timeline: Timeline
    settings: Mapping[str, Any]


@lru_cache(64)
def _read_world(rows: tuple[Row, ...]) -> _WorldSettings:
    values = {key: json.loads(value) for kind, key, value, _ in rows if kind == "setting"}
    zone = read_zone(values.get("timezone", "UTC"))
    definitions = [row for row in rows if row[0] != "setting"]
    in_order = sorted(definitions, key=lambda row: (row[3], row[0], row[1]))
    defined = [{kind: json.loads(value)} for kind, _, value, _ in in_order]
    timeline = timeline_from(defined, zone, values.get("timeline", "undecided"), values.get("now"))
    return _WorldSettings(zone, timeline, MappingProxyType(values))
