"""Index of artifacts, caught up from document versions, and the sweep of bodies past retention."""

from collections.abc import Sequence
from zlib import crc32

from recollect.keep.artifacts.artifact import DARK, artifact_date, kind_of, source_kind_of, source_label, tags_of
from recollect.memory import Memory
from recollect.model.document import FOLIO_ID, SUMMARY, TIER, Document
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.model.progress import batches
from recollect.search.chunking import store_passages
from recollect.store import artifact_queries
from recollect.store.artifact_queries import ArtifactRow, DocumentVersion, TagRow
from recollect.store.change import Change
from recollect.store.erasure_queries import erase_body
from recollect.store.index_progress import IndexProgress
from recollect.store.ingest_queries import set_body_expiry
from recollect.store.view import View
from recollect.when.instant import Instant

_INDEX = IndexProgress("artifacts")
"""Its size is a checksum of the time zone in which dates were computed."""
TRANSACTIONS_AT_ONCE = 2_000
DOCUMENTS_AT_ONCE = 500


def artifacts_lag(view: View) -> bool:
    """Whether a document was written, or the zone changed, since the index was brought up to date."""
    state = _INDEX.read(view)
    is_other_zone = state.upto > 0 and state.size != _zone_checksum(view)
    return is_other_zone or artifact_queries.has_changed_documents(view, state.upto)


def index_artifacts(change: Change) -> None:
    """Bring the index up to date; this is not a transaction of its own."""
    state, zone = _INDEX.read(change), _zone_checksum(change)
    now = change.tx if change.has_changed else change.last_tx
    for low in range(state.upto if state.size == zone else 0, now, TRANSACTIONS_AT_ONCE):
        changed = artifact_queries.changed_documents(change, low, min(low + TRANSACTIONS_AT_ONCE, now))
        for batch in batches(changed, DOCUMENTS_AT_ONCE):
            _index_batch(change, batch, low)
    _INDEX.save(change, now, size=zone)


def _zone_checksum(view: View) -> int:
    return crc32(str(view.world.zone).encode())


def _index_batch(change: Change, ids: Sequence[DocumentId], upto: int) -> None:
    first = artifact_queries.first_transactions(change, ids)
    versions = [each for each in artifact_queries.versions_since(change, ids, upto) if _is_visible(each.document)]
    rows = [_artifact_row(change, each, first[each.document.id].at) for each in versions]
    artifact_queries.put_artifacts(change, rows, [tag for each in versions for tag in _tag_rows(each)])


def _is_visible(document: Document) -> bool:
    return not document.deleted and document.properties.get(TIER) != DARK


def _artifact_row(view: View, version: DocumentVersion, recorded_at: Instant) -> ArtifactRow:
    document = version.document
    date = artifact_date(document, view.world.zone)
    return ArtifactRow(
        document.id,
        document.tx_from,
        version.tx_to,
        kind_of(document),
        fold(source_label(document)),
        document.properties.get(FOLIO_ID),
        date.first,
        date.last,
        recorded_at,
        source_kind_of(document),
    )


def _tag_rows(version: DocumentVersion) -> list[TagRow]:
    document, tx_to = version
    tags = sorted({fold(tag) for tag in tags_of(document)})
    return [TagRow(tag, document.id, document.tx_from, tx_to) for tag in tags]


SWEEP_BATCH = 200


def sweep_expired_bodies(memory: Memory) -> int:
    """Erase every body that is past its retention; how many there were."""
    swept = 0
    while some := _sweep_batch(memory):
        swept += some
    return swept


def _sweep_batch(memory: Memory) -> int:
    with memory.read() as view:
        if not artifact_queries.bodies_due(view, limit=1):
            return 0
    with memory.as_actor("retention", "sweep").write() as change:
        due = artifact_queries.bodies_due(change, SWEEP_BATCH)
        for document in due:
            _sweep_body(change, document)
    return len(due)


def _sweep_body(change: Change, id_: DocumentId) -> None:
    """Erase a body; search finds the document by its title and summary from now on."""
    erase_body(change, id_)
    set_body_expiry(change, id_, None)
    document = change.document(id_)
    if document is not None and not document.deleted:
        summary = document.properties.get(SUMMARY)
        store_passages(change, id_, document.title, summary if isinstance(summary, str) else None)
