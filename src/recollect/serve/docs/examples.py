"""Example worlds for the documentation: fixed clock, fixed ids, reproducible answers."""

import importlib.util
import random
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from types import ModuleType

from recollect import surfaces
from recollect.change_listeners import standard_listeners
from recollect.importers.bundle import import_bundle
from recollect.memory import Memory, create_workspace, open_memory
from recollect.model.ids import IdMaker
from recollect.serve.docs.pages import Answers
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import package_names
from recollect.when.clock import clock_from

NOW = "2026-05-20T10:00:00Z"
SEED = 1843


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
    """Runs examples; one that writes gets a fresh world, so that their order does not matter."""
    with example_world() as shared:

        def answer(tool: Tool) -> Answer:
            if tool.effect == "read":
                return _answer(shared, tool)
            with example_world() as own:
                return _answer(own, tool)

        yield answer


@contextmanager
def example_world() -> Iterator[Example]:
    with tempfile.TemporaryDirectory() as folder:
        example = open_example(str(Path(folder) / "memory.db"))
        try:
            yield example
        finally:
            example.close()


def open_example(address: str) -> Example:
    """The example worlds, imported into the store at that address."""
    clock = clock_from(NOW)
    opened = open_memory(
        address, settings=Settings({"RECOLLECT_NOW": NOW}), clock=clock, followers=standard_listeners()
    )
    memory = replace(opened, new_id=IdMaker(clock, random.Random(SEED)))
    with as_file(files("recollect.serve.docs") / "example.jsonl") as bundle:
        _, skipped = import_bundle(memory, bundle)
    if skipped:
        raise ValueError(f"the example world has a bad line: {skipped[0]}")
    own = {}
    for name in package_names():
        module = _preparation(name)
        if module is not None:
            own[name] = _example_workspace(memory, module)
            module.prepare(own[name])
    return Example(memory, own)


def _preparation(surface: str) -> ModuleType | None:
    """What a surface adds to its world beyond the bundle."""
    module = f"{surfaces.__name__}.{surface.replace('-', '_')}.example_world"
    return importlib.import_module(module) if importlib.util.find_spec(module) is not None else None


def _example_workspace(memory: Memory, module: ModuleType) -> Memory:
    """The shared workspace, or the surface's own if it needs stable ids."""
    name = getattr(module, "WORKSPACE", None)
    if name is None:
        return memory
    workspace = create_workspace(memory.engine, name, memory.clock)
    return replace(memory.for_workspace(workspace), new_id=IdMaker(memory.clock, random.Random(SEED)))


def _answer(example: Example, tool: Tool) -> Answer:
    memory = example.of(tool.surface.name)
    return call(tool, lambda each: memory.as_actor(each.surface.name, each.name), tool.example)
