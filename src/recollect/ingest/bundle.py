"""Ingesting a bundle: one JSON object per line, each line its own transaction, many of them in one commit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.extract.late import LateReader, RunReader
from recollect.ingest.fields import Json
from recollect.ingest.foreseeing import foresee
from recollect.ingest.line import Line, read_line
from recollect.ingest.runs import uncollected
from recollect.ingest.take import take
from recollect.ingest.taken import LineTaken, Progress, Skipped, Tally, Told
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

    take: Callable[[Memory, Change, Json], bool | LineTaken]
    comes_last: bool = False


NONE_FURTHER: Mapping[str, Further] = {}


def ingest_bundle(
    memory: Memory,
    path: Path,
    tell: Told | None = None,
    further: Mapping[str, Further] = NONE_FURTHER,
    reader: RunReader | None = None,
) -> tuple[Tally, list[Skipped]]:
    """Take in every line of a file; bad lines are reported and skipped, known ones change nothing."""
    actor = memory.acting("cli", "ingest", memory.actor.name)
    run = _Run(actor, path.name, further, reader or LateReader(actor))
    size = path.stat().st_size
    for done in _commits(run, _blocks(path)):
        if tell is not None:
            tell(Progress(done, size))
    for _ in _commits(run, _late_blocks(run.late, size), are_late=True):
        pass
    run.tally.facts += run.reader.facts
    run.reader.finish(actor)
    return run.tally, sorted(run.skipped, key=attrgetter("line"))


Raw = tuple[int, bytes]
"""A line and its number."""


class _Block(NamedTuple):
    """Lines that are read and looked up together, and where they end."""

    lines: list[Raw]
    end: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Who takes a file in, and what became of it so far."""

    memory: Memory
    file: str
    further: Mapping[str, Further]
    reader: RunReader
    tally: Tally = field(default_factory=Tally)
    skipped: list[Skipped] = field(default_factory=list)
    late: list[Raw] = field(default_factory=list)

    def skip(self, number: int, problem: RecollectError) -> None:
        self.tally.lines += 1
        self.skipped.append(Skipped(self.file, number, str(problem)))


def _blocks(path: Path) -> Iterator[_Block]:
    first, end = 1, 0
    with path.open("rb") as file:
        while texts := _some(iter(partial(file.readline, LONGEST_LINE), b"")):
            end += sum(map(len, texts))
            yield _Block(list(enumerate(texts, first)), end)
            first += len(texts)


def _late_blocks(lines: Sequence[Raw], end: int) -> Iterator[_Block]:
    for start in range(0, len(lines), BLOCK_LINES):
        yield _Block(list(lines[start : start + BLOCK_LINES]), end)


def _some(texts: Iterator[bytes]) -> list[bytes]:
    """The next lines, few enough to be held, enough to be worth it."""
    some, room = list[bytes](), BLOCK_BYTES
    for text in islice(texts, min(BLOCK_LINES, COMMIT_LINES)):
        some.append(text)
        room -= len(text)
        if room < 0:
            break
    return some


def _commits(run: _Run, blocks: Iterator[_Block], *, are_late: bool = False) -> Iterator[int]:
    """Take the blocks in, some of them in each commit; how far the lines reach that are kept."""
    block = next(blocks, None)
    while block is not None:
        with uncollected(), run.memory.batch() as batch:
            until, count = monotonic() + COMMIT_SECONDS, 0
            while block is not None and count < COMMIT_LINES and monotonic() < until:
                _take_block(run, batch, block.lines, are_late=are_late)
                count, done, block = count + len(block.lines), block.end, next(blocks, None)
        yield done


def _take_block(run: _Run, batch: Batch, block: Sequence[Raw], *, are_late: bool) -> None:
    read = list(_read(run, block, are_late=are_late))
    with batch.change() as change:
        foresee(change, [line for _, line in read])
    tally = run.tally
    for number, line in read:
        try:
            with batch.change() as change:
                changed, unread = _take(run, batch.memory, change, line)
        except RecollectError as problem:
            run.skip(number, problem)
            continue
        tally.lines += 1
        run.skipped.extend(Skipped(run.file, number, reason) for reason in unread)
        if changed:
            tally.changed += 1
            tally.facts += len(line.facts)
        else:
            tally.unchanged += 1


def _read(run: _Run, block: Sequence[Raw], *, are_late: bool) -> Iterator[tuple[int, Line]]:
    """The lines that say something; what is wrong is skipped, and what has to come last is put off."""
    for number, text in block:
        if text.isspace():
            continue
        try:
            line = read_line(text, run.further)
        except RecollectError as problem:
            run.skip(number, problem)
            continue
        if line.further is not None and run.further[line.further[0]].comes_last and not are_late:
            run.late.append((number, text))
        else:
            yield number, line


def _take(run: _Run, memory: Memory, change: Change, line: Line) -> tuple[bool, tuple[str, ...]]:
    """Take one line: whether it changed anything, and what of it was not read."""
    if line.further is None:
        return take(change, line, run.reader), ()
    if change.has_taken(line.hash):
        return False, ()
    key, value = line.further
    taken = run.further[key].take(memory, change, value)
    changed, unread = (taken, ()) if isinstance(taken, bool) else (taken.changed, taken.unread)
    if changed:
        change.take_line(line.hash)
    return changed, unread
