"""Queries of nodes: their names and versions, the memories that mention them, and the vectors to rebuild."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from recollect.model.entity import Entity
from recollect.model.ids import DocumentId, EntityId
from recollect.model.names import Name
from recollect.store.change import Change
from recollect.store.graph_queries import live_entities
from recollect.store.view import View


def name_change_txs(view: View, entity: EntityId) -> set[int]:
    """The transactions in which an entity gained or lost a name."""
    return {int(tx) for row in view.rows("names_ever", entity=entity) for tx in row if tx <= view.as_of_tx}


def memories_of_node(view: View, entity: EntityId, granularities: Sequence[str], limit: int) -> list[str]:
    """Ids of live memories that name a node or are a source of its facts, the latest first."""
    return view.fetch_values("memories_of_node", entity=entity, granularities=granularities, limit=limit)


def is_mentioned(view: View, entity: EntityId) -> bool:
    """Whether any document mentions an entity."""
    return bool(view.rows("documents_mentioning", entity=entity))


def all_nodes(view: View) -> list[Entity]:
    """All live nodes, by id."""
    return sorted(live_entities(view), key=lambda node: node.id)


class IndexedMemory(NamedTuple):
    """A memory and its number in the index."""

    number: int
    document: DocumentId


def memories_after(view: View, after: int, limit: int) -> list[IndexedMemory]:
    """The next indexed memories by number."""
    rows = view.rows("entries_behind", behind=after, limit=limit)
    return [IndexedMemory(row[0], DocumentId(row[1])) for row in rows]


def indexed_periods(view: View) -> list[tuple[str, int]]:
    """The granularities and first days of indexed memories, each pair once."""
    return [(granularity, int(day)) for granularity, day in view.rows("entry_periods")]


def drop_embeddings(change: Change, model: str, hashes: Collection[str]) -> None:
    change.run_many("embedding_drop", [{"model": model, "hash": digest} for digest in sorted(hashes)])


def described_nodes(view: View, type_: str | None) -> list[Entity]:
    """Live nodes with a description, of one type or of any."""
    return view.fetch_entities("nodes_described", type=type_)


def nodes_changed_after(view: View, upto: int, limit: int) -> list[Entity]:
    """The next live nodes that a transaction after this one wrote, in order."""
    return view.fetch_entities("nodes_begun_after", upto=upto, limit=limit)


def names_containing(view: View, text: str, limit: int) -> list[Name]:
    """Names that contain a folded text anywhere; reads every name, for scripts without spaces."""
    return view.fetch(Name, "names_containing", part=f"%{text}%", limit=limit)
