"""`make restarts RESTARTS=…`: restart PostgreSQL and kill servers behind HAProxy under load; is anything lost?

Needs haproxy; without it it says so and ends.
"""

import argparse
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psycopg

from recollect.memory import open_memory
from recollect.settings import Settings
from tests.cluster.balanced import (
    HAS_BALANCER,
    NO_BALANCER,
    CallFailed,
    KeyUsed,
    StatelessServer,
    balancer,
    call_verb,
    stateless_servers,
)
from tests.support.databases import OwnServer, own_postgres, run_postgres_tool, wait_until
from tests.support.processes import end_on_sigterm, say

SERVERS = 2
CLIENTS = 4
BETWEEN_FAULTS = 10
"""So many writes are acknowledged before the next fault."""
ASK_SECONDS = 0.01
RUNNING_SECONDS = 5.0
"""No call takes so long, so a key that is in use for longer is that of a call that was carried out."""


@dataclass
class Writes:
    """What clients were told: when each write was acknowledged, and how often a call failed before it was."""

    acknowledged: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    """Writes that were carried out as later calls under their key were told, while the first answer was lost."""

    def first_after(self, moment: float) -> float:
        """When the next write was acknowledged; waits for it."""
        known = len(self.acknowledged)
        wait_until(lambda: any(each > moment for each in self.acknowledged[known:]))
        return min(each for each in self.acknowledged[known:] if each > moment)

    def wait_for_more(self, count: int) -> None:
        wanted = len(self.acknowledged) + count
        wait_until(lambda: len(self.acknowledged) >= wanted)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--restarts", type=int, default=10, help="of PostgreSQL, and as many kills of servers")
    given = options.parse_args()
    end_on_sigterm()
    if not HAS_BALANCER:
        say(f"skipped: {NO_BALANCER}")
        return
    say(f"load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as name:
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        with own_postgres(Path(name) / "data") as postgres:
            open_memory(postgres.address, settings=Settings()).close()
            wrong = drill(Path(name), postgres, given.restarts)
    say(f"load at the end: {os.getloadavg()[0]:.1f}")
    sys.exit(1 if wrong else 0)


def drill(folder: Path, postgres: OwnServer, count: int) -> int:
    """Restart and kill under load; how many writes are missing or doubled."""
    with (
        stateless_servers(postgres.address, SERVERS) as servers,
        balancer(folder, servers) as port,
        writing(port) as writes,
    ):
        back = [_restart(postgres, writes, is_killed=turn % 2 == 0) for turn in range(count)]
        pauses = [_kill(servers[turn % SERVERS], writes) for turn in range(count)]
    say(f"from PostgreSQL being back to the next acknowledged write: {_spread(back)}")
    say(f"from the kill of a server to the next acknowledged write: {_spread(pauses)}")
    stored, told = _count_stored(postgres.address), len(writes.acknowledged)
    say(f"{told} writes acknowledged, {len(writes.unanswered)} carried out without an answer, {stored} stored")
    say(f"{len(writes.failed)} calls failed and were repeated")
    return abs(stored - told - len(writes.unanswered))


@contextmanager
def writing(port: int) -> Iterator[Writes]:
    """Clients that write until the end, each repeating under its key what was not acknowledged."""
    writes, ended = Writes(), threading.Event()

    def write(client: int) -> None:
        for number in itertools.count():
            if ended.is_set():
                return
            _write_once(port, writes, f"{client}-{number}")

    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(write, client) for client in range(CLIENTS)]
        try:
            writes.wait_for_more(BETWEEN_FAULTS)
            yield writes
        finally:
            ended.set()
        for each in clients:
            each.result()


def _write_once(port: int, writes: Writes, key: str) -> None:
    refused_since = None
    while True:
        try:
            call_verb(port, "remember", key, text=f"Depot {key} is in Lisbon.")
        except KeyUsed:
            refused_since = refused_since or time.monotonic()
            if time.monotonic() > refused_since + RUNNING_SECONDS:
                writes.unanswered.append(key)
                return
            time.sleep(ASK_SECONDS)
        except CallFailed as failure:
            writes.failed.append(str(failure))
            time.sleep(ASK_SECONDS)
        else:
            writes.acknowledged.append(time.monotonic())
            return


def _restart(postgres: OwnServer, writes: Writes, *, is_killed: bool) -> float:
    """Seconds from PostgreSQL taking connections again to the next acknowledged write."""
    writes.wait_for_more(BETWEEN_FAULTS)
    if is_killed:
        postgres.kill()
    else:
        run_postgres_tool("pg_ctl", "-w", "-m", "fast", "-D", str(postgres.data), "stop")
    with ThreadPoolExecutor(1) as pool:
        returned = pool.submit(_wait_until_back, postgres.address)
        postgres.start()
        back = returned.result()
    waited = writes.first_after(back) - back
    say(f"PostgreSQL {'killed' if is_killed else 'stopped'} and started: {waited:.2f} s")
    return waited


def _wait_until_back(address: str) -> float:
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            time.sleep(ASK_SECONDS)
        else:
            return time.monotonic()


def _kill(server: StatelessServer, writes: Writes) -> float:
    """Seconds from a kill to the next acknowledged write; then the server is started again."""
    writes.wait_for_more(BETWEEN_FAULTS)
    killed = time.monotonic()
    server.kill()
    waited = writes.first_after(killed) - killed
    say(f"a server killed: {waited:.2f} s")
    server.start()
    return waited


def _count_stored(address: str) -> int:
    with psycopg.connect(address, options="-c recollect.ws=all") as raw:
        [[count]] = raw.execute("SELECT COUNT(*) FROM tx WHERE tool = 'remember'").fetchall()
    return int(count)


def _spread(seconds: list[float]) -> str:
    return f"median {median(seconds):.2f} s, longest {max(seconds):.2f} s ({len(seconds)})"


if __name__ == "__main__":
    main()
