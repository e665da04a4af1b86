"""An archive on disk: a ZIP, a folder, or the data folder of an entity-core host."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from recollect.errors import RecollectError
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
from recollect.keep.archive.reader import names_memory
from recollect.keep.archive.zip_file import MANIFEST, MAX_BYTES, BadArchive, pack_zip, unpack_zip
from recollect.keep.identity_files import KIND, MODIFIED_BY, IdentityPath, put_file, remove_file
from recollect.keep.memory_formats import (
    CATEGORIES,
    CONTENT_LIMIT,
    FILENAME,
    GRANULARITIES,
    Category,
    is_visible,
    matches_format,
)
from recollect.keep.snapshot_store import (
    REASONS,
    SERVER_SOURCE,
    BadSnapshotId,
    SnapshotReason,
    SnapshotSubject,
    keep_earlier_text,
    parse_snapshot_id,
)
from recollect.store.change import Change
from recollect.store.client_sync_queries import snapshot_with_key
from recollect.store.external_tables import open_external_tables
from recollect.when.instant import Instant

SNAPSHOTS = ".snapshots"
_LOG = "-wal"
_NODE = tuple(
    "id type label description properties source_instance confidence source_memory_id created_at updated_at "
    "first_learned_at last_confirmed_at version deleted".split()
)
_EDGE = tuple(
    "id from_id to_id type custom_type properties weight evidence created_at updated_at occurred_at valid_until "
    "last_confirmed_at version deleted".split()
)
_HEADER = re.compile(r"(?:# [A-Z][a-z]+: [^\n]*\n)+\n")
_HEADER_LINE = re.compile(r"# ([A-Z][a-z]+): ([^\n]*)\n")
_CUSTOM = "custom"


def graph_of_database(database: bytes, log: bytes | None) -> str | None:
    """The nodes and edges of a host's database as its own export writes them; none if it is another database."""
    with TemporaryDirectory() as folder:
        # A copy, since the host may be running and SQLite would create files beside its database.
        path = Path(folder) / "graph.db"
        path.write_bytes(database)
        if log:
            path.with_name(path.name + _LOG).write_bytes(log)
        try:
            with open_external_tables(path) as tables:
                if not tables.has("graph_nodes", "id", "type", "label"):
                    return None
                nodes = [_row(row) for row in tables.read("graph_nodes", _NODE, "id")]
                edges = [_edge(_row(row)) for row in tables.read("graph_edges", _EDGE, "id")]
        except RecollectError:
            return None
    return json.dumps({"nodes": list(_live(nodes)), "edges": list(_live(edges))})


