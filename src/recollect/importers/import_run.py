"""One import run over many records: result, tally, batched commits and the lazily made reader."""

import gc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from recollect.errors import RecollectError
from recollect.ingest.job_steps import is_reread_complete
from recollect.ingest.line import IngestItem
from recollect.ingest.line_writer import is_line_tombstoned, with_known_people, write_line
from recollect.ingest.party_resolver import adopt_by_alias
from recollect.memory import Batch, Memory
from recollect.model.progress import Progress, ProgressListener
from recollect.store.change import Change
from recollect.store.erasure_queries import tombstones
from recollect.store.ingest_queries import ingested_lines
from recollect.write.tombstones import HiddenContent

__all__ = ["FileReport", "ImportResult", "ImportTally", "Progress", "ProgressListener", "SkippedLine", "TextOnly"]


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A skipped line, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class TextOnly:
    """A file that was stored without any fact, and why."""

    file: str
    reason: str


@dataclass(slots=True)
class FileReport:
    """What was read from one file: `unread` counts the records that gave nothing, `pending` the times that wait.

    `facts` are those that are new; `stated` are known ones as well, once for each record that states them.
    """

    path: str
    kind: str = ""
    records: int = 0
    facts: int = 0
    pending: int = 0
    unread: int = 0
    reason: str | None = None
    stated: int = 0

    @property
    def is_text_only(self) -> bool:
        return self.records > 0 and not self.facts and not self.stated


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """The result of one line: whether it changed anything, and which parts could not be read."""

    changed: bool
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class ImportTally:
    """Counts of lines and facts so far."""

    lines: int = 0
    changed: int = 0
    unchanged: int = 0
    facts: int = 0


