"""Importing chat exports and archives of an entity."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.importers.import_run import (
    NOTHING_FOUND,
    FileReport,
    ImportResult,
    ImportTally,
    Progress,
    ProgressListener,
    SkippedLine,
)
from recollect.ingest.transcripts.agent_message import DAMAGED_MESSAGES
from recollect.memory import Memory

if TYPE_CHECKING:
    from recollect.keep.chats.importer import ChatImportOptions, ChatImportReport

EXPORT_NAMES = ("loom-standard", "chatgpt", "claude", "sillytavern", "letta", "kindroid")
NAMED_ATTACHMENTS = 20
ARCHIVE_NAME = "entity-core"


def is_export(name: str, path: Path) -> bool:
    from recollect.ingest.chats.export_reader import kind_of_export

    return kind_of_export(path) == name


def is_archive(path: Path) -> bool:
    from recollect.ingest.chats.export_file import is_zip, zip_members

    if not is_zip(path):
        return False
    from recollect.keep.archive.disk import is_archive_layout

    return is_archive_layout(zip_members(path))


def is_archive_folder(path: Path) -> bool:
    from recollect.keep.archive.disk import is_archive_folder

    return is_archive_folder(path)


def import_chat_export(
    name: str, memory: Memory, path: Path, tell: ProgressListener | None, options: "ChatImportOptions | None" = None
) -> ImportResult:
    """Take a chat export in."""
    from recollect.ingest.chats.export_file import other_files
    from recollect.keep.chats.importer import ChatImportOptions, import_chats

    report = import_chats(memory, path, name, options or ChatImportOptions(), tell and partial(_report_progress, tell))
    counts = report.conversations
    changed = counts["new"] + counts["grown"] + counts["changed"]
    lines = sum(counts.values()) + len(report.skipped)
    skipped = [SkippedLine(each.file, each.index + 1, each.reason) for each in report.skipped]
    left, unread = report.days.bullets_left_out, report.unread_messages
    warnings = [f"{path.name}: {left} messages did not fit into the memory of their day"] if left else []
    warnings += [f"{path.name}: {report.empty} conversations have no message with text"] if report.empty else []
    warnings += [f"{path.name}: skipped {unread} {DAMAGED_MESSAGES}"] if unread else []
    warnings += _attachment_warnings(path, report.attached_texts)
    warnings += _other_file_warnings(path, other_files(path))
    tally = ImportTally(lines, changed, counts["unchanged"] + counts["older"], report.new_facts)
    file = FileReport(path.name, name, changed, report.new_facts, report.pending, stated=report.facts)
    if changed and not report.facts:
        file.unread, file.reason = changed, NOTHING_FOUND
    return ImportResult(tally, skipped, warnings, report_to_json(report), files=[file])


def _attachment_warnings(path: Path, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    told = ", ".join(list(dict.fromkeys(names))[:NAMED_ATTACHMENTS])
    return [f"{path.name}: the text of {len(names)} attached files was skipped; ingest the files themselves: {told}"]


def _other_file_warnings(path: Path, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    told = ", ".join(names[:NAMED_ATTACHMENTS]) + (", …" if len(names) > NAMED_ATTACHMENTS else "")
    return [f"{path.name}: skipped {len(names)} files next to the conversations: {told}"]


def _report_progress(tell: ProgressListener, done: int, total: int) -> None:
    tell(Progress(done, total))


def report_to_json(report: "ChatImportReport") -> dict[str, Any]:
    """What is reported of an export."""
    return {
        "kind": report.kind,
        "files": report.files,
        "conversations": {**report.conversations, "skipped": len(report.skipped)},
        "messages_added": report.messages_added,
        "memories": {"created": len(report.days.created), "updated": len(report.days.updated)},
        "skipped": [
            {"file": each.file, "line": each.index + 1, "index": each.index, "id": each.id, "reason": each.reason}
            for each in report.skipped
        ],
    }


def merge_reports(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two reports as one: numbers added, lists put together, kinds named side by side."""
    return {key: _merge_values(one[key], other[key]) for key in one}


def _merge_values(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return merge_reports(one, other)
    if isinstance(one, str):
        return one if other in one.split(", ") else f"{one}, {other}"
    return one + other


def import_entity_archive(memory: Memory, path: Path, tell: ProgressListener | None) -> ImportResult:
    """Take an archive in, as `entity_import` does in mode merge: all of it, or nothing."""
    from recollect.keep.archive.disk import import_snapshots, load_archive
    from recollect.keep.archive.importer import import_archive
    from recollect.keep.archive.reader import read_archive
    from recollect.keep.snapshot_store import WHOLE_STATE, create_snapshot

    found = load_archive(path)
    with memory.read() as view:
        archive = read_archive(found.data, view.world.zone, view.now)
    with memory.write() as change:
        create_snapshot(change, WHOLE_STATE, "pre-import")
        imported = import_archive(change, archive, "merge")
        new_snapshots = import_snapshots(change, found.snapshots)
        is_new = change.has_changed or bool(new_snapshots)
    graph = imported.graph
    edges = graph.edges if graph is not None else 0
    texts = len(archive.files or ()) + len(archive.memories or ()) + len(found.snapshots)
    lines = texts + edges + (graph.nodes if graph is not None else 0)
    if tell is not None:
        tell(Progress(len(found.data), len(found.data)))
    tally = ImportTally(lines, lines if is_new else 0, 0 if is_new else lines, edges if is_new else 0)
    return ImportResult(
        tally, [SkippedLine(each.name, 0, each.reason) for each in found.left_out], list(imported.warnings)
    )
