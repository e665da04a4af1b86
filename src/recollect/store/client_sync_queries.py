"""Queries of entity-core's client protocol: changed documents, the running state hash, instances, and snapshots."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.port import Row
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


class SnapshotKey(NamedTuple):
    category: str
    stem: str
    at: Instant


class SnapshotRow(NamedTuple):
    """One snapshot; `held` is a text that lost a conflict, with its metadata."""

    category: str
    stem: str
    at: Instant
    tx: int
    reason: str
    source: str
    flagged: bool
    label: str | None
    held: Mapping[str, Any] | None

    @property
    def key(self) -> SnapshotKey:
        return SnapshotKey(self.category, self.stem, self.at)


def _snapshot_row(row: Row) -> SnapshotRow:
    found = SnapshotRow._make(row)
    held = None if found.held is None else json.loads(row[-1])
    return found._replace(flagged=found.flagged == 1, held=held)


def snapshots_of(view: View, category: str, stem: str) -> list[SnapshotRow]:
    return [_snapshot_row(row) for row in view.rows("snapshots_of", category=category, stem=stem)]


def snapshots_in(view: View, categories: Collection[str]) -> list[SnapshotRow]:
    """The snapshots of some categories, without the texts that they hold."""
    return [_snapshot_row(row) for row in view.rows("snapshots_in", categories=sorted(categories))]


def snapshot_with_key(view: View, key: SnapshotKey) -> SnapshotRow | None:
    rows = view.rows("snapshot_one", **key._asdict())
    return _snapshot_row(rows[0]) if rows else None


def expired_snapshots(view: View, before: int) -> list[SnapshotRow]:
    """The snapshots from before an instant that are not flagged."""
    return [_snapshot_row(row) for row in view.rows("snapshots_expired", before=before)]


def add_snapshots(change: Change, snapshots: Iterable[SnapshotRow]) -> None:
    change.run_many("snapshot_add", map(_parameters, snapshots))


def _parameters(snapshot: SnapshotRow) -> dict[str, Any]:
    held = None if snapshot.held is None else json.dumps(snapshot.held, ensure_ascii=False, sort_keys=True)
    return {**snapshot._asdict(), "flagged": int(snapshot.flagged), "held": held}


def remove_snapshots(change: Change, keys: Iterable[SnapshotKey]) -> None:
    change.run_many("snapshot_remove", [key._asdict() for key in keys])


def flag_snapshot(change: Change, key: SnapshotKey, flagged: bool) -> None:
    change.run("snapshot_flag", **key._asdict(), flagged=int(flagged))
