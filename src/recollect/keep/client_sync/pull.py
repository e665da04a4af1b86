"""The changefeed of a client: pages with tombstones, the state hash, and which instances have synced."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256, sha512
from typing import Final, Literal, NamedTuple

from recollect.errors import Refused
from recollect.keep import identity_files as identity
from recollect.keep.document_versions import documents_of, live_documents, version_numbers
from recollect.keep.memories.memory_store import load_memories, memory_documents
from recollect.keep.memory_formats import GRANULARITIES
from recollect.keep.memory_index.stored_memory import MEMORY_KIND, StoredMemory, is_memory
from recollect.model.document import Document
from recollect.model.progress import batches
from recollect.store import client_sync_queries
from recollect.store.activity_queries import instants_of
from recollect.store.change import Change
from recollect.store.client_sync_queries import EndedDocument, StateTotal, SyncInstance
from recollect.store.view import View
from recollect.when.instant import Instant

EntityType = Literal["identity", "memory"]
_CURSOR = re.compile(r"(\d{1,18})\.(all|\d{1,18})\.(\d{1,18})", re.ASCII)


class BadCursor(Refused):
    def __init__(self) -> None:
        super().__init__("cursor should be the one of the previous page, unchanged", field="cursor")


class SyncPage(NamedTuple):
    """The state that a client reads, the state it has, and how many memories earlier pages returned."""

    known: int
    since: int | None
    offset: int = 0

    def to_cursor(self) -> str:
        return f"{self.known}.{'all' if self.since is None else self.since}.{self.offset}"


@dataclass(frozen=True, slots=True)
class SyncTombstone:
    """A file or memory that was deleted."""

    kind: EntityType
    id: str
    version: int
    at: Instant


@dataclass(frozen=True, slots=True)
class PullResult:
    """One page of changes; the last one has no `next`."""

    page: SyncPage
    files: list[identity.IdentityFile]
    memories: list[StoredMemory]
    gone: list[SyncTombstone]
    next: SyncPage | None


def parse_cursor(cursor: str, last_tx: int) -> SyncPage:
    """The page that a cursor addresses."""
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor
    page = SyncPage(int(found[1]), None if found[2] == "all" else int(found[2]), int(found[3]))
    if page.known > last_tx:
        raise BadCursor
    return page


def first_page(last_tx: int, since: int | None) -> SyncPage:
    """Everything, unless the client has an earlier state of this store."""
    return SyncPage(last_tx, None if since is None or since > last_tx else since)


def pull(view: View, page: SyncPage, limit: int | None) -> PullResult:
    """The content of a page; the view shows the state of the page."""
    changed = changed_since(view, page.since)
    memories = sorted(
        (each for each in live_documents(changed) if is_memory(each)), key=lambda each: (each.tx_from, each.key)
    )
    until = len(memories) if limit is None else page.offset + limit
    following = page._replace(offset=until) if until < len(memories) else None
    shown = load_memories(view, memories[page.offset : until])
    if page.offset:
        return PullResult(page, [], shown, [], following)
    files = identity.load_files(view, [each for each in live_documents(changed) if each.kind == identity.KIND])
    gone = [] if page.since is None else _tombstones(view, page.since, [each for each in changed if each.deleted])
    return PullResult(page, files, shown, gone, following)


def changed_since(view: View, since: int | None) -> list[Document]:
    """Identity files and memories whose current version began after a transaction, deleted ones included."""
    if since is None:
        return [*documents_of(view, identity.KIND), *memory_documents(view)]
    return [each for each in client_sync_queries.documents_begun_since(view, since) if is_synced(each)]


def is_synced(document: Document) -> bool:
    return document.kind == identity.KIND or is_memory(document)


def _tombstones(view: View, since: int, deleted: list[Document]) -> list[SyncTombstone]:
    """Tombstones of deleted documents, and of those whose creation was undone."""
    ended = [*(EndedDocument(each.tx_from, each) for each in deleted), *_undone_documents(view, since)]
    ended.sort(key=lambda each: (each.tx, each.document.key))
    versions = version_numbers(view, [each.document for each in ended])
    instants = instants_of(view, [each.tx for each in ended])
    return [
        SyncTombstone(_entity_type(document), document.key, versions[document.id], instants[tx])
        for tx, document in ended
    ]


def _undone_documents(view: View, since: int) -> list[EndedDocument]:
    """The last version of each document that ended without another.

    Documents are matched by key: what was undone may have been created again, and undone again.
    """
    last = {
        (each.document.kind, each.document.key): each for each in client_sync_queries.documents_ended_since(view, since)
    }
    ended = [each for each in last.values() if is_synced(each.document) and not each.document.deleted]
    return [each for each in ended if view.document_named(each.document.kind, each.document.key) is None]


def _entity_type(document: Document) -> EntityType:
    return "memory" if document.kind == MEMORY_KIND else "identity"


MODULUS: Final = 1 << 512
BATCH_SIZE = 1000


def state_hash(change: Change, known: int) -> str:
    """A hash over the names, labels and contents of all files and memories as of a transaction."""
    stored = client_sync_queries.stored_total(change)
    total = _sum_all(change, known) if stored is None else _advance_total(change, stored, known)
    if stored is None or stored.upto < known:
        client_sync_queries.put_total(change, StateTotal(known, total))
    return sha256(f"{total:x}".encode()).hexdigest()


def _sum_all(view: View, known: int) -> int:
    """The sum over all files and memories."""
    then = view.at(known)
    files = _sum_documents(documents_of(then, identity.KIND))
    contents = (each for each in client_sync_queries.memory_contents(then) if each.granularity in GRANULARITIES)
    memories = sum(_item_hash(MEMORY_KIND, each.key, "", each.hash) for each in contents)
    return (files + memories) % MODULUS


def _advance_total(view: View, stored: StateTotal, known: int) -> int:
    """The sum as of another transaction: subtract what changed in between as it was, add it as it is."""
    changed = client_sync_queries.documents_changed_between(view, *sorted((stored.upto, known)))
    value = stored.value
    for batch in batches(changed, BATCH_SIZE):
        value -= _sum_documents(view.at(stored.upto).documents(batch).values())
        value += _sum_documents(view.at(known).documents(batch).values())
    return value % MODULUS


def _sum_documents(documents: Iterable[Document]) -> int:
    return sum(_document_hash(each) for each in documents if not each.deleted)


def _document_hash(document: Document) -> int:
    if document.kind == identity.KIND:
        label = identity.label_of(identity.path_of_key(document.key), document)
        return _item_hash(identity.KIND, document.key, label, document.content or "")
    return _item_hash(MEMORY_KIND, document.key, "", document.content or "") if is_memory(document) else 0


def _item_hash(*parts: str | None) -> int:
    return int.from_bytes(sha512(json.dumps(parts, ensure_ascii=False).encode()).digest(), "big")


def list_instances(view: View) -> list[SyncInstance]:
    """All instances, the latest sync first."""
    return sorted(client_sync_queries.instances(view), key=lambda each: (-(each.synced_at or 0), each.id))


def find_instance(view: View, id_: str) -> SyncInstance:
    """The instance of this id; an unknown one has the type `other`."""
    return next((each for each in list_instances(view) if each.id == id_), SyncInstance(id_))


def record_sync(change: Change, instance: SyncInstance, tx: int | None) -> None:
    """Record that an instance synced now, and the transaction up to which it has everything, if known."""
    synced_tx = find_instance(change, instance.id).synced_tx if tx is None else tx
    client_sync_queries.put_instance(change, instance._replace(synced_at=change.now, synced_tx=synced_tx))
