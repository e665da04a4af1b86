"""Servers on one store that can be killed, held still and cut off, and how clients reach them.

A server here is what stands behind a transport: the open store, the calls with their keys, the tools. Only HTTP itself
is left out, so that a killed server is back within milliseconds.
"""

import json
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from random import Random
from typing import Any

from recollect.serve.callers import Caller
from recollect.serve.counted_calls import CountedCalls
from recollect.serve.idempotency import KEY_META
from recollect.serve.metrics import Metrics
from recollect.serve.open_store import OpenStore
from recollect.serve.plain_calls import PlainCalls
from recollect.serve.protocol_versions import HandshakeProtocol
from recollect.settings import Settings
from recollect.surfaces.registry import find_surface
from tests.durability.workers import Worker, start_worker
from tests.support.processes import LONGEST_WAIT

PATIENCE_SECONDS = 0.6
"""How long a client waits for an answer before it takes the call for lost."""
CLOCKS = ("2026-05-20T10:00:00Z", "2026-05-20T09:00:00Z", "2026-05-21T10:00:00Z")
"""The servers disagree about the time, and a server that comes back may have another; empty for the machine's."""


class CallLost(Exception):
    """No answer came: the call may have been carried out or not."""


def serve_calls(told: Any, address: str, now: str, socket: str) -> None:
    """The work of a server process: answer calls until it is killed."""
    settings = Settings(environment={"RECOLLECT_DB": address, "RECOLLECT_NOW": now})
    store = OpenStore(settings)
    calls = PlainCalls(lambda: find_surface("recollect"), CountedCalls(store.open_for, Metrics()))
    listener = Listener(socket, "AF_UNIX", backlog=64)
    told.send_bytes(b"ready")
    while True:
        threading.Thread(target=_answer, args=(listener.accept(), calls), daemon=True).start()


def _answer(client: Connection, calls: PlainCalls) -> None:
    with suppress(EOFError, OSError):
        while True:
            asked = json.loads(client.recv_bytes())
            tool = find_surface(asked["surface"]).find(asked["tool"])
            params = {"arguments": asked["arguments"], "_meta": {KEY_META: asked["key"]} if asked["key"] else {}}
            caller = Caller("local", asked["workspace"], "admin")
            client.send_bytes(calls.answer_line(1, tool, caller, params, HandshakeProtocol()))


@dataclass
class Server:
    """One server process; after a kill another takes its place."""

    folder: Path
    number: int
    address: str
    random: Random
    clocks: Sequence[str] = CLOCKS
    starts: int = 0
    worker: Worker | None = None
    in_trouble: threading.Lock = field(default_factory=threading.Lock)

    @property
    def socket(self) -> str:
        return str(self.folder / f"{self.number}.{self.starts}")

    def start(self) -> None:
        self.starts += 1
        self.worker = start_worker(serve_calls, self.address, self.random.choice(self.clocks), self.socket)
        assert self.worker.hear() == "ready"

    def kill(self) -> None:
        assert self.worker is not None
        self.worker.kill()
        self.worker.close()

    def hold(self, seconds: float) -> None:
        """Keep the process from running for a while; it knows nothing of it."""
        assert self.worker is not None
        pid = self.worker.process.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        threading.Event().wait(seconds)
        os.kill(pid, signal.SIGCONT)


@contextmanager
def running(
    folder: Path, address: str, count: int, random: Random, clocks: Sequence[str] = CLOCKS
) -> Iterator[list[Server]]:
    servers = [Server(folder, number, address, random, clocks) for number in range(count)]
    for each in servers:
        each.start()
    try:
        yield servers
    finally:
        for each in servers:
            each.kill()


class Line:
    """The connections of one client, one to each server it has called."""

    def __init__(self, servers: Sequence[Server], random: Random, workspace: str) -> None:
        self._servers = servers
        self._random = random
        self._workspace = workspace
        self._open: dict[str, Connection] = {}

    def call(
        self, surface: str, tool: str, arguments: Mapping[str, Any], key: str | None = None, *, drop: bool = False
    ) -> dict[str, Any]:
        """The answer of one of the servers, whichever a balancer picks; with `drop` the client hangs up first."""
        socket = self._random.choice(self._servers).socket
        asked = {"surface": surface, "tool": tool, "arguments": arguments, "key": key, "workspace": self._workspace}
        try:
            connection = self._open.get(socket) or Client(socket, "AF_UNIX")
            self._open[socket] = connection
            connection.send_bytes(json.dumps(asked).encode())
            if drop or not connection.poll(PATIENCE_SECONDS):
                raise EOFError
            result: dict[str, Any] = json.loads(connection.recv_bytes())["result"]
        except (EOFError, OSError) as error:
            self._hang_up(socket)
            raise CallLost from error
        return result

    def _hang_up(self, socket: str) -> None:
        connection = self._open.pop(socket, None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        for socket in list(self._open):
            self._hang_up(socket)


def wait_a_moment(random: Random, longest: float) -> None:
    threading.Event().wait(min(LONGEST_WAIT, random.random() * longest))
