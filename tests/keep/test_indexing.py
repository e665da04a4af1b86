"""No read waits for an index: texts are indexed by the write, vectors in steps, and a read adds a few at most."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.facts import entity_named, fact, tell
from tests.support.hash_embedder import HashEmbedder

from recollect.change_listeners import open_memory
from recollect.embed.port import Vectors
from recollect.importers.bundle import import_bundle
from recollect.indexing import (
    EMBEDDED_AT_ONCE,
    EMBEDDINGS_PER_READ,
    index_all,
    index_before_read,
    index_step,
)
from recollect.keep.artifacts.artifact import artifacts_lag
from recollect.keep.forgetting.erasure import forget
from recollect.keep.memory_index.index import is_caught_up
from recollect.memory import Memory, WorkspaceCache
from recollect.model.names import ANY_TYPE
from recollect.resolve.name_vectors import EMBEDDED_AT_ONCE as NAMES_AT_ONCE
from recollect.resolve.resolver import resolve
from recollect.search.fact_search import search_facts
from recollect.settings import Settings
from recollect.store.fact_index import EVERY, FactIndex, is_fact_index_behind
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex, count_unembedded_passages
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

MANY = 200
QUESTION = 1


class CountingEmbedder(HashEmbedder):
    """Counts the texts that it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.count += len(texts)
        return super().embed(texts)


@dataclass
class Store:
    memory: Memory
    embedder: CountingEmbedder
    folder: Path

    def ingest(self, *lines: dict[str, Any]) -> None:
        path = self.folder / "lines.jsonl"
        path.write_text("\n".join(json.dumps(line) for line in lines))
        _, skipped = import_bundle(self.memory, path)
        assert not skipped

    def ask(self, surface: str, tool: str, *, may_write: bool = True, **arguments: Any) -> Any:
        found = find_surface(surface).find(tool)
        answer = call(
            found, lambda each: self.memory.as_actor(each.surface.name, each.name, may_write=may_write), arguments
        )
        assert not answer.is_error, answer.structured
        return answer.structured

    def restarted(self) -> "Store":
        """The same store in a process that has nothing in memory yet."""
        embedder = CountingEmbedder()
        return Store(replace(self.memory, cache=WorkspaceCache([embedder])), embedder, self.folder)

    @property
    def waiting(self) -> int:
        with self.memory.read() as view:
            return count_unembedded_passages(view, self.embedder)


@pytest.fixture
def store(memory: Memory, tmp_path: Path) -> Store:
    embedder = CountingEmbedder()
    return Store(replace(memory, cache=WorkspaceCache([embedder])), embedder, tmp_path)


def note(number: int, **more: Any) -> dict[str, Any]:
    record = {"id": f"n{number}", "type": "note", "source_at": "2026-05-01T10:00:00Z"}
    stated = fact("Ada", "noted", {"literal": f"lantern {number} is lit"}, label="ASSERTED")
    return {"record": {**record, "content": f"Harbour lantern {number}", **more}, "facts": [stated]}


NOTES = [note(number) for number in range(MANY)]
READS = [
    ("entity-core", "memory_search", {"query": "lantern", "instanceId": "a"}),
    ("lore-engine", "semantic_search", {"query": "lantern"}),
    ("lore-engine", "cite", {"claim": "Ada lit the harbour lantern"}),
    ("carabase", "carabase_search_semantic", {"query": "lantern"}),
    ("carabase", "carabase_verify_hypothesis", {"claim": "The lantern is lit"}),
]


