"""Packing everything I am into one archive, and unpacking it."""
# ruff: noqa: N803 the published names

import binascii
from base64 import b64decode, b64encode
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field

from recollect.keep.archive.entries import PARTS, Archive, archive_of
from recollect.keep.archive.importing import Imported, take_archive
from recollect.keep.archive.reading import read_archive
from recollect.keep.archive.zipped import MOST_BYTES, BadArchive, pack
from recollect.keep.graph.indexing import index_nodes
from recollect.keep.problems import TooLarge
from recollect.keep.snapshots.naming import WHOLE, name_one
from recollect.memory import Memory
from recollect.surfaces.entity_core.answers import written
from recollect.surfaces.entity_core.archive_example import SMALL_ARCHIVE
from recollect.surfaces.entity_core.archive_results import ArchiveImported, Exported, ImportDetails, show_manifest
from recollect.surfaces.entity_core.instances import acting_as
from recollect.surfaces.entity_core.surface import surface
from recollect.surfaces.shapes import AsOf, Flag

LIMIT: Final = 48 << 20


def _checked_data(text: str) -> str:
    if len(text) > LIMIT:
        raise TooLarge("data", "48 MiB of base64")
    return text


Data = Annotated[str, AfterValidator(_checked_data), Field(description="A ZIP archive in base64")]
Include = Annotated[list[Literal["identity", "memories", "graph"]], Field(description="Which parts; default all")]
ImportMode = Annotated[
    Literal["overwrite", "merge"], Field(description="Become what the archive holds, or add what is new in it")
]


@surface.tool("read", example={"include": ["identity"]})
def entity_export(memory: Memory, include: Include | None = None, as_of: AsOf = None) -> Exported:
    """I use this to pack everything I am into one archive.

    It holds the present state; for the whole history there is `recollect export`.
    """
    with memory.read(as_of) as view:
        packed = archive_of(view, PARTS if include is None else include)
    if sum(len(text.encode()) for text in packed.entries.values()) > MOST_BYTES:
        raise TooLarge("data", "256 MiB unpacked; use: recollect export")
    data = b64encode(pack(packed.entries)).decode()
    if len(data) > LIMIT:
        raise TooLarge("data", "48 MiB of base64; use: recollect export")
    return {"success": True, "data": data, "manifest": show_manifest(packed.manifest)}


class _OnlyTried(Exception):
    """Ends a transaction that is not to be kept, and carries what it would have answered."""

    def __init__(self, answer: ArchiveImported) -> None:
        self.answer = answer


@surface.tool("destroy", example={"data": SMALL_ARCHIVE, "mode": "merge"}, idempotent=False, tells=True)
def entity_import(
    memory: Memory,
    data: Data,
    mode: ImportMode,
    dryRun: Annotated[Flag, Field(description="Check and count only; write nothing")] = False,
) -> ArchiveImported:
    """I use this to unpack an archive of me: all of it, or nothing if anything is wrong.

    `merge` deletes nothing; `overwrite` makes each part what the archive holds.
    """
    unpacked = _decoded(data)
    with memory.read() as view:
        archive = read_archive(unpacked, view.world.zone, view.now)
    try:
        return _imported(acting_as(memory, None), archive, mode, is_tried=dryRun)
    except _OnlyTried as tried:
        return tried.answer


def _imported(memory: Memory, archive: Archive, mode: ImportMode, *, is_tried: bool) -> ArchiveImported:
    """All of the archive in one transaction, which is given up at its end if this is only a trial."""
    with memory.write() as change:
        last_tx = change.last_tx
        before = None if is_tried else name_one(change, WHOLE, "pre-import").id
        imported = take_archive(change, archive, mode, memory.tell)
        answer: ArchiveImported = {
            "success": True,
            "details": _details(archive, imported, before),
            **written(change),
        }
        if is_tried:
            raise _OnlyTried({**answer, "tx": last_tx})
    index_nodes(memory, imported.nodes)
    return answer


def _decoded(data: str) -> bytes:
    try:
        return b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadArchive("is not base64") from None


def _details(archive: Archive, imported: Imported, before: str | None) -> ImportDetails:
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
