"""`python -m benchmarks.postgres_passages --sizes 1M,10M`: a large and a small store of passages on PostgreSQL.

A store of passages with vectors is filled by `benchmarks.passage_growth`; a small world of facts comes through our
own ingest. `--folder` keeps the server's files; what was built in it is used again. `--build` builds one size and ends.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg
from tests.support.databases import own_postgres

from benchmarks.meaning import Question
from benchmarks.passage_growth import fill
from benchmarks.passage_seeds import Seeds, read_seeds
from benchmarks.postgres_size import (
    LINES_AT_ONCE,
    SIZES,
    comparison_options,
    configure,
    connections_operation,
    ingest_operation,
    say,
)
from benchmarks.reads import facts_operation
from benchmarks.timing import Operation, Row, p95, said, table, timed
from benchmarks.world import write_lines, write_world
from benchmarks.writes import record_operation
from recollect.embed.cached import bundled_embedder
from recollect.importers.bundle import import_bundle
from recollect.indexing import build_vector_codes, index_all
from recollect.memory import Memory, open_memory
from recollect.search.document_search import nearest_by_words
from recollect.search.passage_search import SearchRequest, search_passages
from recollect.settings import Settings
from recollect.store.passage_filter import PassageFilter
from recollect.store.passage_index import StoredPassageIndex
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

ASKED = 100
WORLD = 1_000
SLOW_ROUNDS = 20
FIRST_TALK = {
    "record": {
        "id": "talk",
        "type": "note",
        "title": "Talk",
        "source_at": "2020-01-01T10:00:00Z",
        "content": "Ann: The bridge was painted green in spring, and the ferry to the island ran late for a week.",
    },
    "facts": [],
}


class Searched(NamedTuple):
    """A store of passages that is open, and what is asked of it."""

    memory: Memory
    questions: list[Question]


def main() -> None:
    options = comparison_options("postgres_passages", __doc__, "1M,10M", ASKED)
    options.add_argument("--build", choices=SIZES, help="only build the store of this size")
    given = options.parse_args()
    sizes = (given.build,) if given.build else given.sizes.split(",")
    with TemporaryDirectory(prefix="rcl-", ignore_cleanup_errors=True) as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        data = Path(os.environ.get("RECOLLECT_DATA", "../shared/data"))
        seeds = read_seeds(data, bundled_embedder(), folder / "seeds.npy")
        with own_postgres(folder / "data") as server:
            configure(server.address)
            addresses = [build(server.address, size, seeds, folder) for size in sizes]
            if not given.build:
                say(f"load at the start: {os.getloadavg()[0]:.1f}")
                rows = compare(addresses, sizes, seeds.questions, folder, given.rounds, tuple(given.only.split(",")))
                say(f"load at the end: {os.getloadavg()[0]:.1f}\n\n{table(rows)}")


def build(server: str, size: str, seeds: Seeds, folder: Path) -> str:
    """The address of the store of a size, which is filled unless it is there."""
    name = f"passages_{size.lower()}"
    address = server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(server, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone():
            return address
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    bundle = folder / "bundle.jsonl"
    with opened(address) as memory:
        write_lines(bundle, [FIRST_TALK])
        import_bundle(memory, bundle)
        index_all(memory)
    fill(address, seeds, SIZES[size])
    with opened(address) as memory:
        write_world(bundle, WORLD, WORLD)
        import_bundle(memory, bundle)
        index_all(memory)
        began = time.monotonic()
        while build_vector_codes(memory):
            pass
        say(f"binary codes of {size}: {time.monotonic() - began:.0f} s")
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ANALYZE")
        [[taken]] = connection.execute("SELECT pg_database_size(current_database())").fetchall()
    say(f"{size}: {taken / 1e9:.1f} GB")
    return address


@contextmanager
def opened(address: str) -> Iterator[Memory]:
    memory = open_memory(address, "default", Settings())
    yield memory
    memory.close()


def compare(
    addresses: Sequence[str], sizes: Sequence[str], texts: list[str], folder: Path, rounds: int, only: tuple[str, ...]
) -> list[Row]:
    vectors = bundled_embedder().embed(texts[:ASKED])
    asked = [Question(text, vector) for text, vector in zip(texts, vectors, strict=False)]
    kinds: dict[str, Callable[[Searched], Operation]] = {
        "search by words": _words_operation,
        "nearest 10 passages": partial(_nearest_operation, 10),
        "nearest 200 passages": partial(_nearest_operation, 200),
        "search by words and meaning": _both_operation,
        "recall": _recall_operation,
        "read of a document": _document_operation,
        "get_facts, 20 facts": lambda of: facts_operation(of.memory),
        "get_connections": lambda of: connections_operation(of.memory),
        "record_fact": lambda of: record_operation(of.memory),
        f"ingest of {LINES_AT_ONCE} notes": lambda of: ingest_operation(folder, of.memory),
    }
    with opened(addresses[0]) as small, opened(addresses[1]) as large:
        sides = {"large": Searched(large, asked), "small": Searched(small, asked)}
        return [
            _row(what, {name: make(side) for name, side in sides.items()}, sizes, rounds)
            for what, make in kinds.items()
            if what.startswith(only)
        ]


def _row(what: str, operations: dict[str, Operation], sizes: Sequence[str], rounds: int) -> Row:
    taken = timed(operations, SLOW_ROUNDS if what.startswith("ingest") else rounds, clock=time.perf_counter)
    figures = (f"{name} p50 {said(median(each))} p95 {said(p95(each))}" for name, each in taken.items())
    say(f"{what}: {', '.join(figures)}")
    return Row(f"{what} at {sizes[1]}, p95", p95(taken["large"]), p95(taken["small"]), f"at {sizes[0]}", 2)


def _words_operation(of: Searched) -> Operation:
    def ask(number: int) -> None:
        text = of.questions[number % len(of.questions)].text
        with of.memory.read() as view:
            index = StoredPassageIndex(view, of.memory.cache.vectors)
            nearest_by_words(view, index, text, PassageFilter(), 10)

    return ask


def _nearest_operation(limit: int, of: Searched) -> Operation:
    model = bundled_embedder().model

    def ask(number: int) -> None:
        with of.memory.read() as view:
            index = StoredPassageIndex(view, of.memory.cache.vectors)
            vector = of.questions[number % len(of.questions)].vector
            if len(index.nearest(vector, model, PassageFilter(), limit)) != limit:
                raise SystemExit("there are enough passages")

    return ask


def _both_operation(of: Searched) -> Operation:
    def ask(number: int) -> None:
        text = of.questions[number % len(of.questions)].text
        with of.memory.read() as view:
            index = StoredPassageIndex(view, of.memory.cache.vectors)
            search_passages(index, SearchRequest(text, view.now), of.memory.embedder)

    return ask


def _recall_operation(of: Searched) -> Operation:
    tool, reader = find_surface("recollect").find("recall"), of.memory.as_actor("recollect", "recall")

    def ask(number: int) -> None:
        answer = call(tool, lambda _: reader, {"query": of.questions[number % len(of.questions)].text})
        if answer.is_error:
            raise SystemExit(f"recall failed: {answer.structured}")

    return ask


def _document_operation(of: Searched) -> Operation:
    def ask(number: int) -> None:
        with of.memory.read() as view:
            found = view.document_named("record", f"talk-{number * 997 % 100_000}")
            if found is None or not view.text_of(found):
                raise SystemExit("every talk has a text")

    return ask


if __name__ == "__main__":
    main()
