"""Importing files of every format, the way the command does."""

from pathlib import Path
from typing import Any

from tests.ingest.records import everything

from recollect.importers.formats import detect_format, read_sample, scan_path
from recollect.importers.import_run import ImportResult
from recollect.memory import Memory
from recollect.model.document import Document
from recollect.store.document_queries import list_documents

FILES = Path(__file__).parent / "files"


class Imported:
    """What a file or folder gave: the names of its formats, and the results of its files together."""

    def __init__(self, memory: Memory, path: Path) -> None:
        self.kinds: list[str] = []
        self.results: list[ImportResult] = []
        for each, kind in scan_path(path):
            found = kind or detect_format(read_sample(memory, each))
            self.kinds.append(found.name)
            self.results.append(found.import_path(memory, each, None))

    @property
    def counts(self) -> tuple[int, int, int]:
        """Lines, those that changed something, and those that did not."""
        tallies = [each.tally for each in self.results]
        return (
            sum(each.lines for each in tallies),
            sum(each.changed for each in tallies),
            sum(each.unchanged for each in tallies),
        )

    @property
    def warnings(self) -> list[str]:
        return [one for each in self.results for one in each.warnings]

    @property
    def skipped(self) -> list[str]:
        return [one.reason for each in self.results for one in each.skipped]


def documents(memory: Memory) -> dict[str, Document]:
    """Every record by its key."""
    with memory.read() as view:
        found = [view.document_named(each.kind, each.key) for each in list_documents(view, None, 10_000)]
    return {each.key: each for each in found if each is not None}


def text_of(memory: Memory, key: str) -> str:
    with memory.read() as view:
        document = view.document_named("record", key)
        assert document is not None, key
        return view.text_of(document) or ""


def facts(memory: Memory) -> set[str]:
    """The sentences of all facts."""
    return {each.text for each in everything(memory)}


def fields_of(memory: Memory, key: str) -> dict[str, Any]:
    return dict(documents(memory)[key].properties)
