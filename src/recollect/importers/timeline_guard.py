"""Refuses files that would replace the calendar or the present of a workspace with other knowledge."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from recollect.errors import Conflict, RecollectError
from recollect.ingest.fields import Json
from recollect.ingest.line import DefinitionKind, read_line
from recollect.memory import Memory
from recollect.settings import DEFAULT_WORKSPACE
from recollect.when.definition_json import read_calendar, read_date_definition, read_era
from recollect.when.instant import Instant
from recollect.when.time_errors import TimelineFixed
from recollect.when.timeline import Timeline
from recollect.when.timeline_definitions import define_calendar, define_date, define_era

_DEFINITION = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:calendar|era|date)"\s*:')
_LORE_SUFFIXES = (".yaml", ".yml", ".md", ".markdown", ".txt")
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9_.-]+")


class WouldChangeTimeline(Conflict):
    """A file would put its own calendar or present in the place of the workspace's."""

    def __init__(self, file: Path, given: Path, workspace: str, *, changeable: bool = True) -> None:
        name = _workspace_name(given)
        otherwise = f"or repeat the command with --change-timeline to change {workspace!r} anyway."
        super().__init__(
            f"{file.name} defines a world with its own calendar or present, which would change the timeline of the "
            f"workspace {workspace!r}; nothing was written. Give the world its own workspace:\n"
            f"  recollect ingest {given} --workspace {name}" + (f"\n{otherwise}" if changeable else "")
        )
        self.proposed = name
        """A name for the world's own workspace."""


def check_timeline(memory: Memory, given: Path, files: Iterable[Path]) -> None:
    """Refuse files that would turn the default workspace, or one with other knowledge in it, into their world."""
    with memory.read() as view:
        before, now = view.world.timeline, view.now
        counts = view.counts()
    if before.is_fictional:
        return
    is_empty = not any(counts[each] for each in ("entities", "facts", "documents"))
    if is_empty and memory.workspace.name != DEFAULT_WORKSPACE:
        return
    after = before
    for file in files:
        for kind, fields in _definitions(file):
            try:
                after = _with_definition(after, kind, fields, now)
            except TimelineFixed as problem:
                raise WouldChangeTimeline(file, given, memory.workspace.name, changeable=False) from problem
            if after.is_fictional or after.now != before.now:
                raise WouldChangeTimeline(file, given, memory.workspace.name)


def becomes_fictional(memory: Memory, files: Iterable[Path]) -> bool:
    """Whether a workspace of real times gets those of an invented world from its files."""
    with memory.read() as view:
        timeline, now = view.world.timeline, view.now
    if timeline.is_fictional:
        return False
    for file in files:
        for kind, fields in _definitions(file):
            try:
                timeline = _with_definition(timeline, kind, fields, now)
            except TimelineFixed:
                return False
    return timeline.is_fictional


def defines_times(file: Path) -> bool:
    """Whether a file defines a calendar, an era or a date."""
    return next(_definitions(file), None) is not None


def _definitions(file: Path) -> Iterator[tuple[DefinitionKind, Json]]:
    """The calendars, eras and dates in a file; those with mistakes are left for the ingest to report."""
    if file.suffix.lower() in _LORE_SUFFIXES:
        from recollect.importers.lore import defined_times

        return defined_times(file)
    return _definition_lines(file)


def _definition_lines(file: Path) -> Iterator[tuple[DefinitionKind, Json]]:
    with file.open("rb") as lines:
        for line in lines:
            if not _DEFINITION.match(line):
                continue
            try:
                definition = read_line(line).definition
            except RecollectError:
                continue
            if definition is not None:
                yield definition


def _with_definition(timeline: Timeline, kind: DefinitionKind, fields: Json, now: Instant) -> Timeline:
    try:
        match kind:
            case "calendar":
                return define_calendar(timeline, read_calendar(fields)).timeline
            case "era":
                return define_era(timeline, read_era(fields), now).timeline
            case "date":
                return define_date(timeline, read_date_definition(fields)).timeline
    except TimelineFixed:
        raise
    except RecollectError:
        return timeline


def _workspace_name(given: Path) -> str:
    name = _NOT_IN_A_NAME.sub("-", given.resolve().stem.lower()).strip("-_.")
    return name[:63] or "world"
