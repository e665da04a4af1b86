"""An archive that lies on disk: a ZIP or a folder, with or without its outermost folder and its manifest."""

import json
from collections.abc import Mapping
from pathlib import Path

from recollect.keep.archive.entries import (
    GRAPH,
    IDENTITY,
    IDENTITY_INFO,
    LABELS,
    MEMORIES,
    MEMORIES_INFO,
    ROOT,
    SCHEMA_VERSION,
)
from recollect.keep.archive.zipped import MANIFEST, MOST_BYTES, BadArchive, pack, unpack
from recollect.keep.forms import CATEGORIES
from recollect.keep.memories.dates import GRANULARITIES

_OURS = (IDENTITY, MEMORIES)
_NAMED = (MANIFEST, LABELS, IDENTITY_INFO, MEMORIES_INFO, GRAPH)
_INSIDE = (
    *(f"identity/{category}/" for category in CATEGORIES),
    *(f"memories/{granularity}/" for granularity in GRANULARITIES),
    "knowledge-graph/graph-export.json",
)


def is_laid_out(names: list[str]) -> bool:
    """Whether files of these names are an archive."""
    return any(_inside(name).startswith(_INSIDE) for name in names)


def is_archive_folder(path: Path) -> bool:
    inner = path / ROOT.rstrip("/")
    folder = inner if inner.is_dir() else path
    has_identity = any((folder / "identity" / category).is_dir() for category in CATEGORIES)
    return has_identity or any((folder / "memories" / granularity).is_dir() for granularity in GRANULARITIES)


def archive_at(path: Path) -> bytes:
    """The archive as one ZIP that has everything in its place."""
    entries = _folder(path) if path.is_dir() else unpack(path.read_bytes())
    named = {_name(name): data for name, data in entries.items()}
    ours = {name: _text(data) for name, data in named.items() if name in _NAMED or name.startswith(_OURS)}
    if MANIFEST not in ours:
        ours[MANIFEST] = json.dumps({"schema_version": SCHEMA_VERSION, "parts": {"entity_core": _parts(ours)}})
    return pack(ours)


def _folder(path: Path) -> dict[str, bytes]:
    files = [each for each in sorted(path.rglob("*")) if each.is_file() and not each.is_symlink()]
    if sum(each.stat().st_size for each in files) > MOST_BYTES:
        raise BadArchive("is more than 256 MiB")
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in files}


def _inside(name: str) -> str:
    """A name without the folders that may stand around the archive."""
    before, found, rest = name.rpartition(ROOT)
    return rest if found and before.count("/") <= 1 else name


def _name(name: str) -> str:
    inside = _inside(name)
    return MANIFEST if inside.rpartition("/")[2] == MANIFEST and "/" not in inside else f"{ROOT}{inside}"


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadArchive("has a text that is not UTF-8") from None


def _parts(entries: Mapping[str, str]) -> dict[str, bool]:
    return {
        "identity": any(name.startswith(IDENTITY) for name in entries),
        "memories": any(name.startswith(MEMORIES) for name in entries),
        "knowledge_graph": GRAPH in entries,
    }
