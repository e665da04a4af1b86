"""Calendars, eras and dates of a world: defined, redefined with all that was written in them, or taken out."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.errors import Conflict, Refused
from recollect.ingest.line import DefinitionKind
from recollect.ingest.lore.moving import move_times
from recollect.store.change import Change
from recollect.when.define import (
    Defined,
    define_calendar,
    define_date,
    define_era,
    definitions_of,
    timeline_from,
)
from recollect.when.definition import read_calendar, read_date_definition, read_era
from recollect.when.era import slug_of
from recollect.when.problems import BadDefinition, DefinitionConflict, EraConflict
from recollect.when.timeline import Timeline, find_era

Json = Mapping[str, Any]
SLUG_LIMIT = 64


class Definition(NamedTuple):
    """One definition by its kind and the slug or path it is known by."""

    kind: DefinitionKind
    key: str


class StillUsed(Conflict):
    def __init__(self, what: Definition, why: str) -> None:
        super().__init__(f"{what.kind} {what.key!r} is in use: {why}")


def define(change: Change, kind: DefinitionKind, fields: Json) -> Defined:
    """Put a calendar, era or date on the timeline; what was written in a redefined era moves with it."""
    before = change.world.timeline
    if kind != "date" and len(slug_of(str(fields.get("name", "")))) > SLUG_LIMIT:
        raise BadDefinition(f"a name may be a slug of {SLUG_LIMIT} characters", field="name")
    match kind:
        case "calendar":
            defined = define_calendar(before, read_calendar(fields))
        case "era":
            defined = define_era(before, read_era(fields), change.now)
        case "date":
            defined = define_date(before, read_date_definition(fields))
    if defined.created or defined.redefined:
        _keep(change, kind, defined, before)
    return defined


def _keep(change: Change, kind: DefinitionKind, defined: Defined, before: Timeline) -> None:
    if defined.redefined and kind != "date":
        move_times(change, before, defined.timeline)
    change.put_definition(kind, defined.key, _said(defined.timeline, kind, defined.key))
    if kind == "date" and defined.key == "current" and "now" in change.world.settings:
        change.end_setting("now")
    if defined.timeline.kind != before.kind:
        change.put_setting("timeline", defined.timeline.kind)


def _said(timeline: Timeline, kind: DefinitionKind, key: str) -> dict[str, Any]:
    """The definition in canonical words, so that it means the same whatever is defined later."""
    said = [entry[kind] for entry in definitions_of(timeline) if kind in entry and _key(kind, entry[kind]) == key]
    return said[-1]


def _key(kind: DefinitionKind, said: Json) -> str:
    if kind == "date":
        return str(said["slug"])
    slug, parent = slug_of(str(said["name"])), said.get("parent_era")
    return f"{parent}.{slug}" if kind == "era" and parent else slug


def find_definition(change: Change, text: str) -> Definition | None:
    """The era, calendar or date that a slug names, by its newest definition, live or not."""
    timeline = change.world.timeline
    era = find_era(timeline, text) if any(text in (each.path, each.slug) for each in timeline.eras) else None
    if era is not None:
        return Definition("era", era.path)
    if any(each.slug == text for each in timeline.calendars):
        return Definition("calendar", text)
    kinds: tuple[DefinitionKind, ...] = ("date", "era", "calendar")
    ever = (Definition(kind, text) for kind in kinds if change.rows("definition_versions", kind=kind, slug=text))
    return next(ever, None) or _sub_era_ever(change, text)


def _sub_era_ever(change: Change, slug: str) -> Definition | None:
    """The sub-era that went by this slug alone, if only one did."""
    paths = [path for (path,) in change.rows("eras_ever") if path.endswith(f".{slug}")]
    return Definition("era", paths[0]) if len(paths) == 1 else None


def is_defined(change: Change, what: Definition) -> bool:
    said = definitions_of(change.world.timeline)
    return any(what.kind in entry and _key(what.kind, entry[what.kind]) == what.key for entry in said)


def undefine(change: Change, what: Definition) -> bool:
    """Take a definition out, unless something uses it; false if it is out already."""
    if not is_defined(change, what):
        return False
    timeline = change.world.timeline
    if what.kind == "calendar" and any(era.calendar.slug == what.key for era in timeline.eras):
        raise StillUsed(what, "an era counts in it")
    left = [
        entry
        for entry in definitions_of(timeline)
        if not (what.kind in entry and _key(what.kind, entry[what.kind]) == what.key)
    ]
    now = None if timeline.now is None or what.key == "current" else timeline.now.text
    try:
        after = timeline_from(left, timeline.zone, timeline.kind, now)
    except (Refused, Conflict) as problem:
        raise StillUsed(what, "an era, a date or the world's now is told by it") from problem
    if what.kind == "era":
        move_times(change, timeline, after)
    change.end_definition(what.kind, what.key)
    return True


def redefine(change: Change, what: Definition) -> bool:
    """Bring a definition back as it last was; false if it is there."""
    if is_defined(change, what):
        return False
    [*_, last] = change.rows("definition_versions", kind=what.kind, slug=what.key)
    try:
        define(change, what.kind, json.loads(last[0]))
    except (EraConflict, DefinitionConflict) as problem:
        raise StillUsed(what, f"its place was taken meanwhile: {problem}") from problem
    return True
