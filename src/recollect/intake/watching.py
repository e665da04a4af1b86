"""Looking after files that grow: each is taken in again when it has changed."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from recollect.errors import RecollectError
from recollect.ingest.taken import Skipped, Taken
from recollect.intake.kinds import BUNDLE, Kind, kind_of, sample_of
from recollect.intake.wholes import wholes
from recollect.intake.worlds import check_timeline
from recollect.memory import Memory

Stamp = tuple[int, int]


class Watch:
    """Remembers how each file looked when it was last taken in; a restart looks at all of them once."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = tuple(paths)
        self._seen: dict[Path, Stamp] = {}

    def look(self, memory: Memory) -> Iterator[tuple[Path, Taken]]:
        """Take in what has changed since the last look; a file that fails is told and tried when it changes again."""
        for path in self._paths:
            for each, kind in wholes(path):
                stamp = _stamp(each)
                if stamp is None or self._seen.get(each) == stamp:
                    continue
                self._seen[each] = stamp
                taken = _take(memory, each, kind)
                if taken.tally.changed or taken.skipped or taken.warnings:
                    yield each, taken


def _stamp(path: Path) -> Stamp | None:
    """The newest change and the size of a file, or of all files of a folder; none if it is gone."""
    try:
        files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
        stats = [each.stat() for each in files]
    except OSError:
        return None
    return max((each.st_mtime_ns for each in stats), default=0), sum(each.st_size for each in stats)


def _take(memory: Memory, path: Path, kind: Kind | None) -> Taken:
    try:
        kind = kind or kind_of(sample_of(memory, path))
        if kind.name == BUNDLE:
            check_timeline(memory, path, [path])
        return kind.take(memory, path, None)
    except (RecollectError, OSError) as problem:
        return Taken(skipped=[Skipped(path.name, 0, str(problem))])
