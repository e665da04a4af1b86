"""Recall over many facts, four to a note, against `memory_search` over as many memories, both p95.

python -m benchmarks.recall 10k|100k [folder]
python -m benchmarks.recall 1M [folder] --against 100k    # `recall` and `remember` in a large and in a small store
"""

import argparse
import itertools
import os
import random
import sys
import time
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tqdm import tqdm

from benchmarks.memories import (
    DAYS,
    LAST_DAY,
    call_tool,
    open_hashed,
    opened_memories,
    opened_store,
    search,
    vocabulary,
)
from benchmarks.stores import SIZES
from benchmarks.timing import Operation, Row, Summary, interleaved, p95, said, table, timed
from benchmarks.writes import remember_operation
from recollect.indexing import index_all
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory

ROUNDS = 100
LINES_AT_ONCE = 500
FACTS_PER_LINE = 4
PREDICATES = ("uses", "likes", "owns", "noted", "works_on", "speaks", "plans", "prefers")


def compare_recall(folder: Path, size: str) -> list[Row]:
    """The same questions to facts and to memories."""
    words = vocabulary()
    with (
        _opened_facts(folder, size, words) as facts,
        opened_memories(folder, size, words) as memories,
    ):
        rows = []
        for what, among in {"rare": words[1000:], "common": words[:20]}.items():
            deeds = {"facts": _recall(facts, among), "memories": search(memories, among)}
            taken = interleaved(deeds, ROUNDS, summary=p95)
            name = f"recall, three {what} words, at {size} facts, p95"
            rows.append(Row(name, taken["facts"], taken["memories"], f"memory_search at {size} memories", 2))
        named = interleaved(
            {"facts": _recall_named(facts, words), "memories": search(memories, words)}, ROUNDS, summary=p95
        )
        name = f"recall, a name and two words, at {size} facts, p95"
        return [*rows, Row(name, named["facts"], named["memories"], f"memory_search at {size} memories", 2)]


def compare_sizes(folder: Path, large: str, small: str) -> list[Row]:
    """The same questions and writes to many facts and to few, in wall time: a client waits for the disk, too."""
    words = vocabulary()
    with _opened_facts(folder, large, words) as big, _opened_facts(folder, small, words) as little:
        sides = {"large": big, "small": little}
        kinds: dict[str, dict[str, Operation]] = {
            "recall, three rare words": {side: _recall(each, words[1000:]) for side, each in sides.items()},
            "recall, three common words": {side: _recall(each, words[:20]) for side, each in sides.items()},
            "recall, a name and two words": {side: _recall_named(each, words) for side, each in sides.items()},
            "remember, one fact": {side: remember_operation(each, 1) for side, each in sides.items()},
            "remember, three facts": {side: remember_operation(each, 3) for side, each in sides.items()},
        }
        summaries: dict[str, Summary] = {"p50": median, "p95": p95}
        rows = []
        for what, operations in kinds.items():
            taken = timed(operations, ROUNDS, clock=time.perf_counter)
            figures = (f"{side} p50 {said(median(each))}, p95 {said(p95(each))}" for side, each in taken.items())
            print(f"{what}: {'; '.join(figures)}, load {os.getloadavg()[0]:.1f}")  # noqa: T201 the report of a benchmark
            for share, summary in summaries.items():
                large_one, small_one = summary(taken["large"]), summary(taken["small"])
                rows.append(Row(f"{what}, at {large} facts, {share}", large_one, small_one, f"at {small} facts", 2))
        return rows


def _opened_facts(folder: Path, size: str, words: list[str]) -> AbstractContextManager[Memory]:
    return opened_store(folder, f"facts-{size}.db", lambda path: _build(path, SIZES[size], words))


def _build(path: Path, count: int, words: list[str]) -> None:
    weights = list(itertools.accumulate(1 / (place + 3) for place in range(len(words))))
    memory = open_hashed(path)
    lines = count // FACTS_PER_LINE
    with tqdm(desc=f"building {count} facts", total=lines, file=sys.stderr) as bar:
        for start in range(0, lines, LINES_AT_ONCE):
            with memory.batch() as batch:
                for number in range(start, min(start + LINES_AT_ONCE, lines)):
                    with batch.change() as change:
                        write_line(change, parse_line(_line(number, words, weights)))
                    bar.update()
    index_all(memory)
    memory.close()


def _line(number: int, words: list[str], weights: list[float]) -> dict[str, Any]:
    chance = random.Random(number)
    facts: list[dict[str, Any]] = []
    for at in range(FACTS_PER_LINE):
        said = " ".join(chance.choices(words, cum_weights=weights, k=6))
        subject = {"name": _name(chance.randrange(number // 3 + 10), words), "type": "Person"}
        predicate = PREDICATES[(number + at) % len(PREDICATES)]
        stated = {"from": subject, "to": {"literal": said}, "fact_type": predicate, "edge_label": "AFFILIATED"}
        facts.append(stated)
    day = LAST_DAY - timedelta(days=number % DAYS)
    text = "; ".join(f"{each['from']['name']} {each['fact_type']} {each['to']['literal']}" for each in facts)
    record = {
        "id": f"n{number}",
        "type": "note",
        "source_at": f"{day}T09:00:00Z",
        "content": f"{text}, said {_name(number, words)}",
    }
    return {"record": record, "facts": facts}


def _name(number: int, words: list[str]) -> str:
    return f"{words[number % 997]} {words[number * 7 % 7919]}".title()


def _recall(memory: Memory, words: list[str]) -> Operation:
    """Rare words seldom stand together, so that some questions rightly find nothing."""

    def ask(number: int) -> None:
        query = " ".join(random.Random(number).sample(words, 3))
        if "results" not in call_tool(memory, "recall", "recollect", query=query):
            raise SystemExit("a question should be answered")

    return ask


def _recall_named(memory: Memory, words: list[str]) -> Operation:
    def ask(number: int) -> None:
        chance = random.Random(number)
        query = " ".join((_name(chance.randrange(500), words), *chance.sample(words[:1000], 2)))
        if not call_tool(memory, "recall", "recollect", query=query)["results"]:
            raise SystemExit("a question that names somebody should find something")

    return ask


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks.recall", description="Recall in large stores")
    options.add_argument("size", nargs="?", default="10k", choices=SIZES)
    options.add_argument("folder", nargs="?", type=Path, help="keep the stores here, and use those that are there")
    options.add_argument("--against", choices=SIZES, help="the smaller store, instead of memories")
    given = options.parse_args()
    with TemporaryDirectory(prefix="recollect-bench-") as temporary:
        folder = given.folder or Path(temporary)
        compare = partial(compare_sizes, small=given.against) if given.against else compare_recall
        rows = compare(folder, given.size)
    print(table(rows))  # noqa: T201 the table is what this is for


if __name__ == "__main__":
    main()