def _live(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (each for each in rows if not each.get("deleted"))


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what is empty; its properties are kept as JSON."""
    filled = {key: value for key, value in row.items() if value is not None and value != ""}
    try:
        properties = json.loads(filled.pop("properties", "{}"))
    except (ValueError, TypeError):
        properties = {}
    return {**filled, "properties": properties if isinstance(properties, dict) else {}}


def _edge(row: dict[str, Any]) -> dict[str, Any]:
    own = row.pop("custom_type", None)
    return {**row, "type": own} if own and row.get("type") == _CUSTOM else row


class HostSnapshot(NamedTuple):
    """An earlier text of an identity file, as a host keeps it."""

    subject: SnapshotSubject
    at: Instant
    reason: SnapshotReason
    source: str
    text: str


def read_snapshots(folder: Path) -> Iterator[HostSnapshot | Path]:
    """The snapshots of a data folder; the path of a file that is none."""
    for path in sorted((folder / SNAPSHOTS).glob("*/*.md")):
        try:
            found = _read_snapshot(path)
        except (BadSnapshotId, UnicodeDecodeError):
            yield path
        else:
            yield path if NUL in found.text else found


def _read_snapshot(path: Path) -> HostSnapshot:
    subject, at = parse_snapshot_id(f"{path.parent.name}/{path.stem}")
    text = path.read_bytes().decode().replace("\r\n", "\n")
    header = _HEADER.match(text)
    told = dict(_HEADER_LINE.findall(header[0])) if header else {}
    reason = told.get("Reason") if told.get("Reason") in REASONS else "manual"
    body = text[header.end() :].removesuffix("\n") if header else text
    return HostSnapshot(subject, at, cast(SnapshotReason, reason), told.get("Source") or SERVER_SOURCE, body)


def import_snapshots(change: Change, snapshots: Sequence[HostSnapshot]) -> int:
    """Keep the snapshots of a host under their own names; how many are new."""
    new = [each for each in snapshots if snapshot_with_key(change, each.subject.at(each.at)) is None]
    for each in new:
        place = IdentityPath(cast(Category, each.subject.category), each.subject.filename)
        if change.document_named(KIND, place.key) is None:
            # A file that its host deleted can be brought back from its snapshot.
            remove_file(change, put_file(change, place, each.text, {}, each.source, each.at).document)
        metadata = {"title": place.key, "properties": {MODIFIED_BY: each.source}}
        keep_earlier_text(change, each.subject.at(each.at), each.reason, each.source, each.text, metadata)
    return len(new)


NUL = "\0"
_FOLDERS = (IDENTITY, MEMORIES)
_FILES = (MANIFEST, LABELS, IDENTITY_INFO, MEMORIES_INFO, GRAPH)
_LAYOUT_PREFIXES = (
    *(f"identity/{category}/" for category in CATEGORIES),
    *(f"memories/{granularity}/" for granularity in GRANULARITIES),
    "knowledge-graph/graph-export.json",
)


_ARCHIVED_DAYS = "memories/archive/daily/"
_HOST_FILES = ("graph.db", "identity-meta.json")
_GRAPH_DATABASES = ("graph.db", "knowledge-graph/graph.sqlite")
_GRAPH_REASON = (
    "it is not a readable database of a host's knowledge graph; export from the host (entity_export) "
    "and ingest that archive, whose graph-export.json contains the nodes and edges"
)
_SNAPSHOT_REASON = "it is not a snapshot of an identity file"
_OTHER_REASON = "it is not part of an entity-core folder; ingest it separately if you need it"


@dataclass(frozen=True, slots=True)
class SkippedArchiveFile:
    """A file that was skipped, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FoundArchive:
    """An archive repacked as a ZIP in the standard layout, the files that were skipped, and a host's snapshots."""

    data: bytes
    left_out: tuple[SkippedArchiveFile, ...]
    snapshots: tuple[HostSnapshot, ...] = ()


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
    entries = _read_folder(path) if path.is_dir() else unpack_zip(path.read_bytes())
    ours: dict[str, str] = {}
    left_out: list[SkippedArchiveFile] = []
    _add_graph(entries)
    for name, data in entries.items():
        place = _canonical_name(name)
        if _is_of_graph(name) and GRAPH in map(_canonical_name, entries):
            continue
        reason = _duplicate_warning(name) if place in ours else _why_not(name, place, data)
        if reason is None:
            ours[place] = data.decode()
        else:
            left_out.append(SkippedArchiveFile(name, reason))
    if MANIFEST not in ours:
        ours[MANIFEST] = json.dumps({"schema_version": SCHEMA_VERSION, "parts": {"entity_core": _parts_present(ours)}})
    found = list(read_snapshots(path)) if path.is_dir() else []
    left_out += [SkippedArchiveFile(each.name, _SNAPSHOT_REASON) for each in found if isinstance(each, Path)]
    snapshots = tuple(each for each in found if isinstance(each, HostSnapshot))
    return FoundArchive(pack_zip(ours), tuple(left_out), snapshots)


def _is_of_graph(name: str) -> bool:
    return _strip_wrappers(name).startswith(_GRAPH_DATABASES)


def _add_graph(entries: dict[str, bytes]) -> None:
    """Add the nodes and edges of the host's database, unless its export of them is there."""
    place = next((each for each in entries if _strip_wrappers(each) in _GRAPH_DATABASES), None)
    if place is None or GRAPH in map(_canonical_name, entries):
        return
    exported = graph_of_database(entries[place], entries.get(f"{place}-wal"))
    if exported is not None:
        entries[GRAPH] = exported.encode()


def _duplicate_warning(name: str) -> str:
    return f"another {name.rpartition('/')[2]} contains the same memory or file"


def _why_not(name: str, place: str, data: bytes) -> str | None:
    """Why a file is not part of an archive; none if it is."""
    if place not in _FILES and not place.startswith(_FOLDERS):
        return _GRAPH_REASON if _is_of_graph(name) else _OTHER_REASON
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "not UTF-8; save it as UTF-8 and ingest the folder again"
    if NUL in text:
        return "a binary file, not text; it was not read"
    if place.startswith(MEMORIES) and place != MEMORIES_INFO and not is_visible(text):
        return "the memory has no text"
    if place.startswith(MEMORIES) and place != MEMORIES_INFO and not names_memory(place, Instant(0)):
        return "not a memory; name it after its date, such as memories/daily/2026-05-12_desk.md"
    if place.startswith((IDENTITY, MEMORIES)) and len(data) > CONTENT_LIMIT:
        return "longer than 1 MiB; split it"
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
