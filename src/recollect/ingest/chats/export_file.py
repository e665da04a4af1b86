"""Files of an export: one file, or those in a folder or a ZIP."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, NamedTuple

from recollect.ingest.json_stream import BrokenJson
from recollect.safe_zip import DAMAGED_ZIP, ZIP_MAGIC, SafeZip
from recollect.when.instant import SECOND, Instant

_MARK_BYTES = 2
_CONVERSATIONS_NAME = re.compile(r"(?:.*/)?conversations[^/]*\.json", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ExportFile:
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
        with SafeZip(self.path) as archive:
            return archive.getinfo(self.member).file_size

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        if self.member is None:
            with self.path.open("rb") as file:
                yield file
            return
        with SafeZip(self.path) as archive, archive.open(self.member) as inside:
            yield inside


def is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC


def zip_members(path: Path) -> list[str]:
    """The names in a ZIP; none if it cannot be read."""
    try:
        with SafeZip(path) as archive:
            return sorted(archive.namelist())
    except (*DAMAGED_ZIP, OSError, ValueError):
        return []


def export_files(path: Path) -> list[ExportFile]:
    """The file itself, or the conversations inside a ZIP, by name."""
    if not is_zip(path):
        return [ExportFile(path)]
    return [ExportFile(path, name) for name in zip_members(path) if _CONVERSATIONS_NAME.fullmatch(name)]


def other_files(path: Path) -> list[str]:
    """What else is in a ZIP of conversations, such as pictures, by name."""
    names = [] if not is_zip(path) else zip_members(path)
    return [
        name for name in names if not (name.endswith("/") or _is_hidden(name) or _CONVERSATIONS_NAME.fullmatch(name))
    ]


class BrokenPart(NamedTuple):
    """A file of an export that cannot be read, or not to its end; the others can."""

    reason: str


class ExportTree:
    """The files of a folder or a ZIP by their names below its top, with `/` between folders."""

    def __init__(self, path: Path, archive: SafeZip | None) -> None:
        self._path = path
        self._archive = archive
        if archive is not None:
            found = {each.filename: each.file_size for each in archive.infolist() if not each.is_dir()}
        else:
            files = (each for each in path.rglob("*") if each.is_file())
            found = {each.relative_to(path).as_posix(): each.stat().st_size for each in files}
        self._top = _common_folder([each for each in found if not _is_hidden(each)])
        self._sizes = {
            each.removeprefix(self._top): size
            for each, size in sorted(found.items())
            if each.startswith(self._top) and not _is_hidden(each)
        }

    @property
    def names(self) -> list[str]:
        return list(self._sizes)

    def size(self, name: str) -> int:
        return self._sizes[name]

    def open(self, name: str) -> IO[bytes]:
        if self._archive is not None:
            return self._archive.open(self._top + name)
        return (self._path / (self._top + name)).open("rb")

    @contextmanager
    def open_json(self, name: str) -> Iterator[IO[bytes]]:
        """A file of JSON, which is named where it cannot be read."""
        try:
            with self.open(name) as file:
                yield file
        except BrokenJson as problem:
            raise BrokenJson(f"{name}: {problem}") from problem

    @contextmanager
    def open_text(self, name: str) -> Iterator[IO[str]]:
        """A file of text in UTF-8, or in UTF-16 as spreadsheets save it; what cannot be read is U+FFFD."""
        with self.open(name) as file:
            encoding = _encoding_of(file.read(_MARK_BYTES))
        with TextIOWrapper(self.open(name), encoding, "replace", newline="") as lines:
            yield lines

    @contextmanager
    def open_inner(self, name: str) -> Iterator["ExportTree"]:
        """The files of a ZIP inside."""
        if self._archive is None:
            with SafeZip(self._path / (self._top + name)) as inner:
                yield ExportTree(self._path, inner)
            return
        with self._archive.nested(self._top + name) as inner:
            yield ExportTree(self._path, inner)


def _encoding_of(head: bytes) -> str:
    """The encoding of a text that begins with a plain letter, by its mark or by where the zero of that letter is."""
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    zeros = head[:1] == b"\0", head[1:2] == b"\0"
    return {(True, False): "utf-16-be", (False, True): "utf-16-le"}.get(zeros, "utf-8-sig")


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))


def _common_folder(names: list[str]) -> str:
    """The one folder that everything is in, as archivers add it; empty if there is none."""
    tops = {name.partition("/")[0] for name in names}
    only = tops.pop() if len(tops) == 1 else ""
    return f"{only}/" if only and all(name.startswith(f"{only}/") for name in names) else ""


@contextmanager
def open_tree(path: Path) -> Iterator[ExportTree]:
    """The files of a folder or a ZIP."""
    if path.is_dir():
        yield ExportTree(path, None)
        return
    with SafeZip(path) as archive:
        yield ExportTree(path, archive)


def tree_names(path: Path) -> list[str]:
    """The names of the files in a folder or a ZIP; none if it is neither."""
    try:
        if not path.is_dir() and not is_zip(path):
            return []
        with open_tree(path) as tree:
            return tree.names
    except (*DAMAGED_ZIP, OSError, ValueError):
        return []
