"""One run over many records: each its own transaction, many of them in one commit, safe to interrupt and repeat."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from recollect.errors import RecollectError
from recollect.ingest.extract.late import LateReader, RunReader
from recollect.ingest.line import Line
from recollect.ingest.taken import Progress, Skipped, Taken, TextOnly, Told
from recollect.memory import Batch, Memory

COMMIT_SECONDS = 2.0
COMMIT_RECORDS = 1_000
NO_FACTS = "no fact was found in it; it can be searched, and a language model (llm.url) may find more"
WAITS = "no fact was found in it yet; it waits to be read by the language model"


@dataclass(frozen=True, slots=True)
class Item:
    """One record to come: its place, what it is known by, and how it is read if it is not known yet."""

    number: int
    behind: int
    hash: str
    read: Callable[[], Line]
    file: str | None = None
    """The file that is this one record, if it is one: named when nothing could be read in it."""


def take_items(
    memory: Memory,
    name: str,
    items: Iterator[Item],
    size: int,
    tell: Told | None = None,
    reader: RunReader | None = None,
) -> Taken:
    """Take in every item; one that is wrong is reported and skipped, a known one changes nothing."""
    actor = memory.acting("cli", "ingest", memory.actor.name)
    reader = reader or LateReader(actor)
    taken, pending = Taken(), next(items, None)
    while pending is not None:
        with uncollected(), actor.batch() as batch:
            done, pending = _take_some(batch, items, pending, name, taken, reader)
        if tell is not None:
            tell(Progress(size if pending is None else done, size))
    taken.tally.facts += reader.facts
    reader.finish(actor)
    taken.warnings += reader.warnings
    return taken


def _take_some(
    batch: Batch, items: Iterator[Item], first: Item, name: str, taken: Taken, reader: RunReader
) -> tuple[int, Item | None]:
    """Take items until it is time to commit; how far they reach, and the first one left."""
    until, item = monotonic() + COMMIT_SECONDS, first
    for _ in range(COMMIT_RECORDS):
        _take_one(batch, item, name, taken, reader)
        done, following = item.behind, next(items, None)
        if following is None or monotonic() > until:
            return done, following
        item = following
    return done, item


def _take_one(batch: Batch, item: Item, name: str, taken: Taken, reader: RunReader) -> None:
    taken.tally.lines += 1
    facts = reader.facts
    try:
        with batch.change() as change:
            changed = not change.has_taken(item.hash) and reader.take(change, item.read())
    except RecollectError as problem:
        taken.skipped.append(Skipped(name, item.number, str(problem)))
        return
    taken.tally.changed += changed
    taken.tally.unchanged += not changed
    if changed and item.file is not None and reader.facts == facts:
        taken.text_only.append(TextOnly(item.file, WAITS if batch.memory.model is not None else NO_FACTS))


@contextmanager
def uncollected() -> Iterator[None]:
    """What a batch makes has no cycles; looking for them would take a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
