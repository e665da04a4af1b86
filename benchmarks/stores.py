"""Stores of the sizes asked for, built through our own ingest and kept for the next run."""

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from benchmarks.world import write_world
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, open_memory
from recollect.model.progress import Progress
from recollect.settings import Settings

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000}


class Built(NamedTuple):
    """A store and what it cost to build it; nothing if it was there."""

    path: Path
    facts: int
    seconds: float | None
    megabytes: float


def build(folder: Path, size: str) -> Built:
    """A store with this many facts and as many names."""
    path, count = folder / f"world-{size}.db", SIZES[size]
    if path.exists():
        return Built(path, count, None, 0)
    bundle, unfinished = folder / f"world-{size}.jsonl", folder / f"unfinished-{size}.db"
    for left in folder.glob(f"{unfinished.name}*"):
        left.unlink()
    write_world(bundle, count, count)
    with opened(unfinished) as memory, _bar(size) as bar:
        began = time.process_time()
        tally, skipped = import_bundle(memory, bundle, bar)
        seconds = time.process_time() - began
    if skipped:
        raise SystemExit(f"{len(skipped)} lines were not taken: {skipped[0]}")
    bundle.unlink()
    unfinished.rename(path)
    return Built(path, tally.facts, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


@contextmanager
def opened(path: Path) -> Iterator[Memory]:
    memory = open_memory(str(path), "default", Settings())
    try:
        yield memory
    finally:
        memory.close()


class _Bar:
    def __init__(self, bar: "tqdm[None]") -> None:
        self._bar = bar

    def __call__(self, progress: Progress) -> None:
        self._bar.total = progress.total
        self._bar.update(progress.done - self._bar.n)


@contextmanager
def _bar(size: str) -> Iterator[_Bar]:
    with tqdm(desc=f"building {size}", unit="B", unit_scale=True, file=sys.stderr) as bar:
        yield _Bar(bar)
