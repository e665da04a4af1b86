"""Example worlds for the documentation: fixed clock, fixed ids, reproducible answers."""

import random
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

from recollect.change_listeners import standard_listeners
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, create_workspace, find_workspace, open_memory
from recollect.model.ids import IdMaker
from recollect.serve.docs.example_worlds import EXAMPLE_WORLDS, ExampleWorld
from recollect.serve.docs.pages import Answers
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import call
from recollect.when.clock import clock_from

NOW = "2026-05-20T10:00:00Z"
SEED = 1843
LATER_SEED = 1844
"""For the ids of what examples write."""


@dataclass(frozen=True, slots=True)
class Example:
    """The workspace that surfaces share, and those of surfaces that need a world of their own."""

    shared: Memory
    own: Mapping[str, Memory]

    def of(self, surface: str) -> Memory:
        """The memory for the examples of a surface."""
        return self.own.get(surface, self.shared)

    def close(self) -> None:
        self.shared.close()


@contextmanager
def answers() -> Iterator[Answers]:
    """Runs examples; one that writes gets a fresh copy of the world, so that their order does not matter."""
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "memory.db"
        open_example(str(template)).close()
        copy = Path(folder) / "copy.db"

        def answer(tool: Tool) -> Answer:
            if tool.effect == "read":
                return _answer(shared, tool)
            shutil.copy(template, copy)
            with closing(open_example(str(copy))) as own:
                return _answer(own, tool)

        with closing(open_example(shutil.copy(template, str(Path(folder) / "shared.db")))) as shared:
            yield answer


def open_example(address: str) -> Example:
    """The example worlds at that address; an empty store gets them first."""
    memory = open_memory(
        address, settings=Settings({"RECOLLECT_NOW": NOW}), clock=clock_from(NOW), followers=standard_listeners()
    )
    with memory.read() as view:
        is_empty = view.last_tx == 0
    if is_empty:
        _import_example(_with_ids(memory, SEED))
    shared = _with_ids(memory, LATER_SEED)
    own = {name: _example_workspace(shared, world, LATER_SEED) for name, world in EXAMPLE_WORLDS.items()}
    return Example(shared, own)


def _import_example(memory: Memory) -> None:
    with as_file(files("recollect.serve.docs") / "example.jsonl") as bundle:
        _, skipped = import_bundle(memory, bundle)
    if skipped:
        raise ValueError(f"the example world has a bad line: {skipped[0]}")
    for world in EXAMPLE_WORLDS.values():
        world.prepare(_example_workspace(memory, world))


def _example_workspace(memory: Memory, world: ExampleWorld, seed: int = SEED) -> Memory:
    """The shared workspace, or the surface's own if it needs stable ids."""
    if world.workspace is None:
        return memory
    workspace = find_workspace(memory.engine, world.workspace) or create_workspace(
        memory.engine, world.workspace, memory.clock
    )
    return _with_ids(memory.for_workspace(workspace), seed)


def _with_ids(memory: Memory, seed: int) -> Memory:
    """The same ids in every run."""
    return replace(memory, new_id=IdMaker(memory.clock, random.Random(seed)))


def _answer(example: Example, tool: Tool) -> Answer:
    memory = example.of(tool.surface.name)
    return call(tool, lambda each: memory.as_actor(each.surface.name, each.name), tool.example)
