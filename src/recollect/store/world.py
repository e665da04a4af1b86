"""A workspace's time zone, timeline and policies."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from recollect.model.fact import Policy
from recollect.model.vocabulary import POLICY_SECTION
from recollect.when.instant import Instant, read_zone
from recollect.when.parse import present, present_span, read_time
from recollect.when.period import Time
from recollect.when.span import Span
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import timeline_from


@dataclass(frozen=True)
class World:
    """Time zone, timeline, the clock's instant, and the settings of the workspace."""

    zone: ZoneInfo
    timeline: Timeline
    clock: Instant
    settings: Mapping[str, Any]
    policies: Mapping[str, Policy]
    """By predicate, the policies that the workspace has chosen itself."""

    @cached_property
    def now(self) -> Time:
        """The world's present."""
        return present(self.timeline, self.clock)

    @cached_property
    def present(self) -> Span:
        """The span of `now` on the time axis."""
        return present_span(self.timeline, self.clock)

    @property
    def conflict_policy(self) -> Policy | None:
        chosen: Policy | None = self.settings.get("conflict_policy")
        return chosen

    def at(self, clock: Instant) -> "World":
        """The same world at another instant of the clock."""
        return World(self.zone, self.timeline, clock, self.settings, self.policies)

    def read(self, text: str) -> Time:
        """The period that a text means in this workspace."""
        if self.timeline.is_fictional or "current" in text.lower():
            return read_time(text, self.timeline, self.clock)
        return _read_fixed_time(text, self.timeline)


@lru_cache(1024)
def _read_fixed_time(text: str, timeline: Timeline) -> Time:
    """A time that does not depend on the clock, as all but the present do not."""
    return read_time(text, timeline, Instant(0))


class WorldRow(NamedTuple):
    """A setting or a definition; definitions have an order."""

    kind: str
    key: str
    value: str
    order: int


def world_from(rows: Sequence[WorldRow], clock: Instant) -> World:
    settings = _read_world(tuple(rows))
    return World(settings.zone, settings.timeline, clock, settings.values, settings.policies)


class _WorldSettings(NamedTuple):
    """The part of a world that does not depend on the clock."""

    zone: ZoneInfo
    timeline: Timeline
    values: Mapping[str, Any]
    policies: Mapping[str, Policy]


@lru_cache(64)
def _read_world(rows: tuple[WorldRow, ...]) -> _WorldSettings:
    values = {row.key: json.loads(row.value) for row in rows if row.kind == "setting"}
    zone = read_zone(values.get("timezone", "UTC"))
    definitions = [row for row in rows if row.kind != "setting"]
    definitions.sort(key=lambda row: (row.order, row.kind, row.key))
    values_by_kind = [{row.kind: json.loads(row.value)} for row in definitions]
    timeline = timeline_from(values_by_kind, zone, values.get("timeline", "undecided"), values.get("now"))
    chosen = {key.removeprefix(POLICY_SECTION): values[key] for key in values if key.startswith(POLICY_SECTION)}
    return _WorldSettings(zone, timeline, MappingProxyType(values), MappingProxyType(chosen))
