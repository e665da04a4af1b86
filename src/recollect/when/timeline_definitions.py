"""Adding calendars, eras and dates to a timeline; each function returns the timeline after it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from recollect.errors import RecollectError
from recollect.when.calendar import GREGORIAN, STANDARD, Calendar, FictionalCalendar
from recollect.when.calendar_position import CalendarPosition, time_at
from recollect.when.definition_json import (
    DateDefinition,
    Definition,
    EraDefinition,
    Json,
    format_calendar,
    format_date_definition,
    format_era,
    read_calendar,
    read_date_definition,
    read_era,
)
from recollect.when.era import BCE, CE, Era, is_reserved, slug_of
from recollect.when.instant import MAX, MIN, Instant
from recollect.when.parse import read_time
from recollect.when.time_errors import BadDefinition, BadTime, DefinitionConflict, EraConflict
from recollect.when.timeline import Kind, NamedDate, Timeline, decide_timeline_kind
from recollect.when.timeline_lookup import find_calendar, find_era, primary_calendar, require_era

_DATE_SLUG = re.compile(r"[a-z0-9][a-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class DefinitionResult:
    """The timeline after a definition, the slug or path defined, and whether that was new."""

    timeline: Timeline
    key: str
    created: bool
    redefined: bool


def timeline_from(
    definitions: Iterable[Json], zone: ZoneInfo, kind: Kind = "undecided", now: str | None = None
) -> Timeline:
    """The timeline of stored definitions, each under `calendar`, `era` or `date`."""
    timeline = _replay(Timeline(kind, zone), [_read_definition(entry) for entry in definitions])
    return timeline if now is None else set_now(timeline, now, Instant(0))


def definitions_of(timeline: Timeline) -> list[dict[str, dict[str, object]]]:
    """The definitions as plain JSON, in an order that `timeline_from` can take."""
    return [_format_definition(definition) for definition in timeline.definitions]


def define_calendar(timeline: Timeline, calendar: FictionalCalendar) -> DefinitionResult:
    """The timeline with this calendar, which makes it fictional."""
    timeline = decide_timeline_kind(timeline, "fictional")
    known = find_calendar(timeline, calendar.slug)
    if known is not None and not known.has_lengths_of(calendar) and any(e.calendar == known for e in timeline.eras):
        raise DefinitionConflict(
            f"calendar {calendar.slug!r} is in use with other months; define it under another name"
        )
    was = next((entry for entry in timeline.calendars if entry.slug == calendar.slug), None)
    definitions = _replace_definition(timeline.definitions, was, calendar)
    return DefinitionResult(_rebuild(timeline, definitions), calendar.slug, was is None, was not in (None, calendar))


def define_era(timeline: Timeline, definition: EraDefinition, now: Instant) -> DefinitionResult:
    """The timeline with this era, defined or redefined; what lies in it moves along."""
    definition, timeline = _canonical_definition(definition, timeline, now)
    was = next((e for e in timeline.definitions if isinstance(e, EraDefinition) and e.path == definition.path), None)
    if was is None:
        return DefinitionResult(_apply(timeline, definition), definition.path, True, False)
    if was == definition:
        return DefinitionResult(timeline, definition.path, False, False)
    return DefinitionResult(
        _rebuild(timeline, _replace_definition(timeline.definitions, was, definition)), definition.path, False, True
    )


def define_date(timeline: Timeline, definition: DateDefinition) -> DefinitionResult:
    """The timeline with this named date; slug `current` sets the world's now."""
    slug = definition.slug
    if not _DATE_SLUG.fullmatch(slug) or slug.isdigit() or (is_reserved(slug) and slug != "current"):
        raise BadDefinition(f"{slug!r} cannot name a date: a-z, 0-9 and _, not a reserved word", field="slug")
    if slug != "current" and any(era.slug == slug or era.path == slug for era in timeline.eras):
        raise DefinitionConflict(f"{slug!r} is the slug of an era")
    definition = replace(definition, era=require_era(timeline, definition.era).path)
    was = next((e for e in timeline.definitions if isinstance(e, DateDefinition) and e.slug == slug), None)
    after = _apply(replace(timeline, definitions=tuple(e for e in timeline.definitions if e is not was)), definition)
    return DefinitionResult(after, slug, was is None, was not in (None, definition))


