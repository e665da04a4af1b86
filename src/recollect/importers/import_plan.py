"""What uploaded files are, and a trial import of them that is rolled back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from recollect.errors import RecollectError
from recollect.importers.formats import (
    WORLD_FORMATS,
    FileFormat,
    FileSample,
    Unreadable,
    detect_format,
    read_sample,
    scan_path,
    trusting_folder,
)
from recollect.importers.import_run import FileReport, ImportResult, Progress, ProgressListener, SkippedLine
from recollect.importers.record_files import size_of
from recollect.importers.timeline_guard import WouldChangeTimeline, becomes_fictional, check_timeline, defines_times
from recollect.importers.upload_folder import UnsafeArchive, UploadFolder
from recollect.memory import Memory
from recollect.model.fact import Fact
from recollect.model.ids import format_fact_id
from recollect.reason.change_history import HistoryScope, history_of
from recollect.when.period import time_text

if TYPE_CHECKING:
    from recollect.keep.chats.importer import ChatImportOptions

TRIAL_SECONDS = 8.0
"""A trial keeps other writers waiting, so it tries only the beginning of what would take longer."""
SAMPLE = 12
COUNTED = ("entities", "facts", "documents")
ByteListener = Callable[[int], None]
SampleReader = Callable[[Path], FileSample]


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file or folder that can be imported."""

    path: Path
    name: str
    format: FileFormat
    size: int


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """The files of an upload with their formats, and those that are refused, each with what to do instead."""

    files: tuple[PlannedFile, ...]
    refused: tuple[SkippedLine, ...]

    @property
    def size(self) -> int:
        return sum(each.size for each in self.files)


