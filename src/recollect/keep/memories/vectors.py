"""Vectors of memories: dropped when nothing live has them any more."""

from collections.abc import Collection

from recollect.model.document import Document
from recollect.store.change import Change
from recollect.store.codes import erasing
from recollect.store.view import View

REBUILD = "embedding-rebuild"
"""The job that stands in the queue while vectors are computed anew."""


def live_hashes(view: View, document: Document) -> set[str]:
    """What the vectors of a memory's passages are kept under."""
    return {chunk.hash for chunk in view.chunks(document.id)}


def drop_dead_vectors(change: Change, hashes: Collection[str]) -> None:
    """Drop the vectors of passages that stand in no live document any more."""
    if not hashes:
        return
    with erasing(change, hashes):
        change.connection.run("embeddings_of_dead", {"ws": change.ws, "hashes": sorted(hashes)})


def purge_vectors(change: Change) -> tuple[int, int]:
    """Drop the vectors that belong to no live memory; how many went, how many of live ones there are."""
    dead = [row[0] for row in change.rows("hashes_of_dead_memories")]
    drop_dead_vectors(change, dead)
    [[left]] = change.rows("vectors_of_memories")
    return len(dead), int(left)
