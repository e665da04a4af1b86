"""Defining, removing and undoing calendars, eras and dates, with stored times remapped."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from recollect.errors import Conflict, Refused
from recollect.ingest.line import DefinitionKind
from recollect.memory import Memory
from recollect.model.fact import Assertion, Fact
from recollect.model.ids import EntityId
from recollect.reason.lore.existence import TIME_PROPERTIES
from recollect.store import ingest_queries as queries
from recollect.store.change import Change
from recollect.store.finding_queries import rules_changed_by
from recollect.store.write_queries import all_hearsay
from recollect.when.definition_json import read_calendar, read_date_definition, read_era
from recollect.when.era import slug_of
from recollect.when.instant import Instant
from recollect.when.parse import read_time
from recollect.when.period import Time
from recollect.when.time_errors import BadDefinition, DefinitionConflict, EraConflict
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import (
    DefinitionResult,
    define_calendar,
    define_date,
    define_era,
    definitions_of,
    timeline_from,
)
from recollect.when.timeline_lookup import find_era
from recollect.write.hearsay import update_times as move_told_times
from recollect.write.slot_conflicts import resettle
from recollect.write.undo import LaterTransactionsDepend, UndoResult, reverse_transaction

Dated = TypeVar("Dated", Fact, Assertion)


class _TimeMapper:
    """Re-reads the text of stored times on a new timeline; a time that no longer exists is a conflict."""

    def __init__(self, after: Timeline, now: Instant) -> None:
        self._after = after
        self._now = now
        self.read: dict[str, Time] = {}

    def remap(self, time: Time | None) -> Time | None:
        return None if time is None else self.remap_text(time.text)

    def remap_text(self, text: str) -> Time:
        stored = self.read.get(text)
        if stored is None:
            try:
                stored = read_time(text, self._after, self._now)
            except Refused as problem:
                raise DefinitionConflict(f"{text!r} is in use and would no longer exist: {problem}") from problem
            self.read[text] = stored
        return stored


def remap_times(change: Change, before: Timeline, after: Timeline) -> None:
    """Move every stored time to the new timeline; nothing changes if one does not exist there."""
    if before.eras == after.eras and (before.zone == after.zone or after.is_fictional):
        return
    places = _TimeMapper(after, change.now)
    assertions, facts = queries.dated_assertions(change), queries.dated_facts(change)
    moved = [(fact, _remap_times(fact, places)) for fact in facts]
    restated = [(each, _remap_times(each, places)) for each in assertions]
    if before.eras != after.eras:
        from recollect.reason.checks.incremental import mark_affected

        mark_affected(change, _entities_with_moved_times(change, before, places))
    for told in all_hearsay(change):
        places.remap_text(told.learned.text)
    for held, now in restated:
        if now != held:
            change.put_assertion(now)
    for fact, placed in moved:
        if placed != fact:
            change.put_fact(placed)
    move_told_times(change, places.read)
    for fact, placed in moved:
        if placed != fact:
            resettle(change, change.fact(placed.id) or placed)


def has_times(change: Change) -> bool:
    """Whether any fact has a time, which belongs to the timeline."""
    return bool(queries.dated_facts(change) or queries.dated_assertions(change))


def _remap_times(dated: Dated, places: _TimeMapper) -> Dated:
    start, end = places.remap(dated.valid_from), places.remap(dated.valid_until)
    return dated._replace(valid_from=start, valid_until=end, begins=start.lo if start else dated.begins)


def _entities_with_moved_times(change: Change, before: Timeline, places: _TimeMapper) -> Iterator[EntityId]:
    """The entities with a property whose time moved; properties are parsed on use, so none is rewritten.

    Values that were no time before are left alone: other surfaces use the same keys for other things.
    """
    for key in sorted(TIME_PROPERTIES):
        for entity, properties in queries.entities_with_property(change, key):
            stored = _read_stored_time(properties.get(key), before, change.now)
            if stored is not None and places.remap_text(stored.text) != stored:
                yield entity
    for properties in queries.documents_with_property(change, "world_time"):
        stored = _read_stored_time(properties.get("world_time"), before, change.now)
        if stored is not None:
            places.remap_text(stored.text)


def _read_stored_time(value: object, timeline: Timeline, now: Instant) -> Time | None:
    try:
        return read_time(value, timeline, now) if isinstance(value, str) else None
    except Refused:
        return None


Json = Mapping[str, Any]
MAX_SLUG_CHARS = 64


class Definition(NamedTuple):
    """One definition by its kind and the slug or path it is known by."""

    kind: DefinitionKind
    key: str


class DefinitionInUse(Conflict):
    def __init__(self, what: Definition, why: str) -> None:
        super().__init__(f"{what.kind} {what.key!r} is in use: {why}")


def define(change: Change, kind: DefinitionKind, fields: Json) -> DefinitionResult:
    """Define a calendar, era or date; times stored in a redefined era move with it."""
    before = change.world.timeline
    if kind != "date" and len(slug_of(str(fields.get("name", "")))) > MAX_SLUG_CHARS:
        raise BadDefinition(f"a name may be a slug of {MAX_SLUG_CHARS} characters", field="name")
    match kind:
        case "calendar":
            defined = define_calendar(before, read_calendar(fields))
        case "era":
            defined = define_era(before, read_era(fields), change.now)
        case "date":
            defined = define_date(before, read_date_definition(fields))
    if defined.created or defined.redefined:
        _store_definition(change, kind, defined, before)
    return defined


def _store_definition(change: Change, kind: DefinitionKind, defined: DefinitionResult, before: Timeline) -> None:
    if defined.redefined and kind != "date":
        remap_times(change, before, defined.timeline)
    change.put_definition(kind, defined.key, _canonical_definition(defined.timeline, kind, defined.key))
    if kind == "date" and defined.key == "current" and "now" in change.world.settings:
        change.end_setting("now")
    if defined.timeline.kind != before.kind:
        change.put_setting("timeline", defined.timeline.kind)


def _canonical_definition(timeline: Timeline, kind: DefinitionKind, key: str) -> dict[str, Any]:
    """The definition in canonical form, independent of later definitions."""
    said = [
        entry[kind] for entry in definitions_of(timeline) if kind in entry and _definition_key(kind, entry[kind]) == key
    ]
    return said[-1]


def _definition_key(kind: DefinitionKind, said: Json) -> str:
    if kind == "date":
        return str(said["slug"])
    slug, parent = slug_of(str(said["name"])), said.get("parent_era")
    return f"{parent}.{slug}" if kind == "era" and parent else slug


def find_definition(change: Change, text: str) -> Definition | None:
    """The era, calendar or date with this slug, by its newest definition, live or removed."""
    timeline = change.world.timeline
    era = find_era(timeline, text) if any(text in (each.path, each.slug) for each in timeline.eras) else None
    if era is not None:
        return Definition("era", era.path)
    if any(each.slug == text for each in timeline.calendars):
        return Definition("calendar", text)
    kinds: tuple[DefinitionKind, ...] = ("date", "era", "calendar")
    ever = (Definition(kind, text) for kind in kinds if queries.definition_versions(change, kind, text))
    return next(ever, None) or _find_past_sub_era(change, text)


def _find_past_sub_era(change: Change, slug: str) -> Definition | None:
    """The only sub-era that ever had this slug."""
    paths = [path for path in queries.era_paths_ever(change) if path.endswith(f".{slug}")]
    return Definition("era", paths[0]) if len(paths) == 1 else None


def is_defined(change: Change, what: Definition) -> bool:
    said = definitions_of(change.world.timeline)
    return any(what.kind in entry and _definition_key(what.kind, entry[what.kind]) == what.key for entry in said)


def remove_definition(change: Change, what: Definition) -> bool:
    """Remove a definition that is not in use; false if it is removed already."""
    if not is_defined(change, what):
        return False
    timeline = change.world.timeline
    if what.kind == "calendar" and any(era.calendar.slug == what.key for era in timeline.eras):
        raise DefinitionInUse(what, "an era counts in it")
    left = [
        entry
        for entry in definitions_of(timeline)
        if not (what.kind in entry and _definition_key(what.kind, entry[what.kind]) == what.key)
    ]
    now = None if timeline.now is None or what.key == "current" else timeline.now.text
    try:
        after = timeline_from(left, timeline.zone, timeline.kind, now)
    except (Refused, Conflict) as problem:
        raise DefinitionInUse(what, "an era, a date or the world's now depends on it") from problem
    if what.kind == "era":
        remap_times(change, timeline, after)
    change.end_definition(what.kind, what.key)
    return True


def restore_definition(change: Change, what: Definition) -> bool:
    """Restore the last version of a definition; false if it exists."""
    if is_defined(change, what):
        return False
    [*_, last] = queries.definition_versions(change, what.kind, what.key)
    try:
        define(change, what.kind, last)
    except (EraConflict, DefinitionConflict) as problem:
        raise DefinitionInUse(what, f"its name was taken in the meantime: {problem}") from problem
    return True


def undo_transaction(memory: Memory, change: Change, tx: int) -> UndoResult:
    """Undo a transaction; times stored since then move to the restored eras and zone.

    The findings of restored and removed rules are updated.
    """
    from recollect.reason.checks.custom_rules import settle_rule

    before = change.world.timeline
    undone = reverse_transaction(change, tx)
    try:
        remap_times(change, before, change.world.timeline)
    except DefinitionConflict as problem:
        raise LaterTransactionsDepend(tx, "time") from problem
    for rule in sorted(rules_changed_by(change)):
        settle_rule(memory, change, rule)
    return undone
