"""Records as a team has them, and what a memory holds once they are in."""

import json
from pathlib import Path
from typing import Any

from tests.support.calls import last_tx

from recollect.importers.bundle import import_bundle
from recollect.importers.import_run import ImportTally, LazyRecordReader, SkippedLine
from recollect.memory import Memory
from recollect.store.entity_queries import entity_types
from recollect.store.fact_rows import FactFilter, FactRow
from recollect.store.view import View

Json = dict[str, Any]
MARCUS = "Marcus Webb <marcus@harrow-bridge.example>"
LEE = "Lee Park <lee@harrow-bridge.example>"


def email(key: str, content: str = "", at: str = "2026-03-11T09:00:00Z", **metadata: Any) -> Json:
    fields = {"sender": MARCUS, "recipients": [LEE], **metadata}
    return {"record": {"id": key, "type": "email", "source_at": at, "content": content, "metadata": fields}}


def issue(key: str = "lin_1", content: str = "", **metadata: Any) -> Json:
    fields = {
        "linear_id": f"L-{key}",
        "identifier": "ENG-1",
        "creator": "Dana Cole",
        "project": "Lumen Audit",
        "linear_created_at": "2026-03-01T09:00:00Z",
        **metadata,
    }
    record = {"id": key, "type": "linear_issue", "title": "Fix login", "url": "https://linear.example/1"}
    return {"record": {**record, "content": content, "metadata": fields}}


def change(key: str = "chg_1", **metadata: Any) -> Json:
    fields = {
        "issue_record_id": "lin_1",
        "field": "status",
        "from_value": "Todo",
        "to_value": "Done",
        "changed_by": "Dana Cole",
        "changed_at": "2026-03-05T09:00:00Z",
        "linear_history_id": f"H-{key}",
        **metadata,
    }
    return {"record": {"id": key, "type": "linear_issue_change", "metadata": fields}}


class Reading:
    """Takes in records, the way the command does; what its user is told stays visible."""

    def __init__(self, memory: Memory, path: Path) -> None:
        self.memory = memory
        self.path = path
        self.tally = ImportTally()
        self.skipped: list[SkippedLine] = []
        self.warnings: list[str] = []

    def __call__(self, *lines: Json) -> None:
        self.path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        reader = LazyRecordReader(self.memory)
        self.tally, self.skipped = import_bundle(self.memory, self.path, reader=reader)
        self.warnings = reader.warnings

    @property
    def last_tx(self) -> int:
        return last_tx(self.memory)


def everything(memory: Memory, *, retracted: bool = False) -> list[FactRow]:
    """Every fact there is, oldest source first."""
    with memory.read() as view:
        return sorted(_facts(view, retracted), key=lambda seen: (seen.fact.source_at, seen.text))


def _facts(view: View, retracted: bool) -> list[FactRow]:
    found: dict[str, FactRow] = {}
    for entity in view.entities_of_types(entity_types(view), 100_000):
        for seen in view.facts_about(entity.id, FactFilter(view.world.now.span, every=True, aliases=True)):
            found[seen.fact.id] = seen
    return [seen for seen in found.values() if retracted or not seen.fact.is_retracted]


def told(memory: Memory) -> list[tuple[str, str, str, str | None]]:
    """Every fact as type, ends and deadline."""
    return [
        (each.fact.fact_type, each.subject_name, str(each.object_name or ""), _end(each)) for each in everything(memory)
    ]


def _end(seen: FactRow) -> str | None:
    return seen.fact.valid_until.text if seen.fact.valid_until is not None else None


def said(memory: Memory) -> list[tuple[str, str, str, str | None]]:
    """Every fact that is not an affiliation."""
    return [
        (each.fact.fact_type, each.subject_name, str(each.object_name or ""), _end(each))
        for each in everything(memory)
        if each.fact.label != "AFFILIATED"
    ]


def graph(memory: Memory) -> list[tuple[Any, ...]]:
    """All that is known, without ids and times of arrival, to be compared."""
    with memory.read() as view:
        entities = view.entities_of_types(entity_types(view), 100_000)
        found: list[tuple[Any, ...]] = [
            (
                "entity",
                each.type,
                each.name,
                each.provisional,
                sorted(each.properties.items()),
                sorted(view.aliases(each)),
            )
            for each in entities
        ]
        for seen in _facts(view, False):
            fact, sources = seen.fact, view.assertions(seen.fact.id)
            claim = (fact.label, fact.fact_type, seen.subject_name, seen.object_name, seen.text, fact.certainty)
            state = (str(fact.valid_until), fact.source_at, fact.stale, fact.disputed, len(view.disputes_of(fact.id)))
            from_ = sorted(
                (each.source_key, each.quote or "", each.extracted_by, str(each.source_url)) for each in sources
            )
            found.append(("fact", *claim, *state, from_))
    return sorted(found, key=repr)
