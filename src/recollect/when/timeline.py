"""Timelines: the axis of a workspace with the calendars, eras and named dates on it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple
from zoneinfo import ZoneInfo

from recollect.when.instant import MAX, MIN, Instant, day_end, day_start, local_day
from recollect.when.period import Time
from recollect.when.time_errors import TimelineFixed

# Most workspaces define no calendar, and a hook loads none.
if TYPE_CHECKING:
    from recollect.when.calendar import FictionalCalendar
    from recollect.when.definition_json import Definition
    from recollect.when.era import Era

Kind = Literal["undecided", "gregorian", "fictional"]


class NamedDate(NamedTuple):
    slug: str
    label: str
    time: Time


@dataclass(frozen=True, slots=True)
class Timeline:
    """What a workspace's times mean; a Gregorian axis counts microseconds, a fictional one days."""

    kind: Kind
    zone: ZoneInfo
    calendars: "tuple[FictionalCalendar, ...]" = ()
    primary: "FictionalCalendar | None" = None
    eras: "tuple[Era, ...]" = ()
    dates: tuple[NamedDate, ...] = ()
    now: Time | None = None
    definitions: "tuple[Definition, ...]" = ()

    @property
    def is_fictional(self) -> bool:
        """Whether the axis counts days of fictional calendars."""
        return self.kind == "fictional"

    def date(self, slug: str) -> NamedDate | None:
        """The date that this slug names."""
        return next((named for named in self.dates if named.slug == slug), None)

    def positions(self, first: int | None, last: int | None) -> tuple[int, int]:
        """The span of the axis from one day through another; an open end is that of the axis."""
        if self.is_fictional:
            return MIN if first is None else first, MAX if last is None else last
        low = MIN if first is None else day_start(first, self.zone)
        # A zone may have skipped a day altogether; its period is then one instant.
        return low, MAX if last is None else max(low, day_end(last, self.zone))

    def day_at(self, position: int) -> int:
        """The day that contains a position of the axis."""
        return position if self.is_fictional else local_day(Instant(position), self.zone)


def decide_timeline_kind(timeline: Timeline, kind: Kind) -> Timeline:
    """The timeline once something needs it to be of this kind."""
    if timeline.kind == kind:
        return timeline
    if timeline.kind != "undecided":
        raise TimelineFixed(f"a {kind} time", timeline.kind)
    return replace(timeline, kind=kind)
