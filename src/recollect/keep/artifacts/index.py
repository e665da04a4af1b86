"""The index of documents as artifacts: one row for each version that may be shown, caught up from the versions.

Each transaction that writes a document brings it up to date. Besides documents it depends on the workspace's zone
alone: where that was moved, it is made anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

from recollect.keep.artifacts.artifact import DARK, dated, kind_of, source_kind_of, source_label, tags_of
from recollect.keep.artifacts.first_seen import first_transactions
from recollect.model.document import Document
from recollect.model.filing import FOLIO_ID, TIER
from recollect.model.ids import DocumentId
from recollect.model.names import fold
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.view import View

PART = "artifacts"
TRANSACTIONS_AT_ONCE = 2_000
DOCUMENTS_AT_ONCE = 500


def artifacts_lag(view: View) -> bool:
    """Whether a document was written, or the zone moved, since the index was brought up to date."""
    upto, zone = _state(view)
    return bool(view.rows("documents_lagging", upto=upto)) or (upto > 0 and zone != _zone_sum(view))


def index_artifacts(change: Change) -> None:
    """Bring the index up to this moment. No transaction."""
    upto, zone = _state(change)
    now = change.tx if change.has_changed else change.last_tx
    if zone != _zone_sum(change):
        upto = 0
    for low in range(upto, now, TRANSACTIONS_AT_ONCE):
        high = min(low + TRANSACTIONS_AT_ONCE, now)
        changed = [row[0] for row in change.rows("documents_changed", upto=low, until=high)]
        for start in range(0, len(changed), DOCUMENTS_AT_ONCE):
            _index(change, sorted(changed)[start : start + DOCUMENTS_AT_ONCE], low)
    state = {"ws": change.ws, "part": PART, "upto": now, "chunks": 0, "characters": _zone_sum(change)}
    change.connection.run("indexed_put", state)


def _state(view: View) -> tuple[int, int]:
    found = view.rows("indexed", part=PART)
    return (int(found[0][0]), int(found[0][2])) if found else (0, 0)


def _zone_sum(view: View) -> int:
    return crc32(str(view.world.zone).encode())


def _index(change: Change, ids: Sequence[DocumentId], upto: int) -> None:
    first = first_transactions(change, ids)
    versions = [(document_of(row[:-1]), row[-1]) for row in change.rows("document_versions_since", ids=ids, upto=upto)]
    shown = [(document, tx_to) for document, tx_to in versions if _is_shown(document)]
    rows = [_columns(change, each, tx_to, first[each.id].at) for each, tx_to in shown]
    change.connection.run_many("artifact_put", rows)
    change.connection.run_many("artifact_tag_put", _tags(change, shown))


def _is_shown(document: Document) -> bool:
    return not document.deleted and document.properties.get(TIER) != DARK


def _columns(view: View, document: Document, tx_to: int, recorded_at: int) -> Mapping[str, Any]:
    date = dated(document, view.world.zone)
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


def _tags(view: View, versions: Iterable[tuple[Document, int]]) -> list[Mapping[str, Any]]:
    return [
        {"ws": view.ws, "tag": tag, "document": each.id, "tx_from": each.tx_from, "tx_to": tx_to}
        for each, tx_to in versions
        for tag in sorted({fold(tag) for tag in tags_of(each)})
    ]
