"""Chat exports and archives of an entity as kinds of files."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.ingest.taken import Progress, Skipped, Taken, Tally, Told
from recollect.memory import Memory

if TYPE_CHECKING:
    from recollect.keep.chats.importing import Report
    from recollect.keep.chats.options import Options

NAMES = ("loom-standard", "chatgpt", "claude", "sillytavern", "letta", "kindroid")
ARCHIVE = "entity-core"


def is_export(name: str, path: Path) -> bool:
    from recollect.ingest.chats.detect import kind_of_export

    return kind_of_export(path) == name


def is_archive(path: Path) -> bool:
    from recollect.ingest.chats.files import is_zip, members

    if not is_zip(path):
        return False
    from recollect.keep.archive.path import is_laid_out

    return is_laid_out(members(path))


def is_archive_folder(path: Path) -> bool:
    from recollect.keep.archive.path import is_archive_folder

    return is_archive_folder(path)


def take_export(name: str, memory: Memory, path: Path, tell: Told | None, options: "Options | None" = None) -> Taken:
    """Take a chat export in."""
    from recollect.keep.chats.importing import take_export
    from recollect.keep.chats.options import Options

    report = take_export(memory, path, name, options or Options(), tell and partial(_tell, tell))
    counts = report.conversations
    changed = counts["new"] + counts["grown"] + counts["changed"]
    lines = sum(counts.values()) + len(report.skipped)
    skipped = [Skipped(each.file, each.index + 1, each.reason) for each in report.skipped]
    left = report.days.left_out
    warnings = [f"{path.name}: {left} messages found no room in the memory of their day"] if left else []
    return Taken(Tally(lines, changed, counts["unchanged"] + counts["older"]), skipped, warnings, shown(report))


def _tell(tell: Told, done: int, total: int) -> None:
    tell(Progress(done, total))


def shown(report: "Report") -> dict[str, Any]:
    """What is reported of an export."""
    return {
        "kind": report.kind,
        "files": report.files,
        "conversations": {**report.conversations, "skipped": len(report.skipped)},
        "messages_added": report.messages_added,
        "memories": {"created": len(report.days.created), "updated": len(report.days.updated)},
        "skipped": [
            {"file": each.file, "index": each.index, "id": each.id, "reason": each.reason} for each in report.skipped
        ],
    }


def joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two reports as one: numbers added, lists put together, kinds named side by side."""
    return {key: _joined(one[key], other[key]) for key in one}


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return joined(one, other)
    if isinstance(one, str):
        return one if other in one.split(", ") else f"{one}, {other}"
    return one + other


def take_archive(memory: Memory, path: Path, tell: Told | None) -> Taken:
    """Take an archive in, as `entity_import` does in mode merge: all of it, or nothing."""
    from recollect.keep.archive.importing import take_archive
    from recollect.keep.archive.path import archive_at
    from recollect.keep.archive.reading import read_archive
    from recollect.keep.snapshots.naming import WHOLE, name_one

    found = archive_at(path)
    with memory.read() as view:
        archive = read_archive(found.data, view.world.zone, view.now)
    with memory.write() as change:
        name_one(change, WHOLE, "pre-import")
        imported = take_archive(change, archive, "merge")
        is_new = change.has_changed
    lines = len(archive.files or ()) + len(archive.memories or ())
    if tell is not None:
        tell(Progress(len(found.data), len(found.data)))
    tally = Tally(lines, lines if is_new else 0, 0 if is_new else lines)
    return Taken(tally, [Skipped(each.name, 0, each.reason) for each in found.left_out], list(imported.warnings))
