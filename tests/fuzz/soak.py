"""`make soak MINUTES=… CLIENTS=… RATE=…`: mixed load over HTTP from many clients, and what it does to the server."""

import argparse
import tempfile
import threading
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import Any, NamedTuple

import httpx2
import psutil

from tests.support.processes import end_on_sigterm, http, say

PEOPLE = [f"Person {number}" for number in range(200)]
SAMPLE_SECONDS = 15.0
OK, NOT_FOUND = 200, 404
"""Of a person nobody has said anything about yet."""


class Sample(NamedTuple):
    """The server at one moment."""

    seconds: float
    calls: int
    megabytes: float
    own_megabytes: float
    """Without the pages of files, which the system takes back when it needs them."""
    descriptors: int
    threads: int


class Load:
    """Calls of many clients, until the time is over."""

    def __init__(self, address: str, seconds: float, seconds_between: float, writing_seconds: float) -> None:
        self._address = address
        self._seconds_between = seconds_between
        self._until = time.monotonic() + seconds
        self._writes_until = time.monotonic() + writing_seconds
        self._lock = threading.Lock()
        self.latencies: dict[str, list[float]] = defaultdict(list)
        self.failures: dict[str, int] = defaultdict(int)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._until

    @property
    def calls(self) -> int:
        return sum(map(len, self.latencies.values()))

    def run_client(self, number: int) -> None:
        random = Random(number)
        with httpx2.Client(timeout=120) as client:
            while not self.is_over:
                began = time.monotonic()
                verb, body = _call(random, number, may_write=began < self._writes_until)
                failure = self._failure_of(client, verb, body)
                with self._lock:
                    self.latencies[verb].append(time.monotonic() - began)
                    if failure is not None:
                        self.failures[failure] += 1
                time.sleep(max(0.0, began + self._seconds_between - time.monotonic()))

    def _failure_of(self, client: httpx2.Client, verb: str, body: dict[str, Any]) -> str | None:
        try:
            reply = client.post(f"{self._address}/api/v1/{verb}", json=body)
        except httpx2.HTTPError as lost:
            say(f"{datetime.now(UTC):%H:%M:%S} {verb}: {lost!r}")
            return f"{verb} {type(lost).__name__}"
        return None if reply.status_code == OK else _failure(verb, reply)


def _failure(verb: str, reply: httpx2.Response) -> str:
    """What was refused and why, and what the client is told to do next."""
    problem = reply.json() if "json" in reply.headers.get("content-type", "") else {"detail": reply.text}
    wait, next_step = reply.headers.get("Retry-After"), problem.get("next")
    status = f"{verb} {reply.status_code}"
    if reply.status_code == NOT_FOUND:
        return status
    say(f"{datetime.now(UTC):%H:%M:%S} {status}, {problem.get('detail')}; next: {next_step}; Retry-After: {wait}")
    return f"{status} {problem.get('code', '')}"


def _call(random: Random, number: int, *, may_write: bool) -> tuple[str, dict[str, Any]]:
    person, other = random.choice(PEOPLE), random.choice(PEOPLE)
    match random.randrange(10):
        case 0 | 1 | 2 if may_write:
            fact = {"subject": person, "predicate": "knows", "value": f"{other} ({number}.{random.randrange(10**6)})"}
            return "remember", {"facts": [fact]}
        case 3:
            return "history", {"about": person}
        case 4:
            return "open_items", {}
        case _:
            return "recall", {"query": f"whom does {person} know"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--clients", type=int, default=16)
    options.add_argument("--writing-minutes", type=float, help="only reads after that, on a store that stays as it is")
    options.add_argument("--rate", type=float, default=0, help="calls per second of all clients; 0 for as many as go")
    given = options.parse_args()
    end_on_sigterm()
    seconds_between = given.clients / given.rate if given.rate else 0.0
    with (
        tempfile.TemporaryDirectory() as folder,
        http(Path(folder), "--surface", "recollect", is_forked=False) as address,
    ):
        writing = given.minutes if given.writing_minutes is None else given.writing_minutes
        load = Load(address, given.minutes * 60, seconds_between, writing * 60)
        threads = [threading.Thread(target=load.run_client, args=(number,)) for number in range(given.clients)]
        for thread in threads:
            thread.start()
        samples = _watch(load, _server())
        for thread in threads:
            thread.join()
    _report(load, samples)


def _server() -> psutil.Process:
    [server] = psutil.Process().children()
    return server


def _watch(load: Load, server: psutil.Process) -> list[Sample]:
    began, samples = time.monotonic(), []
    while not load.is_over:
        time.sleep(min(SAMPLE_SECONDS, 1 + load.calls / 50))
        memory = server.memory_info()
        sample = Sample(
            time.monotonic() - began,
            load.calls,
            memory.rss / 1e6,
            (memory.rss - memory.shared) / 1e6,
            server.num_fds(),
            server.num_threads(),
        )
        samples.append(sample)
        say(
            f"{sample.seconds:5.0f} s  {sample.calls:7} calls  {sample.megabytes:5.0f} MB, "
            f"{sample.own_megabytes:5.0f} without files  {sample.descriptors:4} descriptors  {sample.threads:3} threads"
        )
    return samples


def _report(load: Load, samples: list[Sample]) -> None:
    for verb, times in sorted(load.latencies.items()):
        cuts = quantiles(times, n=100) if len(times) > 1 else times * 99
        say(f"{verb:12} {len(times):7} calls  p50 {cuts[49]:.3f} s  p95 {cuts[94]:.3f} s  p99 {cuts[98]:.3f} s")
    half = next(each for each in samples if each.seconds >= samples[-1].seconds / 2)
    last = samples[-1]
    say(f"memory in the second half: {half.megabytes:.0f} to {last.megabytes:.0f} MB")
    say(f"… without files: {half.own_megabytes:.0f} to {last.own_megabytes:.0f} MB")
    say(f"failures: {dict(load.failures)}")


if __name__ == "__main__":
    main()
