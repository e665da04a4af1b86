"""Ingesting a bundle: one JSON object per line, each line its own transaction, many of them in one commit."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.extract.alone import Reader, reader_for
from recollect.ingest.fields import Json
from recollect.ingest.foreseeing import foresee
from recollect.ingest.line import Line, read_line
from recollect.ingest.runs import uncollected
from recollect.ingest.take import take
from recollect.ingest.taken import Progress, Skipped, Tally, Told
from recollect.memory import Batch, Memory
from recollect.store.change import Change

COMMIT_SECONDS = 1.0
COMMIT_LINES = 20_000
BLOCK_LINES = 1_024
BLOCK_BYTES = 1024 * 1024
LONGEST_LINE = 64 * 1024 * 1024


class Further(NamedTuple):
    """How a line of another kind is taken in; `take` says whether it changed anything.

    One that comes last is put off until all other lines of its file are through, since it names what those bring.
    """

    take: Callable[[Memory, Change, Json], bool]
    comes_last: bool = False


NONE_FURTHER: Mapping[str, Further] = {}


def ingest_bundle(
    memory: Memory,
    path: Path,
    tell: Told | None = None,
    further: Mapping[str, Further] = NONE_FURTHER,
    reader: Reader | None = None,
) -> tuple[Tally, list[Skipped]]:
    """Take in every line of a file; bad lines are reported and skipped, known ones change nothing."""
    actor = memory.acting("cli", "ingest", memory.actor.name)
    run = _Run(actor, path.name, further, reader or reader_for(actor))
    size = path.stat().st_size
    for done in _commits(run, _blocks(_lines(path))):
        if tell is not None:
            tell(Progress(done, size))
    for _ in _commits(run, _blocks(iter(run.late)), are_late=True):
        pass
    run.tally.facts += run.reader.facts
    run.reader.finish(actor)
    return run.tally, sorted(run.skipped, key=attrgetter("line"))


class _Raw(NamedTuple):
    number: int
    end: int
    text: bytes


@dataclass(frozen=True, slots=True)
class _Run:
    """Who takes a file in, and what became of it so far."""

    memory: Memory
    file: str
    further: Mapping[str, Further]
    reader: Reader
    tally: Tally = field(default_factory=Tally)
    skipped: list[Skipped] = field(default_factory=list)
    late: list[_Raw] = field(default_factory=list)

    def skip(self, raw: _Raw, problem: RecollectError) -> None:
        self.tally.lines += 1
        self.skipped.append(Skipped(self.file, raw.number, str(problem)))


def _lines(path: Path) -> Iterator[_Raw]:
    end = 0
    with path.open("rb") as file:
        for number, text in enumerate(iter(partial(file.readline, LONGEST_LINE), b""), start=1):
            end += len(text)
            yield _Raw(number, end, text)


def _blocks(lines: Iterator[_Raw]) -> Iterator[list[_Raw]]:
    """Lines that are read and looked up together: few enough to be held, enough to be worth it."""
    block, room, most = list[_Raw](), BLOCK_BYTES, min(BLOCK_LINES, COMMIT_LINES)
    for raw in lines:
        block.append(raw)
        room -= len(raw.text)
        if room < 0 or len(block) >= most:
            yield block
            block, room = [], BLOCK_BYTES
    if block:
        yield block


def _commits(run: _Run, blocks: Iterator[list[_Raw]], *, are_late: bool = False) -> Iterator[int]:
    """Take the blocks in, some of them in each commit; how far the lines reach that are kept."""
    block = next(blocks, None)
    while block is not None:
        with uncollected(), run.memory.batch() as batch:
            until, count = monotonic() + COMMIT_SECONDS, 0
            while block is not None and count < COMMIT_LINES and monotonic() < until:
                _take_block(run, batch, block, are_late=are_late)
                count, done, block = count + len(block), block[-1].end, next(blocks, None)
        yield done


def _take_block(run: _Run, batch: Batch, block: list[_Raw], *, are_late: bool) -> None:
    read = list(_read(run, block, are_late=are_late))
    with batch.change() as change:
        foresee(change, [line for _, line in read])
    tally = run.tally
    for raw, line in read:
        try:
            with batch.change() as change:
                changed = _take(run, batch.memory, change, line)
        except RecollectError as problem:
            run.skip(raw, problem)
            continue
        tally.lines += 1
        if changed:
            tally.changed += 1
            tally.facts += len(line.facts)
        else:
            tally.unchanged += 1


def _read(run: _Run, block: list[_Raw], *, are_late: bool) -> Iterator[tuple[_Raw, Line]]:
    """The lines that say something; what is wrong is skipped, and what has to come last is put off."""
    for raw in block:
        if raw.text.isspace():
            continue
        try:
            line = read_line(raw.text, run.further)
        except RecollectError as problem:
            run.skip(raw, problem)
            continue
        if line.further is not None and run.further[line.further[0]].comes_last and not are_late:
            run.late.append(raw)
        else:
            yield raw, line


def _take(run: _Run, memory: Memory, change: Change, line: Line) -> bool:
    if line.further is None:
        return take(change, line, run.reader)
    key, value = line.further
    return run.further[key].take(memory, change, value)
