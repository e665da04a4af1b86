"""What kinds of files can be taken in, and how a file's kind is told by its content: the first that fits.

Each kind imports its reader when it is needed, so that a plain bundle does not pay for the others.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import Unsupported
from recollect.ingest.taken import Taken, Told
from recollect.memory import Memory

HEAD = 1024 * 1024


class UnknownKind(Unsupported):
    def __init__(self, what: str) -> None:
        names = ", ".join(kind.name for kind in KINDS)
        super().__init__(f"{what} is of no kind that can be taken in; there are: {names}. Force one with --as")


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file, and what its workspace's timeline makes of plain text."""

    path: Path
    head: bytes
    is_fictional: bool

    @property
    def suffix(self) -> str:
        return self.path.suffix.lower()

    @property
    def first_line(self) -> bytes:
        return self.head.split(b"\n", 1)[0]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file: how it is told, and what takes it in.

    A folder is taken whole where `takes_folder` says so of it; else its files are told one by one.
    """

    name: str
    fits: Callable[[Sample], bool]
    take: Callable[[Memory, Path, Told | None], Taken]
    takes_folder: Callable[[Path], bool] = lambda _: False


def sample_of(memory: Memory, path: Path) -> Sample:
    with memory.read() as view:
        is_fictional = view.world.timeline.is_fictional
    with path.open("rb") as file:
        return Sample(path, file.read(HEAD), is_fictional)


def kind_of(sample: Sample) -> Kind:
    """The first kind that fits."""
    for kind in KINDS:
        if kind.fits(sample):
            return kind
    raise UnknownKind(sample.path.name)


def kind_named(name: str) -> Kind:
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise UnknownKind(name)


def _is_bundle(sample: Sample) -> bool:
    return sample.suffix in (".jsonl", ".ndjson") or _is_object(sample.first_line)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _take_bundle(memory: Memory, path: Path, tell: Told | None) -> Taken:
    from recollect.ingest.bundle import ingest_bundle

    return Taken(*ingest_bundle(memory, path, tell))


KINDS: tuple[Kind, ...] = (Kind("bundle", _is_bundle, _take_bundle),)
