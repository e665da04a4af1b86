"""The same questions through every door that searches texts: recall of the evidence among the first five, and time.

    python -m benchmarks.doors [questions]

Reads LoCoMo from RECOLLECT_DATA (default: ../shared/data). Each chat is a store of records, one for each turn, and a
store of memories with the same texts, dates and speakers; the questions are spread evenly over the chats.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.convert_locomo import lines
from recollect.embed.cached import CachedEmbedder, bundled_embedder
from recollect.embed.port import Embedder
from recollect.indexing import index_all
from recollect.ingest.documents import DocumentDraft, store_document
from recollect.keep.memories.editing import NewMemory, upsert_memory
from recollect.keep.memory_formats import period_around
from recollect.memory import Memory, WorkspaceCache, open_memory
from recollect.model.ids import DOCUMENT_PREFIX, format_uuid, read_id
from recollect.search.eval_statistics import latency
from recollect.search.evaluation import mean_quality
from recollect.search.passage_search import SearchRequest, hit_documents, search_passages
from recollect.serve.cli.search import search_store
from recollect.settings import Settings
from recollect.store.passage_index import StoredPassageIndex
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.when.clock import FixedClock, SystemClock
from recollect.when.instant import read_instant

DEPTH = 5


@dataclass(frozen=True, slots=True)
class Chat:
    """The turns of a chat and the questions about it."""

    turns: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Stores:
    """A chat as records and as memories, and the turn that each document or memory holds."""

    records: Memory
    memories: Memory
    turns: Mapping[str, str]
    caller: str
    """The speaker of the first turn, as whom `memory_search` is called."""


Door = Callable[[Stores, str], list[str]]
"""The turns found for a question, best first."""


def read_chats(path: Path, questions: int) -> list[Chat]:
    held = list(lines(path))
    chats = []
    for _, part in groupby(held, key=lambda line: next(iter(line.values()))["group"]):
        each = list(part)
        chats.append(
            Chat([line["doc"] for line in each if "doc" in line], [line["query"] for line in each if "query" in line])
        )
    share = -(-questions // len(chats))
    return [replace(chat, questions=_spread(chat.questions, share)) for chat in chats]


def _spread(questions: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """So many of the questions, at even distances."""
    return [questions[at * len(questions) // count] for at in range(min(count, len(questions)))]


@contextmanager
def opened(chat: Chat, embedder: Embedder) -> Iterator[Stores]:
    with tempfile.TemporaryDirectory(prefix="recollect-doors-") as folder:
        records = _open(Path(folder) / "records.db", embedder)
        memories = _open(Path(folder) / "memories.db", embedder)
        try:
            turns = _store_records(records, chat) | _store_memories(memories, chat)
            yield Stores(records, memories, turns, chat.turns[0]["author"])
        finally:
            records.close()
            memories.close()


def _open(path: Path, embedder: Embedder) -> Memory:
    return replace(open_memory(str(path), "default", Settings(), SystemClock()), cache=WorkspaceCache([embedder]))


def _store_records(memory: Memory, chat: Chat) -> dict[str, str]:
    held: dict[str, str] = {}
    with memory.write() as change:
        for turn in chat.turns:
            at = read_instant(turn["source_at"], UTC)
            draft = DocumentDraft("record", "turn", turn["id"], None, turn["author"], None, at, turn["text"])
            held[format_uuid(store_document(change, draft).id)] = turn["id"]
    index_all(memory)
    return held


def _store_memories(memory: Memory, chat: Chat) -> dict[str, str]:
    """Each turn as a significant memory of its day, written by the instance of its speaker; both took part."""
    held: dict[str, str] = {}
    speakers = tuple(dict.fromkeys(turn["author"] for turn in chat.turns))
    for at, turns in groupby(chat.turns, key=lambda turn: turn["source_at"]):
        period = period_around("significant", date.fromisoformat(at[:10]))
        with replace(memory, clock=FixedClock(read_instant(at, UTC))).write() as change:
            for turn in turns:
                slug = turn["id"].rpartition("/")[2].replace(":", "-").lower()
                new = NewMemory(period, turn["text"], turn["author"], participants=speakers, slug=slug)
                held[upsert_memory(change, new).memory.id] = turn["id"]
    index_all(memory)
    return held


def _call(memory: Memory, surface: str, tool: str, **arguments: Any) -> Any:
    found = find_surface(surface).find(tool)
    answer = call(found, lambda each: memory.as_actor(each.surface.name, each.name), arguments)
    if answer.is_error:
        raise SystemExit(f"{tool}: {answer}")
    return answer.structured


def by_carabase(stores: Stores, question: str) -> list[str]:
    told = _call(stores.records, "carabase", "carabase_search_semantic", query=question, k=DEPTH)
    return [stores.turns[each["artifact_id"]] for each in told["results"]]


def by_entity_core(stores: Stores, question: str) -> list[str]:
    asked = {"query": question, "instanceId": stores.caller, "maxResults": DEPTH}
    return [
        stores.turns[each["id"]] for each in _call(stores.memories, "entity-core", "memory_search", **asked)["results"]
    ]


def by_lore_engine(stores: Stores, question: str) -> list[str]:
    told = _call(stores.records, "lore-engine", "semantic_search", query=question, limit=DEPTH)
    return [stores.turns[each["document_id"]] for each in told["result"]]


def by_recall(stores: Stores, question: str) -> list[str]:
    """The documents of the passages that `recall` returns, best first."""
    told = _call(stores.records, "recollect", "recall", query=question)
    found = dict.fromkeys(each["document"] for each in told["results"] if each["kind"] != "fact")
    return [stores.turns[format_uuid(read_id(each, DOCUMENT_PREFIX))] for each in found][:DEPTH]


def by_command(stores: Stores, question: str) -> list[str]:
    return [hit.chunk.key for hit in search_store(stores.records, question, DEPTH).passages.hits]


def by_library(stores: Stores, question: str) -> list[str]:
    """As `recollect eval retrieval` searches."""
    memory = stores.records
    with memory.read() as view:
        index = StoredPassageIndex(view, memory.cache.vectors)
        found = search_passages(index, SearchRequest(question, view.now, limit=DEPTH), memory.embedder)
        return [stores.turns[format_uuid(document)] for document in hit_documents(found.hits)]


DOORS: Mapping[str, Door] = {
    "recollect eval retrieval": by_library,
    "recollect search": by_command,
    "recall": by_recall,
    "carabase_search_semantic": by_carabase,
    "memory_search": by_entity_core,
    "semantic_search": by_lore_engine,
}


def main() -> None:
    folder = Path(os.environ.get("RECOLLECT_DATA", "../shared/data"))
    cache = Path(os.environ.get("RECOLLECT_CACHE", str(Path(tempfile.gettempdir()) / "recollect-vectors")))
    plain = bundled_embedder()
    found: dict[str, list[tuple[list[str], list[str]]]] = {name: [] for name in DOORS}
    seconds: dict[str, list[float]] = {name: [] for name in DOORS}
    for chat in read_chats(folder / "locomo" / "locomo_1to5.json", int((*sys.argv[1:], "200")[0])):
        with opened(chat, CachedEmbedder(plain, cache)) as stored:
            stores = _asked_with(stored, plain)
            for asked in chat.questions:
                for name, door in DOORS.items():
                    start = time.process_time()
                    found[name].append((door(stores, asked["text"]), asked["gold"]))
                    seconds[name].append(time.process_time() - start)
    for name, rankings in found.items():
        quality, took = mean_quality(rankings), latency(seconds[name])
        times = f"p50 {took.p50:6.1f}  p95 {took.p95:6.1f} ms of processor time"
        sys.stdout.write(f"{name:26} recall@5 {100 * quality.recall_5:5.1f}  {times}  ({quality.n} questions)\n")


def _asked_with(stores: Stores, embedder: Embedder) -> Stores:
    """The same stores, their questions embedded anew each time."""
    caches = (replace(each, cache=WorkspaceCache([embedder])) for each in (stores.records, stores.memories))
    records, memories = caches
    return replace(stores, records=records, memories=memories)


if __name__ == "__main__":
    main()