@dataclass(slots=True)
class ImportResult:
    """One file: its tally, what was skipped, and what its reader should know."""

    tally: ImportTally = field(default_factory=ImportTally)
    skipped: list[SkippedLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    chat_report: dict[str, Any] | None = None
    """The report on a chat export, which replaces its tally."""
    text_only: list[TextOnly] = field(default_factory=list)
    files: list[FileReport] = field(default_factory=list)


if TYPE_CHECKING:
    from recollect.ingest.extract.record_reader import RecordReader


class RunReader(Protocol):
    """Reads the standalone records of one run and collects warnings."""

    @property
    def facts(self) -> int: ...
    @property
    def pending(self) -> int: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def warnings(self) -> list[str]: ...

    def write_record(self, change: Change, line: IngestItem) -> bool: ...
    def finish(self, memory: Memory) -> None: ...


class LazyRecordReader:
    """Creates the record reader of a workspace when the first record arrives."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._created: RecordReader | None = None
        self._given_facts = 0

    @property
    def facts(self) -> int:
        return self._given_facts + (self._created.facts if self._created is not None else 0)

    @property
    def pending(self) -> int:
        return self._created.pending if self._created is not None else 0

    @property
    def reason(self) -> str | None:
        return self._created.reason if self._created is not None else None

    @property
    def warnings(self) -> list[str]:
        return self._created.warnings if self._created is not None else []

    def write_record(self, change: Change, line: IngestItem) -> bool:
        """Write a line, reading its record if it stands alone; false if it is unchanged."""
        if not line.is_standalone:
            changed = write_line(change, with_known_people(change, line))
            self._given_facts += len(line.facts) if changed else 0
            return changed
        if line.entities:
            # People whom the file introduces under several names must be known before the record is read.
            for end in line.entities:
                adopt_by_alias(change, end)
            write_line(change, IngestItem(f"{line.hash}:people", entities=line.entities))
        return self._reader.write_record(change, line)

    def finish(self, memory: Memory) -> None:
        """Apply later names and supersessions to earlier records, if there are any."""
        if self._created is not None or not is_reread_complete(memory):
            self._reader.finish(memory)

    @property
    def _reader(self) -> "RecordReader":
        if self._created is None:
            from recollect.ingest.extract.record_reader import make_record_reader

            self._created = make_record_reader(self._memory)
        return self._created


Parsed = TypeVar("Parsed")
COMMIT_SECONDS = 2.0
COMMIT_RECORDS = 1_000
ITEMS_PER_LOOKUP = 20
"""Items of which one query tells whether they are known."""
NO_FACTS = "no fact was found in it; it can be searched, and a language model (llm.url) may find more"
NOTHING_FOUND = "no fact"
"""Reason of a file from which nothing was read, where nothing else is known."""
WAITS = "no fact was found in it yet; it waits to be read by the language model"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """A record to import: its position, its hash, and how to parse it if it is new."""

    number: int
    end_offset: int
    hash: str
    parse: Callable[[], IngestItem]
    file: str | None = None
    """The file, if it is this one record: reported when it has no facts."""


def import_items(
    memory: Memory,
    name: str,
    items: Iterator[ImportItem],
    size: int,
    tell: ProgressListener | None = None,
    reader: RunReader | None = None,
) -> ImportResult:
    """Import every item; bad items are reported and skipped, known ones change nothing."""
    actor = memory if memory.actor.tool == "ingest" else memory.as_actor("cli", "ingest", memory.actor.name)
    reader = reader or LazyRecordReader(actor)
    taken, returned = ImportResult(), ReturnedLines[_ParsedItem]()
    with gc_paused():
        parsed = deque(_parse_some(actor, items, returned))
    while parsed:
        with gc_paused():
            with actor.batch() as batch:
                _prefetch(batch, parsed)
                done = _import_batch(batch, parsed, name, taken, reader)
            parsed = parsed or deque(_parse_some(actor, items, returned)) or deque(returned.drain())
        if tell is not None:
            tell(Progress(done if parsed else size, size))
    with gc_paused():
        reader.finish(actor)
    taken.warnings += reader.warnings
    return taken


class _ParsedItem(NamedTuple):
    """An item and its line; a problem if it cannot be parsed, neither if it is known and nothing was ever erased."""

    item: ImportItem
    line: IngestItem | None = None
    problem: RecollectError | None = None
    is_set_aside: bool = False


class ReturnedLines(Generic[Parsed]):
    """Lines of a run that were replaced once, by the record they tell.

    One is taken in at the end of the run, and not at all if another line of the run tells the same record after it: a
    file that holds several versions of a record leaves the last.
    """

    def __init__(self) -> None:
        self._lines: dict[str, Parsed] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def defer(self, line: IngestItem | None, parsed: Parsed) -> bool:
        """Keep a line for the end of the run; false if it tells no record."""
        if line is None or line.record is None:
            return False
        self._lines[line.record.id] = parsed
        return True

    def drop_before(self, line: IngestItem | None) -> Parsed | None:
        """The line that this one comes after, which is not taken in."""
        return self._lines.pop(line.record.id, None) if self._lines and line is not None and line.record else None

    def drain(self) -> list[Parsed]:
        found = list(self._lines.values())
        self._lines.clear()
        return found


def _parse_some(
    memory: Memory, items: Iterator[ImportItem], returned: ReturnedLines[_ParsedItem]
) -> Iterator[_ParsedItem]:
    """Parse items for a while, before the write lock is taken: a hostile one keeps no other writer waiting."""
    until = monotonic() + COMMIT_SECONDS
    some = islice(items, COMMIT_RECORDS)
    with memory.read() as view:
        has_erased = bool(tombstones(view))
        while monotonic() < until and (group := list(islice(some, ITEMS_PER_LOOKUP))):
            states = ingested_lines(view, [item.hash for item in group])
            for item in group:
                is_current = states.get(item.hash)
                is_known = is_current is True and not has_erased
                parsed = _ParsedItem(item) if is_known and not returned else _parse(item)
                earlier = returned.drop_before(parsed.line)
                if earlier is not None:
                    yield _ParsedItem(earlier.item)
                is_set_aside = is_current is False and returned.defer(parsed.line, parsed)
                yield parsed._replace(is_set_aside=is_set_aside) if is_set_aside else parsed


def _parse(item: ImportItem) -> _ParsedItem:
    try:
        return _ParsedItem(item, item.parse())
    except RecollectError as problem:
        return _ParsedItem(item, problem=problem)


def _prefetch(batch: Batch, parsed: deque[_ParsedItem]) -> None:
    """Look up together which items and records of a batch are stored already."""
    with batch.change() as change:
        change.prefetch_lines([each.item.hash for each in parsed])
        records = {each.line.record.id for each in parsed if each.line is not None and each.line.record is not None}
        change.prefetch_documents("record", records)


def _import_batch(batch: Batch, parsed: deque[_ParsedItem], name: str, taken: ImportResult, reader: RunReader) -> int:
    """Import parsed items until the next commit; the offset reached."""
    until = monotonic() + COMMIT_SECONDS
    done = 0
    while parsed:
        each = parsed.popleft()
        _import_item(batch, each, name, taken, reader)
        done = each.item.end_offset
        if monotonic() > until:
            break
    return done


def _import_item(batch: Batch, parsed: _ParsedItem, name: str, taken: ImportResult, reader: RunReader) -> None:
    if parsed.is_set_aside:
        return
    taken.tally.lines += 1
    stated, pending, item = reader.facts, reader.pending, parsed.item
    changed, new = False, 0
    try:
        if parsed.problem is not None:
            raise parsed.problem
        if parsed.line is not None:
            changed, new = _write_parsed(batch, item, parsed.line, reader)
    except HiddenContent:
        pass
    except RecollectError as problem:
        taken.skipped.append(SkippedLine(item.file or name, 0 if item.file else item.number, str(problem)))
        return
    taken.tally.changed += changed
    taken.tally.unchanged += not changed
    taken.tally.facts += new
    if changed:
        report = _report_of_file(taken, item.file or name)
        report.facts += new
        _add_record(report, reader, reader.facts - stated, reader.pending - pending)
    if changed and item.file is not None and reader.facts == stated:
        taken.text_only.append(TextOnly(item.file, WAITS if batch.memory.model is not None else NO_FACTS))


def _write_parsed(batch: Batch, item: ImportItem, line: IngestItem, reader: RunReader) -> tuple[bool, int]:
    """Whether an item changed anything, and how many facts it began."""
    with batch.change() as change:
        if change.was_ingested(item.hash) and not is_line_tombstoned(change, line):
            return False, 0
        first = change.new_id()
        return reader.write_record(change, line), change.touched.count_facts_after(first)


def _report_of_file(taken: ImportResult, path: str) -> FileReport:
    """The report of a file: that of the record before, if it is the same."""
    if not taken.files or taken.files[-1].path != path:
        taken.files.append(FileReport(path))
    return taken.files[-1]


def _add_record(report: FileReport, reader: RunReader, stated: int, pending: int) -> None:
    report.records += 1
    report.stated += stated
    report.pending += pending
    if not stated:
        report.unread += 1
        reason = reader.reason or NOTHING_FOUND
        report.reason = reason if report.reason in (None, reason) else NOTHING_FOUND
    if report.facts:
        report.reason = None  # it would be taken for the reason of the whole file


@contextmanager
def gc_paused() -> Iterator[None]:
    """Look for reference cycles between batches only: there are few, and looking takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
