"""Ingesting a bundle: one JSON object per line, each line its own transaction, many of them in one commit."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.further import FURTHER, LAST
from recollect.ingest.line import Line, read_line
from recollect.ingest.problems import BadLine
from recollect.ingest.take import take
from recollect.ingest.taken import Progress, Skipped, Tally, Told
from recollect.memory import Batch, Memory

COMMIT_SECONDS = 0.5
COMMIT_LINES = 2_000
LONGEST_LINE = 64 * 1024 * 1024


def ingest_bundle(memory: Memory, path: Path, tell: Told | None = None) -> tuple[Tally, list[Skipped]]:
    """Take in every line of a file; bad lines are reported and skipped, known ones change nothing."""
    actor = memory.acting("cli", "ingest", memory.actor.name)
    tally, skipped = Tally(), list[Skipped]()
    size = path.stat().st_size
    late: list[_Raw] = []
    lines = chain(_lines(path), _drained(late))
    pending = next(lines, None)
    while pending is not None:
        with _uncollected(), actor.batch() as batch:
            pending = _take_some(_Taking(batch, path.name, tally, skipped, late), lines, pending)
        if tell is not None:
            tell(Progress(size if pending is None or pending.is_late else pending.offset, size))
    return tally, skipped


@contextmanager
def _uncollected() -> Iterator[None]:
    """What a batch makes has no cycles; looking for them would take a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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
        line = _read(raw.text)
        if line.further is not None and line.further[0] in LAST and not raw.is_late:
            taking.late.append(raw._replace(is_late=True))
            return None
        changed = _write(taking.batch, line)
    except RecollectError as problem:
        taking.tally.lines += 1
        return str(problem)
    tally = taking.tally
    tally.lines += 1
    tally.changed += changed
    tally.unchanged += not changed
    tally.facts += len(line.facts) if changed else 0
    return None


def _write(batch: Batch, line: Line) -> bool:
    with batch.change() as change:
        if line.further is None:
            return take(change, line)
        key, value = line.further
        return FURTHER[key](batch.memory, change, value)


def _read(text: bytes) -> Line:
    try:
        return read_line(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadLine("line", "is not UTF-8") from None