def set_now(timeline: Timeline, text: str | None, now: Instant) -> Timeline:
    """The timeline with the world's now at a time; without one, at the clock."""
    if text is None:
        kept = tuple(e for e in timeline.definitions if not (isinstance(e, DateDefinition) and e.slug == "current"))
        return replace(timeline, now=None, definitions=kept)
    time = read_time(text, timeline, now)
    if time.uncertain or time.text == "current":
        raise BadTime(text, "the present must be a certain time")
    return replace(timeline if timeline.is_fictional else decide_timeline_kind(timeline, "gregorian"), now=time)


def _canonical_definition(
    definition: EraDefinition, timeline: Timeline, now: Instant
) -> tuple[EraDefinition, Timeline]:
    """The definition in canonical form, which is stable over time, and the kind of timeline it requires."""
    by_number = isinstance(definition.start, int) or isinstance(definition.end, int)
    timeline = decide_timeline_kind(timeline, "fictional") if by_number else timeline
    if timeline.kind == "undecided":
        timeline = decide_timeline_kind(timeline, "gregorian")
    parent = None if definition.parent_era is None else require_era(timeline, definition.parent_era).path
    start, end = (_canonical_bound(bound, timeline, now) for bound in (definition.start, definition.end))
    return replace(definition, parent_era=parent, start=start, end=end), timeline


def _canonical_bound(bound: int | str | None, timeline: Timeline, now: Instant) -> int | str | None:
    if bound is None or isinstance(bound, int):
        return bound
    if bound.lower().startswith("after:"):
        return f"after:{require_era(timeline, bound[6:].strip()).path}"
    time = read_time(bound, timeline, now)
    if time.uncertain:
        raise BadTime(bound, "an era begins and ends at a certain time")
    return time.text


def _rebuild(timeline: Timeline, definitions: Iterable[Definition]) -> Timeline:
    """The timeline rebuilt after one of its definitions changed."""
    empty = Timeline(timeline.kind, timeline.zone)
    try:
        rebuilt = _replay(empty, definitions)
        return rebuilt if timeline.now is None else set_now(rebuilt, timeline.now.text, Instant(0))
    except EraConflict:
        raise
    except RecollectError as error:
        raise DefinitionConflict(f"what is already defined would no longer exist: {error}") from error


def _replay(timeline: Timeline, definitions: Iterable[Definition]) -> Timeline:
    for definition in definitions:
        timeline = _apply(timeline, definition)
    return timeline


def _apply(timeline: Timeline, definition: Definition) -> Timeline:
    match definition:
        case FictionalCalendar():
            timeline = _with_calendar(decide_timeline_kind(timeline, "fictional"), definition)
        case EraDefinition():
            settled, timeline = _canonical_definition(definition, timeline, Instant(0))
            timeline = _with_era(timeline, settled)
        case _:
            timeline = _with_date(timeline, definition)
    return replace(timeline, definitions=(*timeline.definitions, definition))


def _with_calendar(timeline: Timeline, calendar: FictionalCalendar) -> Timeline:
    primary = calendar if timeline.primary is None and not timeline.eras else timeline.primary
    return replace(timeline, calendars=(*timeline.calendars, calendar), primary=primary)


def _with_era(timeline: Timeline, definition: EraDefinition) -> Timeline:
    if timeline.date(slug_of(definition.name)) is not None:
        raise DefinitionConflict(f"{slug_of(definition.name)!r} is the slug of a date")
    calendar = _calendar_for(timeline, definition)
    first, last = _first_day(timeline, definition, calendar), _last_day(timeline, definition, calendar)
    if first is not None and last is not None and first > last:
        raise BadDefinition(f"era {definition.name!r} ends before it starts", field="end")
    numbering = (definition.first_year, definition.direction, definition.abbreviation)
    era = Era(definition.path, definition.name, calendar, first, last, *numbering)
    _check_era_bounds(timeline, era)
    return replace(timeline, eras=(*timeline.eras, era))


