"""Queries of document versions: their number, their texts, and when their transactions happened."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.store.change import Change
from recollect.store.rows import EndedChunk
from recollect.store.view import View
from recollect.when.instant import Instant


def version_counts(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, int]:
    """By document, how many versions it had so far."""
    return dict(view.rows("document_version_counts", ids=sorted(documents))) if documents else {}


def versions_of(view: View, document: DocumentId) -> list[Document]:
    """Every version of a document, the first one first."""
    found = view.fetch_documents("document_versions", id=document)
    return sorted(found, key=lambda version: version.tx_from)


def turn_back_chunks(change: Change, tx: int) -> None:
    """End the chunks that a transaction began and restore those it ended.

    Those of a document that the transaction deleted are reopened under their numbers, which decide between equal
    ranks in a search; while it was deleted, nobody sees them.
    """
    ended = change.fetch(EndedChunk, "chunks_ended", tx=tx)
    lacking = set(change.fetch_values("chunks_lacking_vectors", tx=tx))
    then = change.at(tx)
    deleted = {id_ for id_, each in then.documents({each.document for each in ended}).items() if each.deleted}
    for document in change.fetch_values("chunks_begun", tx=tx):
        change.end_chunks(document)
    for chunk in ended:
        if chunk.document not in deleted - lacking:
            change.add_chunk(*chunk)
    for document in sorted(deleted - lacking):
        change.run("chunks_reopen", document=document, tx=tx)
    # A deletion that is done again ends the chunks that its undo reopened.
    live = {id_ for id_, each in change.documents(change.touched.documents).items() if not each.deleted}
    for document in sorted(change.touched.documents - live):
        change.end_chunks(document)


class VersionSpan(NamedTuple):
    """The transactions from which and before which a version of a fact was known."""

    tx_from: int
    tx_to: int


def fact_version_spans(view: View, fact: FactId) -> list[VersionSpan]:
    """When each version of a fact was known, the first one first."""
    return view.fetch(VersionSpan, "fact_version_spans", id=fact)


def documents_of_kind(view: View, kind: str) -> list[Document]:
    """All documents of a kind, deleted ones included."""
    return view.fetch_documents("documents_of_kind", kind=kind)


def memories_between(view: View, low: str, high: str) -> list[Document]:
    """The memories with ids from one to before another, by id."""
    found = view.fetch_documents("memories_between", low=low, high=high)
    return sorted(found, key=lambda document: document.key)


def artifacts_between(view: View, low: str, high: str) -> list[Document]:
    """The artifacts with keys from one to before another, by key; no deleted ones."""
    found = view.fetch_documents("artifacts_between", low=low, high=high)
    return sorted(found, key=lambda document: document.key)


def memories_changed_between(view: View, low: str, high: str, since: int) -> set[str]:
    """The ids from one to before another of memories that changed after a transaction."""
    return set(view.fetch_values("memories_touched_between", low=low, high=high, since=since))


def texts_by_hash(view: View, hashes: Collection[str]) -> dict[str, str]:
    return dict(view.rows("texts", hashes=sorted(hashes))) if hashes else {}


def instants_of(view: View, txs: Collection[int]) -> dict[int, Instant]:
    """By number, when transactions happened."""
    return {tx: Instant(at) for tx, at in view.rows("tx_instants", txs=sorted(set(txs)))} if txs else {}
