"""One campaign: many calls of one surface through one door, and what went against the rules."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from recollect.deadline import CallDeadline
from recollect.memory import Memory
from recollect.surfaces.declarations import Surface, Tool
from recollect.surfaces.dispatch import call, json_bytes
from tests.fuzz.arguments import ArgumentMaker

SLOW_SECONDS = 5.0
MOST_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the value, and whether it is a failure, a crash or a sign that the call was stopped."""

    value: Any
    failed: bool = False
    crashed: bool = False
    stopped: bool = False


class Door(Protocol):
    """Somewhere to send calls."""

    def send(self, tool: Tool, arguments: dict[str, Any]) -> Reply: ...
    def last_tx(self) -> int | None:
        """The number of the last transaction; none where the door cannot see it."""


class InProcess:
    """Calls through the dispatcher, with a time limit."""

    def __init__(self, memory: Callable[[Tool], Memory], seconds: float = SLOW_SECONDS) -> None:
        self._memory = memory
        self._seconds = seconds
        self._tool: Tool | None = None

    def send(self, tool: Tool, arguments: dict[str, Any]) -> Reply:
        self._tool = tool
        answer = CallDeadline(self._seconds).run(lambda: call(tool, self._memory, arguments))
        json_bytes(answer.structured)
        is_stopped = "seconds and was stopped" in "".join(answer.texts)
        return Reply(answer.structured, answer.outcome == "failed", answer.outcome == "crashed", is_stopped)

    def last_tx(self) -> int | None:
        if self._tool is None:
            return None
        with self._memory(self._tool).read() as view:
            return view.last_tx


@dataclass
class Findings:
    """Counts, and the calls that broke a rule."""

    calls: int = 0
    failed: int = 0
    slowest: float = 0.0
    slowest_tool: str = ""
    broken: list[str] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, tool: Tool, arguments: Any, value: Any) -> None:
        self.kinds[kind] += 1
        if len(self.broken) < MOST_SHOWN:
            shown = json.dumps(arguments, default=str)[:600]
            self.broken.append(
                f"{kind}: {tool.surface.name}.{tool.name} {shown} → {json.dumps(value, default=str)[:300]}"
            )

    def summary(self) -> str:
        rules = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items())) or "no rule broken"
        return f"{self.calls} calls, {self.failed} refused, slowest {self.slowest:.2f} s ({self.slowest_tool}); {rules}"


def run_campaign(
    surface: Surface, door: Door, calls: int, seed: int, monotonic: Callable[[], float] = time.monotonic
) -> Findings:
    """Send so many calls, the tools in turn."""
    maker, findings = ArgumentMaker(Random(seed)), Findings()
    for tool in _in_turn(list(surface.tools.values()), calls):
        arguments = maker.arguments(tool)
        before, began = door.last_tx() if tool.effect == "read" else None, monotonic()
        try:
            reply = door.send(tool, arguments)
        except Exception as failure:
            findings.add("no answer", tool, arguments, f"{type(failure).__name__}: {failure}")
            continue
        _judge(findings, tool, arguments, reply, monotonic() - began)
        if before is not None and door.last_tx() != before:
            findings.add("reading tool wrote", tool, arguments, reply.value)
        maker.learn(reply.value)
    return findings


def _judge(findings: Findings, tool: Tool, arguments: Any, reply: Reply, seconds: float) -> None:
    findings.calls += 1
    findings.failed += reply.failed
    if seconds > findings.slowest:
        findings.slowest, findings.slowest_tool = seconds, tool.name
    if reply.crashed:
        findings.add("crash", tool, arguments, reply.value)
    if reply.stopped or seconds > SLOW_SECONDS:
        findings.add("slow", tool, arguments, f"{seconds:.1f} s")
    if "Traceback (most recent call last)" in json.dumps(reply.value, default=str):
        findings.add("traceback", tool, arguments, reply.value)


def _in_turn(tools: list[Tool], calls: int) -> Iterator[Tool]:
    for number in range(calls):
        yield tools[number % len(tools)]
