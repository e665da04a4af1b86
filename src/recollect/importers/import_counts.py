"""The result of an import as the command line and the HTTP API report it."""

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from recollect.importers.import_run import FileReport, ImportResult


class SkippedCount(TypedDict):
    file: str
    line: int
    reason: str


class TextOnlyCount(TypedDict):
    file: str
    reason: str


class FileCount(TypedDict):
    path: str
    kind: str | None
    records: int
    facts: int
    pending: int
    unread: int
    text_only: bool
    reason: str | None


class ImportCounts(TypedDict):
    lines: int
    changed: int
    unchanged: int
    facts: int
    skipped: list[SkippedCount]
    text_only: list[TextOnlyCount]
    files: list[FileCount]
    warnings: NotRequired[list[str]]


def import_counts(taken: Sequence[ImportResult]) -> ImportCounts:
    """Counts of what was imported, with what was skipped and why."""
    skipped = [one for each in taken for one in each.skipped]
    warnings = [one for each in taken for one in each.warnings]
    files = [_file_count(one) for each in taken for one in each.files]
    named = {each["path"] for each in files}
    unnamed = {each.file: each.reason for each in reversed(skipped) if each.file not in named}
    counts: ImportCounts = {
        "lines": sum(each.tally.lines for each in taken),
        "changed": sum(each.tally.changed for each in taken),
        "unchanged": sum(each.tally.unchanged for each in taken),
        "facts": sum(each.tally.facts for each in taken),
        "skipped": [{"file": each.file, "line": each.line, "reason": each.reason} for each in skipped],
        "text_only": [{"file": one.file, "reason": one.reason} for each in taken for one in each.text_only],
        "files": files + [_skipped_file(path, reason) for path, reason in sorted(unnamed.items())],
    }
    if warnings:
        counts["warnings"] = warnings
    return counts


def _file_count(file: FileReport) -> FileCount:
    return {
        "path": file.path,
        "kind": file.kind,
        "records": file.records,
        "facts": file.facts,
        "pending": file.pending,
        "unread": file.unread,
        "text_only": file.is_text_only,
        "reason": file.reason,
    }


def _skipped_file(path: str, reason: str) -> FileCount:
    return {**_file_count(FileReport(path)), "kind": None, "reason": reason}
