"""Uploaded files in a private temporary folder, with zip files unpacked safely."""

import os
import re
import shutil
import stat
import tempfile
import weakref
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import ZipInfo

from recollect.errors import Refused
from recollect.importers.notes import UPLOADS_PREFIX, VAULT_FOLDER
from recollect.safe_zip import BadZipFile, SafeZip, UnsafeZip, ZipLimits

MOST_MEMBERS = 20_000
MOST_UNPACKED_BYTES = 2 * 1024**3
LONGEST_NAME = 120
_BLOCK = 1024 * 1024
_UNSAFE = re.compile(r'[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069<>:"|?*]+')
_IGNORED_PARTS = ("__MACOSX", ".DS_Store", "Thumbs.db")


class UnsafeArchive(Refused):
    """A zip file that is damaged, too large, or would write outside its folder."""

    code = "unsafe_archive"


class UploadFolder:
    """A folder that only this user can read; it is removed with `remove`, or at the latest with the process.

    It is marked as a vault: notes are then known by their place in it, so that uploading a note again updates it.
    """

    def __init__(self) -> None:
        root = Path(tempfile.mkdtemp(prefix=UPLOADS_PREFIX))
        self._finalizer = weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        self.path = root / "uploads"
        _make_folders(self.path / VAULT_FOLDER)

    @property
    def exists(self) -> bool:
        return self._finalizer.alive

    def remove(self) -> None:
        self._finalizer()

    def add(self, name: str, content: IO[bytes]) -> Path:
        """Store a file under a safe form of its name."""
        path = self._free_path(safe_name(name))
        with _create(path) as file:
            shutil.copyfileobj(content, file, _BLOCK)
        return path

    def unpack(self, archive: Path) -> Path:
        """Unpack a zip file into a folder of its own; nothing stays of one that is refused."""
        folder = self._free_path(archive.stem)
        folder.mkdir(mode=0o700)
        try:
            _unpack(archive, folder)
        except (BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, zlib.error, ValueError) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            raise UnsafeArchive(
                f"cannot be unpacked ({problem}): unpack it yourself and import what is inside"
            ) from problem
        except (UnsafeArchive, UnsafeZip) as problem:
            shutil.rmtree(folder, ignore_errors=True)
            raise UnsafeArchive(str(problem)) from problem
        return folder

    def _free_path(self, name: str) -> Path:
        """A path of this name; where one exists, in a numbered folder, so that the name itself stays."""
        path, number = self.path / name, 1
        while path.exists():
            number += 1
            path = self.path / str(number) / name
        _make_folders(path.parent)
        return path


def safe_name(name: str) -> str:
    """The last part of a file name, without characters that file systems or readers stumble over."""
    last = re.split(r"[/\\]", name)[-1]
    clean = _UNSAFE.sub("_", last.encode("utf-8", "replace").decode()).strip(" .") or "file"
    stem, dot, suffix = clean.rpartition(".")
    if not dot or len(suffix) > 12:
        stem, suffix = clean, ""
    cut = stem.encode()[:LONGEST_NAME].decode("utf-8", "ignore")
    return f"{cut}.{suffix}" if suffix else cut


def _create(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _make_folders(path: Path) -> None:
    """Make a folder and those above it; `parents=True` would make these readable by others."""
    if not path.is_dir():
        _make_folders(path.parent)
        path.mkdir(mode=0o700)


def _unpack(archive: Path, folder: Path) -> None:
    with SafeZip(archive, ZipLimits(MOST_UNPACKED_BYTES, MOST_MEMBERS)) as opened:
        for member, inner in _safe_members(opened.infolist()):
            target = folder / inner
            _make_folders(target.parent)
            with opened.open(member) as content, _create(target) as file:
                shutil.copyfileobj(content, file, _BLOCK)
        if any(VAULT_FOLDER in PurePosixPath(each.filename).parts for each in opened.infolist()):
            _mark_vaults(opened.infolist(), folder)


def _safe_members(members: list[ZipInfo]) -> Iterator[tuple[ZipInfo, PurePosixPath]]:
    """The files to unpack; hidden ones and those of the operating system are left out."""
    for member in members:
        inner = _inner_path(member)
        is_ignored = any(part.startswith(".") or part in _IGNORED_PARTS for part in inner.parts)
        if not member.is_dir() and not is_ignored:
            yield member, inner


def _inner_path(member: ZipInfo) -> PurePosixPath:
    name = member.filename
    path = PurePosixPath(name)
    is_outside = path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or ":" in name[:2]
    if is_outside or stat.S_ISLNK(member.external_attr >> 16):
        raise UnsafeArchive(f"has a member that leads out of it ({name[:80]!r}); nothing of it was read")
    return path


def _mark_vaults(members: list[ZipInfo], folder: Path) -> None:
    for member in members:
        parts = PurePosixPath(member.filename).parts
        if VAULT_FOLDER in parts:
            _make_folders(folder.joinpath(*parts[: parts.index(VAULT_FOLDER) + 1]))
