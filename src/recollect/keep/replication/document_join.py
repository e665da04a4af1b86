"""Documents that devices stored apart under one key: one stays; and versions by the transactions that made them."""

from typing import Any, Final, NamedTuple

from recollect.keep.replication.log import TransactionLog
from recollect.model.ids import DocumentId, EntityId
from recollect.store import replication_queries
from recollect.store.change import Change
from recollect.store.erasure_queries import documents_with_key
from recollect.store.port import Row
from recollect.store.replication_queries import Origin, RowChange
from recollect.store.tables import DOCUMENT, MENTION, OPEN, Version, VersionedTable

DUPLICATE: Final = "duplicate"
"""The deletion reason of a document that another device had stored under the same key."""


class StampedVersion(NamedTuple):
    """A version of a row, or its end, by the transaction that made it."""

    stamp: tuple[int, str, int]
    origin: Origin
    content: Row | None


class StampedVersions:
    """Finds the versions of rows in a workspace, with their origins."""

    def __init__(self, change: Change, log: TransactionLog) -> None:
        self._change = change
        self.origins = {origin.tx: origin for _, origin in log.origins()}

    def of(self, table: VersionedTable, key: Row) -> list[StampedVersion]:
        versions = replication_queries.versions_of_row(self._change, table, key)
        begun = {each.value("tx_from"): each.content for each in versions if not replication_queries.is_mark(each)}
        ended = {each.value("tx_to"): None for each in versions if each.value("tx_to") < OPEN}
        made = {**ended, **begun}
        return [
            StampedVersion((origin.stamp, origin.device, origin.number), origin, content)
            for tx, content in made.items()
            if (origin := self.origins.get(tx)) is not None
        ]

    def row(self, table: VersionedTable, key: Row, content: Row) -> Version:
        return Version(table, (self._change.ws, *key, 0, 0, *content))


def had_seen(one: Origin, other: Origin) -> bool:
    """Whether the device of one transaction knew another when it made it; a transaction does not know itself."""
    if one.device == other.device:
        return other.number < one.number
    return one.seen.get(other.device, 0) >= other.number


def with_values(table: VersionedTable, content: Row, **values: Any) -> Row:
    """The content of a row with other values in some columns."""
    return tuple(values.get(name, value) for name, value in zip(table.rest, content, strict=True))


class DocumentJoin:
    """Makes one document of those with the same key, and shows the passages that belong to its text."""

    def __init__(self, change: Change, versions: StampedVersions) -> None:
        self._change = change
        self._versions = versions

    def join(self, id_: str) -> None:
        """Make one document of all that ever had the same kind and key: the first id, with what was written last."""
        version = self._change.open_version(DOCUMENT, (id_,))
        if version is None or version.value("deleted") == DUPLICATE:
            return
        ids = sorted(set(documents_with_key(self._change, [version.value("kind")], version.value("key"))))
        if len(ids) < 2:
            return
        survivor, *others = ids
        for each in others:
            self._move_document(each, survivor)
        written = [
            (each, one) for one in ids for each in self._versions.of(DOCUMENT, (one,)) if each.content is not None
        ]
        latest, source = max(written, key=lambda each: (each[0].stamp, each[1]))
        now = self._change.open_version(DOCUMENT, (survivor,))
        if now is None or now.content != latest.content:
            replication_queries.apply_row(self._change, RowChange(DOCUMENT, (survivor,), latest.content))
            self._change.clear_cache()
        self.show_passages(survivor, source, latest)

    def show_passages(self, id_: DocumentId, source: DocumentId, shown: StampedVersion) -> None:
        """Give a document the passages that a version of it, or of its duplicate, had where it was made."""
        wanted = self._passages(source, shown) if shown.content is not None else []
        if wanted != [each[2:] for each in self._change.chunks(id_)]:
            self._change.end_chunks(id_)
            for each in wanted:
                self._change.add_chunk(id_, *each)

    def _passages(self, document: DocumentId, shown: StampedVersion) -> list[tuple[int, int, int, str, str]]:
        """The passages that came with the text of a version; a later version of the same text came without."""
        row = self._versions.row(DOCUMENT, (document,), shown.content or ())
        if row.value("deleted") is not None:
            return []
        for each in sorted(self._versions.of(DOCUMENT, (document,))):
            other = None if each.content is None else self._versions.row(DOCUMENT, (document,), each.content)
            if other is None or other.value("content") != row.value("content"):
                continue
            then = self._change.at(each.origin.tx)
            if found := [chunk[2:] for chunk in then.chunks(document)]:
                return found
        return []

    def _move_document(self, id_: DocumentId, survivor: DocumentId) -> None:
        """Give what rests on a document to another, and keep it as a duplicate under another key."""
        change = self._change
        for assertion in change.assertions_from(id_):
            change.put_assertion(assertion._replace(document=survivor))
        for entity in change.mentioned(id_):
            move_mention(change, (id_, entity), (survivor, entity))
        change.end_chunks(id_)
        own = [each.content for each in sorted(self._versions.of(DOCUMENT, (id_,))) if each.content is not None]
        marked = with_values(DOCUMENT, own[-1], key=f"{DUPLICATE}:{id_}", deleted=DUPLICATE)
        version = change.open_version(DOCUMENT, (id_,))
        if version is None or version.content != marked:
            replication_queries.apply_row(change, RowChange(DOCUMENT, (id_,), marked))


def move_mention(change: Change, gone: tuple[DocumentId, EntityId], instead: tuple[DocumentId, EntityId]) -> None:
    """End the mention of an entity in a document for one of or in another."""
    change.end_mention(*gone)
    if change.open_version(MENTION, instead) is None:
        change.put_mention(*instead)
