"""What exporting and importing answer."""

from typing import Any, NotRequired

from typing_extensions import TypedDict


class PartsShown(TypedDict):
    identity: bool
    memories: bool
    knowledge_graph: bool


class ManifestParts(TypedDict):
    entity_core: PartsShown


class ArchiveCounts(TypedDict):
    identity_files: int
    memory_entries: int
    graph_nodes: int
    graph_edges: int


class ManifestShown(TypedDict):
    schema_version: int
    exported_at: str
    parts: ManifestParts
    counts: ArchiveCounts
    format: str
    server_version: int


class Exported(TypedDict):
    """The archive in base64, and what is in it."""

    success: bool
    data: str
    manifest: ManifestShown


class ImportDetails(TypedDict):
    identity_files_restored: int
    memories_restored: int
    graph_restored: bool
    meta_restored: bool
    snapshot_id: str | None
    nodes: int
    edges: int
    removed: int
    merged: int
    conflicts: int
    warnings: list[str]


class ArchiveImported(TypedDict):
    """What became of an archive."""

    success: bool
    details: ImportDetails
    tx: int
    unchanged: NotRequired[bool]


def show_manifest(manifest: Any) -> ManifestShown:
    shown: ManifestShown = manifest
    return shown
