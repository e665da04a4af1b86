"""Vectors of graph nodes: those just written, and a few that other surfaces wrote."""

from collections.abc import Sequence

from recollect.embed.port import Embedder
from recollect.errors import Unavailable
from recollect.keep.graph.node_vectors import (
    embed_nodes,
    nodes_without_vector,
    pending_nodes,
    put_vectors,
    record_indexed,
    vector_key,
)
from recollect.memory import Memory
from recollect.model.entity import Entity

NODES_PER_READ = 32


def index_nodes(memory: Memory, entities: Sequence[Entity] = (), most: int = NODES_PER_READ) -> int:
    """Embed these nodes and some that still wait; how many still waited. A model out of reach is tried later."""
    embedder = memory.embedder
    if embedder is None:
        return 0
    try:
        return _index(memory, embedder, entities, most)
    except Unavailable:
        return 0


def _index(memory: Memory, embedder: Embedder, entities: Sequence[Entity], most: int) -> int:
    with memory.read() as view:
        waiting = pending_nodes(view, embedder, most)
        own = nodes_without_vector(view, embedder, entities)
        others = nodes_without_vector(view, embedder, waiting)
    unknown = list({vector_key(entity): entity for entity in (*own, *others[:most])}.values())
    vectors = embed_nodes(embedder, unknown)
    if (unknown and vectors is None) or not (unknown or waiting):
        return 0
    with memory.write() as change:
        if vectors is not None:
            put_vectors(change, embedder, unknown, vectors)
        if waiting and len(others) <= most:
            record_indexed(change, embedder, waiting[-1].tx_from)
    return len(waiting)
