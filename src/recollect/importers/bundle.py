"""Importing a bundle (JSON Lines): prefetched in blocks, a transaction per line, many per commit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.importers.import_run import (
    ImportTally,
    LazyRecordReader,
    LineOutcome,
    Progress,
    ProgressListener,
    ReturnedLines,
    RunReader,
    SkippedLine,
    gc_paused,
)
from recollect.ingest.fields import Json
from recollect.ingest.filing import write_folio_line
from recollect.ingest.line import IngestItem, read_line
from recollect.ingest.line_parts import FactPart
from recollect.ingest.line_writer import write_line
from recollect.memory import Batch, Memory
from recollect.model.fact import slot_of
from recollect.model.ids import EntityId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.ingest_queries import replaced_lines
from recollect.write.entity_refs import NamedRef
from recollect.write.names import IDENTIFIERS
from recollect.write.predicates import cached_meaning, target_of


def prefetch_block(change: Change, lines: Sequence[IngestItem]) -> None:
    """Load what the lines will look up into the cache; a miss costs one query, and nothing depends on it."""
    taken = change.lookups.prefetch_lines([line.hash for line in lines])
    new = [line for line in lines if line.hash not in taken] if taken else lines
    records = [line.record for line in new if line.record is not None]
    change.lookups.prefetch_documents("record", {each.id for each in records if each.type != "memory"})
    change.lookups.prefetch_documents("memory", {each.id for each in records if each.type == "memory"})
    names = _line_names(new)
    change.lookups.prefetch_names(names)
    made = change.recent.batch.made if change.recent.batch is not None else set[EntityId]()
    only = change.recent.only
    known = {name: found.id for name in names if (found := only(name)) is not None and found.id not in made}
    change.lookups.prefetch_slots(set(_line_slots(change, (part for line in new for part in line.facts), known)))


def _line_names(lines: Iterable[IngestItem]) -> set[str]:
    """All names, aliases and identifiers in lines, folded."""
    names = set[str]()
    for line in lines:
        for end in line.entities:
            names.add(end.folded)
            if end.aliases or end.properties:
                names.update(map(fold, end.aliases))
                names.update(fold(value) for kind in IDENTIFIERS if isinstance(value := end.properties.get(kind), str))
        for subject, target, _, _, _, _ in line.facts:
            names.add(subject.folded)
            if isinstance(target, NamedRef):
                names.add(target.folded)
    return names


def _line_slots(change: Change, parts: Iterable[FactPart], known: Mapping[str, EntityId]) -> Iterator[int]:
    """The slots of facts whose ends and predicate are known; a new entity has no facts to load."""
    for subject_end, target, kind, _, _, _ in parts:
        subject = known.get(subject_end.folded)
        if subject is None:
            continue
        object_ = literal = None
        if isinstance(target, NamedRef):
            object_ = known.get(target.folded)
            if object_ is None:
                continue
        else:
            literal = target
        meant = cached_meaning(change, kind.predicate, kind.label, kind.fact_type, target_of(object_, literal))
        if meant is not None:
            yield slot_of(subject, meant.label, meant.name, object_, literal, meant.symmetric)


COMMIT_SECONDS = 1.0
COMMIT_LINES = 20_000
BLOCK_LINES = 1_024
BLOCK_BYTES = 1024 * 1024
MAX_LINE_BYTES = 64 * 1024 * 1024


class LineHandler(NamedTuple):
    """How a line of another kind is written; `write` returns whether it changed anything.

    A deferred line is written after all other lines of its file, since it refers to them.
    """

    write: Callable[[Memory, Change, Json], bool | LineOutcome]
    is_deferred: bool = False


NO_HANDLERS: Mapping[str, LineHandler] = {}


def import_bundle(
    memory: Memory,
    path: Path,
    tell: ProgressListener | None = None,
    further: Mapping[str, LineHandler] = NO_HANDLERS,
    reader: RunReader | None = None,
) -> tuple[ImportTally, list[SkippedLine]]:
    """Import every line of a file; bad lines are reported and skipped, known ones change nothing."""
    actor = memory.as_actor("cli", "ingest", memory.actor.name)
    run = _BundleRun(actor, path.name, further, reader or LazyRecordReader(actor))
    size = path.stat().st_size
    for done in _iter_commits(run, _iter_blocks(path)):
        if tell is not None:
            tell(Progress(done, size))
    for lines in (run.returned.drain(), run.deferred):
        for _ in _iter_commits(run, _iter_late_blocks(lines, size), are_late=True):
            pass
    run.tally.facts += run.reader.facts
    run.reader.finish(actor)
    return run.tally, sorted(run.skipped, key=attrgetter("line"))


NumberedLine = tuple[int, bytes]
"""A line and its number."""


class _Block(NamedTuple):
    """Lines that are parsed and prefetched together, and their end offset."""

    lines: list[NumberedLine]
    end: int


@dataclass(frozen=True, slots=True)
class _BundleRun:
    """The state of one import."""

    memory: Memory
    file: str
    further: Mapping[str, LineHandler]
    reader: RunReader
    tally: ImportTally = field(default_factory=ImportTally)
    skipped: list[SkippedLine] = field(default_factory=list)
    deferred: list[NumberedLine] = field(default_factory=list)
    returned: ReturnedLines[NumberedLine] = field(default_factory=ReturnedLines)

    def skip(self, number: int, problem: RecollectError) -> None:
        self.tally.lines += 1
        self.skipped.append(SkippedLine(self.file, number, str(problem)))


def _iter_blocks(path: Path) -> Iterator[_Block]:
    first, end = 1, 0
    with path.open("rb") as file:
        while texts := _take_block_lines(iter(partial(file.readline, MAX_LINE_BYTES), b"")):
            end += sum(map(len, texts))
            yield _Block(list(enumerate(texts, first)), end)
            first += len(texts)


def _iter_late_blocks(lines: Sequence[NumberedLine], end: int) -> Iterator[_Block]:
    for start in range(0, len(lines), BLOCK_LINES):
        yield _Block(list(lines[start : start + BLOCK_LINES]), end)


def _take_block_lines(texts: Iterator[bytes]) -> list[bytes]:
    """The next block of lines, limited by count and size."""
    some, room = list[bytes](), BLOCK_BYTES
    for text in islice(texts, min(BLOCK_LINES, COMMIT_LINES)):
        some.append(text)
        room -= len(text)
        if room < 0:
            break
    return some


def _iter_commits(run: _BundleRun, blocks: Iterator[_Block], *, are_late: bool = False) -> Iterator[int]:
    """Write the blocks, several to a commit; the offset that each commit reached."""
    block = next(blocks, None)
    while block is not None:
        with gc_paused(), run.memory.batch() as batch:
            until, count = monotonic() + COMMIT_SECONDS, 0
            while block is not None and count < COMMIT_LINES and monotonic() < until:
                _write_block(run, batch, block.lines, are_late=are_late)
                count, done, block = count + len(block.lines), block.end, next(blocks, None)
        yield done


def _write_block(run: _BundleRun, batch: Batch, block: Sequence[NumberedLine], *, are_late: bool) -> None:
    read = list(_parse_block(run, block, are_late=are_late))
    with batch.change() as change:
        read = read if are_late else _without_returned(run, change, block, read)
        prefetch_block(change, [line for _, line in read])
    tally = run.tally
    for number, line in read:
        try:
            with batch.change() as change:
                changed, unread = _write_parsed_line(run, batch.memory, change, line)
        except RecollectError as problem:
            run.skip(number, problem)
            continue
        tally.lines += 1
        run.skipped.extend(SkippedLine(run.file, number, reason) for reason in unread)
        if changed:
            tally.changed += 1
            tally.facts += len(line.facts)
        else:
            tally.unchanged += 1


def _without_returned(
    run: _BundleRun, change: Change, block: Sequence[NumberedLine], read: list[tuple[int, IngestItem]]
) -> list[tuple[int, IngestItem]]:
    """The lines to write now; those that were replaced once wait for the end of the run."""
    replaced, texts = replaced_lines(change, [line.hash for _, line in read if line.record]), dict(block)
    found = []
    for number, line in read:
        if run.returned.drop_before(line) is not None:
            run.tally.lines += 1
            run.tally.unchanged += 1
        if line.hash not in replaced or not run.returned.defer(line, (number, texts[number])):
            found.append((number, line))
    return found


def _parse_block(run: _BundleRun, block: Sequence[NumberedLine], *, are_late: bool) -> Iterator[tuple[int, IngestItem]]:
    """Parse a block; bad lines are skipped, deferred ones are set aside."""
    for number, text in block:
        if text.isspace():
            continue
        try:
            line = read_line(text, run.further)
        except RecollectError as problem:
            run.skip(number, problem)
            continue
        if line.extension is not None and run.further[line.extension[0]].is_deferred and not are_late:
            run.deferred.append((number, text))
        else:
            yield number, line


def _write_parsed_line(
    run: _BundleRun, memory: Memory, change: Change, line: IngestItem
) -> tuple[bool, tuple[str, ...]]:
    """Write one line: whether it changed anything, and which parts could not be read."""
    if line.extension is None:
        return write_line(change, line, run.reader), ()
    if change.was_ingested(line.hash):
        return False, ()
    key, value = line.extension
    taken = run.further[key].write(memory, change, value)
    changed, unread = (taken, ()) if isinstance(taken, bool) else (taken.changed, taken.unread)
    if changed:
        change.mark_ingested(line.hash)
    return changed, unread


def _write_measurement(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.series.measurements import record_measurement

    return record_measurement(change, given)


def _write_manifest(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.series.manifest import declare_manifest

    return declare_manifest(change, given)


def _write_rule(memory: Memory, change: Change, given: Json) -> bool:
    from recollect.importers.lore import write_rule_line

    return write_rule_line(memory, change, given)


def _write_encounter(_: Memory, change: Change, given: Json) -> bool:
    from recollect.importers.lore import write_encounter_line

    return write_encounter_line(change, given)


def _write_lore_source(_: Memory, change: Change, given: Json) -> LineOutcome:
    from recollect.importers.lore import write_lore_source_line

    return write_lore_source_line(change, given)


def _write_memory_link(_: Memory, change: Change, given: Json) -> bool:
    from recollect.keep.network.links import apply_link_line

    return apply_link_line(change, given)


LINE_HANDLERS: dict[str, LineHandler] = {
    "encounter": LineHandler(_write_encounter),
    "lore_source": LineHandler(_write_lore_source),
    "folio": LineHandler(lambda _, change, given: write_folio_line(change, given)),
    "memory_link": LineHandler(_write_memory_link, is_deferred=True),
    "measurement": LineHandler(_write_measurement),
    "manifest": LineHandler(_write_manifest),
    "rule": LineHandler(_write_rule),
}
