"""The data folder of an entity-core host: its graph database, and the snapshots of its identity files."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from recollect.errors import RecollectError
from recollect.keep.identity_files import KIND, MODIFIED_BY, IdentityPath, put_file, remove_file
from recollect.keep.memory_formats import Category
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
from recollect.store.external_tables import open_external_tables
from recollect.store.snapshot_queries import snapshot_with_key
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
            yield _read_snapshot(path)
        except (BadSnapshotId, UnicodeDecodeError):
            yield path


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
