"""Processes forked from one in which everything is loaded, so that each starts within milliseconds.

What a start itself loads is proved in `tests/serve/test_loading.py`, by processes that are started anew.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any

LOADED = [
    "recollect.surfaces.cognitive_graph.record",
    "recollect.surfaces.recollect.remember",
    "recollect.surfaces.recollect.undo",
    "recollect.surfaces.pearscarf.facts",
    "recollect.change_listeners",
    "recollect.serve.cli.serve",
    "recollect.serve.http",
    "recollect.serve.stdio.sdk_bridge",
    "recollect.serve.web.app",
    "psycopg",
    "tests.durability.workers",
    "tests.histories.servers",
    __name__,
]
STREAMS = ("stdin", "stdout", "stderr")


def fork(task: Callable[..., None], *arguments: Any) -> BaseProcess:
    """A process that does a task; the task is known by the name of its module."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    process = context.Process(target=task, args=arguments)
    process.start()
    return process


class ForkedCommand:
    """A running `recollect`, with the part of `subprocess.Popen` that tests use."""

    def __init__(self, words: tuple[str, ...], environment: Mapping[str, str], folder: Path, *piped: str) -> None:
        ends = [_ends(number, name in piped) for number, name in enumerate(STREAMS)]
        theirs = [Connection(their_end) for their_end, _ in ends]
        self.stdin, self.stdout, self.stderr = (our_end for _, our_end in ends)
        self._process = fork(_run, words, dict(environment), folder, theirs)
        for each in theirs:
            each.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float) -> int | None:
        self._process.join(timeout)
        return self.returncode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def _ends(number: int, is_piped: bool) -> tuple[int, IO[str] | None]:
    """Their end and ours of one standard stream."""
    if not is_piped:
        return os.open(os.devnull, os.O_RDWR), None
    reading, writing = os.pipe()
    if number == 0:
        return reading, os.fdopen(writing, "w", encoding="utf-8")
    return writing, os.fdopen(reading, encoding="utf-8")


def _run(words: tuple[str, ...], environment: Mapping[str, str], folder: Path, streams: list[Any]) -> None:
    """The work of a forked process: what the command would do in one of its own."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["recollect", *words]
    from recollect.__main__ import main

    main()