@pytest.mark.parametrize(("surface", "tool", "arguments"), READS)
def test_a_read_after_an_ingest_embeds_no_more_than_a_few_texts(
    store: Store, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    store.ingest(*NOTES)
    store.ask(surface, tool, **arguments)
    assert 0 < store.embedder.count < EMBEDDINGS_PER_READ
    assert store.waiting == MANY


@pytest.mark.parametrize(("surface", "tool", "arguments"), READS)
def test_a_read_embeds_the_few_texts_that_were_just_written(
    store: Store, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    store.ingest(*NOTES[:5])
    store.ask(surface, tool, **arguments)
    assert store.waiting == 0


@pytest.mark.parametrize(("surface", "tool", "arguments"), [*READS, ("recollect", "recall", {"query": "lantern"})])
def test_a_read_beside_a_background_thread_embeds_next_to_nothing_and_wakes_it(
    store: Store, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    woken: list[bool] = []
    store.memory.cache.wake_indexer = lambda: woken.append(True)
    store.ingest(*(note(number, content=f"{number} {'lantern ' * 100}") for number in range(20)))
    found = store.ask(surface, tool, **arguments)
    assert "lantern" in json.dumps(found) or surface == "entity-core", "which finds memories only"
    assert (store.waiting, woken) == (19, [True])
    index_all(store.memory)
    store.ask(surface, tool, **arguments)
    assert woken == [True]


class RacedEmbedder(CountingEmbedder):
    """Embeds the first texts while another thread begins to write, which ends a moment later."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self.writer = threading.Thread(target=self._write, args=(memory,))
        self._is_writing = threading.Event()

    def _write(self, memory: Memory) -> None:
        with memory.write():
            self._is_writing.set()
            threading.Event().wait(0.05)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self._is_writing.is_set():
            self.writer.start()
            self._is_writing.wait()
        return super().embed(texts)


def test_recall_waits_for_a_short_write_to_find_what_was_just_told(memory: Memory, tmp_path: Path) -> None:
    embedder = RacedEmbedder(memory)
    store = Store(replace(memory, cache=WorkspaceCache([embedder])), embedder, tmp_path)
    store.ingest(NOTES[0])
    found = store.ask("recollect", "recall", query="lantern")
    embedder.writer.join()
    assert "waiting" not in found


def test_a_read_embeds_long_texts_a_few_at_a_time(store: Store) -> None:
    store.ingest(*(note(number, content=f"{number} {'lantern ' * 120}") for number in range(20)))
    left = [store.waiting]
    while left[-1]:
        index_before_read(store.memory)
        left.append(store.waiting)
    assert len(left) > 2


@pytest.mark.parametrize(("surface", "tool", "arguments"), READS)
def test_a_read_with_a_read_only_token_stores_no_vector(
    store: Store, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    store.ingest(*NOTES)
    store.ask(surface, tool, may_write=False, **arguments)
    assert store.waiting == MANY
    assert store.embedder.count < EMBEDDINGS_PER_READ


def test_words_memories_and_artifacts_are_indexed_when_an_ingest_has_returned(store: Store) -> None:
    memories = [note(-1 - day, type="memory", title=f"Day {day}") for day in range(3)]
    store.ingest(*NOTES, *memories)
    with store.memory.read() as view:
        assert (is_caught_up(view), artifacts_lag(view), is_fact_index_behind(view)) == (True, False, False)
        assert len(FactIndex(view).containing_all([(("lantern",),)], 1_000)) == MANY + len(memories)
        assert len(StoredPassageIndex(view).postings("lantern", PassageFilter())) == MANY + len(memories)
    assert store.embedder.count == 0


def test_facts_of_small_transactions_are_found_at_once_and_indexed_every_so_often(memory: Memory) -> None:
    unindexed = []
    for number in range(EVERY):
        tell(memory, fact("Ada", "noted", {"literal": f"beacon {number}"}, label="ASSERTED"))
        with memory.read() as view:
            unindexed.append(is_fact_index_behind(view))
            found = search_facts(view, f"beacon {number}", 1)
            assert [each.row.fact.literal for each in found] == [f"beacon {number}"]
    assert unindexed.count(False) == 1


def test_a_read_does_not_wait_for_another_writer(store: Store, address: str) -> None:
    store.ingest(*NOTES[:5])
    other = open_memory(address, settings=Settings())
    try:
        with other.write():
            index_before_read(store.memory)
    finally:
        other.close()
    assert store.waiting == 5
    index_before_read(store.memory)
    assert store.waiting == 0


def test_the_background_embeds_what_reads_have_left_in_small_steps(store: Store) -> None:
    store.ingest(*NOTES)
    index_before_read(store.memory)
    steps = 0
    while index_step(store.memory):
        steps += 1
    assert store.waiting == 0
    assert steps >= MANY // EMBEDDED_AT_ONCE
    with store.memory.read() as view:
        [vector] = store.embedder.embed([f"Harbour lantern {MANY - 1}"])
        [(_, cosine)] = StoredPassageIndex(view).nearest(vector, store.embedder.model, PassageFilter(), 1)
        assert cosine == pytest.approx(1.0)


def test_vectors_that_another_process_stored_meanwhile_are_not_stored_twice(store: Store) -> None:
    store.ingest(*NOTES[:10])

    class Slow(CountingEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            index_all(store.memory)
            return super().embed(texts)

    index_before_read(replace(store.memory, cache=WorkspaceCache([Slow()])))
    with store.memory.read() as view:
        assert view.rows("indexed", part=f"meaning:{store.embedder.model}")[0][1] == 10


PROJECTS = [{"entities": [{"name": f"Workstream {number}", "type": "Project"}]} for number in range(MANY)]


def test_a_name_that_is_not_known_costs_a_few_embeddings_in_a_large_workspace(store: Store) -> None:
    store.ingest(*PROJECTS)
    with store.memory.read() as view:
        resolve(store.memory.names(view), "quarterly tax filing")
    assert store.embedder.count == NAMES_AT_ONCE + QUESTION


def test_vectors_of_names_are_stored_for_the_next_process(store: Store) -> None:
    store.ingest(*PROJECTS)
    index_all(store.memory)
    assert store.embedder.count == MANY
    later = store.restarted()
    with later.memory.read() as view:
        found = later.memory.cache.names.nearest(view, later.embedder, "17 workstream", ANY_TYPE, 0.99, 5)
    assert found is not None
    assert "workstream 17" in [name.folded for name, _ in found]
    assert later.embedder.count == QUESTION


def test_no_vector_of_a_forgotten_name_is_stored(store: Store) -> None:
    store.ingest(*PROJECTS[:2])
    names = store.memory.cache.names
    with store.memory.read() as view:
        made = names.embed_unstored(view, store.embedder)
    gone = entity_named(store.memory, "Workstream 0")
    assert gone is not None
    forget(store.memory, [gone.id])
    with store.memory.write() as change:
        names.store(change, store.embedder, made)
    with store.memory.read() as view:
        stored = view.rows("embeddings_known", model=f"{store.embedder.model}#name", hashes=sorted(made))
    assert len(stored) == 1
    assert not stored[0][0].startswith(gone.id)


def test_a_search_of_nodes_does_not_embed_a_backlog(store: Store) -> None:
    with store.memory.as_actor("cli", "ingest").write() as change:
        from recollect.ingest.line import parse_line
        from recollect.ingest.line_writer import write_line

        write_line(change, parse_line({"entities": [each["entities"][0] for each in PROJECTS]}))
    store.ask("entity-core", "graph_node_search", query="workstreams of the yard")
    assert store.embedder.count == QUESTION


@pytest.mark.parametrize(
    ("surface", "tool", "arguments"),
    [
        ("cognitive-graph", "weekly_rollup", {}),
        ("cognitive-graph", "recall_entity", {"name": "Person 3"}),
        ("pearscarf", "get_facts", {"entity": "Person 3"}),
        ("lore-engine", "entity_context", {"name": "Person 3"}),
        ("recollect", "history", {"about": "Person 3"}),
    ],
)
def test_the_first_call_of_a_process_embeds_nothing_unless_it_searches(
    store: Store, surface: str, tool: str, arguments: dict[str, Any]
) -> None:
    facts = [{"from": f"Person {n}", "predicate": "knows", "to": f"Person {n + 1}"} for n in range(MANY)]
    store.ingest(*({"facts": [each]} for each in facts))
    fresh = store.restarted()
    fresh.ask(surface, tool, **arguments)
    assert fresh.embedder.count == 0
