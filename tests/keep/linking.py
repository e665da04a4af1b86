"""Memories told in lines, and the links between them by their record ids."""

import json
from pathlib import Path
from typing import Any

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.keep.network.links import links_of
from recollect.memory import Memory
from recollect.model.ids import DocumentId

Json = dict[str, Any]
Told = tuple[str, str, str, float]


class Notebook:
    """Takes in memories and says how they are linked."""

    def __init__(self, memory: Memory, path: Path) -> None:
        self.memory = memory
        self.path = path
        self.ids: dict[str, DocumentId] = {}

    def tell(self, *lines: Json) -> list[str]:
        """Take in lines as the command does; the reasons of those that were skipped."""
        self.path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        skipped = import_bundle(self.memory, self.path, None, LINE_HANDLERS)[1]
        with self.memory.read() as view:
            for key in (line["record"]["id"] for line in lines if "record" in line):
                found = view.document_named("memory", key)
                if found is not None:
                    self.ids[key] = found.id
        return [each.reason for each in skipped]

    def links(self, *types: str, as_of: int | None = None) -> list[Told]:
        """The links of these types, by record ids and with rounded confidence."""
        names = {memory: key for key, memory in self.ids.items()}
        with self.memory.read(as_of) as view:
            found = [link for link in links_of(view, self.ids.values()) if not types or link.type in types]
        return sorted((names[each.one], names[each.other], each.type, round(each.confidence, 4)) for each in found)


def memory_line(key: str, content: str, at: str = "2026-05-01T08:00:00Z", **more: Any) -> Json:
    """A memory that stands in a stream of its own, unless another is given."""
    record = {"id": key, "type": "memory", "source_at": at, "content": content, "stream": f"only {key}"}
    facts = more.pop("facts", [])
    entities = more.pop("entities", [])
    return {"record": {**record, **more}, "facts": facts, "entities": entities}


def fact(one: str, predicate: str, other: Any, **more: Any) -> Json:
    return {"from": {"name": one, "type": "person"}, "predicate": predicate, "to": other, **more}