def _calendar_for(timeline: Timeline, definition: EraDefinition) -> Calendar:
    if not timeline.is_fictional:
        if definition.calendar is not None:
            raise BadDefinition("only a fictional timeline has calendars to choose from", field="calendar")
        return GREGORIAN
    if definition.calendar is None:
        parent = None if definition.parent_era is None else find_era(timeline, definition.parent_era)
        return primary_calendar(timeline) if parent is None else parent.calendar
    calendar = find_calendar(timeline, definition.calendar)
    if calendar is None:
        known = tuple(c.slug for c in (*timeline.calendars, STANDARD))
        raise BadDefinition(f"there is no calendar {definition.calendar!r}", field="calendar", accepted=known)
    return calendar


def _first_day(timeline: Timeline, definition: EraDefinition, calendar: Calendar) -> int | None:
    match definition.start:
        case None:
            first = None
        case int(year):
            return calendar.year_start(year)
        case text if text.startswith("after:"):
            before = require_era(timeline, text[6:])
            if before.last_day is None:
                raise BadDefinition(f"era {before.path!r} has no end", field="start")
            return before.last_day + 1
        case text:
            low = read_time(text, timeline, Instant(0)).lo
            first = None if low == MIN else timeline.day_at(low)
    if first is None and definition.direction != "down":
        raise BadDefinition("only an era that counts down may have an open start", field="start")
    return first


def _last_day(timeline: Timeline, definition: EraDefinition, calendar: Calendar) -> int | None:
    match definition.end:
        case None:
            last = None
        case int(year):
            return calendar.year_start(year + 1) - 1
        case text if text.startswith("after:"):
            raise BadDefinition("after:ERA is a start, not an end", field="end")
        case text:
            high = read_time(text, timeline, Instant(0)).hi
            last = None if high == MAX else timeline.day_at(high)
    if last is None and definition.direction == "down":
        raise BadDefinition("an era that counts down needs an end", field="end")
    return last


def _check_era_bounds(timeline: Timeline, era: Era) -> None:
    for parent in (*timeline.eras, CE, BCE):
        if parent.path == era.parent and not parent.covers(era):
            raise EraConflict(era.path, parent.path, "leaves its parent")
    for other in timeline.eras:
        if other.parent == era.parent and other.overlaps(era):
            raise EraConflict(era.path, other.path, "overlaps")


def _with_date(timeline: Timeline, definition: DateDefinition) -> Timeline:
    timeline = timeline if timeline.is_fictional else decide_timeline_kind(timeline, "gregorian")
    era = require_era(timeline, definition.era)
    time = time_at(CalendarPosition(era, definition.year, definition.month, definition.day), timeline)
    if definition.slug == "current":
        return replace(timeline, now=time)
    others = tuple(named for named in timeline.dates if named.slug != definition.slug)
    return replace(timeline, dates=(*others, NamedDate(definition.slug, definition.label, time)))


def _replace_definition(
    definitions: tuple[Definition, ...], was: Definition | None, now: Definition
) -> tuple[Definition, ...]:
    return (*definitions, now) if was is None else tuple(now if entry is was else entry for entry in definitions)


def _read_definition(entry: Json) -> Definition:
    readers: dict[str, Callable[[Json], Definition]] = {
        "calendar": read_calendar,
        "era": read_era,
        "date": read_date_definition,
    }
    for key, reader in readers.items():
        fields = entry.get(key)
        if isinstance(fields, Mapping):
            return reader(fields)
    raise BadDefinition("a definition has the key calendar, era or date", accepted=tuple(readers))


def _format_definition(definition: Definition) -> dict[str, dict[str, object]]:
    match definition:
        case FictionalCalendar():
            return {"calendar": format_calendar(definition)}
        case EraDefinition():
            return {"era": format_era(definition)}
        case _:
            return {"date": format_date_definition(definition)}