@dataclass(frozen=True, slots=True)
class LearnedFact:
    """One thing that an import taught: the sentence, and the fact if it is kept."""

    change: str
    text: str
    source: str | None
    fact: str | None


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What an import did, or would do: new rows, the results of its files, and a sample of what it learned."""

    new: dict[str, int]
    results: tuple[ImportResult, ...]
    sample: tuple[LearnedFact, ...]
    is_partial: bool = False
    """Whether it ended before the end of the files."""

    def total(self, name: str) -> int:
        return sum(int(getattr(each.tally, name)) for each in self.results)

    def following(self, earlier: "ImportOutcome") -> "ImportOutcome":
        """Both runs of an import that was resumed: the later one reads every file again, so its reports stand for both.

        It takes for known what the earlier one brought, and the file in which that one ended has no tally of it: what
        was known before the import cannot be told.
        """
        new = {name: count + earlier.new.get(name, 0) for name, count in self.new.items()}
        results = tuple(replace(each, tally=replace(each.tally, unchanged=0)) for each in self.results)
        return replace(self, new=new, results=results)


class ImportStopped(Exception):
    """Raised by a progress listener to end an import between two commits."""


def find_files(
    memory: Memory, paths: Sequence[Path], forced: str | None = None
) -> tuple[dict[Path, list[PlannedFile]], list[SkippedLine]]:
    """The files of each path with their formats, and those that cannot be read, each with its reason.

    If some of them define an invented world, all are read as files of that world.
    """
    found, refused = _find_files(memory, paths, forced, is_fictional=False)
    if _makes_world(memory, [each for files in found.values() for each in files]):
        return _find_files(memory, paths, forced, is_fictional=True)
    return found, refused


def _find_files(
    memory: Memory, paths: Sequence[Path], forced: str | None, *, is_fictional: bool
) -> tuple[dict[Path, list[PlannedFile]], list[SkippedLine]]:
    found: dict[Path, list[PlannedFile]] = {path: [] for path in paths}
    refused: list[SkippedLine] = []
    for path, files in found.items():
        for each, kind in scan_path(path, forced):
            name = str(each.relative_to(path)) if path.is_dir() and each != path else each.name
            try:
                known = kind or detect_format(read_sample(memory, each, is_fictional=is_fictional), forced)
            except Unreadable as problem:
                refused.append(SkippedLine(name, 0, problem.reason))
            else:
                files.append(planned_file(each, name, known))
    return found, refused


def _makes_world(memory: Memory, files: Sequence[PlannedFile]) -> bool:
    return becomes_fictional(memory, [each.path for each in files if each.format.name in WORLD_FORMATS])


def times_first(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """The files in the order of import: those that define times before those that may use them."""
    if len(files) < 2:
        return list(files)
    return sorted(files, key=lambda each: not (each.format.name in WORLD_FORMATS and defines_times(each.path)))


def plan_import(memory: Memory, folder: UploadFolder, uploads: Sequence[Path]) -> ImportPlan:
    """Recognise every file, unpacking ZIP files that are not an export themselves."""
    unpacked: dict[Path, Path] = {}
    plan = _plan(memory, folder, uploads, unpacked, is_fictional=False)
    if _makes_world(memory, plan.files):
        plan = _plan(memory, folder, uploads, unpacked, is_fictional=True)
    return replace(plan, files=tuple(times_first(plan.files)))


def _plan(
    memory: Memory, folder: UploadFolder, uploads: Sequence[Path], unpacked: dict[Path, Path], *, is_fictional: bool
) -> ImportPlan:
    found: list[PlannedFile] = []
    refused: list[SkippedLine] = []
    read = partial(read_sample, memory, is_fictional=is_fictional)
    for upload in sorted(uploads, key=lambda path: path.name):
        try:
            place, files = _recognise(folder, upload, unpacked, read, refused)
            check_timeline(memory, upload, [path for path, kind in files if kind.name in WORLD_FORMATS])
            found += (planned_file(path, _shown_name(upload, place, path), kind) for path, kind in files)
        except WouldChangeTimeline as problem:
            refused.append(SkippedLine(upload.name, 0, _needs_workspace(problem)))
        except (RecollectError, OSError) as problem:
            refused.append(SkippedLine(upload.name, 0, getattr(problem, "reason", None) or str(problem)))
    return ImportPlan(tuple(found), tuple(refused))


def _recognise(
    folder: UploadFolder, upload: Path, unpacked: dict[Path, Path], read: SampleReader, refused: list[SkippedLine]
) -> tuple[Path, list[tuple[Path, FileFormat]]]:
    """The files of an upload, and their folder: that of an unpacked archive, or the upload itself."""
    try:
        return upload, [(upload, detect_format(read(upload)))]
    except Unreadable:
        if upload.suffix.lower() != ".zip":
            raise
    if upload not in unpacked:
        unpacked[upload] = folder.unpack(upload)
    place = unpacked[upload]
    files = list(_inside(place, read, refused))
    if not files and not refused:
        raise UnsafeArchive("has no file that can be imported")
    return place, files


def _inside(folder: Path, read: SampleReader, refused: list[SkippedLine]) -> Iterator[tuple[Path, FileFormat]]:
    for path, kind in scan_path(folder):
        try:
            yield path, kind or detect_format(read(path))
        except Unreadable as problem:
            refused.append(SkippedLine(path.relative_to(folder).as_posix(), 0, problem.reason))


def _needs_workspace(problem: WouldChangeTimeline) -> str:
    return (
        "defines a world with its own calendar or present, which would change the timeline of this workspace: "
        f"create one for it (recollect workspace create {problem.proposed}) and import it there"
    )


def _shown_name(upload: Path, place: Path, path: Path) -> str:
    return upload.name if path in (upload, place) else f"{upload.name}/{path.relative_to(place).as_posix()}"


def planned_file(path: Path, name: str, kind: FileFormat) -> PlannedFile:
    """A file or folder to be imported, under the name that its user sees."""
    return PlannedFile(path, name, kind, size_of(path))


def try_import(memory: Memory, plan: ImportPlan, report: ByteListener) -> ImportOutcome:
    """Import in a transaction that is rolled back: what it would do to this store, and nothing of it stays."""
    until = monotonic() + TRIAL_SECONDS

    def keep_time(done: int) -> None:
        report(done)
        if monotonic() > until:
            raise ImportStopped

    with memory.nested(dry_run=True) as scratch:
        return run_import(scratch, plan, keep_time)


def run_import(memory: Memory, plan: ImportPlan, report: ByteListener) -> ImportOutcome:
    """Import every file. `report` gets the bytes done and may raise `ImportStopped`; what is committed stays."""
    before, last_tx = _state(memory)
    results: list[ImportResult] = []
    is_partial = False
    try:
        _import_files(memory, plan, report, results)
    except ImportStopped:
        is_partial = True
    after, _ = _state(memory)
    new = {name: after[name] - before[name] for name in COUNTED}
    return ImportOutcome(new, tuple(results), _learned_since(memory, last_tx), is_partial)


def _import_files(memory: Memory, plan: ImportPlan, report: ByteListener, results: list[ImportResult]) -> None:
    behind = 0
    for file in plan.files:
        results.append(_import_file(memory, file, behind, report))
        behind += file.size
        if behind < plan.size:
            report(behind)


def _import_file(memory: Memory, file: PlannedFile, behind: int, report: ByteListener) -> ImportResult:
    def hear(progress: Progress) -> None:
        # At the end of a file nothing is left to stop, and its result would be lost.
        if progress.done < progress.total:
            report(behind + file.size * progress.done // progress.total)

    try:
        return import_planned(memory, file, hear)
    except (RecollectError, OSError) as problem:
        return ImportResult(skipped=[SkippedLine(file.name, 0, str(problem))])


def import_planned(
    memory: Memory, file: PlannedFile, tell: ProgressListener, options: "ChatImportOptions | None" = None
) -> ImportResult:
    """Import one file; its report has the name that its user sees, and its format."""
    if options is not None and file.format.import_chats is not None:
        taken = file.format.import_chats(trusting_folder(memory, file.path), file.path, tell, options)
    else:
        taken = file.format.take(memory, file.path, tell)
    lines = [each for each in taken.skipped if each.line]
    if not taken.files and (taken.tally.changed or lines):
        report = FileReport(file.name, "", taken.tally.changed, taken.tally.facts)
        report.reason = None if taken.tally.changed else lines[0].reason
        taken.files.append(report)
    for each in taken.files:
        each.kind = each.kind or file.format.name
        each.path = file.name if each.path == file.path.name else each.path
    if not file.path.is_dir():
        taken.skipped = [replace(each, file=file.name) for each in taken.skipped]
    return taken


def _state(memory: Memory) -> tuple[dict[str, int], int]:
    with memory.read() as view:
        return dict(view.counts()), view.last_tx


def _learned_since(memory: Memory, tx: int) -> tuple[LearnedFact, ...]:
    """The newest things that were learned after a transaction, each sentence once."""
    with memory.read() as view:
        entries = history_of(view, "knowledge", HistoryScope(limit=SAMPLE * 4)).entries
        new = [each for each in entries if (each.transaction or 0) > tx]
        once = list({each.text: each for each in new}.values())[-SAMPLE:]
        facts = {row.fact.id: row.fact for row in view.fact_rows({each.fact for each in once if each.fact is not None})}
    return tuple(
        LearnedFact(
            each.change,
            each.text + (_bounds(facts[each.fact]) if each.fact in facts else ""),
            each.source,
            None if each.fact is None else format_fact_id(each.fact),
        )
        for each in once
    )


def _bounds(fact: Fact) -> str:
    """When a fact holds, in parentheses; nothing if that is not known or its own words say so."""
    since, until = time_text(fact.valid_from), time_text(fact.valid_until)
    if fact.label == "ASSERTED" or (since is None and until is None):
        return ""
    if since == until:
        return f" ({since})"
    return f" ({', '.join(f'{word} {time}' for word, time in (('since', since), ('until', until)) if time)})"
