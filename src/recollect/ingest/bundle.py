"""Ingesting a bundle: one JSON object per line, each line its own transaction, many of them in one commit."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.extract.alone import Reader, reader_for
from recollect.ingest.fields import Json
from recollect.ingest.line import Line, read_line
from recollect.ingest.problems import BadLine
from recollect.ingest.runs import uncollected
from recollect.ingest.take import take
from recollect.ingest.taken import Progress, Skipped, Tally, Told
from recollect.memory import Batch, Memory
from recollect.store.change import Change

COMMIT_SECONDS = 0.5
COMMIT_LINES = 2_000
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
    reader = reader or reader_for(actor)
    tally, skipped = Tally(), list[Skipped]()
    size = path.stat().st_size
    late: list[_Raw] = []
    lines = chain(_lines(path), _drained(late))
    pending = next(lines, None)
    while pending is not None:
        with uncollected(), actor.batch() as batch:
            pending = _take_some(_Taking(batch, path.name, tally, skipped, late, further, reader), lines, pending)
        if tell is not None:
            tell(Progress(size if pending is None or pending.is_late else pending.offset, size))
    tally.facts += reader.facts
    reader.finish(actor)
    return tally, skipped


class _Raw(NamedTuple):
    number: int
    offset: int
    text: bytes
    is_late: bool = False


class _Taking(NamedTuple):
    """Where the lines of one commit go."""

    batch: Batch
    file: str
    tally: Tally
    skipped: list[Skipped]
    late: list[_Raw]
    further: Mapping[str, Further]
    reader: Reader


def _drained(late: list[_Raw]) -> Iterator[_Raw]:
    """The lines that were put off, once all others are through."""
    while late:
        yield late.pop(0)


def _lines(path: Path) -> Iterator[_Raw]:
    offset = 0
    with path.open("rb") as file:
        for number, text in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            yield _Raw(number, offset, text)
            offset += len(text)


def _take_some(taking: _Taking, lines: Iterator[_Raw], first: _Raw) -> _Raw | None:
    """Take lines until it is time to commit; returns the first one left."""
    until, raw, count = monotonic() + COMMIT_SECONDS, first, 0
    while count < COMMIT_LINES and monotonic() < until:
        count += 1
        reason = _take_one(taking, raw)
        if reason is not None:
            taking.skipped.append(Skipped(taking.file, raw.number, reason))
        following = next(lines, None)
        if following is None:
            return None
        raw = following
    return raw


def _take_one(taking: _Taking, raw: _Raw) -> str | None:
    """Why the line was skipped, or none if it was taken or put off."""
    if not raw.text.strip():
        return None
    try:
        line = _read(raw.text, taking.further)
        if line.further is not None and taking.further[line.further[0]].comes_last and not raw.is_late:
            taking.late.append(raw._replace(is_late=True))
            return None
        changed = _write(taking, line)
    except RecollectError as problem:
        taking.tally.lines += 1
        return str(problem)
    tally = taking.tally
    tally.lines += 1
    tally.changed += changed
    tally.unchanged += not changed
    tally.facts += len(line.facts) if changed else 0
    return None


def _write(taking: _Taking, line: Line) -> bool:
    with taking.batch.change() as change:
        if line.further is None:
            return take(change, line, taking.reader)
        key, value = line.further
        return taking.further[key].take(taking.batch.memory, change, value)


def _read(text: bytes, further: Mapping[str, Further]) -> Line:
    try:
        return read_line(text.decode("utf-8-sig"), further)
    except UnicodeDecodeError:
        raise BadLine("line", "is not UTF-8") from None
