"""`make restores RESTORES=…`: back up PostgreSQL under load, restore to chosen moments, and compare every row."""

import argparse
import itertools
import os
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

from recollect.keep.store_checks import WorkspaceDigest, copy_workspaces, digest_store
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from tests.durability.archives import archiving_postgres, restored_to, wait_for_archive
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact
from tests.support.databases import OwnServer, copy_postgres, wait_until
from tests.support.processes import end_on_sigterm, say

WRITERS = 4
WRITES_BETWEEN = 20


@dataclass
class Writers:
    """Threads that write one fact after another; how many were acknowledged."""

    acknowledged: int = 0
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Whoever holds it keeps them from writing."""

    def wait_for_more(self, count: int) -> None:
        wanted = self.acknowledged + count
        wait_until(lambda: self.acknowledged >= wanted)


class Moment(NamedTuple):
    """A moment to go back to, and what the store held then."""

    at: str
    held: list[WorkspaceDigest]


class Cost(NamedTuple):
    """Seconds for a base backup, for the restore and for `recollect backup`."""

    copied: float
    restored: float
    exported: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--restores", type=int, default=5)
    given = options.parse_args()
    end_on_sigterm()
    say(f"load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with archiving_postgres() as server, closing(_opened(server.address)) as memory, writing(memory) as writers:
        costs = [_restore(server, memory, writers) for _ in range(given.restores)]
        written = writers.acknowledged
    say(f"{written} writes acknowledged meanwhile; {len(costs)} restores, every row and answer as it was")
    for what, seconds in zip(Cost._fields, zip(*costs, strict=True), strict=True):
        say(f"{what}: median {median(seconds):.1f} s, longest {max(seconds):.1f} s")


def _opened(address: str) -> Memory:
    return open_memory(address, settings=Settings())


@contextmanager
def writing(memory: Memory) -> Iterator[Writers]:
    writers, ended = Writers(), threading.Event()

    def write(number: int) -> None:
        for each in itertools.count():
            if ended.is_set():
                return
            with writers.turn:
                record_fact(memory, f"Project {number}", f"tag {each}")
                writers.acknowledged += 1

    with ThreadPoolExecutor(WRITERS) as pool:
        threads = [pool.submit(write, number) for number in range(WRITERS)]
        try:
            yield writers
        finally:
            ended.set()
        for thread in threads:
            thread.result()


def _restore(server: OwnServer, memory: Memory, writers: Writers) -> Cost:
    """Base backup while others write, some writes, a moment, more writes; then back to the moment."""
    data = server.data.parent / "restored"
    writers.wait_for_more(WRITES_BETWEEN)
    began = time.monotonic()
    copy_postgres(server, data)
    copied = time.monotonic() - began
    writers.wait_for_more(WRITES_BETWEEN)
    moment = _mark(server, memory, writers)
    writers.wait_for_more(WRITES_BETWEEN)
    exported = _export(memory, writers, server.data.parent / "copy.db")
    wait_for_archive(server)
    began = time.monotonic()
    with restored_to(server, data, moment.at) as address:
        restored = time.monotonic() - began
        with closing(_opened(address)) as found:
            assert digest_store(found) == moment.held
        assert_whole(address)
    shutil.rmtree(data)
    cost = Cost(copied, restored, exported)
    told = ", ".join(f"{what} in {seconds:.1f} s" for what, seconds in cost._asdict().items())
    say(f"back to {sum(each.facts for each in moment.held)} facts: {told}")
    return cost


def _mark(server: OwnServer, memory: Memory, writers: Writers) -> Moment:
    with writers.turn:
        held = digest_store(memory)
        [[at]] = rows(server.address, "SELECT clock_timestamp()::TEXT")
    return Moment(str(at), held)


def _export(memory: Memory, writers: Writers, path: Path) -> float:
    """What `recollect backup` does, while others write: one moment, none before what was acknowledged."""
    known, began = writers.acknowledged, time.monotonic()
    with closing(_opened(str(path))) as copy:
        copy_workspaces(memory, copy)
        seconds = time.monotonic() - began
        [held] = digest_store(copy)
    assert known <= held.tx <= writers.acknowledged + WRITERS, (known, held.tx, writers.acknowledged)
    assert_whole(str(path))
    path.unlink()
    return seconds


if __name__ == "__main__":
    main()
