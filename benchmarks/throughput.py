"""`python -m benchmarks.throughput`: reads and writes per second over HTTP, by clients, server processes and engine.

Each client keeps one connection and one session, and sends its next call as soon as the last is answered. Clients
share the machine with the servers, so the table also says what a call cost the servers alone.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.support.databases import own_postgres

from benchmarks.serving import processor_seconds
from benchmarks.speaking_http import HttpServer, serving
from benchmarks.world import write_world
from recollect.importers.bundle import import_bundle
from recollect.memory import open_memory
from recollect.settings import Settings

FACTS = 2_000
CLIENTS = (1, 4, 16, 64)
SERVERS = (1, 4)
SURFACE = "memory"


class Figure(NamedTuple):
    """One row of the table."""

    engine: str
    kind: str
    servers: int
    clients: int
    calls: int
    seconds: float
    server_seconds: float
    own_seconds: float
    """Processor time of the clients."""
    p95: float

    def __str__(self) -> str:
        rate, cost = self.calls / self.seconds, 1e3 * self.server_seconds / self.calls
        cores = self.server_seconds / self.seconds, self.own_seconds / self.seconds
        return (
            f"| {self.engine} | {self.kind} | {self.servers} | {self.clients} | {rate:,.0f} | {1e3 * self.p95:,.0f} ms "
            f"| {cost:.2f} ms | {cores[0]:.2f} | {cores[1]:.2f} |"
        )


HEAD = """\
| engine | calls | servers | clients | per second | p95 | processor time of servers, a call | cores: servers | clients |
| --- | --- | --: | --: | --: | --: | --: | --: | --: |"""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description=__doc__)
    options.add_argument("--seconds", type=float, default=1.5, help="of each row")
    given = options.parse_args()
    _say(f"load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n{HEAD}")
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as folder:
        for engine, address in _stores(Path(folder)):
            for servers in SERVERS:
                with _running(address, servers) as running:
                    for clients in CLIENTS:
                        for kind in ("read", "write"):
                            _say(str(measure(engine, kind, running, clients, given.seconds)))
    _say(f"\nload at the end: {os.getloadavg()[0]:.1f}")


def _stores(folder: Path) -> Iterator[tuple[str, str]]:
    yield "SQLite", _filled(folder, str(folder / "memory.db"))
    with own_postgres(folder / "postgres") as server:
        yield "PostgreSQL", _filled(folder, server.address)


def _filled(folder: Path, address: str) -> str:
    bundle = folder / "world.jsonl"
    write_world(bundle, FACTS, FACTS)
    memory = open_memory(address, "default", Settings(environment={"RECOLLECT_EMBEDDING_MODEL": "none"}))
    import_bundle(memory, bundle)
    memory.close()
    return address


@contextmanager
def _running(address: str, count: int) -> Iterator[list[HttpServer]]:
    environment = {
        **os.environ,
        "RECOLLECT_DB": address,
        "RECOLLECT_EMBEDDING_MODEL": "none",
        "RECOLLECT_SERVE_BACKGROUND": "false",
    }
    with ExitStack() as stack:
        yield [stack.enter_context(serving(environment, SURFACE)) for _ in range(count)]


def measure(engine: str, kind: str, servers: Sequence[HttpServer], clients: int, seconds: float) -> Figure:
    opened = [servers[number % len(servers)].another() for number in range(clients)]
    for each in opened:
        each.greet()
        _call(kind, each, 0)
    pids = [each.pid for each in servers]
    before, own, began = sum(map(processor_seconds, pids)), time.process_time(), time.monotonic()
    taken = _together(opened, lambda client, number: _call(kind, client, number), began + seconds)
    spent = sum(map(processor_seconds, pids)) - before
    p95 = quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
    elapsed = time.monotonic() - began
    return Figure(engine, kind, len(servers), clients, len(taken), elapsed, spent, time.process_time() - own, p95)


def _together(clients: Sequence[HttpServer], call: Callable[[HttpServer, int], None], until: float) -> list[float]:
    """How long each call took, of all clients at once."""
    taken: list[float] = []

    def run(client: HttpServer) -> None:
        number = 0
        while (began := time.monotonic()) < until:
            number += 1
            call(client, number)
            taken.append(time.monotonic() - began)

    with ThreadPoolExecutor(len(clients)) as pool:
        for done in [pool.submit(run, client) for client in clients]:
            done.result()
    return taken


def _call(kind: str, client: HttpServer, number: int) -> None:
    name = f"Client {id(client)}"
    if kind == "read":
        client.call("open_nodes", names=[f"Person {number % FACTS}", name])
    else:
        made = {"name": f"{name} {time.time_ns()}", "entityType": "thing", "observations": ["seen"]}
        client.call("create_entities", entities=[made])


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
