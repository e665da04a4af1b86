"""Watching paths: files that are new or have changed are imported."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.errors import RecollectError
from recollect.importers.formats import WORLD_FORMATS, FileFormat, detect_format, read_sample, scan_path
from recollect.importers.import_run import ImportResult, SkippedLine
from recollect.importers.timeline_guard import check_timeline, defines_times
from recollect.memory import Memory

FileStamp = tuple[int, int]


class PathWatcher:
    """Remembers the state of each file at its last import; after a restart, all are looked at once."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = tuple(paths)
        self._seen: dict[Path, FileStamp] = {}

    def poll(self, memory: Memory) -> Iterator[tuple[Path, ImportResult]]:
        """Import what has changed since the last poll; a file that fails is reported, and retried when it changes."""
        for path in self._paths:
            changed = [(each, kind) for each, kind in scan_path(path) if self._is_changed(each)]
            for each, kind in sorted(changed, key=lambda found: not (found[1] is None and _is_world(memory, found[0]))):
                taken = _import_path(memory, each, kind)
                if taken.tally.changed or taken.skipped or taken.warnings:
                    yield each, taken

    def _is_changed(self, path: Path) -> bool:
        """Whether a file is not as it was at the last look; from now on it is."""
        stamp = _file_stamp(path)
        if stamp is None or self._seen.get(path) == stamp:
            return False
        self._seen[path] = stamp
        return True


def _is_world(memory: Memory, path: Path) -> bool:
    """Whether a file defines times, so that it comes before the files that may use them."""
    try:
        return detect_format(read_sample(memory, path)).name in WORLD_FORMATS and defines_times(path)
    except (RecollectError, OSError):
        return False


def _file_stamp(path: Path) -> FileStamp | None:
    """The newest change and the size of a file, or of all files of a folder; None if it was deleted."""
    try:
        files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
        stats = [each.stat() for each in files]
    except OSError:
        return None
    return max((each.st_mtime_ns for each in stats), default=0), sum(each.st_size for each in stats)


def _import_path(memory: Memory, path: Path, kind: FileFormat | None) -> ImportResult:
    try:
        kind = kind or detect_format(read_sample(memory, path))
        if kind.name in WORLD_FORMATS:
            check_timeline(memory, path, [path])
        return kind.take(memory, path, None)
    except (RecollectError, OSError) as problem:
        return ImportResult(skipped=[SkippedLine(path.name, 0, str(problem))])
