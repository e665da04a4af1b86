"""A ZIP of texts: packed to the same bytes for the same texts, unpacked only if it is safe."""

import re
import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Final
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from recollect.errors import Refused
from recollect.keep.call_conflicts import ContentTooLarge
from recollect.safe_zip import BadZipFile, SafeZip, UnsafeZip, ZipLimits
from recollect.text.fold import shorten

MANIFEST: Final = "manifest.json"
MAX_ENTRIES = 100_000
MAX_BYTES = 256 << 20
MAX_RATIO = 200
_LEVEL = 9
_UNIX = 3
_ENCRYPTED = 0x1 | 0x40
_END_RECORD = b"PK\x05\x06"
_COUNT_AT = 10
_COUNTED_ELSEWHERE = 0xFFFF
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)
_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}", re.ASCII)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f]")


class BadArchive(Refused):
    """The data is not an archive that can be unpacked safely."""

    code = "bad_archive"

    def __init__(self, why: str) -> None:
        super().__init__(f"data {why}; nothing was written", field="data")


def quote_name(name: str) -> str:
    """A name from an archive as messages quote it."""
    return repr(shorten(name, 120))


def pack_zip(entries: Mapping[str, str]) -> bytes:
    """A ZIP of texts by name, sorted."""
    if len(entries) > MAX_ENTRIES:
        raise ContentTooLarge("data", f"{MAX_ENTRIES} entries; use: recollect export")
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name in sorted(entries):
            _add(archive, name, entries[name].encode())
    return packed.getvalue()


def _add(archive: ZipFile, name: str, data: bytes) -> None:
    info = ZipInfo(name, _FIXED_TIME)
    info.create_system = _UNIX
    info.external_attr = (stat.S_IFREG | 0o644) << 16
    # A higher ratio would be refused as a zip bomb when the archive is unpacked.
    is_dense = len(data) > MAX_RATIO // 2 * len(zlib.compress(data, _LEVEL))
    archive.writestr(info, data, ZIP_STORED if is_dense else ZIP_DEFLATED, _LEVEL)


def unpack_zip(data: bytes) -> dict[str, bytes]:
    """All files of an archive by name, without the folder that may wrap them."""
    try:
        with SafeZip(BytesIO(data), ZipLimits(MAX_BYTES, MAX_ENTRIES)) as archive:
            archive.check_total()
            infos = archive.infolist()
            _check_count(data, len(infos))
            _check_entries(infos)
            files = [info for info in infos if not info.is_dir()]
            found = {info.filename: archive.read(info) for info in files}
    except UnsafeZip as e:
        raise BadArchive(str(e)) from e
    except (
        BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        NotImplementedError,
        ValueError,
        OverflowError,
        OSError,
    ) as e:
        raise BadArchive(f"is not a whole ZIP archive ({type(e).__name__})") from e
    return _strip_wrapper(found)


def _check_count(data: bytes, listed: int) -> None:
    """Compare the listed entries with the count in the end record, since a damaged directory may omit some."""
    [count] = struct.unpack_from("<H", data, data.rfind(_END_RECORD) + _COUNT_AT)
    if count not in (listed, _COUNTED_ELSEWHERE):
        raise BadArchive(f"declares {count} entries but lists {listed}")


def _check_entries(infos: Sequence[ZipInfo]) -> None:
    """Check all that the directory of the archive declares before anything is unpacked."""
    seen: set[str] = set()
    for info in infos:
        _check_name(info)
        _check_kind(info)
        if info.filename in seen:
            raise BadArchive(f"has two entries {quote_name(info.filename)}")
        seen.add(info.filename)


def _check_name(info: ZipInfo) -> None:
    name = info.orig_filename
    parts = name.removesuffix("/").split("/")
    if name != info.filename or "\\" in name or ":" in name or _CONTROL_CHARACTERS.search(name):
        raise BadArchive(f"has an entry {quote_name(name)} with a forbidden character in its name")
    if any(part in ("", ".", "..") for part in parts):
        raise BadArchive(f"has an entry {quote_name(name)} that is absolute or leaves the archive")


def _check_kind(info: ZipInfo) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if info.flag_bits & _ENCRYPTED:
        raise BadArchive(f"has an encrypted entry {quote_name(info.filename)}")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or (kind == stat.S_IFDIR and not info.is_dir()):
        raise BadArchive(f"has an entry {quote_name(info.filename)} that is not a regular file")
    if info.is_dir() and info.file_size:
        raise BadArchive(f"has a folder {quote_name(info.filename)} with content")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise BadArchive(f"has an entry {quote_name(info.filename)} that is neither stored nor deflated")
    if info.file_size > MAX_RATIO * info.compress_size:
        raise BadArchive(f"has an entry {quote_name(info.filename)} that is compressed more than {MAX_RATIO}:1")


def _strip_wrapper(files: dict[str, bytes]) -> dict[str, bytes]:
    folders = {name.partition("/")[0] for name in files}
    folder = next(iter(folders)) if len(folders) == 1 else ""
    if MANIFEST in files or f"{folder}/{MANIFEST}" not in files:
        return files
    if not _FOLDER.fullmatch(folder):
        raise BadArchive(f"is wrapped in a folder {quote_name(folder)} with a forbidden name")
    return {name.removeprefix(f"{folder}/"): text for name, text in files.items()}
