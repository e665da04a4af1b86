"""Memories: a search and a pull over a hundred thousand against the same over ten thousand."""

import itertools
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.support.hash_embedder import HashEmbedder
from tqdm import tqdm

from benchmarks.stores import SIZES
from benchmarks.timing import Operation, Row, interleaved
from recollect.keep.memories.editing import NewMemory, upsert_memory
from recollect.keep.memory_formats import period_around
from recollect.keep.memory_index.index import index_memories
from recollect.memory import Memory, WorkspaceCache, open_memory
from recollect.settings import Settings
from recollect.store.passage_index import index_vectors
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import clock_from

ROUNDS = 60
WORDS = 8000
IN_A_BATCH = 2000
DAYS = 4000
NOW = "2026-05-14T09:30:00Z"
LAST_DAY = date(2026, 5, 13)
CALLER = "inst-0"


def compare_memories(folder: Path, large: str, small: str) -> list[Row]:
    """The same questions to many memories and to few."""
    words = vocabulary()
    with opened_memories(folder, large, words) as big, opened_memories(folder, small, words) as little:
        kinds = {
            "memory_search, three rare words": words[1000:],
            "memory_search, three common words": words[:20],
        }
        rows = []
        for what, among in kinds.items():
            taken = interleaved({"large": search(big, among), "small": search(little, among)}, ROUNDS)
            rows.append(Row(f"{what}, at {large} memories", taken["large"], taken["small"], f"at {small}", 3))
        taken = interleaved({"large": _pull(big), "small": _pull(little)}, ROUNDS)
        rows.append(
            Row(f"sync_pull of ten changes, at {large} memories", taken["large"], taken["small"], f"at {small}", 1.5)
        )
        return rows


def vocabulary() -> list[str]:
    """Made-up words, the first ones the most common."""
    chance = random.Random(5)
    return [
        "".join(chance.choice("bcdfglmnprstv") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))
        for _ in range(WORDS)
    ]


def opened_memories(folder: Path, size: str, words: list[str]) -> AbstractContextManager[Memory]:
    return opened_store(folder, f"memories-{size}.db", lambda path: _build(path, SIZES[size], words))


@contextmanager
def opened_store(folder: Path, name: str, build: Callable[[Path], None]) -> Iterator[Memory]:
    """The store of that name in the folder, built first if it is not there; one half built is never taken for it."""
    path = folder / name
    if not path.exists():
        unfinished = folder / f"unfinished-{name}"
        for left in folder.glob(f"{unfinished.name}*"):
            left.unlink()
        build(unfinished)
        unfinished.rename(path)
    memory = open_hashed(path)
    try:
        yield memory
    finally:
        memory.close()


def open_hashed(path: Path) -> Memory:
    opened = open_memory(str(path), "default", Settings(), clock_from(NOW))
    return replace(opened, cache=WorkspaceCache([HashEmbedder(384)]))


def _build(path: Path, count: int, words: list[str]) -> None:
    """A store with so many daily memories, made through the calls that tools make."""
    weights = list(itertools.accumulate(1 / (place + 3) for place in range(len(words))))
    memory = open_hashed(path)
    bar = tqdm(desc=f"building {count} memories", total=count, file=sys.stderr)
    for start in range(0, count, IN_A_BATCH):
        with memory.batch() as batch:
            for number in range(start, min(start + IN_A_BATCH, count)):
                with batch.change() as change:
                    upsert_memory(change, _new(number, words, weights))
                bar.update()
    with memory.write() as change:
        index_memories(change)
    while True:
        with memory.write() as change:
            if not index_vectors(change, HashEmbedder(384), IN_A_BATCH):
                break
    bar.close()
    memory.close()


def _new(number: int, words: list[str], weights: list[float]) -> NewMemory:
    chance = random.Random(number)
    said = [" ".join(chance.choices(words, cum_weights=weights, k=12)) for _ in range(5)]
    day = LAST_DAY - timedelta(days=number % DAYS)
    return NewMemory(period_around("daily", day), "".join(f"- {line}\n" for line in said), f"inst-{number // DAYS}")


def search(memory: Memory, words: list[str]) -> Operation:
    def ask(number: int) -> None:
        query = " ".join(random.Random(number).sample(words, 3))
        if not call_tool(memory, "memory_search", query=query, instanceId=CALLER)["results"]:
            raise SystemExit("a search should find something")

    return ask


def _pull(memory: Memory) -> Operation:
    with memory.read() as view:
        since = view.last_tx - 10

    def ask(_: int) -> None:
        if len(call_tool(memory, "sync_pull", instanceId=CALLER, lastSyncVersion=since)["memories"]) != 10:
            raise SystemExit("ten changes should be pulled")

    return ask


def call_tool(memory: Memory, tool: str, surface: str = "entity-core", **arguments: Any) -> dict[str, Any]:
    found = find_surface(surface).find(tool)
    return call(found, lambda each: memory.as_actor(each.surface.name, each.name), arguments).structured
