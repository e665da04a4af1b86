"""Importing files of records: lines made of foreign objects, in batches, with what was left out and why."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn

from recollect.errors import RecollectError, Unsupported
from recollect.importers.import_run import ImportItem, ImportResult, ProgressListener, import_items
from recollect.importers.notes import name_of_folder, vault_of
from recollect.ingest.chats.export_file import BrokenPart
from recollect.ingest.extract.passages import date_order
from recollect.ingest.json_stream import BrokenJson, JsonItem, iter_items, leading_items
from recollect.ingest.line import IngestItem
from recollect.memory import Memory
from recollect.safe_zip import DAMAGED_ZIP
from recollect.when.english.day_order import DateOrder


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A file or folder that is being read: where it is, the zone of times without one, and what is left out of it."""

    path: Path
    zone: tzinfo = UTC
    date_order: DateOrder | None = None
    """In which order day and month stand where both are possible."""
    left_out: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    vault_name: str | None = None
    """What the vault of a file, or a folder of notes, is known by."""

    @property
    def size(self) -> int:
        return size_of(self.path)


def size_of(path: Path) -> int:
    """The bytes of a file, or of all files of a folder."""
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    return sum(each.stat().st_size for each in files)


class PlacedLine(NamedTuple):
    """A line made of a part of a file, and how many bytes were read when it was complete."""

    line: IngestItem | BrokenPart
    bytes_read: int
    file: str | None = None
    """The file, if it is this one record."""


UNPACK_AGAIN = "download it again, or unpack it and ingest the folder"
NOTHING_IN_IT = "has a known format but nothing to import"

LineReader = Callable[[RecordFile], Iterable[PlacedLine]]
ItemReader = Callable[[JsonItem, Counter[str]], Iterator[IngestItem]]


def import_record_file(
    read: LineReader, memory: Memory, path: Path, tell: ProgressListener | None = None
) -> ImportResult:
    """Take in what a reader makes of a file; a part that cannot be read is reported and the rest is taken."""
    with memory.read() as view:
        file = RecordFile(path, view.world.zone, date_order(view.world.settings, "en", view.world.zone))
    place = path if path.is_dir() else vault_of(path)
    file = replace(file, vault_name=name_of_folder(memory, place))
    result = import_items(memory, path.name, _iter_items(read, file), file.size, tell)
    result.warnings += file.warnings
    result.warnings += [f"{path.name}: skipped {count} {what}" for what, count in file.left_out.items() if count]
    return result


def _iter_items(read: LineReader, file: RecordFile) -> Iterator[ImportItem]:
    number, done = 0, 0
    try:
        for number, (line, done, name) in enumerate(read(file), start=1):
            if isinstance(line, BrokenPart):
                reason = line.reason if name else f"cannot be read further: {line.reason}"
                yield ImportItem(number, done, "", partial(_refuse, reason), name)
            else:
                yield ImportItem(number, done, line.hash, partial(as_is, line), name)
        if not number and not any(file.left_out.values()) and not file.warnings:
            yield ImportItem(1, file.size, "", partial(_refuse, NOTHING_IN_IT), file.path.name)
    except (BrokenJson, RecollectError) as problem:
        # The batch in progress must stay, so the failure is told in place of a line.
        yield _last_item(file, number, done, str(problem))
    except DAMAGED_ZIP as problem:
        yield _last_item(file, number, done, f"is a ZIP file that is damaged or encrypted ({problem}): {UNPACK_AGAIN}")


def _last_item(file: RecordFile, number: int, done: int, problem: str) -> ImportItem:
    reason = f"cannot be read beyond this point: {problem}" if number else problem
    return ImportItem(number + 1, done, "", partial(_refuse, reason), None if number else file.path.name)


def as_is(line: IngestItem) -> IngestItem:
    """A line that needs no further parsing."""
    return line


def _refuse(reason: str) -> NoReturn:
    raise Unsupported(reason)


def json_lines(read: ItemReader) -> LineReader:
    """A reader of JSON files by what it makes of each of their items."""

    def read_file(file: RecordFile) -> Iterator[PlacedLine]:
        with file.path.open("rb") as opened:
            for item in iter_items(opened):
                for line in read(item, file.left_out):
                    yield PlacedLine(line, item.bytes_read)

    return read_file


def begins_with(is_item: Callable[[JsonItem], bool], head: bytes) -> bool:
    """Whether one of the first items of a JSON file is of a kind."""
    return any(map(is_item, leading_items(head)))
