"""Vectors of nodes, computed from label and description or given by a caller: storing, comparing, catching up."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.errors import Unavailable
from recollect.memory import Memory
from recollect.model.document import content_hash
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.entity_queries import nodes_changed_after
from recollect.store.index_progress import IndexProgress
from recollect.store.vectors import KeyedVectors, VectorCache, add_vectors, dot_products, known_keys
from recollect.store.view import View

GIVEN_VECTOR = "entity_core.vector"
INDEX_NAME = "nodes"
MAX_BATCH = 64
MAX_COMPARED = 5_000
MAX_IN_TRANSACTION = 1_000_000
DEFAULT_DIMENSIONS = 384


def node_model(embedder: Embedder | None) -> str:
    """The name under which vectors of nodes are stored."""
    return f"{embedder.model if embedder else 'given'}#node"


def dimensions_of(embedder: Embedder | None) -> int:
    return embedder.dimensions if embedder else DEFAULT_DIMENSIONS


def node_text(entity: Entity) -> str:
    """The text of a node that is embedded."""
    description = entity.properties.get("description")
    return f"{entity.name}: {description}" if isinstance(description, str) and description else entity.name


def vector_key(entity: Entity) -> str:
    """The key of the vector of this version of a node."""
    given = entity.properties.get(GIVEN_VECTOR)
    return f"{entity.id}:{given if isinstance(given, str) else content_hash(node_text(entity))}"


def normalize_vector(vector: Sequence[float]) -> Vectors:
    """The vector with length one."""
    import numpy as np

    row = np.array(vector, np.float64)
    made: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
    return made


def put_given_vector(change: Change, entity: EntityId, vector: Sequence[float], model: str) -> str:
    """Store the vector that a caller gives for a node; the digest that the node refers to it with."""
    row = normalize_vector(vector)
    digest = content_hash(row.tobytes().hex())
    add_vectors(change, model, {f"{entity}:{digest}": row})
    return digest


def put_vectors(change: Change, embedder: Embedder, entities: Sequence[Entity], vectors: Vectors) -> None:
    """Store the vectors of these nodes."""
    rows = zip(map(vector_key, entities), vectors, strict=True)
    add_vectors(change, node_model(embedder), dict(rows))


def record_indexed(change: Change, embedder: Embedder, upto: int) -> None:
    """Record the transaction up to which every node has its vector."""
    _progress(embedder).save(change, upto)


def nodes_without_vector(view: View, embedder: Embedder, entities: Sequence[Entity]) -> list[Entity]:
    """Those of these nodes that have no stored vector yet."""
    keys = {vector_key(entity): entity for entity in entities if GIVEN_VECTOR not in entity.properties}
    known = known_keys(view, node_model(embedder), keys)
    return [entity for key, entity in keys.items() if key not in known]


def pending_nodes(view: View, embedder: Embedder, most: int) -> list[Entity]:
    """Nodes that changed since the index was brought up to date: about so many, but whole transactions of them."""
    entities = nodes_changed_after(view, _indexed_upto(view, embedder), most + 1)
    if len(entities) <= most:
        return entities
    last = entities[-1].tx_from
    whole = [entity for entity in entities if entity.tx_from < last]
    return whole or [
        entity for entity in nodes_changed_after(view, last - 1, MAX_IN_TRANSACTION) if entity.tx_from == last
    ]


def _indexed_upto(view: View, embedder: Embedder) -> int:
    """The last transaction whose nodes all have vectors."""
    return _progress(embedder).read(view).upto


def _progress(embedder: Embedder) -> IndexProgress:
    return IndexProgress(f"{INDEX_NAME}:{embedder.model}")


def embed_nodes(embedder: Embedder, entities: Sequence[Entity]) -> Vectors | None:
    """The vectors of these nodes; none if there are no nodes or the model does not answer."""
    try:
        return embedder.embed([node_text(entity) for entity in entities]) if entities else None
    except EmbeddingFailed:
        return None


class NodeVectorIndex(KeyedVectors):
    """Vectors of nodes on one view, those that are not stored yet included."""

    def __init__(self, view: View, matrices: VectorCache, embedder: Embedder | None) -> None:
        super().__init__(view, matrices, node_model(embedder))
        self._embedder = embedder

    def pending_cosines(self, vector: Vectors) -> dict[str, float]:
        """Cosines of nodes that have no stored vector yet; none if they are too many to embed on a read."""
        if self._embedder is None:
            return {}
        begun = nodes_changed_after(self._view, _indexed_upto(self._view, self._embedder), MAX_BATCH + 1)
        if len(begun) > MAX_BATCH:
            return {}
        waiting = nodes_without_vector(self._view, self._embedder, begun)
        rows = embed_nodes(self._embedder, waiting)
        if rows is None:
            return {}
        cosines = dot_products(rows, vector).tolist()
        return {vector_key(entity): cosine for entity, cosine in zip(waiting, cosines, strict=True)}


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
