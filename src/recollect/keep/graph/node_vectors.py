"""Vectors of nodes, computed from label and description or given by a caller, and their comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.document import content_hash
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.rows import entity_of
from recollect.store.vectors import VectorCache, encode_vector, is_sqlite
from recollect.store.view import View

GIVEN_VECTOR = "entity_core.vector"
INDEX_NAME = "nodes"
MAX_BATCH = 64
MAX_COMPARED = 5_000
MAX_IN_TRANSACTION = 1_000_000
DEFAULT_DIMENSIONS = 384


def node_model(embedder: Embedder | None) -> str:
    """The name under which vectors of nodes are kept."""
    return f"{embedder.model if embedder else 'given'}#node"


def dimensions_of(embedder: Embedder | None) -> int:
    return embedder.dimensions if embedder else DEFAULT_DIMENSIONS


def node_text(entity: Entity) -> str:
    """What of a node is turned into a vector."""
    told = entity.properties.get("description")
    return f"{entity.name}: {told}" if isinstance(told, str) and told else entity.name


def vector_key(entity: Entity) -> str:
    """Where the vector of this version of a node stands."""
    given = entity.properties.get(GIVEN_VECTOR)
    return f"{entity.id}:{given if isinstance(given, str) else content_hash(node_text(entity))}"


def normalize_vector(vector: Sequence[float]) -> Vectors:
    """The vector with length one."""
    import numpy as np

    row = np.array(vector, np.float64)
    made: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
    return made


def put_given_vector(change: Change, entity: EntityId, vector: Sequence[float], model: str) -> str:
    """Keep what a caller says a node means; the digest by which the node refers to it."""
    row = normalize_vector(vector)
    digest = content_hash(row.tobytes().hex())
    _put_vector(change, model, f"{entity}:{digest}", row)
    return digest


def _put_vector(change: Change, model: str, key: str, row: Vectors) -> None:
    vector = encode_vector(change, row)
    change.connection.run("embedding_add", {"ws": change.ws, "model": model, "hash": key, "vector": vector})


def put_vectors(change: Change, embedder: Embedder, entities: Sequence[Entity], vectors: Vectors) -> None:
    """Keep what these nodes mean."""
    for entity, row in zip(entities, vectors, strict=True):
        _put_vector(change, node_model(embedder), vector_key(entity), row)


def record_indexed(change: Change, embedder: Embedder, upto: int) -> None:
    """Note the transaction up to which every node has its vector."""
    _progress(embedder).save(change, upto)


def nodes_without_vector(view: View, embedder: Embedder, entities: Sequence[Entity]) -> list[Entity]:
    """Those of these nodes whose meaning is not kept yet."""
    keys = {vector_key(entity): entity for entity in entities if _has_computed_vector(entity)}
    known = view.rows("embeddings_known", model=node_model(embedder), hashes=sorted(keys)) if keys else ()
    for [key] in known:
        del keys[key]
    return list(keys.values())


def pending_nodes(view: View, embedder: Embedder, most: int) -> list[Entity]:
    """Nodes that changed since the index was brought up to date: about so many, but whole transactions of them."""
    entities = _nodes_changed_after(view, _indexed_upto(view, embedder), most + 1)
    if len(entities) <= most:
        return entities
    last = entities[-1].tx_from
    whole = [entity for entity in entities if entity.tx_from < last]
    return whole or [
        entity for entity in _nodes_changed_after(view, last - 1, MAX_IN_TRANSACTION) if entity.tx_from == last
    ]


def _nodes_changed_after(view: View, upto: int, limit: int) -> list[Entity]:
    return [entity_of(row) for row in view.rows("nodes_begun_after", upto=upto, limit=limit)]


def _indexed_upto(view: View, embedder: Embedder) -> int:
    """The last transaction whose nodes all have vectors."""
    return _progress(embedder).read(view).upto


def _progress(embedder: Embedder) -> IndexProgress:
    return IndexProgress(f"{INDEX_NAME}:{embedder.model}")


def embed_nodes(embedder: Embedder, entities: Sequence[Entity]) -> Vectors | None:
    """What these nodes mean; none if there are none or nothing embeds now."""
    try:
        return embedder.embed([node_text(entity) for entity in entities]) if entities else None
    except EmbeddingFailed:
        return None


class NodeVectorIndex:
    """Vectors of nodes on one view, compared with the vector of a question."""

    def __init__(self, view: View, matrices: VectorCache, embedder: Embedder | None) -> None:
        self._view = view
        self._matrices = matrices
        self._embedder = embedder
        self._model = node_model(embedder)

    def nearest(self, vector: Vectors, floor: float) -> dict[str, float]:
        """Keys of stored vectors with their cosine, where that reaches the floor, nearest first."""
        if not is_sqlite(self._view):
            rows = self._cosine_rows("node_vectors_nearest", vector, limit=MAX_COMPARED)
            return {key: cosine for key, cosine in rows.items() if cosine >= floor}
        _, keys, matrix = self._matrices.caught_up(self._view, self._model)
        if not keys or matrix.shape[1] != len(vector):
            return {}
        cosines = matrix @ vector
        reaching = (cosines >= floor).nonzero()[0]
        order = reaching[(-cosines[reaching]).argsort(kind="stable")][:MAX_COMPARED]
        return {keys[at]: float(cosines[at]) for at in order}

    def cosines_of(self, vector: Vectors, keys: Collection[str]) -> dict[str, float]:
        """The cosines of those of these keys that are stored."""
        if not keys:
            return {}
        if not is_sqlite(self._view):
            return self._cosine_rows("node_vectors_compared", vector, hashes=sorted(keys))
        _, held, matrix = self._matrices.caught_up(self._view, self._model)
        places = {key: at for at, key in enumerate(held) if key in keys}
        if not places or matrix.shape[1] != len(vector):
            return {}
        return {key: float(matrix[at] @ vector) for key, at in places.items()}

    def pending_cosines(self, vector: Vectors) -> dict[str, float]:
        """The same for nodes that have no stored vector yet; none if those are too many to embed on the way."""
        if self._embedder is None:
            return {}
        begun = _nodes_changed_after(self._view, _indexed_upto(self._view, self._embedder), MAX_BATCH + 1)
        if len(begun) > MAX_BATCH:
            return {}
        waiting = nodes_without_vector(self._view, self._embedder, begun)
        rows = embed_nodes(self._embedder, waiting)
        if rows is None:
            return {}
        cosines = (rows @ vector).tolist()
        return {vector_key(entity): cosine for entity, cosine in zip(waiting, cosines, strict=True)}

    def _cosine_rows(self, query: str, vector: Vectors, **asked: Any) -> dict[str, float]:
        written = encode_vector(self._view, vector)
        rows = self._view.rows(query, model=self._model, vector=written, **asked)
        return {key: float(cosine) for key, cosine in rows}


def _has_computed_vector(entity: Entity) -> bool:
    return GIVEN_VECTOR not in entity.properties
