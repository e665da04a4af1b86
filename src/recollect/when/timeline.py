"""Timelines: the axis of a workspace with the calendars, eras and named dates on it."""

from dataclasses import dataclass, replace
from typing import Literal
from zoneinfo import ZoneInfo

from recollect.when.calendar import STANDARD, FictionalCalendar
from recollect.when.definition_json import DateDefinition, EraDefinition
from recollect.when.era import BCE, CE, Era, slug_of
from recollect.when.instant import MAX, MIN, Instant, day_end, day_start, local_day
from recollect.when.period import Time
from recollect.when.problems import BadTime, TimelineFixed, UnknownEra

Kind = Literal["undecided", "gregorian", "fictional"]
Definition = FictionalCalendar | EraDefinition | DateDefinition


@dataclass(frozen=True, slots=True)
class NamedDate:
    slug: str
    label: str
    time: Time


@dataclass(frozen=True, slots=True)
class Timeline:
    """What a workspace's times mean; a Gregorian axis counts microseconds, a fictional one days."""

    kind: Kind
    zone: ZoneInfo
    calendars: tuple[FictionalCalendar, ...] = ()
    primary: FictionalCalendar | None = None
    eras: tuple[Era, ...] = ()
    dates: tuple[NamedDate, ...] = ()
    now: Time | None = None
    definitions: tuple[Definition, ...] = ()

    @property
    def is_fictional(self) -> bool:
        """Whether the axis counts days of fictional calendars."""
        return self.kind == "fictional"

    @property
    def primary_calendar(self) -> FictionalCalendar:
        """The default calendar of eras: the first defined before any era, else the built-in one."""
        return self.primary or STANDARD

    def date(self, slug: str) -> NamedDate | None:
        """The date that this slug names."""
        return next((named for named in self.dates if named.slug == slug), None)

    def calendar(self, reference: str) -> FictionalCalendar | None:
        """The calendar of this slug or name."""
        slug = slug_of(reference)
        return next((c for c in (*self.calendars, STANDARD) if c.slug == slug), None)

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


def find_era(timeline: Timeline, reference: str) -> Era | None:
    """The era with this path, end of a path, name or abbreviation; None if it is not defined."""
    wanted = ".".join(slug_of(part) for part in reference.split("."))
    built_in = {"ce": CE, "bce": BCE}.get(wanted)
    if built_in is not None and not timeline.is_fictional:
        return built_in
    found = _only_match(reference, _by_path(timeline, wanted) or _by_abbreviation(timeline, wanted))
    if found is None and built_in is not None:
        raise TimelineFixed(f"{reference!r}, a Gregorian era,", timeline.kind)
    return found


def _by_path(timeline: Timeline, wanted: str) -> tuple[Era, ...]:
    exact = tuple(era for era in timeline.eras if era.path == wanted)
    return exact or tuple(era for era in timeline.eras if era.path.endswith(f".{wanted}"))


def _by_abbreviation(timeline: Timeline, wanted: str) -> tuple[Era, ...]:
    return tuple(era for era in timeline.eras if era.abbreviation and slug_of(era.abbreviation) == wanted)


def _only_match(reference: str, found: tuple[Era, ...]) -> Era | None:
    if len(found) > 1:
        raise BadTime(reference, f"which era? {', '.join(era.path for era in found)}")
    return found[0] if found else None


def require_era(timeline: Timeline, reference: str) -> Era:
    """The era with this reference, which must be defined."""
    era = find_era(timeline, reference)
    if era is None:
        raise UnknownEra(reference, [known.path for known in timeline.eras])
    return era


def containing_era(timeline: Timeline, day: int) -> Era | None:
    """The top-level era that contains a day."""
    if not timeline.is_fictional:
        return CE if CE.holds_day(day) else BCE
    return next((era for era in timeline.eras if era.parent is None and era.holds_day(day)), None)
