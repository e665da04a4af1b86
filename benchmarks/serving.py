"""Servers as clients meet them: the start, the memory they hold, and calls beside those of other memories."""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psutil

from benchmarks.peers import MEMPALACE, NPM_MEMORY, Missing, Side, mempalace, npm_memory, ours
from benchmarks.speaking import running, start
from benchmarks.speaking_http import serving
from benchmarks.stores import build
from benchmarks.timing import Row, interleaved, table
from benchmarks.world import probe_name

STARTS = 9
CALLS = 100
CPU_CALLS = 1000
HTTP_AT_MOST = 2
PEER_FACTS = 10_000
MEGABYTES = 120


def compare_starts(store: Path) -> tuple[list[Row], str]:
    """How long until tools are listed, and what an idle server holds."""
    bare = (sys.executable, str(Path(__file__).with_name("bare_server.py")))
    own = ours(store)
    taken = [(start(own.command, own.environment), start(bare, os.environ)) for _ in range(STARTS)]
    seconds = median(mine[0] for mine, _ in taken), median(theirs[0] for _, theirs in taken)
    held = median(mine[1] for mine, _ in taken)
    note = f"An idle server holds {held:.0f} MB (asked: under {MEGABYTES} MB)."
    return [Row("start to tools/list over stdio", *seconds, "a bare one-tool server, same SDK", 1.5)], note


def compare_doors(store: Path) -> list[Row]:
    """A health check and a read over HTTP beside the same read over stdio."""
    own = ours(store)
    # Embedding in the background would count as processor time of the calls.
    environment = {**own.environment, "RECOLLECT_SERVE_BACKGROUND": "false"}
    with running((*own.command, "--surface", "pearscarf"), environment) as pipe, serving(environment) as http:
        pipe.greet()
        http.greet()
        deeds = {
            "stdio": lambda number: pipe.call("get_facts", entity=probe_name(number % 20)),
            "http": lambda number: http.call("get_facts", entity=probe_name(number % 20)),
            "health": lambda _: http.health(),
        }
        taken = interleaved(deeds, CALLS, time.perf_counter)
        cpu = {
            "http": processor_time(http.pid, deeds["http"], CPU_CALLS),
            "stdio": processor_time(pipe.process.pid, deeds["stdio"], CPU_CALLS),
        }
    against = "get_facts over stdio"
    return [
        Row("get_facts over HTTP, processor time, at 10k", cpu["http"], cpu["stdio"], against, HTTP_AT_MOST),
        Row("get_facts over HTTP, at 10k", taken["http"], taken["stdio"], against),
        Row("/healthz, at 10k", taken["health"], taken["stdio"], against),
    ]


def processor_time(pid: int, call: Callable[[int], object], count: int) -> float:
    """Seconds of processor time that the server spends on one call."""
    began = processor_seconds(pid)
    for number in range(count):
        call(number)
    return (processor_seconds(pid) - began) / count


def processor_seconds(pid: int) -> float:
    spent = psutil.Process(pid).cpu_times()
    return float(spent.user + spent.system)


def compare_peers(store: Path, folder: Path) -> tuple[list[Row], list[str]]:
    """Our calls beside theirs, over stdio, in turn; a line for each peer that cannot be had."""
    peers: dict[str, Callable[[], Side]] = {
        NPM_MEMORY: partial(npm_memory, folder, PEER_FACTS),
        MEMPALACE: partial(mempalace, folder, PEER_FACTS),
    }
    rows, notes = [], []
    for name, fill in peers.items():
        try:
            rows += _beside(ours(store), fill())
        except Missing as why:
            notes.append(f"{name}: left out, {why}.")
    return rows, notes


def _beside(mine: Side, theirs: Side) -> list[Row]:
    rows = []
    with running(mine.command, mine.environment) as us, running(theirs.command, theirs.environment) as them:
        us.greet()
        them.greet()
        for what, operation in theirs.operations.items():
            deeds = {"ours": partial(mine.operations[what], us), "theirs": partial(operation, them)}
            taken = interleaved(deeds, CALLS, time.perf_counter)
            rows.append(Row(f"{what}, over stdio, at 10k", taken["ours"], taken["theirs"], theirs.name, 1))
    return rows


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        print(table(compare_doors(build(Path(made), "10k").path)))  # noqa: T201 the table is what this is for
