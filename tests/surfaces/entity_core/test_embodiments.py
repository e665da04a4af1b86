"""Three embodiments at once, with crashes between: nothing is lost, nothing doubled, and a copy is the same."""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from recollect.keep.archive.export import PARTS, export_archive
from recollect.memory import Memory, WorkspaceCache, create_workspace
from recollect.store.port import FOREVER, Connection, Engine
from tests.support.calls import asking
from tests.support.properties import examples

INSTANCES = ("psy-desk", "st-attic", "phone")
_worlds = itertools.count(1)

ask = asking("entity-core")


class Died(BaseException):
    """The process is gone, in the middle of a call."""


class DyingConnection:
    """A connection that fails at one of its statements, as a process does that is killed there."""

    def __init__(self, behind: Connection, statements: int) -> None:
        self._behind = behind
        self._left = statements

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._behind, name)
        if name not in ("run", "run_many", "insert", "end"):
            return found

        def counted(*arguments: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise Died
            return found(*arguments)

        return counted


@dataclass
class DyingEngine:
    """The same store, in a process that dies after so many statements."""

    behind: Engine
    statements: int

    @property
    def name(self) -> str:
        return self.behind.name

    @contextmanager
    def reading(self, ws: int | None = None, as_of_tx: int | None = None) -> Iterator[Connection]:
        with self.behind.reading(ws, as_of_tx) as connection:
            yield connection

    @contextmanager
    def writing(self, ws: int | None = None, *, wait: float = FOREVER) -> Iterator[Any]:
        with self.behind.writing(ws, wait=wait) as connection:
            yield DyingConnection(connection, self.statements)


@dataclass
class Oracle:
    """What must be there: the lines that were acknowledged, by where they were put."""

    memories: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Run:
    memory: Memory
    oracle: Oracle = field(default_factory=Oracle)
    lines: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def step(self, instance: str, kind: str, place: int, dies: int | None) -> None:
        """One call; one in which the process dies is not acknowledged, so it must have left nothing."""
        line = f"{kind} line {next(self.lines)} of {instance}"
        memory = replace(self.memory, cache=WorkspaceCache())
        if dies is not None:
            memory = replace(memory, engine=DyingEngine(self.memory.engine, dies))  # type: ignore[arg-type]
        before = self.oracle
        with suppress(Died):
            self.oracle = getattr(self, f"_{kind}")(memory, instance, place, line)
            return
        self.oracle = before

    def _create(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        date = f"2026-05-{place:02}"
        said = ask(memory, "memory_create", granularity="daily", date=date, instanceId=instance, content=f"- {line}")
        return self._with_memory(said["memoryId"], [*self.oracle.memories.get(said["memoryId"], []), line])

    def _again(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        """What is there already, and one line more."""
        id_ = f"daily-2026-05-{place:02}_{instance}"
        known = self.oracle.memories.get(id_, [])
        text = "".join(f"- {each}\n" for each in [*known, line])
        ask(
            memory,
            "memory_create",
            granularity="daily",
            date=f"2026-05-{place:02}",
            instanceId=instance,
            content=text,
        )
        return self._with_memory(id_, [*known, line])

    def _significant(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        date = f"2026-05-{place:02}"
        said = ask(memory, "memory_create", granularity="significant", date=date, instanceId=instance, content=line)
        return self._with_memory(said["memoryId"], [line])

    def _update(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        id_ = f"daily-2026-05-{place:02}_{instance}"
        said = ask(memory, "memory_update", id=id_, content=f"- {line}")
        return self._with_memory(id_, [line]) if said["success"] else self.oracle

    def _delete(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        del line
        id_ = f"daily-2026-05-{place:02}_{instance}"
        said = ask(memory, "memory_delete", id=id_)
        kept = {key: value for key, value in self.oracle.memories.items() if key != id_ or not said["success"]}
        return replace(self.oracle, memories=kept)

    def _append(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        ask(memory, "identity_append", category="self", filename=f"f{place}.md", content=line, instanceId=instance)
        return self._with_file(place, [*self._file(place), line])

    def _prepend(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        ask(memory, "identity_prepend", category="self", filename=f"f{place}.md", content=line, instanceId=instance)
        return self._with_file(place, [line, *self._file(place)])

    def _write(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        ask(memory, "identity_write", category="self", filename=f"f{place}.md", content=line, instanceId=instance)
        return self._with_file(place, [line])

    def _push(self, memory: Memory, instance: str, place: int, line: str) -> Oracle:
        """A day that the embodiment wrote while it was away."""
        id_ = f"daily-2026-05-{place:02}_{instance}"
        item = {
            "granularity": "daily",
            "date": f"2026-05-{place:02}",
            "content": f"- {line}",
            "sourceInstance": instance,
            "version": 0,
        }
        said = ask(memory, "sync_push", instance={"id": instance, "type": "other"}, memoryChanges=[item])
        [result] = said["results"]
        known = self.oracle.memories.get(id_, [])
        return self._with_memory(id_, [*known, line]) if result["status"] != "kept_server" else self.oracle

    def _file(self, place: int) -> list[str]:
        return self.oracle.files.get(f"f{place}.md", [])

    def _with_memory(self, id_: str, lines: list[str]) -> Oracle:
        return replace(self.oracle, memories={**self.oracle.memories, id_: lines})

    def _with_file(self, place: int, lines: list[str]) -> Oracle:
        return replace(self.oracle, files={**self.oracle.files, f"f{place}.md": lines})


def lines_in(text: str) -> list[str]:
    return re.findall(r"\w+ line \d+ of [\w-]+", text)


def shown(memory: Memory, instance: str) -> Oracle:
    """Everything that an embodiment pulls, line by line."""
    pulled = ask(memory, "sync_pull", instanceId=instance)
    return Oracle(
        {each["id"]: sorted(lines_in(each["content"])) for each in pulled["memories"]},
        {each["filename"]: lines_in(each["content"]) for each in pulled["identityFiles"]["self"]},
    )


def packed(memory: Memory) -> dict[str, str]:
    with memory.read() as view:
        return {name: text for name, text in export_archive(view, PARTS).entries.items() if name != "manifest.json"}


def beside(memory: Memory) -> Memory:
    """The memory of an empty workspace."""
    return memory.for_workspace(create_workspace(memory.engine, f"world-{next(_worlds)}", memory.clock))


STEPS = some.lists(
    some.tuples(
        some.sampled_from(INSTANCES),
        some.sampled_from("create again significant update delete append prepend write push".split()),
        some.integers(1, 2),
        some.none() | some.integers(0, 40),
    ),
    max_size=25,
)


@pytest.mark.large
@settings(max_examples=examples(20), suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_nothing_is_lost_or_doubled_and_a_copy_is_the_same(
    memory: Memory, steps: list[tuple[str, str, int, int | None]]
) -> None:
    run = Run(beside(memory))
    for step in steps:
        run.step(*step)
    expected = Oracle({id_: sorted(lines) for id_, lines in run.oracle.memories.items()}, run.oracle.files)
    for instance in INSTANCES:
        assert shown(run.memory, instance) == expected
    copy = beside(memory)
    data = ask(run.memory, "entity_export")["data"]
    ask(copy, "entity_import", data=data, mode="overwrite")
    assert packed(copy) == packed(run.memory)
    assert shown(copy, "phone") == expected
    ask(copy, "entity_import", data=data, mode="merge")
    assert packed(copy) == packed(run.memory), "once more changes nothing"
