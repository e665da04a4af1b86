"""Queries of sync: documents that changed, the running state hash, and the instances that have synced."""

from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant

OTHER_TYPE = "other"


class SyncInstance(NamedTuple):
    """An instance of the entity, when it last synced, and the transaction up to which it has everything."""

    id: str
    type: str = OTHER_TYPE
    name: str | None = None
    version: float | None = None
    synced_at: Instant | None = None
    synced_tx: int = 0


class EndedDocument(NamedTuple):
    """The last version of a document that has no current one, and the transaction that ended it."""

    tx: int
    document: Document


class MemoryContent(NamedTuple):
    granularity: str
    key: str
    hash: str | None


class StateTotal(NamedTuple):
    """The sum over all synced documents after a transaction."""

    upto: int
    value: int


def documents_begun_since(view: View, since: int) -> list[Document]:
    """Identity files and memories whose current version began after a transaction."""
    return view.fetch_documents("documents_begun_since", since=since)


def documents_ended_since(view: View, since: int) -> list[EndedDocument]:
    """Identity files and memories that ended without another version after a transaction, in this order."""
    rows = sorted(view.rows("documents_ended_since", since=since), key=lambda row: int(row[-1]))
    return [EndedDocument(int(tx), document_of(tuple(row))) for *row, tx in rows]


def documents_changed_between(view: View, low: int, high: int) -> list[DocumentId]:
    return view.fetch_values("synced_between", low=low, high=high) if low < high else []


def memory_contents(view: View) -> list[MemoryContent]:
    """The content hashes of all live memories."""
    return view.fetch(MemoryContent, "memory_contents")


def stored_total(view: View) -> StateTotal | None:
    rows = view.rows("sync_state")
    return StateTotal(int(rows[0][0]), int(rows[0][1], 16)) if rows else None


def put_total(change: Change, total: StateTotal) -> None:
    change.run("sync_state_put", upto=total.upto, total=f"{total.value:x}")


def instances(view: View) -> list[SyncInstance]:
    return [SyncInstance(*row) for row in view.rows("instances")]


def put_instance(change: Change, instance: SyncInstance) -> None:
    change.run("instance_put", **instance._asdict())
