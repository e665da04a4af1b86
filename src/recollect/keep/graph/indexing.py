"""Keeping the meaning of nodes findable: those just written, and a few that other surfaces wrote."""

from collections.abc import Sequence

from recollect.embed.port import Embedder
from recollect.errors import Unavailable
from recollect.keep.graph.vectors import embedded, keep_vectors, note_indexed, unknown_nodes, vector_key, waiting_nodes
from recollect.memory import Memory
from recollect.model.entity import Entity

MOST_BESIDE = 32


def index_nodes(memory: Memory, entities: Sequence[Entity] = (), most: int = MOST_BESIDE) -> int:
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
        waiting = waiting_nodes(view, embedder, most)
        own = unknown_nodes(view, embedder, entities)
        others = unknown_nodes(view, embedder, waiting)
    unknown = list({vector_key(entity): entity for entity in (*own, *others[:most])}.values())
    vectors = embedded(embedder, unknown)
    if (unknown and vectors is None) or not (unknown or waiting):
        return 0
    with memory.write() as change:
        if vectors is not None:
            keep_vectors(change, embedder, unknown, vectors)
        if waiting and len(others) <= most:
            note_indexed(change, embedder, waiting[-1].tx_from)
    return len(waiting)
