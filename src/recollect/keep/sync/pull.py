"""The changefeed of a client: pages with tombstones, the state hash, and which instances have synced."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256, sha512
from typing import Final, Literal, NamedTuple

from recollect.errors import Refused
from recollect.keep import identity_files as identity
from recollect.keep.documents import documents_of, instants_of, live_documents, version_numbers, view_at
from recollect.keep.formats import GRANULARITIES
from recollect.keep.memories.memory_store import load_memories, memory_documents
from recollect.keep.memory_index.stored_memory import MEMORY_KIND as MEMORY
from recollect.keep.memory_index.stored_memory import StoredMemory, is_memory
from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant

EntityType = Literal["identity", "memory"]


class BadCursor(Refused):
    def __init__(self) -> None:
        super().__init__("cursor should be the one of the previous page, unchanged", field="cursor")


class SyncPage(NamedTuple):
    """Which state is being read, since when, and how many memories came before."""

    known: int
    since: int | None
    offset: int = 0

    def to_cursor(self) -> str:
        return f"{self.known}.{'all' if self.since is None else self.since}.{self.offset}"


@dataclass(frozen=True, slots=True)
class SyncTombstone:
    """A thing that was deleted."""

    kind: EntityType
    id: str
    version: int
    at: Instant


@dataclass(frozen=True, slots=True)
class PullResult:
    """One page of what there is to learn; without `next` it is the last."""

    page: SyncPage
    files: list[identity.IdentityFile]
    memories: list[StoredMemory]
    gone: list[SyncTombstone]
    next: SyncPage | None


def parse_cursor(cursor: str, last_tx: int) -> SyncPage:
    """The page that a cursor stands for."""
    parts = cursor.split(".")
    if len(parts) != 3 or not all(
        part.isascii() and part.isdigit() and len(part) < 19 for part in (parts[0], parts[2])
    ):
        raise BadCursor
    if parts[1] != "all" and not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 19):
        raise BadCursor
    page = SyncPage(int(parts[0]), None if parts[1] == "all" else int(parts[1]), int(parts[2]))
    if page.known > last_tx:
        raise BadCursor
    return page


def first_page(last_tx: int, since: int | None) -> SyncPage:
    """Everything, unless the embodiment knows an earlier state of this very store."""
    return SyncPage(last_tx, None if since is None or since > last_tx else since)


def pull(view: View, page: SyncPage, limit: int | None) -> PullResult:
    """What a page holds; the view shows the state of the page."""
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
    """Identity files and memories whose present version began after a transaction, the deleted ones included."""
    if since is None:
        return [*documents_of(view, identity.KIND), *memory_documents(view)]
    found = [document_of(row) for row in view.rows("documents_begun_since", since=since)]
    return [each for each in found if is_synced(each)]


def is_synced(document: Document) -> bool:
    return document.kind == identity.KIND or is_memory(document)


def _tombstones(view: View, since: int, deleted: list[Document]) -> list[SyncTombstone]:
    """Tombstones of what was deleted, and of what was undone and has no version any more."""
    ended = sorted(
        [*((each.tx_from, each.key, each) for each in deleted), *_undone_documents(view, since)],
        key=lambda row: row[:2],
    )
    versions, instants = version_numbers(view, [row[2] for row in ended]), instants_of(view, [row[0] for row in ended])
    return [SyncTombstone(_entity_type(each), key, versions[each.id], instants[tx]) for tx, key, each in ended]


def _undone_documents(view: View, since: int) -> list[tuple[int, str, Document]]:
    """The last version of each thing that ended without another, with the transaction that ended it.

    A thing is known by its key: what was undone may have been made anew, and undone again.
    """
    last: dict[tuple[str, str], tuple[int, str, Document]] = {}
    for *row, tx in sorted(view.rows("documents_ended_since", since=since), key=lambda row: int(row[-1])):
        document = document_of(tuple(row))
        last[document.kind, document.key] = (tx, document.key, document)
    ended = [row for row in last.values() if is_synced(row[2]) and not row[2].deleted]
    return [row for row in ended if view.document_named(row[2].kind, row[1]) is None]


def _entity_type(document: Document) -> EntityType:
    return "memory" if document.kind == MEMORY else "identity"


MODULUS: Final = 1 << 512
BATCH_SIZE = 1000


class _StateTotal(NamedTuple):
    """What everything added up to after a transaction."""

    upto: int
    value: int


def state_hash(change: Change, known: int) -> str:
    """A hash over the names, labels and contents of all files and memories as they were after a transaction."""
    held = _stored_total(change)
    total = _sum_all(change, known) if held is None else _advance_total(change, held, known)
    if held is None or held.upto < known:
        row = {"ws": change.ws, "upto": known, "total": f"{total:x}"}
        change.connection.run("sync_state_put", row)
    return sha256(f"{total:x}".encode()).hexdigest()


def _stored_total(view: View) -> _StateTotal | None:
    found = view.rows("sync_state")
    return _StateTotal(int(found[0][0]), int(found[0][1], 16)) if found else None


def _sum_all(view: View, known: int) -> int:
    """The sum over everything."""
    then = view_at(view, known)
    files = _sum_documents(documents_of(then, identity.KIND))
    memories = sum(
        _item_hash(MEMORY, key, "", content)
        for type_, key, content in then.rows("memory_contents")
        if type_ in GRANULARITIES
    )
    return (files + memories) % MODULUS


def _advance_total(view: View, held: _StateTotal, known: int) -> int:
    """The sum after another transaction: what changed in between is taken off as it was and put on as it is."""
    low, high = sorted((held.upto, known))
    changed = [DocumentId(row[0]) for row in view.rows("synced_between", low=low, high=high)] if low < high else []
    value = held.value
    for start in range(0, len(changed), BATCH_SIZE):
        some = changed[start : start + BATCH_SIZE]
        value -= _sum_documents(view_at(view, held.upto).documents(some).values())
        value += _sum_documents(view_at(view, known).documents(some).values())
    return value % MODULUS


def _sum_documents(documents: Iterable[Document]) -> int:
    return sum(_document_hash(each) for each in documents if not each.deleted)


def _document_hash(document: Document) -> int:
    if document.kind == identity.KIND:
        label = identity.label_of(identity.path_of_key(document.key), document)
        return _item_hash(identity.KIND, document.key, label, document.content or "")
    return _item_hash(MEMORY, document.key, "", document.content or "") if is_memory(document) else 0


def _item_hash(*parts: str) -> int:
    return int.from_bytes(sha512(json.dumps(parts, ensure_ascii=False).encode()).digest(), "big")


OTHER_TYPE = "other"


@dataclass(frozen=True, slots=True)
class SyncInstance:
    """One embodiment, when it last came and up to which transaction it knows all."""

    id: str
    type: str = OTHER_TYPE
    name: str | None = None
    version: float | None = None
    synced_at: Instant | None = None
    synced_tx: int = 0


def list_instances(view: View) -> list[SyncInstance]:
    """All of them, the latest first."""
    found = [SyncInstance(*row) for row in view.rows("instances")]
    return sorted(found, key=lambda each: (-(each.synced_at or 0), each.id))


def find_instance(view: View, id_: str) -> SyncInstance:
    """The instance of this id; one that nobody knows is of type `other`."""
    return next((each for each in list_instances(view) if each.id == id_), SyncInstance(id_))


def record_sync(change: Change, instance: SyncInstance, tx: int | None) -> None:
    """Note that it came now, and that it knows all up to a transaction if it does."""
    known = find_instance(change, instance.id)
    noted = replace(instance, synced_at=change.now, synced_tx=known.synced_tx if tx is None else tx)
    change.connection.run(
        "instance_put",
        {
            "ws": change.ws,
            "id": noted.id,
            "type": noted.type,
            "name": noted.name,
            "version": noted.version,
            "synced_at": noted.synced_at,
            "synced_tx": noted.synced_tx,
        },
    )
