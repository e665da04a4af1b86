"""ZIP files of others: bounds on how many files they hold, how much these unpack to and how deep they are nested.

`zipfile` never unpacks more of a file than its entry declares, so the bounds are on what entries declare.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any, Literal, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

from recollect.errors import Unsupported

_DENSE_BYTES = 100 * 1024**2
_DENSEST = 200
_BLOCK = 1024**2
ZIP_MAGIC = b"PK\x03\x04"
DAMAGED_ZIP = (BadZipFile, zlib.error, EOFError)
"""What opening or reading a ZIP that is damaged or encrypted raises."""


class ZipLimits(NamedTuple):
    """How many entries a ZIP may have, to how many bytes what is read of it may unpack, and ZIPs in how many ZIPs."""

    bytes: int = 16 * 1024**3
    members: int = 200_000
    depth: int = 3


class UnsafeZip(Unsupported):
    """A ZIP that is larger than anybody would make it."""

    code = "unsafe_archive"


class SafeZip(ZipFile):
    """A ZIP to read from; beyond its limits it is refused."""

    def __init__(self, source: Any, limits: ZipLimits = ZipLimits(), depth: int = 1) -> None:  # noqa: B008 immutable
        super().__init__(source)
        self._limits = limits
        self._depth = depth
        self._left = limits.bytes
        if len(self.infolist()) > limits.members:
            self.close()
            raise UnsafeZip(f"has {len(self.infolist())} files; {limits.members} can be imported at once. Split it")

    def check_total(self) -> None:
        """Refuse one whose files are too large together, before any is read."""
        if sum(each.file_size for each in self.infolist()) > self._limits.bytes:
            raise self._too_large()

    def open(
        self,
        name: str | ZipInfo,
        mode: Literal["r", "w"] = "r",
        pwd: bytes | None = None,
        *,
        force_zip64: bool = False,
    ) -> IO[bytes]:
        info = name if isinstance(name, ZipInfo) else self.getinfo(name)
        if info.file_size > _DENSE_BYTES and info.file_size > _DENSEST * info.compress_size:
            raise UnsafeZip(f"has a file {info.filename[:80]!r} that is compressed more than {_DENSEST}:1")
        self._left -= info.file_size
        if self._left < 0:
            raise self._too_large()
        try:
            return super().open(info, mode, pwd, force_zip64=force_zip64)
        except (RuntimeError, NotImplementedError) as problem:
            told = f"{info.filename[:80]!r} is encrypted, or compressed in a way that is not known here"
            raise BadZipFile(told) from problem

    def read_start(self, name: str, most: int) -> bytes:
        """The first bytes of a file; no more than these are unpacked."""
        with self.open(name) as opened:
            return opened.read(most)

    @contextmanager
    def nested(self, name: str) -> Iterator["SafeZip"]:
        """A ZIP inside this one, unpacked to the disk; what is read of both counts together."""
        if self._depth >= self._limits.depth:
            raise UnsafeZip(f"has ZIP files in ZIP files, more than {self._limits.depth} deep")
        with TemporaryFile() as file, self._unpacked(name, file) as inner:
            yield inner
            self._left = inner._left

    def _unpacked(self, name: str, file: IO[bytes]) -> "SafeZip":
        try:
            with self.open(name) as packed:
                copyfileobj(packed, file, _BLOCK)
            return SafeZip(file, self._limits._replace(bytes=self._left), self._depth + 1)
        except DAMAGED_ZIP as problem:
            raise UnsafeZip(f"has a damaged ZIP file {name[:80]!r} inside") from problem

    def _too_large(self) -> UnsafeZip:
        size = self._limits.bytes
        shown = f"{size // 1024**3} GiB" if size >= 1024**3 else f"{max(1, size // 1024**2)} MiB"
        return UnsafeZip(f"is larger than {shown} when unpacked; unpack it and use: recollect ingest FOLDER")


__all__ = ["DAMAGED_ZIP", "ZIP_MAGIC", "BadZipFile", "SafeZip", "UnsafeZip", "ZipLimits"]
