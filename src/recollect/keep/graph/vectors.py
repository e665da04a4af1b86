"""Vectors of nodes: what a label and a description mean, or what a caller says they mean.

They stand in the store's table of vectors under a model of their own, each under its node and the hash of what it was
made from, so that a node that was renamed is never found by what it was called before. They are an index: they make
no transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from recollect.embed.port import Embedder, EmbeddingFailed, Vectors
from recollect.model.document import content_hash
from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.store.change import Change
from recollect.store.rows import entity_of
from recollect.store.vectors import Matrices, is_embedded, written_vector
from recollect.store.view import View

GIVEN_VECTOR = "entity_core.vector"
PART = "nodes"
MOST_AT_ONCE = 64
MOST_COMPARED = 5_000
MOST_IN_ONE = 1_000_000
USUAL_DIMENSIONS = 384


def node_model(embedder: Embedder | None) -> str:
    """The name under which vectors of nodes are kept."""
    return f"{embedder.model if embedder else 'given'}#node"


def dimensions_of(embedder: Embedder | None) -> int:
    return embedder.dimensions if embedder else USUAL_DIMENSIONS


def node_text(entity: Entity) -> str:
    """What of a node is turned into a vector."""
    told = entity.properties.get("description")
    return f"{entity.name}: {told}" if isinstance(told, str) and told else entity.name


def vector_key(entity: Entity) -> str:
    """Where the vector of this version of a node stands."""
    given = entity.properties.get(GIVEN_VECTOR)
    return f"{entity.id}:{given if isinstance(given, str) else content_hash(node_text(entity))}"


def unit(vector: Sequence[float]) -> Vectors:
    """The vector with length one."""
    import numpy as np

    row = np.array(vector, np.float64)
    made: Vectors = (row / np.linalg.norm(row)).astype(np.float32)
    return made


def keep_given_vector(change: Change, entity: EntityId, vector: Sequence[float], model: str) -> str:
    """Keep what a caller says a node means; the digest by which the node refers to it."""
    row = unit(vector)
    digest = content_hash(row.tobytes().hex())
    _keep(change, model, f"{entity}:{digest}", row)
    return digest


def _keep(change: Change, model: str, key: str, row: Vectors) -> None:
    vector = written_vector(change, row)
    change.connection.run("embedding_add", {"ws": change.ws, "model": model, "hash": key, "vector": vector})


def keep_vectors(change: Change, embedder: Embedder, entities: Sequence[Entity], vectors: Vectors) -> None:
    """Keep what these nodes mean."""
    for entity, row in zip(entities, vectors, strict=True):
        _keep(change, node_model(embedder), vector_key(entity), row)


def note_indexed(change: Change, embedder: Embedder, upto: int) -> None:
    """Note the transaction up to which every node has its vector."""
    state = {"part": _part(embedder), "upto": upto, "chunks": 0, "characters": 0}
    change.connection.run("indexed_put", {"ws": change.ws, **state})


def unknown_nodes(view: View, embedder: Embedder, entities: Sequence[Entity]) -> list[Entity]:
    """Those of these nodes whose meaning is not kept yet."""
    keys = {vector_key(entity): entity for entity in entities if _is_own(entity)}
    known = view.rows("embeddings_known", model=node_model(embedder), hashes=sorted(keys)) if keys else ()
    for [key] in known:
        del keys[key]
    return list(keys.values())


def waiting_nodes(view: View, embedder: Embedder, most: int) -> list[Entity]:
    """Nodes that changed since the index was brought up to date: about so many, but whole transactions of them."""
    entities = _begun(view, _indexed_upto(view, embedder), most + 1)
    if len(entities) <= most:
        return entities
    last = entities[-1].tx_from
    whole = [entity for entity in entities if entity.tx_from < last]
    return whole or [entity for entity in _begun(view, last - 1, MOST_IN_ONE) if entity.tx_from == last]


def _begun(view: View, upto: int, limit: int) -> list[Entity]:
    return [entity_of(row) for row in view.rows("nodes_begun_after", upto=upto, limit=limit)]


def _indexed_upto(view: View, embedder: Embedder) -> int:
    """The last transaction whose nodes all have vectors."""
    found = view.rows("indexed", part=_part(embedder))
    return int(found[0][0]) if found else 0


def _part(embedder: Embedder) -> str:
    return f"{PART}:{embedder.model}"


def embedded(embedder: Embedder, entities: Sequence[Entity]) -> Vectors | None:
    """What these nodes mean; none if there are none or nothing embeds now."""
    try:
        return embedder.embed([node_text(entity) for entity in entities]) if entities else None
    except EmbeddingFailed:
        return None


class NodeVectors:
    """Vectors of nodes on one view, compared with the vector of a question."""

    def __init__(self, view: View, matrices: Matrices, embedder: Embedder | None) -> None:
        self._view = view
        self._matrices = matrices
        self._embedder = embedder
        self._model = node_model(embedder)

    def nearest(self, vector: Vectors, floor: float) -> dict[str, float]:
        """Keys of stored vectors with their cosine, where that reaches the floor, nearest first."""
        if not is_embedded(self._view):
            rows = self._rows("node_vectors_nearest", vector, limit=MOST_COMPARED)
            return {key: cosine for key, cosine in rows.items() if cosine >= floor}
        _, keys, matrix = self._matrices.caught_up(self._view, self._model)
        if not keys or matrix.shape[1] != len(vector):
            return {}
        cosines = matrix @ vector
        reaching = (cosines >= floor).nonzero()[0]
        order = reaching[(-cosines[reaching]).argsort(kind="stable")][:MOST_COMPARED]
        return {keys[at]: float(cosines[at]) for at in order}

    def compared(self, vector: Vectors, keys: Collection[str]) -> dict[str, float]:
        """The cosines of those of these keys that are stored."""
        if not keys:
            return {}
        if not is_embedded(self._view):
            return self._rows("node_vectors_compared", vector, hashes=sorted(keys))
        _, held, matrix = self._matrices.caught_up(self._view, self._model)
        places = {key: at for at, key in enumerate(held) if key in keys}
        if not places or matrix.shape[1] != len(vector):
            return {}
        return {key: float(matrix[at] @ vector) for key, at in places.items()}

    def fresh(self, vector: Vectors) -> dict[str, float]:
        """The same for nodes that have no stored vector yet; none if those are too many to embed on the way."""
        if self._embedder is None:
            return {}
        begun = _begun(self._view, _indexed_upto(self._view, self._embedder), MOST_AT_ONCE + 1)
        if len(begun) > MOST_AT_ONCE:
            return {}
        waiting = unknown_nodes(self._view, self._embedder, begun)
        rows = embedded(self._embedder, waiting)
        if rows is None:
            return {}
        cosines = (rows @ vector).tolist()
        return {vector_key(entity): cosine for entity, cosine in zip(waiting, cosines, strict=True)}

    def _rows(self, query: str, vector: Vectors, **asked: Any) -> dict[str, float]:
        written = written_vector(self._view, vector)
        rows = self._view.rows(query, model=self._model, vector=written, **asked)
        return {key: float(cosine) for key, cosine in rows}


def _is_own(entity: Entity) -> bool:
    return GIVEN_VECTOR not in entity.properties
