"""The files of an export: the one that a path names, or those inside a ZIP."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import BadZipFile, ZipFile

from recollect.when.instant import SECOND, Instant

_CONVERSATIONS = re.compile(r"(?:.*/)?conversations[^/]*\.json", re.IGNORECASE)
ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class File:
    """One file of an export; `member` is its name inside a ZIP."""

    path: Path
    member: str | None = None

    @property
    def name(self) -> str:
        return self.path.name if self.member is None else f"{self.path.name}/{self.member}"

    @property
    def stem(self) -> str:
        return Path(self.member or self.path.name).stem

    @property
    def changed_at(self) -> Instant:
        """When the file was last written."""
        return Instant(int(self.path.stat().st_mtime) * SECOND)

    @property
    def size(self) -> int:
        if self.member is None:
            return self.path.stat().st_size
        with ZipFile(self.path) as archive:
            return archive.getinfo(self.member).file_size

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        if self.member is None:
            with self.path.open("rb") as file:
                yield file
            return
        with ZipFile(self.path) as archive, archive.open(self.member) as inside:
            yield inside


def is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(ZIP)) == ZIP


def members(path: Path) -> list[str]:
    """The names in a ZIP; none if it cannot be read."""
    try:
        with ZipFile(path) as archive:
            return sorted(archive.namelist())
    except (BadZipFile, OSError, ValueError):
        return []


def files_of(path: Path) -> list[File]:
    """The file itself, or the conversations inside a ZIP, by name."""
    if not is_zip(path):
        return [File(path)]
    return [File(path, name) for name in members(path) if _CONVERSATIONS.fullmatch(name)]
