"""Real processes of ours, spoken to over pipes and sockets."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from tests.support.fork import STREAMS, ForkedCommand

LONGEST_WAIT = 300
"""Seconds that nobody waits but where something hangs: a busy machine may be many times slower than a quiet one."""
COMMAND = (sys.executable, "-m", "recollect")
OUR_SETTINGS = ("RECOLLECT_", "ENTITY_CORE_")
Process = ForkedCommand | subprocess.Popen[str]


def end_on_sigterm() -> None:
    """Let SIGTERM end this program as an exit does, so that it stops the servers it has started."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)


class Spoken:
    """A `recollect stdio` process and its lines; everything it writes to stdout is kept."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.lines: list[str] = []
        self._queue: Queue[str] = Queue()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line)

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, number: int, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The reply to one request; other messages before it are kept in `lines`."""
        self.say(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}))
        return self.reply_to(number)

    def reply_to(self, number: int | str | None) -> dict[str, Any]:
        while True:
            try:
                line = self._queue.get(timeout=LONGEST_WAIT)
            except Empty:
                raise AssertionError(f"no reply to request {number}") from None
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message

    def close(self) -> None:
        """Once the process has ended: whoever still listens would find the pipe closed under its hands."""
        self._listener.join(LONGEST_WAIT)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def greet(self) -> dict[str, Any]:
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        reply = self.ask(0, "initialize", hello)
        self.say('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return reply


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The machine's, but for settings of ours that somebody may have there."""
    machine = {name: value for name, value in os.environ.items() if not name.startswith(OUR_SETTINGS)}
    ours = {"RECOLLECT_DB": str(folder / "memory.db"), "RECOLLECT_NOW": "2026-05-20T10:00:00Z"}
    return {**machine, **ours, "RECOLLECT_SERVE_HOOKS": "false", **more}


def _with_surface(options: tuple[str, ...]) -> tuple[str, ...]:
    """Tests of transports use the four tools of one small surface unless they name another."""
    return options if "--surface" in options else ("--surface", "cognitive-graph", *options)


def _start(words: tuple[str, ...], folder: Path, is_forked: bool, *piped: str) -> Process:
    """A process of ours; what measures its memory, or how it starts, has one that is started anew."""
    if is_forked:
        return ForkedCommand(words, environment(folder), folder, *piped)
    stdin, stdout, stderr = (subprocess.PIPE if name in piped else subprocess.DEVNULL for name in STREAMS)
    return subprocess.Popen(
        [*COMMAND, *words],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        env=environment(folder),
        cwd=folder,
    )


@contextmanager
def stdio(folder: Path, *options: str, is_forked: bool = True) -> Iterator[Spoken]:
    process = _start(("stdio", *_with_surface(options)), folder, is_forked, "stdin", "stdout")
    spoken = Spoken(process)
    try:
        yield spoken
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(LONGEST_WAIT)
        spoken.close()


@contextmanager
def http(folder: Path, *options: str, is_forked: bool = True) -> Iterator[str]:
    """The address of a running `recollect serve`."""
    process = _start(("serve", "--port", "0", *_with_surface(options)), folder, is_forked, "stderr")
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert line.startswith("Recollect at "), line
        yield line.split()[-1]
    finally:
        process.terminate()
        process.wait(LONGEST_WAIT)
        process.stderr.close()


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
