"""A PostgreSQL server that is killed and comes back, under a process of ours that goes on."""

import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store.port import StoreUnavailable
from tests.durability.looking import assert_whole, rows
from tests.durability.workers import record_fact, record_long
from tests.support.databases import OwnServer, own_postgres, wait_until
from tests.support.processes import LONGEST_WAIT

ROUNDS = 2


@pytest.fixture
def own_server() -> Iterator[OwnServer]:
    with TemporaryDirectory(prefix="recollect-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        with own_postgres(Path(folder) / "data") as server:
            yield server


def test_a_killed_server_loses_no_acknowledged_write_and_we_go_on(own_server: OwnServer) -> None:
    random = Random(7)
    memory = open_memory(own_server.address, settings=Settings())
    with writing(memory) as acknowledged:
        for _ in range(ROUNDS):
            _wait_for(acknowledged, random.randrange(3, 12))
            own_server.kill()
            own_server.start()
    _check_nothing_lost(own_server.address, acknowledged)
    assert record_fact(memory, "After", "the last kill")
    memory.close()
    assert_whole(own_server.address)


def _check_nothing_lost(address: str, acknowledged: list[str]) -> None:
    kept = [name for [name] in rows(address, "SELECT name FROM entity")]
    assert set(acknowledged) <= set(kept)
    # What was written but not acknowledged is at most the call that each kill cut off.
    assert len(kept) == len(set(kept))
    assert len(kept) - len(acknowledged) <= ROUNDS


@contextmanager
def writing(memory: Memory) -> Iterator[list[str]]:
    """A thread of ours that goes on writing, whatever happens to the server; the names it wrote."""
    acknowledged: list[str] = []
    ended = threading.Event()

    def write() -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            with suppress(StoreUnavailable):
                record_long(memory, f"Note {number}")
                acknowledged.append(f"Note {number}")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield acknowledged
        _wait_for(acknowledged, 3)
    finally:
        ended.set()
        writer.join(LONGEST_WAIT)
    assert not writer.is_alive()


def _wait_for(acknowledged: list[str], more: int) -> None:
    wanted = len(acknowledged) + more
    wait_until(lambda: len(acknowledged) >= wanted)
