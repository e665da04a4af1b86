"""The calendar or era of a timeline that a text or a day means."""

from recollect.when.calendar import STANDARD, FictionalCalendar
from recollect.when.era import BCE, CE, Era, slug_of
from recollect.when.time_errors import BadTime, TimelineFixed, UnknownEra
from recollect.when.timeline import Timeline


def primary_calendar(timeline: Timeline) -> FictionalCalendar:
    """The default calendar of eras: the first defined before any era, else the built-in one."""
    return timeline.primary or STANDARD


def find_calendar(timeline: Timeline, reference: str) -> FictionalCalendar | None:
    """The calendar of this slug or name."""
    slug = slug_of(reference)
    return next((c for c in (*timeline.calendars, STANDARD) if c.slug == slug), None)


def find_era(timeline: Timeline, reference: str) -> Era | None:
    """The era with this path, end of a path, name or abbreviation; None if it is not defined."""
    slug = ".".join(slug_of(part) for part in reference.split("."))
    built_in = {"ce": CE, "bce": BCE}.get(slug)
    if built_in is not None and not timeline.is_fictional:
        return built_in
    found = _only_match(reference, _by_path(timeline, slug) or _by_abbreviation(timeline, slug))
    if found is None and built_in is not None:
        raise TimelineFixed(f"{reference!r}, a Gregorian era,", timeline.kind)
    return found


def _by_path(timeline: Timeline, slug: str) -> tuple[Era, ...]:
    exact = tuple(era for era in timeline.eras if era.path == slug)
    return exact or tuple(era for era in timeline.eras if era.path.endswith(f".{slug}"))


def _by_abbreviation(timeline: Timeline, slug: str) -> tuple[Era, ...]:
    return tuple(era for era in timeline.eras if era.abbreviation and slug_of(era.abbreviation) == slug)


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
