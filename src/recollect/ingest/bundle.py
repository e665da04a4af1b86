"""Ingesting a bundle: one JSON object per line, each line its own transaction, many of them in one commit."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from recollect.errors import RecollectError
from recollect.ingest.line import Line, read_line
from recollect.ingest.problems import BadLine
from recollect.ingest.take import take
from recollect.memory import Batch, Memory

COMMIT_SECONDS = 0.5
COMMIT_LINES = 2_000
LONGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that was not taken, and why."""

    file: str
    line: int
    reason: str


@dataclass(slots=True)
class Tally:
    """What became of the lines so far; lines count as taken once they are committed."""

    lines: int = 0
    changed: int = 0
    unchanged: int = 0
    facts: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far into the file the committed lines reach."""

    done: int
    total: int


Told = Callable[[Progress], None]


def ingest_bundle(memory: Memory, path: Path, tell: Told | None = None) -> tuple[Tally, list[Skipped]]:
    """Take in every line of a file; bad lines are reported and skipped, known ones change nothing."""
    actor = memory.acting("cli", "ingest", memory.actor.name)
    tally, skipped = Tally(), list[Skipped]()
    size = path.stat().st_size
    lines = _lines(path)
    pending = next(lines, None)
    while pending is not None:
        with _uncollected(), actor.batch() as batch:
            pending = _take_some(batch, lines, pending, path.name, tally, skipped)
        if tell is not None:
            tell(Progress(size if pending is None else pending.offset, size))
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


def _lines(path: Path) -> Iterator[_Raw]:
    offset = 0
    with path.open("rb") as file:
        for number, text in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1):
            yield _Raw(number, offset, text)
            offset += len(text)


def _take_some(
    batch: Batch, lines: Iterator[_Raw], first: _Raw, file: str, tally: Tally, skipped: list[Skipped]
) -> _Raw | None:
    """Take lines until it is time to commit; returns the first one left."""
    until, raw, count = monotonic() + COMMIT_SECONDS, first, 0
    while count < COMMIT_LINES and monotonic() < until:
        count += 1
        reason = _take_one(batch, raw.text, tally)
        if reason is not None:
            skipped.append(Skipped(file, raw.number, reason))
        following = next(lines, None)
        if following is None:
            return None
        raw = following
    return raw


def _take_one(batch: Batch, text: bytes, tally: Tally) -> str | None:
    """Why the line was skipped, or none if it was taken."""
    if not text.strip():
        return None
    tally.lines += 1
    try:
        line = _read(text)
        with batch.change() as change:
            changed = take(change, line)
    except RecollectError as problem:
        return str(problem)
    tally.changed += changed
    tally.unchanged += not changed
    tally.facts += len(line.facts) if changed else 0
    return None


def _read(text: bytes) -> Line:
    try:
        return read_line(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadLine("line", "is not UTF-8") from None
