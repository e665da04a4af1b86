"""`make histories HISTORIES=… ENGINE=…`: many histories with faults, checked against the order of transactions."""

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from recollect.store.address import engine_for
from tests.histories.campaign import FAULTS, Campaign, Fault, cut
from tests.histories.servers import Server, running
from tests.support.databases import OwnServer, own_postgres
from tests.support.processes import end_on_sigterm

SERVERS = 3
PER_STORE = 50
SECONDS_BETWEEN_CRASHES = 10.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--histories", type=int, default=200)
    options.add_argument("--engine", choices=("sqlite", "postgres", "all"), default="all")
    options.add_argument("--seed", type=int, default=1843)
    given = options.parse_args()
    end_on_sigterm()
    engines = ("sqlite", "postgres") if given.engine == "all" else (given.engine,)
    wrong = [line for engine in engines for line in run_histories(engine, given.histories, given.seed)]
    sys.exit(1 if wrong else 0)


def run_histories(engine: str, histories: int, seed: int) -> list[str]:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    for first in range(0, histories, PER_STORE):
        # Each store is small: after some hundred workspaces one would measure the store, not look for faults.
        with (
            _store(engine) as (folder, address, faults),
            running(folder, address, SERVERS, Random(seed + first)) as servers,
        ):
            campaign = Campaign(servers, faults)
            wrong += campaign.run(range(seed + first, seed + min(first + PER_STORE, histories)))
            counts += campaign.counts
            counts["servers killed"] += sum(server.starts - 1 for server in servers)
    if not counts["write done"]:
        wrong.append(f"{engine}: no write was acknowledged, so that nothing was checked")
    told = ", ".join(f"{count} × {what}" for what, count in sorted(counts.items()))
    sys.stdout.write("\n".join([f"{engine}: {histories} histories; {told}; {len(wrong)} violations", *wrong]) + "\n")
    sys.stdout.flush()
    return wrong


@contextmanager
def _store(engine: str) -> Iterator[tuple[Path, str, Sequence[Fault]]]:
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder:
        if engine == "sqlite":
            engine_for(f"{folder}/memory.db").close()
            yield Path(folder), f"{folder}/memory.db", FAULTS[engine]
            return
        with own_postgres(Path(folder) / "data") as server:
            engine_for(server.address).close()
            yield Path(folder), server.address, (*FAULTS[engine], Crashes(server))


@dataclass
class Crashes:
    """PostgreSQL itself is killed and started again, now and then: it needs longer than a history to come back."""

    postgres: OwnServer
    is_down: threading.Lock = field(default_factory=threading.Lock)
    due: float = field(default_factory=lambda: time.monotonic() + SECONDS_BETWEEN_CRASHES)
    """Not at once: while PostgreSQL starts again on a busy machine, a short run would have all its writes refused."""

    def __call__(self, servers: Sequence[Server], random: Random) -> None:
        if time.monotonic() < self.due or not self.is_down.acquire(blocking=False):
            cut(servers, random)
            return
        self.postgres.kill()
        self.postgres.start()
        self.due = time.monotonic() + SECONDS_BETWEEN_CRASHES
        self.is_down.release()


if __name__ == "__main__":
    main()
