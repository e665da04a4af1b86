"""An archive on disk: a ZIP or a folder, with or without its outermost folder and its manifest."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.keep.archive.export import (
    GRAPH,
    IDENTITY,
    IDENTITY_INFO,
    LABELS,
    MEMORIES,
    MEMORIES_INFO,
    ROOT,
    SCHEMA_VERSION,
)
from recollect.keep.archive.host_graph import read_host_graph
from recollect.keep.archive.zip_file import MANIFEST, MAX_BYTES, BadArchive, pack_zip, unpack_zip
from recollect.keep.formats import CATEGORIES, FILENAME, GRANULARITIES, is_visible, matches_format

_FOLDERS = (IDENTITY, MEMORIES)
_FILES = (MANIFEST, LABELS, IDENTITY_INFO, MEMORIES_INFO, GRAPH)
_LAYOUT_PREFIXES = (
    *(f"identity/{category}/" for category in CATEGORIES),
    *(f"memories/{granularity}/" for granularity in GRANULARITIES),
    "knowledge-graph/graph-export.json",
)


_ARCHIVED_DAYS = "memories/archive/daily/"
_SNAPSHOTS = ".snapshots"
_HOST_FILES = ("graph.db", "identity-meta.json")
_GRAPH_DATABASES = ("graph.db", "knowledge-graph/graph.sqlite")
_GRAPH_REASON = (
    "the database of the host's knowledge graph cannot be read; export from the host (entity_export) "
    "and ingest that archive, whose graph-export.json contains the same nodes and edges"
)
_OTHER_REASON = "it is not part of an entity-core folder; ingest it separately if you need it"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was skipped, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FoundArchive:
    """An archive repacked as a ZIP in the standard layout, and the files that were skipped."""

    data: bytes
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...] = ()


def is_archive_layout(names: list[str]) -> bool:
    """Whether files of these names make up an archive."""
    return any(_strip_wrappers(name).startswith(_LAYOUT_PREFIXES) for name in names)


def is_archive_folder(path: Path) -> bool:
    inner = path / ROOT.rstrip("/")
    folder = inner if inner.is_dir() else path
    has_identity = any((folder / "identity" / category).is_dir() for category in CATEGORIES)
    has_memories = any((folder / "memories" / granularity).is_dir() for granularity in GRANULARITIES)
    return has_identity or has_memories or _is_data_folder(folder)


def _is_data_folder(folder: Path) -> bool:
    """Whether a folder is the working folder of a host: identity files by category, with a graph or labels."""
    has_category = any((folder / category).is_dir() for category in CATEGORIES)
    return has_category and any((folder / name).is_file() for name in _HOST_FILES)


def load_archive(path: Path) -> FoundArchive:
    """The archive at a path, in the standard layout."""
    entries = _with_graph(path, _read_folder(path)) if path.is_dir() else unpack_zip(path.read_bytes())
    ours: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for name, data in entries.items():
        place = _canonical_name(name)
        reason = _doubled(name) if place in ours else _why_not(name, place, data)
        if reason is None:
            ours[place] = data.decode()
        else:
            left_out.append(LeftOut(name, reason))
    if MANIFEST not in ours:
        ours[MANIFEST] = json.dumps({"schema_version": SCHEMA_VERSION, "parts": {"entity_core": _parts_present(ours)}})
    return FoundArchive(pack_zip(ours), tuple(left_out), _snapshot_notes(path))


def _snapshot_notes(path: Path) -> tuple[str, ...]:
    """What is said about the host's snapshots, which are earlier versions of the files that come in."""
    count = sum(each.is_file() for each in path.glob(f"**/{_SNAPSHOTS}/**/*")) if path.is_dir() else 0
    return (f"{_SNAPSHOTS}: {count} earlier versions of identity files are not imported",) if count else ()


def _with_graph(folder: Path, entries: dict[str, bytes]) -> dict[str, bytes]:
    """The files with what an export has in the place of the host's graph database, unless there is an export."""
    database = next((name for name in entries if _strip_wrappers(name) in _GRAPH_DATABASES), None)
    if database is None or any(_canonical_name(name) == GRAPH for name in entries):
        return entries
    graph = read_host_graph(folder / database)
    if graph is None:
        return entries
    # The files of its write-ahead log have its name too.
    return {name: data for name, data in entries.items() if not name.startswith(database)} | {GRAPH: graph.encode()}


def _doubled(name: str) -> str:
    return f"another {name.rpartition('/')[2]} contains the same memory or file"


def _why_not(name: str, place: str, data: bytes) -> str | None:
    """Why a file is not part of an archive; none if it is."""
    if place not in _FILES and not place.startswith(_FOLDERS):
        return _GRAPH_REASON if _strip_wrappers(name).startswith(_GRAPH_DATABASES) else _OTHER_REASON
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "not UTF-8; save it as UTF-8 and ingest the folder again"
    if place.startswith(MEMORIES) and place != MEMORIES_INFO and not is_visible(text):
        return "the memory has no text"
    if place.startswith(IDENTITY) and not matches_format(FILENAME, place.rpartition("/")[2]):
        return "not an identity file; use letters, digits, _ and - in its name and the extension .md"
    return None


def _read_folder(path: Path) -> dict[str, bytes]:
    found = (each for each in sorted(path.rglob("*")) if each.is_file() and not each.is_symlink())
    files = [each for each in found if not _is_hidden(each.relative_to(path))]
    if sum(each.stat().st_size for each in files) > MAX_BYTES:
        raise BadArchive("is more than 256 MiB")
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in files}


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _strip_wrappers(name: str) -> str:
    """A name without the folders that may wrap the archive."""
    before, found, rest = name.rpartition(ROOT)
    return rest if found and before.count("/") <= 1 else name


def _canonical_name(name: str) -> str:
    inside = _strip_wrappers(name)
    category, _, file = inside.partition("/")
    if category in CATEGORIES and file:
        inside = f"identity/{inside}"
    elif inside.startswith(_ARCHIVED_DAYS):
        inside = f"memories/daily/{inside.removeprefix(_ARCHIVED_DAYS)}"
    return MANIFEST if inside.rpartition("/")[2] == MANIFEST and "/" not in inside else f"{ROOT}{inside}"


def _parts_present(entries: Mapping[str, str]) -> dict[str, bool]:
    return {
        "identity": any(name.startswith(IDENTITY) for name in entries),
        "memories": any(name.startswith(MEMORIES) for name in entries),
        "knowledge_graph": GRAPH in entries,
    }
