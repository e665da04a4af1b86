"""Histories: sessions that write, undo and read through any of the servers, while servers suffer faults."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import psycopg

from recollect.memory import create_workspace
from recollect.store.address import engine_for
from recollect.when.clock import clock_from
from tests.durability.looking import rows
from tests.histories.history import Kind, Operation, Outcome, StoredOrder, Version, check_history
from tests.histories.servers import CallLost, Line, Server, wait_a_moment
from tests.support.processes import LONGEST_WAIT

SUBJECTS = ("Alder", "Birch")
MOST_FACTS = 200
CALLS_PER_SUBJECT = 50
HELD_SECONDS = 0.3
REFUSED_SECONDS = 0.5
Fault = Callable[[Sequence[Server], Random], None]


class Plan(NamedTuple):
    """How large a history is."""

    sessions: int = 4
    calls: int = 10
    faults: int = 2


PLAN = Plan()


@dataclass
class Session:
    """A client that knows the numbers of its own transactions and repeats what was lost, under the same key."""

    number: int
    line: Line
    random: Random
    name: str
    history: list[Operation] = field(default_factory=list)
    _written: list[tuple[str, str, int]] = field(default_factory=list)
    _highest: int = 0

    def run(self, calls: int, ended: threading.Event | None = None) -> list[Operation]:
        """Make so many calls, or as many as there is time for."""
        for count in range(calls):
            if ended is not None and ended.is_set():
                break
            # Not too many facts of one subject: a read shows no more than MOST_FACTS.
            subject = f"{self.random.choice(SUBJECTS)} {count // CALLS_PER_SUBJECT}"
            match self.random.randrange(10):
                case 0 | 1 | 2 | 3:
                    self._write(subject, f"{self.name} {self.number}.{count}")
                case 4 if self._written:
                    self._undo(*self._written.pop())
                case 5 | 6 if self._highest:
                    self._read(subject, self.random.randint(1, self._highest))
                case _:
                    self._read(subject, None)
        self.line.close()
        return self.history

    def _write(self, subject: str, value: str) -> None:
        fact = {"subject": subject, "predicate": "tagged", "value": value}
        tx = self._change("write", subject, value, "remember", {"facts": [fact]})
        if tx is not None:
            self._written.append((subject, value, tx))

    def _undo(self, subject: str, value: str, tx: int) -> None:
        self._change("undo", subject, value, "undo", {"transaction": tx})

    def _change(self, kind: Kind, subject: str, value: str, tool: str, arguments: dict[str, Any]) -> int | None:
        began, key = time.monotonic(), f"{kind} {value}"
        outcome, answer = self._repeat(tool, arguments, key)
        tx = answer.get("undo")
        done = Operation(self.number, kind, subject, began, time.monotonic(), outcome, value, tx)
        self.history.append(done)
        self._highest = max(self._highest, tx or 0)
        return tx

    def _repeat(self, tool: str, arguments: dict[str, Any], key: str) -> tuple[Outcome, dict[str, Any]]:
        """What became of a call; a refusal counts only if no attempt before it was lost and may still be on its way."""
        until, is_lost = time.monotonic() + LONGEST_WAIT, False
        while time.monotonic() < until:
            try:
                result = self.line.call("recollect", tool, arguments, key, drop=self.random.random() < 0.05)
            except CallLost:
                is_lost = True
                wait_a_moment(self.random, 0.1)
                continue
            told = result["structuredContent"]
            if not result.get("isError"):
                return "done", told
            match _judge(str(told)):
                case "done":
                    return "done", {}
                case "refused":
                    # A database that is away is away for a moment: the rest of the history is for when it is back.
                    wait_a_moment(self.random, REFUSED_SECONDS)
                    return "unknown" if is_lost else "refused", {}
            is_lost = True
            wait_a_moment(self.random, 0.1)
        return "unknown", {}

    def _read(self, subject: str, tx: int | None) -> None:
        began = time.monotonic()
        when = {} if tx is None else {"as_of": tx}
        try:
            arguments = {"entity": subject, "limit": MOST_FACTS, "include_stale": True, **when}
            result = self.line.call("pearscarf", "get_facts", arguments)
        except CallLost:
            return
        told = result["structuredContent"]
        if "facts" not in told and told.get("error") != "not_found":
            return
        found = frozenset(each["literal"] for each in told.get("facts", ()))
        kind: Kind = "read" if tx is None else "read as of"
        ended = time.monotonic()
        self.history.append(Operation(self.number, kind, subject, began, ended, "done", tx=tx, answer=found))


def _judge(told: str) -> Outcome:
    if "its answer is not at hand" in told:
        return "done"
    return "unknown" if "still running" in told or "may or may not" in told else "refused"


def kill(servers: Sequence[Server], random: Random) -> None:
    """A server is killed at once, and another comes in its place."""
    server = random.choice(servers)
    with server.in_trouble:
        server.kill()
        wait_a_moment(random, 0.1)
        server.start()


def hold(servers: Sequence[Server], random: Random) -> None:
    """A server stands still, longer than some of its clients wait."""
    server = random.choice(servers)
    with server.in_trouble:
        server.hold(HELD_SECONDS + random.random() * HELD_SECONDS)


def cut(servers: Sequence[Server], random: Random) -> None:
    """Every connection to PostgreSQL is cut."""
    del random
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with suppress(psycopg.OperationalError):
        rows(servers[0].address, f"SELECT pg_terminate_backend(pid) {others}")


FAULTS: dict[str, tuple[Fault, ...]] = {"sqlite": (kill, hold), "postgres": (kill, hold, cut)}


@dataclass
class Campaign:
    """Histories on the same servers, several at once, each in a workspace of its own."""

    servers: Sequence[Server]
    faults: Sequence[Fault]
    plan: Plan = PLAN
    at_once: int = 5
    counts: Counter[str] = field(default_factory=Counter)

    def run(self, seeds: Sequence[int]) -> list[str]:
        """What is wrong with them, each line with its seed."""
        address, clock = self.servers[0].address, clock_from("2026-05-20T08:00:00Z")
        with closing(engine_for(address)) as engine:
            spaces = [create_workspace(engine, f"history-{seed}", clock) for seed in seeds]
        with ThreadPoolExecutor(self.at_once) as pool:
            histories = list(pool.map(self._run_history, seeds))
        return [
            f"seed {seed}: {wrong}"
            for seed, space, history in zip(seeds, spaces, histories, strict=True)
            for wrong in check_history(history, stored_order(address, space.ws))
        ]

    def _run_history(self, seed: int) -> list[Operation]:
        random, ended = Random(seed), threading.Event()
        with ThreadPoolExecutor(self.plan.sessions + 1) as pool:
            trouble = pool.submit(self._make_trouble, random, ended)
            running = [pool.submit(self._session(seed, number).run, self.plan.calls) for number in self._numbers]
            history = [each for session in running for each in session.result()]
            ended.set()
            trouble.result()
        self.counts.update(f"{each.kind} {each.outcome}" for each in history)
        return history

    @property
    def _numbers(self) -> range:
        return range(self.plan.sessions)

    def _session(self, seed: int, number: int) -> Session:
        name = f"history-{seed}"
        return Session(number, Line(self.servers, Random(f"{seed} {number}"), name), Random(f"{seed}.{number}"), name)

    def _make_trouble(self, random: Random, ended: threading.Event) -> None:
        for _ in range(self.plan.faults):
            if ended.wait(random.random() * 0.15):
                return
            random.choice(self.faults)(self.servers, random)


def stored_order(address: str, ws: int) -> StoredOrder:
    found = rows(
        address,
        "SELECT f.id, (SELECT MIN(e.name) FROM entity e WHERE e.ws = f.ws AND e.id = f.subject), f.literal,"
        f" f.tx_from, f.tx_to FROM fact f WHERE f.ws = {ws}",
    )
    return StoredOrder([Version(*row) for row in found])
