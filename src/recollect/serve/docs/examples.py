"""A small world that examples are asked about: always the same clock, the same ids, the same answers."""

import importlib.util
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from recollect import surfaces
from recollect.followers import standard
from recollect.ingest.bundle import ingest_bundle
from recollect.memory import Memory, open_memory
from recollect.model.ids import IdMaker
from recollect.serve.docs.pages import Answers
from recollect.settings import Settings
from recollect.surfaces.declare import Answer, Tool
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import packages
from recollect.when.clock import clock_from

NOW = "2026-05-20T10:00:00Z"
SEED = 1843


@contextmanager
def answers() -> Iterator[Answers]:
    """Answers examples; one that writes gets a world of its own, so that the order does not matter."""
    with example_world() as shared:

        def answer(tool: Tool) -> Answer:
            if tool.effect == "read":
                return _answer(shared, tool)
            with example_world() as own:
                return _answer(own, tool)

        yield answer


@contextmanager
def example_world() -> Iterator[Memory]:
    with tempfile.TemporaryDirectory() as folder:
        memory = open_example(str(Path(folder) / "memory.db"))
        try:
            yield memory
        finally:
            memory.close()


def open_example(address: str) -> Memory:
    """The example world, brought in at that address."""
    clock = clock_from(NOW)
    opened = open_memory(address, settings=Settings({"RECOLLECT_NOW": NOW}), clock=clock, followers=standard())
    memory = replace(opened, new_id=IdMaker(clock, random.Random(SEED)))
    with as_file(files("recollect.serve.docs") / "example.jsonl") as bundle:
        _, skipped = ingest_bundle(memory, bundle)
    if skipped:
        raise ValueError(f"the example world has a bad line: {skipped[0]}")
    for name in packages():
        _prepare(memory, f"{surfaces.__name__}.{name.replace('-', '_')}.example_world")
    return memory


def _prepare(memory: Memory, module: str) -> None:
    """What a surface brings into the world that no bundle can carry."""
    if importlib.util.find_spec(module) is not None:
        importlib.import_module(module).prepare(memory)


def _answer(memory: Memory, tool: Tool) -> Answer:
    return call(tool, lambda each: memory.acting(each.surface.name, each.name), tool.example)
