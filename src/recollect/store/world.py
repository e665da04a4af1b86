"""What a workspace says of its own time and policies."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from recollect.model.fact import Policy
from recollect.when.define import timeline_from
from recollect.when.instant import Instant, read_zone
from recollect.when.period import Time
from recollect.when.read import read_time
from recollect.when.timeline import Timeline


@dataclass(frozen=True, slots=True)
class World:
    """Zone, timeline, the world's now, and the workspace's settings behind them."""

    zone: ZoneInfo
    timeline: Timeline
    now: Time
    clock: Instant
    settings: Mapping[str, Any]

    @property
    def conflict_policy(self) -> Policy | None:
        chosen: Policy | None = self.settings.get("conflict_policy")
        return chosen

    def read(self, text: str) -> Time:
        """The period a text stands for here."""
        return read_time(text, self.timeline, self.clock)


def world_from(settings: Mapping[str, str], definitions: Sequence[tuple[Any, ...]], clock: Instant) -> World:
    told = _told(tuple(sorted(settings.items())), tuple(definitions))
    return World(told.zone, told.timeline, read_time("current", told.timeline, clock), clock, told.settings)


class _Told(NamedTuple):
    """What a workspace says of itself, whenever it is asked."""

    zone: ZoneInfo
    timeline: Timeline
    settings: Mapping[str, Any]


@lru_cache(64)
def _told(settings: tuple[tuple[str, str], ...], definitions: tuple[tuple[Any, ...], ...]) -> _Told:
    values = {key: json.loads(value) for key, value in settings}
    zone = read_zone(values.get("timezone", "UTC"))
    in_order = sorted(definitions, key=lambda row: (row[3], row[0], row[1]))
    defined = [{kind: json.loads(value)} for kind, _, value, _ in in_order]
    timeline = timeline_from(defined, zone, values.get("timeline", "undecided"), values.get("now"))
    return _Told(zone, timeline, MappingProxyType(values))
