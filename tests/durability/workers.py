"""What runs in processes of its own, so that it can be killed there."""

import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from recollect.errors import RecollectError
from recollect.importers import bundle
from recollect.memory import Memory, open_memory
from recollect.settings import Settings
from recollect.store import sqlite_file
from recollect.store.address import engine_for
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import clock_from
from tests.support.fork import fork
from tests.support.processes import LONGEST_WAIT

NOW = "2026-05-20T10:00:00Z"
SURFACE = "cognitive-graph"


def record_fact(memory: Memory, subject: str, tag: str) -> str:
    """One call through the dispatcher; the id of the fact it acknowledged."""
    arguments = {
        "subject": {"type": "project", "name": subject},
        "predicate": "tagged",
        "object": {"literal": tag},
        "source": "a stream of calls",
    }
    tool = find_surface(SURFACE).find("record_fact")
    answer = call(tool, lambda each: memory.as_actor(each.surface.name, each.name), arguments)
    if "fact_id" not in answer.structured:
        raise AssertionError(answer.structured)
    return str(answer.structured["fact_id"]).removeprefix("fact_")


def write_stream(told: Connection, address: str, who: str, count: int) -> None:
    """Record facts one after the other and tell the id of each once it is acknowledged."""
    memory = open_memory(address, settings=Settings())
    for number in range(count):
        told.send_bytes(record_fact(memory, f"Project {number}", f"{who} {number}").encode())
    memory.close()


def ingest(told: Connection, address: str, path: Path, lines_per_commit: int) -> None:
    """Take in a bundle and tell after every commit how far it reaches."""
    bundle.COMMIT_LINES = lines_per_commit
    memory = open_memory(address, settings=Settings(), clock=clock_from(NOW))
    bundle.import_bundle(memory, path, lambda progress: told.send_bytes(str(progress.done).encode()))
    memory.close()


def fill_the_disk(told: Connection, address: str, room: int) -> None:
    """Write until files may not grow any further, tell how that failed, then go on with more room."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    memory = open_memory(address, settings=Settings())
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    acknowledged = 0
    try:
        while acknowledged < 10_000:
            _note(memory, acknowledged)
            acknowledged += 1
    except RecollectError as failure:
        told.send_bytes(type(failure).__name__.encode())
    told.send_bytes(str(acknowledged).encode())
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    told.send_bytes(record_fact(memory, "After", "the disk was full").encode())
    memory.close()


def read_on_a_full_disk(told: Connection, address: str) -> None:
    """Open a closed store where no file may grow, read it, write once there is room; tell what came of each."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    room = sqlite_file.LEAST_FREE

    def tell(work: Callable[[], object]) -> None:
        try:
            told.send_bytes(str(work()).encode())
        except RecollectError as failure:
            told.send_bytes(type(failure).__name__.encode())

    def read_while(other: Callable[[], object]) -> int:
        with memory.read() as view:
            found = view.counts()["facts"]
            other()
            return found

    def write_elsewhere() -> None:
        other = open_memory(address, settings=Settings())
        record_long(other, "Elsewhere")
        other.close()

    sqlite_file.LEAST_FREE = 2**62
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    memory = open_memory(address, settings=Settings())
    tell(lambda: read_while(lambda: None))
    tell(lambda: record_long(memory, "Too much"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    tell(lambda: read_while(write_elsewhere))
    tell(lambda: read_while(lambda: None))
    sqlite_file.LEAST_FREE = room
    tell(lambda: record_long(memory, "After"))
    tell(lambda: read_while(lambda: None))
    memory.close()


def _note(memory: Memory, number: int) -> None:
    record_long(memory, f"Note {number}")


def record_long(memory: Memory, subject: str) -> None:
    """A write of a few pages, made without the dispatcher, so that a failure arrives as what it is."""
    from recollect.ingest.line import parse_line
    from recollect.ingest.line_writer import write_line

    line = parse_line({"facts": [{"from": subject, "predicate": "says", "to": {"literal": "word " * 1500}}]})
    with memory.write() as change:
        write_line(change, line)


def migrate(told: Connection, address: str) -> None:
    """Open a store whose schema is old or missing."""
    engine_for(address).close()
    told.send_bytes(b"done")


def open_first(told: Connection, address: str) -> None:
    """Open a store in which there is no workspace yet."""
    memory = open_memory(address, settings=Settings())
    told.send_bytes(str(memory.workspace.ws).encode())
    memory.close()


def move_until(told: Connection, address: str, shard: str, last_step: str) -> None:
    """Move the workspace `default`, tell every step, and die as if killed right after one of them."""
    from recollect.store.postgres_shards import ShardedPostgres
    from recollect.store.workspace_move import move_workspace

    def tell(step: str) -> None:
        told.send_bytes(step.encode())
        if step == last_step:
            os.kill(os.getpid(), signal.SIGKILL)

    engine = open_memory(address, settings=Settings()).engine
    assert isinstance(engine, ShardedPostgres)
    move_workspace(engine, 1, shard, on_step=tell)


@dataclass
class Worker:
    """A running process and what it told so far."""

    process: BaseProcess
    said: Connection

    def hear(self) -> str | None:
        """The next thing it tells; none when it has ended."""
        if not self.said.poll(LONGEST_WAIT):
            raise AssertionError("the worker says nothing")
        try:
            return self.said.recv_bytes().decode()
        except (EOFError, OSError):
            return None

    def rest(self) -> list[str]:
        return list(iter(self.hear, None))

    def kill(self) -> None:
        """End it as a power cut would: nothing of it runs any more."""
        self.process.kill()
        self.process.join(LONGEST_WAIT)

    def close(self) -> None:
        """Once it is dead: free what is kept of it."""
        self.process.close()
        self.said.close()

    def wait(self) -> int | None:
        self.process.join(LONGEST_WAIT)
        return self.process.exitcode


def start_worker(task: Callable[..., None], *arguments: Any) -> Worker:
    """A process that does one of the tasks above, until it is killed or done."""
    said, told = Pipe(duplex=False)
    process = fork(task, told, *arguments)
    told.close()
    return Worker(process, said)


@contextmanager
def working(task: Callable[..., None], *arguments: Any) -> Iterator[Worker]:
    """A process that does one of the tasks above; it is gone afterwards."""
    worker = start_worker(task, *arguments)
    try:
        yield worker
    finally:
        worker.kill()
        worker.close()
