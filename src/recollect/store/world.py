"""A workspace's time zone, timeline and policies."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from recollect.model.fact import Policy
from recollect.model.vocabulary import ALIAS_SECTION, POLICY_SECTION
from recollect.when.instant import Instant, read_zone
from recollect.when.span import Span
from recollect.when.timeline import Timeline

# A hook reads no times, and few workspaces define any: calendars and the parser are imported when they are used.
if TYPE_CHECKING:
    from recollect.when.definition_json import Json
    from recollect.when.period import Time


@dataclass(frozen=True)
class World:
    """Time zone, timeline, the clock's instant, and the settings of the workspace."""

    zone: ZoneInfo
    timeline: Timeline
    clock: Instant
    settings: Mapping[str, Any]
    policies: Mapping[str, Policy]
    """By predicate, the policies that the workspace has chosen itself."""
    aliases: Mapping[str, str]
    """By alias, the predicate it stands for, as decided in this workspace."""

    @cached_property
    def now(self) -> "Time":
        """The world's present."""
        from recollect.when.parse import present

        return present(self.timeline, self.clock)

    @cached_property
    def present(self) -> Span:
        """The span of `now` on the time axis, which needs no text of it where the clock is the present."""
        if self.timeline.now is None and not self.timeline.is_fictional:
            return Span(self.clock, self.clock)
        return self.now.span

    @property
    def conflict_policy(self) -> Policy | None:
        chosen: Policy | None = self.settings.get("conflict_policy")
        return chosen

    def at(self, clock: Instant) -> "World":
        """The same world at another instant of the clock."""
        return World(self.zone, self.timeline, clock, self.settings, self.policies, self.aliases)

    def read(self, text: str) -> "Time":
        """The period that a text means in this workspace."""
        from recollect.when.parse import read_time

        if self.timeline.is_fictional or "current" in text.lower():
            return read_time(text, self.timeline, self.clock)
        return _read_fixed_time(text, self.timeline)


@lru_cache(1024)
def _read_fixed_time(text: str, timeline: Timeline) -> "Time":
    """A time that does not depend on the clock, as all but the present do not."""
    from recollect.when.parse import read_time

    return read_time(text, timeline, Instant(0))


class WorldRow(NamedTuple):
    """A setting or a definition; definitions have an order."""

    kind: str
    key: str
    value: str
    order: int


def world_from(rows: Sequence[WorldRow], clock: Instant) -> World:
    settings = _read_world(tuple(rows))
    return World(settings.zone, settings.timeline, clock, settings.values, settings.policies, settings.aliases)


class _WorldSettings(NamedTuple):
    """The part of a world that does not depend on the clock."""

    zone: ZoneInfo
    timeline: Timeline
    values: Mapping[str, Any]
    policies: Mapping[str, Policy]
    aliases: Mapping[str, str]


@lru_cache(64)
def _read_world(rows: tuple[WorldRow, ...]) -> _WorldSettings:
    values = {row.key: json.loads(row.value) for row in rows if row.kind == "setting"}
    zone = read_zone(values.get("timezone", "UTC"))
    definitions = [row for row in rows if row.kind != "setting"]
    definitions.sort(key=lambda row: (row.order, row.kind, row.key))
    timeline = _read_timeline([{row.kind: json.loads(row.value)} for row in definitions], zone, values)
    chosen, aliases = _section(values, POLICY_SECTION), _section(values, ALIAS_SECTION)
    return _WorldSettings(zone, timeline, MappingProxyType(values), chosen, aliases)


def _section(values: Mapping[str, Any], prefix: str) -> Mapping[str, Any]:
    """The settings of a section, by their names in it."""
    return MappingProxyType({key.removeprefix(prefix): values[key] for key in values if key.startswith(prefix)})


def _read_timeline(definitions: "Sequence[Json]", zone: ZoneInfo, values: Mapping[str, Any]) -> Timeline:
    kind, now = values.get("timeline", "undecided"), values.get("now")
    if not definitions and now is None:
        return Timeline(kind, zone)
    from recollect.when.timeline_definitions import timeline_from

    return timeline_from(definitions, zone, kind, now)
