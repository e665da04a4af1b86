"""Open items without a name and the history of everything, beside the same reads of one person.

python -m benchmarks.items
"""

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.memories import call_tool
from benchmarks.stores import opened
from benchmarks.timing import Operation, Row, interleaved, table
from recollect.ingest.line import parse_line
from recollect.ingest.line_writer import write_line
from recollect.memory import Memory

ITEMS = 3_000
PEOPLE = 120
ROUNDS = 30
VERBS = ("paint", "send", "review", "fix", "order", "book", "write", "check")
THINGS = ("fence", "report", "invoice", "roof", "ticket", "contract", "boiler", "garden", "budget", "menu", "label")


def compare_items(memory: Memory) -> list[Row]:
    """Half of the items are closed by a report in their own words."""
    for number in range(ITEMS):
        _promise(memory, number)
    deeds = {
        "all items": _ask(memory, "open_items"),
        "items of one": _ask(memory, "open_items", owner="Person 7"),
        "all history": _ask(memory, "history"),
        "history of one": _ask(memory, "history", about="Person 7"),
    }
    taken = interleaved(deeds, ROUNDS)
    return [
        Row(f"open_items, {ITEMS} items, half closed", taken["all items"], taken["items of one"], "one of 120 people"),
        Row("history of everything", taken["all history"], taken["history of one"], "one of 120 people"),
    ]


def _promise(memory: Memory, number: int) -> None:
    chance = random.Random(number)
    what = f"{chance.choice(VERBS)} the {chance.choice(THINGS)} {number % 700}"
    who = {"name": f"Person {number % PEOPLE}", "type": "Person"}
    _tell(memory, f"promise {number}", 1, who, "commitment", f"{who['name']} will {what}", valid_until="2026-06-01")
    if number % 2 == 0:
        _tell(memory, f"report {number}", 2, who, "completion", f"{who['name']} did {what}")


def _tell(memory: Memory, key: str, month: int, who: Any, fact_type: str, text: str, **more: str) -> None:
    record = {"id": key, "type": "note", "source_at": f"2026-0{month}-05T09:00:00Z"}
    stated = {"from": who, "to": {"literal": text}, "fact_type": fact_type, "edge_label": "ASSERTED", "fact": text}
    with memory.write() as change:
        write_line(change, parse_line({"record": record, "facts": [{**stated, **more}]}))


def _ask(memory: Memory, tool: str, **arguments: str) -> Operation:
    def ask(_: int) -> None:
        if not call_tool(memory, tool, "recollect", **arguments):
            raise SystemExit(f"{tool} should answer")

    return ask


def main() -> None:
    with TemporaryDirectory(prefix="recollect-bench-") as folder, opened(Path(folder) / "items.db") as memory:
        print(table(compare_items(memory)))  # noqa: T201 the table is what this is for


if __name__ == "__main__":
    main()
