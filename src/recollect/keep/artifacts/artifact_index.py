"""Index of artifacts, caught up from document versions, and the sweep of bodies past retention."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from recollect.keep.artifacts.artifact import DARK, artifact_date, kind_of, source_kind_of, source_label, tags_of
from recollect.memory import Memory
from recollect.model.document import FOLIO_ID, SUMMARY, TIER, Document
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.search.chunking import store_passages
from recollect.store.change import Change
from recollect.store.erasure import erase_body
from recollect.store.rows import document_of
from recollect.store.view import Tx, View


def first_transactions(view: View, documents: Collection[DocumentId]) -> Mapping[DocumentId, Tx]:
    """By document, the transaction that began its first version."""
    rows = view.rows("documents_first", ids=sorted(documents)) if documents else ()
    return {row[0]: Tx(*row[1:]) for row in rows}


INDEX_NAME = "artifacts"
TRANSACTIONS_AT_ONCE = 2_000
DOCUMENTS_AT_ONCE = 500


def artifacts_lag(view: View) -> bool:
    """Whether a document was written, or the zone moved, since the index was brought up to date."""
    upto, zone = _index_state(view)
    return bool(view.rows("documents_lagging", upto=upto)) or (upto > 0 and zone != _zone_checksum(view))


def index_artifacts(change: Change) -> None:
    """Bring the index up to this moment. No transaction."""
    upto, zone = _index_state(change)
    now = change.tx if change.has_changed else change.last_tx
    if zone != _zone_checksum(change):
        upto = 0
    for low in range(upto, now, TRANSACTIONS_AT_ONCE):
        high = min(low + TRANSACTIONS_AT_ONCE, now)
        changed = [row[0] for row in change.rows("documents_changed", upto=low, until=high)]
        for start in range(0, len(changed), DOCUMENTS_AT_ONCE):
            _index_batch(change, sorted(changed)[start : start + DOCUMENTS_AT_ONCE], low)
    state = {"ws": change.ws, "part": INDEX_NAME, "upto": now, "chunks": 0, "characters": _zone_checksum(change)}
    change.connection.run("indexed_put", state)


def _index_state(view: View) -> tuple[int, int]:
    found = view.rows("indexed", part=INDEX_NAME)
    return (int(found[0][0]), int(found[0][2])) if found else (0, 0)


def _zone_checksum(view: View) -> int:
    return crc32(str(view.world.zone).encode())


def _index_batch(change: Change, ids: Sequence[DocumentId], upto: int) -> None:
    first = first_transactions(change, ids)
    versions = [(document_of(row[:-1]), row[-1]) for row in change.rows("document_versions_since", ids=ids, upto=upto)]
    shown = [(document, tx_to) for document, tx_to in versions if _is_visible(document)]
    rows = [_artifact_row(change, each, tx_to, first[each.id].at) for each, tx_to in shown]
    change.connection.run_many("artifact_put", rows)
    change.connection.run_many("artifact_tag_put", _tag_rows(change, shown))


def _is_visible(document: Document) -> bool:
    return not document.deleted and document.properties.get(TIER) != DARK


def _artifact_row(view: View, document: Document, tx_to: int, recorded_at: int) -> Mapping[str, Any]:
    date = artifact_date(document, view.world.zone)
    return {
        "ws": view.ws,
        "document": document.id,
        "tx_from": document.tx_from,
        "tx_to": tx_to,
        "kind": kind_of(document),
        "source": fold(source_label(document)),
        "folio": document.properties.get(FOLIO_ID),
        "first_at": date.first,
        "last_at": date.last,
        "recorded_at": recorded_at,
        "source_kind": source_kind_of(document),
    }


def _tag_rows(view: View, versions: Iterable[tuple[Document, int]]) -> list[Mapping[str, Any]]:
    return [
        {"ws": view.ws, "tag": tag, "document": each.id, "tx_from": each.tx_from, "tx_to": tx_to}
        for each, tx_to in versions
        for tag in sorted({fold(tag) for tag in tags_of(each)})
    ]


SWEEP_BATCH = 200


def sweep_expired_bodies(memory: Memory) -> int:
    """Remove every body that is due; how many there were."""
    swept = 0
    while some := _sweep_batch(memory):
        swept += some
    return swept


def _sweep_batch(memory: Memory) -> int:
    with memory.read() as view:
        if not view.rows("bodies_due", now=view.now, limit=1):
            return 0
    with memory.as_actor("retention", "sweep").write() as change:
        due = [document for (document,) in change.rows("bodies_due", now=change.now, limit=SWEEP_BATCH)]
        for document in due:
            _sweep_body(change, DocumentId(document))
    return len(due)


def _sweep_body(change: Change, document: DocumentId) -> None:
    """The document is found by its title and summary from now on."""
    erase_body(change, document)
    change.connection.run("body_due_drop", {"ws": change.ws, "document": document})
    held = change.document(document)
    if held is not None and not held.deleted:
        summary = held.properties.get(SUMMARY)
        store_passages(change, document, held.title, summary if isinstance(summary, str) else None)
