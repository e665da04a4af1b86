"""Queries of `recollect sync`: transactions with their origins and rows, and the peers they are exchanged with."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.change import Change
from recollect.store.document_queries import texts_by_hash
from recollect.store.port import Row
from recollect.store.tables import CHUNK, FACT, VERSIONED, Version, VersionedTable
from recollect.store.view import Tx, View
from recollect.when.instant import Instant

SYNCED_TABLES = (*VERSIONED, CHUNK)


class Origin(NamedTuple):
    """Where a transaction was made: its number there, the local one, its stamp, and what that device had seen."""

    device: str
    number: int
    tx: int
    stamp: int
    seen: Mapping[str, int]


class RowChange(NamedTuple):
    """What a transaction made of a row: its content, or None if it ended."""

    table: VersionedTable
    key: Row
    content: Row | None


class SyncPeer(NamedTuple):
    name: str
    address: str
    synced_at: Instant | None

    @property
    def is_server(self) -> bool:
        """Whether it is reached over HTTP; otherwise it is a folder."""
        return self.address.startswith(("http://", "https://"))


def device_id(view: View) -> str | None:
    """The name of this store among its peers; None before its first sync."""
    return view.fetch_text("sync_device")


def put_device(change: Change, id_: str) -> None:
    change.run("sync_device_drop")
    change.run("sync_device_add", id=id_)


def origins(view: View) -> list[Origin]:
    """The transactions that came from other devices, in the order in which they came."""
    rows = view.rows("sync_origins")
    return [Origin(device, number, tx, stamp, json.loads(seen)) for device, number, tx, stamp, seen in rows]


def add_origin(change: Change, origin: Origin) -> None:
    row = {**origin._asdict(), "seen": json.dumps(dict(origin.seen), sort_keys=True)}
    change.run("sync_origin_add", **row)


def transactions_after(view: View, after: int) -> list[Tx]:
    return view.fetch(Tx, "txs_after", after=after)


def row_changes(view: View, tx: int) -> list[RowChange]:
    """What a transaction made of the rows it touched."""
    return [each for table in SYNCED_TABLES for each in _changes_in(view, table, tx)]


def _changes_in(view: View, table: VersionedTable, tx: int) -> Iterator[RowChange]:
    made = _versions(table, view.connection.begun_by(table, view.ws, tx))
    begun = {each.key: each for each in made if not is_mark(each)}
    yield from (RowChange(table, key, each.content) for key, each in begun.items())
    ended = _versions(table, view.connection.ended_by(table, view.ws, tx))
    yield from (RowChange(table, each.key, None) for each in ended if each.key not in begun)


def facts_changed_by(view: View, tx: int) -> list[FactId]:
    return [FactId(str(next(iter(each.key)))) for each in _changes_in(view, FACT, tx)]


def versions_of_row(view: View, table: VersionedTable, key: Row) -> list[Version]:
    """Every version of a row, the first one first."""
    return list(_versions(table, view.connection.versions(table, view.ws, key)))


def version_at(view: View, table: VersionedTable, key: Row) -> Version | None:
    """The version of a row that a view shows."""
    found = versions_of_row(view, table, key)
    return next((each for each in found if each.value("tx_from") <= view.as_of_tx < each.value("tx_to")), None)


def _versions(table: VersionedTable, rows: Iterable[Row]) -> Iterator[Version]:
    return (Version(table, tuple(row)) for row in rows)


def apply_row(change: Change, each: RowChange) -> None:
    """Make the current version of a row what another device made of it."""
    stored = change.open_version(each.table, each.key)
    if stored is not None:
        change.end_version(*stored)
    elif each.content is None:
        _mark_end(change, each)
    if each.content is not None:
        change.begin_again(each.table, (change.ws, *each.key, 0, 0, *each.content))


def _mark_end(change: Change, each: RowChange) -> None:
    """Record that another device ended a row without a current version here, by a version that no read sees."""
    known = versions_of_row(change, each.table, each.key)
    if known and known[-1].value("tx_from") < change.tx:
        row = (change.ws, *each.key, change.tx, change.tx, *known[-1].content)
        change.connection.insert(each.table, (row,))


def is_mark(version: Version) -> bool:
    return bool(version.value("tx_from") == version.value("tx_to"))


def texts_for(view: View, changes: Iterable[RowChange], table: VersionedTable) -> dict[str, str]:
    """By hash, the texts of the documents among these rows."""
    place = table.rest.index("content")
    hashes = {each.content[place] for each in changes if each.table is table and each.content is not None}
    return texts_by_hash(view, hashes - {None})


def attached_data(view: View, document: DocumentId) -> str | None:
    """The bytes of an attached file in base64."""
    return view.fetch_text("attached", document=document)


def merged_into(view: View, entity: EntityId) -> list[EntityId]:
    """The entities that were merged into this one."""
    return view.fetch_values("entities_merged_into", entity=entity)


def joined_with(view: View, fact: FactId) -> list[FactId]:
    """The facts whose assertions were given to this one."""
    return view.fetch_values("facts_replaced_by", fact=fact)


def peers(view: View) -> list[SyncPeer]:
    return view.fetch(SyncPeer, "sync_peers")


def put_peer(change: Change, peer: SyncPeer) -> None:
    change.run("sync_peer_put", **peer._asdict())


def drop_peer(change: Change, name: str) -> None:
    change.run("sync_peer_drop", name=name)
