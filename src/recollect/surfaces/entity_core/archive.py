"""`entity_export` and `entity_import`: everything I am as one archive."""

import binascii
from base64 import b64decode, b64encode
from typing import Annotated, Final, Literal, NotRequired, cast

from pydantic import AfterValidator, Field
from typing_extensions import TypedDict

from recollect.keep.archive.export import PARTS, Archive, export_archive
from recollect.keep.archive.importer import ArchiveImport, import_archive
from recollect.keep.archive.reader import read_archive
from recollect.keep.archive.zip_file import MAX_BYTES, BadArchive, pack_zip
from recollect.keep.call_conflicts import ContentTooLarge
from recollect.keep.graph.node_vectors import index_nodes
from recollect.keep.snapshot_store import WHOLE_STATE, create_snapshot
from recollect.memory import Memory
from recollect.surfaces.entity_core.surface import acting_as, surface, write_receipt
from recollect.surfaces.parameter_types import AsOf, Flag

EXAMPLE_ARCHIVE = (
    "UEsDBBQAAAAIAAAAIQDe6XHUEgAAABAAAAAnAAAAZW50aXR5LWNvcmUvaWRlbnRpdHkvdXNlci91c2VyX25vdGVzLm1k88vPL1LI"
    "ycxOLVZIy0/X4wIAUEsDBBQAAAAIAAAAIQBQdyfZPAAAAEQAAAANAAAAbWFuaWZlc3QuanNvbqtWKk7OSM1NjC9LLSrOzM9TslIw"
    "1FFQKkgsKikGsquVUvNKMksq45Pzi1LB/MwUiAiQU1JUmlpbW8sFAFBLAQIUAxQAAAAIAAAAIQDe6XHUEgAAABAAAAAnAAAAAAAA"
    "AAAAAACkgQAAAABlbnRpdHktY29yZS9pZGVudGl0eS91c2VyL3VzZXJfbm90ZXMubWRQSwECFAMUAAAACAAAACEAUHcn2TwAAABE"
    "AAAADQAAAAAAAAAAAAAApIFXAAAAbWFuaWZlc3QuanNvblBLBQYAAAAAAgACAJAAAAC+AAAAAAA="
)


class ArchivePartsView(TypedDict):
    identity: bool
    memories: bool
    knowledge_graph: bool


class ManifestParts(TypedDict):
    entity_core: ArchivePartsView


class ArchiveCounts(TypedDict):
    identity_files: int
    memory_entries: int
    graph_nodes: int
    graph_edges: int


class ManifestView(TypedDict):
    schema_version: int
    exported_at: str
    parts: ManifestParts
    counts: ArchiveCounts
    format: str
    server_version: int


class ArchiveExportResult(TypedDict):
    """The archive in base64, and what is in it."""

    success: bool
    data: str
    manifest: ManifestView


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


class ArchiveImportResult(TypedDict):
    """What became of an archive."""

    success: bool
    details: ImportDetails
    tx: int
    unchanged: NotRequired[bool]


# ruff: noqa: N803 the published names


MAX_ARCHIVE_BASE64: Final = 48 << 20


def _check_data(text: str) -> str:
    if len(text) > MAX_ARCHIVE_BASE64:
        raise ContentTooLarge("data", "48 MiB of base64")
    return text


ArchiveData = Annotated[str, AfterValidator(_check_data), Field(description="A ZIP archive in base64")]
ArchiveParts = Annotated[list[Literal["identity", "memories", "graph"]], Field(description="Which parts; default all")]
ImportMode = Annotated[
    Literal["overwrite", "merge"], Field(description="Become what the archive holds, or add what is new in it")
]


@surface.tool("read", example={"include": ["identity"]})
def entity_export(memory: Memory, include: ArchiveParts | None = None, as_of: AsOf = None) -> ArchiveExportResult:
    """I use this to pack everything I am into one archive.

    It holds the present state; for the whole history there is `recollect export`.
    """
    with memory.read(as_of) as view:
        packed = export_archive(view, PARTS if include is None else include)
    if sum(len(text.encode()) for text in packed.entries.values()) > MAX_BYTES:
        raise ContentTooLarge("data", "256 MiB unpacked; use: recollect export")
    data = b64encode(pack_zip(packed.entries)).decode()
    if len(data) > MAX_ARCHIVE_BASE64:
        raise ContentTooLarge("data", "48 MiB of base64; use: recollect export")
    return {"success": True, "data": data, "manifest": cast(ManifestView, packed.manifest)}


@surface.tool("destroy", example={"data": EXAMPLE_ARCHIVE, "mode": "merge"}, idempotent=False, reports_progress=True)
def entity_import(
    memory: Memory,
    data: ArchiveData,
    mode: ImportMode,
    dryRun: Annotated[Flag, Field(description="Check and count only; write nothing")] = False,
) -> ArchiveImportResult:
    """I use this to unpack an archive of me: all of it, or nothing if anything is wrong.

    `merge` deletes nothing; `overwrite` makes each part what the archive holds.
    """
    unpacked = _decode(data)
    with memory.read() as view:
        archive = read_archive(unpacked, view.world.zone, view.now)
    return _import_archive(acting_as(memory, None), archive, mode, is_tried=dryRun)


def _import_archive(memory: Memory, archive: Archive, mode: ImportMode, *, is_tried: bool) -> ArchiveImportResult:
    """Import the archive in one transaction, which a dry run rolls back at the end."""
    with memory.write(dry_run=is_tried) as change:
        last_tx = change.last_tx
        before = None if is_tried else create_snapshot(change, WHOLE_STATE, "pre-import").id
        imported = import_archive(change, archive, mode, memory.report_progress)
        answer: ArchiveImportResult = {
            "success": True,
            "details": _import_details(archive, imported, before),
            **write_receipt(change),
        }
    if is_tried:
        return {**answer, "tx": last_tx}
    index_nodes(memory, imported.nodes)
    return answer


def _decode(data: str) -> bytes:
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadArchive("is not base64") from None


def _import_details(archive: Archive, imported: ArchiveImport, before: str | None) -> ImportDetails:
    files, memories, graph = imported.files, imported.memories, imported.graph
    return {
        "identity_files_restored": files.current,
        "memories_restored": memories.current,
        "graph_restored": graph is not None,
        "meta_restored": archive.has_labels,
        "snapshot_id": before,
        "nodes": graph.nodes if graph else 0,
        "edges": graph.edges if graph else 0,
        "removed": files.removed + memories.removed + (graph.removed if graph else 0),
        "merged": files.merged + memories.merged,
        "conflicts": files.conflicts + memories.conflicts,
        "warnings": list(imported.warnings),
    }
