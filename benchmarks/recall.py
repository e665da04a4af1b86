"""Recall over many facts, four to a note, against `memory_search` over as many memories, both p95.

python -m benchmarks.recall 10k|100k [folder]
"""

import itertools
import random
import sys
from datetime import timedelta
from pathlib import Path
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
from benchmarks.timing import Operation, Row, interleaved, p95, table
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
        opened_store(folder, f"facts-{size}.db", lambda path: _build(path, SIZES[size], words)) as facts,
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
    size = (*sys.argv[1:2], "10k")[0]
    if len(sys.argv) > 2:
        rows = compare_recall(Path(sys.argv[2]), size)
    else:
        with TemporaryDirectory(prefix="recollect-bench-") as folder:
            rows = compare_recall(Path(folder), size)
    print(table(rows))  # noqa: T201 the table is what this is for


if __name__ == "__main__":
    main()
