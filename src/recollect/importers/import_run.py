"""One import run over many records: result, tally, batched commits and the lazily made reader."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from recollect.errors import RecollectError
from recollect.ingest.background import is_reread_complete
from recollect.ingest.line import BundleLine
from recollect.memory import Batch, Memory
from recollect.model.progress import Progress, ProgressListener
from recollect.store.change import Change

__all__ = ["ImportResult", "ImportTally", "Progress", "ProgressListener", "SkippedLine", "TextOnly"]


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that was not taken, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class TextOnly:
    """A file that was kept, though nothing in it could be read as a fact, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class LineTaken:
    """What became of one line: whether it changed anything, and what of it was not taken."""

    changed: bool
    unread: tuple[str, ...] = ()


@dataclass(slots=True)
class ImportTally:
    """What became of the lines so far; lines count as taken once they are committed."""

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
    """What a chat export is reported as, in place of its tally."""
    text_only: list[TextOnly] = field(default_factory=list)


if TYPE_CHECKING:
    from recollect.ingest.extract.record_reader import RecordReader


class RunReader(Protocol):
    """Reads the records of one run that stand alone, and remembers what its user should know."""

    @property
    def facts(self) -> int: ...
    @property
    def warnings(self) -> list[str]: ...

    def write_record(self, change: Change, line: BundleLine) -> bool: ...
    def finish(self, memory: Memory) -> None: ...


class LazyRecordReader:
    """Stands in for the reader of a memory's workspace until there is something to read."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._created: RecordReader | None = None

    @property
    def facts(self) -> int:
        return self._created.facts if self._created is not None else 0

    @property
    def warnings(self) -> list[str]:
        return self._created.warnings if self._created is not None else []

    def write_record(self, change: Change, line: BundleLine) -> bool:
        """Keep the record and write what it tells; false if it is known as it is."""
        return self._reader.write_record(change, line)

    def finish(self, memory: Memory) -> None:
        """See to what came later than the records it matters to, if there are any."""
        if self._created is not None or not is_reread_complete(memory):
            self._reader.finish(memory)

    @property
    def _reader(self) -> "RecordReader":
        if self._created is None:
            from recollect.ingest.extract.record_reader import make_record_reader

            self._created = make_record_reader(self._memory)
        return self._created


COMMIT_SECONDS = 2.0
COMMIT_RECORDS = 1_000
NO_FACTS = "no fact was found in it; it can be searched, and a language model (llm.url) may find more"
WAITS = "no fact was found in it yet; it waits to be read by the language model"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One record to come: its place, what it is known by, and how it is read if it is not known yet."""

    number: int
    end_offset: int
    hash: str
    parse: Callable[[], BundleLine]
    file: str | None = None
    """The file that is this one record, if it is one: named when nothing could be read in it."""


def import_items(
    memory: Memory,
    name: str,
    items: Iterator[ImportItem],
    size: int,
    tell: ProgressListener | None = None,
    reader: RunReader | None = None,
) -> ImportResult:
    """Take in every item; one that is wrong is reported and skipped, a known one changes nothing."""
    actor = memory.as_actor("cli", "ingest", memory.actor.name)
    reader = reader or LazyRecordReader(actor)
    taken, pending = ImportResult(), next(items, None)
    while pending is not None:
        with gc_paused(), actor.batch() as batch:
            done, pending = _import_batch(batch, items, pending, name, taken, reader)
        if tell is not None:
            tell(Progress(size if pending is None else done, size))
    taken.tally.facts += reader.facts
    reader.finish(actor)
    taken.warnings += reader.warnings
    return taken


def _import_batch(
    batch: Batch, items: Iterator[ImportItem], first: ImportItem, name: str, taken: ImportResult, reader: RunReader
) -> tuple[int, ImportItem | None]:
    """Take items until it is time to commit; how far they reach, and the first one left."""
    until, item = monotonic() + COMMIT_SECONDS, first
    for _ in range(COMMIT_RECORDS):
        _import_item(batch, item, name, taken, reader)
        done, following = item.end_offset, next(items, None)
        if following is None or monotonic() > until:
            return done, following
        item = following
    return done, item


def _import_item(batch: Batch, item: ImportItem, name: str, taken: ImportResult, reader: RunReader) -> None:
    taken.tally.lines += 1
    facts = reader.facts
    try:
        with batch.change() as change:
            changed = not change.has_taken(item.hash) and reader.write_record(change, item.parse())
    except RecollectError as problem:
        taken.skipped.append(SkippedLine(name, item.number, str(problem)))
        return
    taken.tally.changed += changed
    taken.tally.unchanged += not changed
    if changed and item.file is not None and reader.facts == facts:
        taken.text_only.append(TextOnly(item.file, WAITS if batch.memory.model is not None else NO_FACTS))


@contextmanager
def gc_paused() -> Iterator[None]:
    """What a batch makes has no cycles; looking for them would take a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
