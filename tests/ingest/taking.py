"""Taking in files of lines, the way the command does, and the lines themselves."""

import json
from pathlib import Path
from typing import Any

from tests.support.calls import last_tx

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.importers.import_run import ImportTally, SkippedLine
from recollect.memory import Memory
from recollect.model.fact import Assertion
from recollect.store.fact_rows import FactRow

Json = dict[str, Any]


class Taking:
    """Takes in files of lines; what was skipped and what changed stays visible."""

    def __init__(self, memory: Memory, path: Path) -> None:
        self.memory = memory
        self.path = path
        self.tally = ImportTally()
        self.skipped: list[SkippedLine] = []

    def __call__(self, *lines: Json | str | bytes) -> list[tuple[int, str]]:
        """Take in these lines; the numbers and reasons of those that were skipped."""
        self.path.write_bytes(b"".join(line_bytes(line) + b"\n" for line in lines))
        self.tally, self.skipped = import_bundle(self.memory, self.path, None, LINE_HANDLERS)
        return [(each.line, each.reason) for each in self.skipped]

    @property
    def last_tx(self) -> int:
        return last_tx(self.memory)

    def assertions(self, seen: FactRow) -> list[Assertion]:
        with self.memory.read() as view:
            return view.assertions(seen.fact.id)


def line_bytes(line: Json | str | bytes) -> bytes:
    if isinstance(line, bytes):
        return line
    return line.encode() if isinstance(line, str) else json.dumps(line).encode()


def record(key: str, **more: Any) -> Json:
    return {"id": key, "type": "note", "source_at": "2026-01-01T00:00:00Z", **more}


def employee(who: str, where: Any, words: str | None = None, **more: Any) -> Json:
    found = {"from": who, "to": where, "edge_label": "AFFILIATED", "fact_type": "employee", **more}
    return found if words is None else {**found, "fact": words}


def facts(*some: Json, **more: Any) -> Json:
    return {"facts": list(some), **more}


GOOD = facts(employee("Ada", "Acme"))
