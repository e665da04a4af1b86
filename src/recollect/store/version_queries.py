"""Queries of document versions: their number, their texts, and when their transactions happened."""

from collections.abc import Collection
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant


def version_counts(view: View, documents: Collection[DocumentId]) -> dict[DocumentId, int]:
    """By document, how many versions it had so far."""
    rows = view.rows("document_version_counts", ids=sorted(documents)) if documents else ()
    return {DocumentId(id_): int(count) for id_, count in rows}


def versions_of(view: View, document: DocumentId) -> list[Document]:
    """Every version of a document, the first one first."""
    found = [document_of(row) for row in view.rows("document_versions", id=document)]
    return sorted(found, key=lambda version: version.tx_from)


class VersionSpan(NamedTuple):
    """The transactions from which and before which a version of a fact was known."""

    tx_from: int
    tx_to: int


def fact_version_spans(view: View, fact: FactId) -> list[VersionSpan]:
    """When each version of a fact was known, the first one first."""
    return view.fetch(VersionSpan, "fact_version_spans", id=fact)


def documents_of_kind(view: View, kind: str) -> list[Document]:
    """All documents of a kind, deleted ones included."""
    return [document_of(row) for row in view.rows("documents_of_kind", kind=kind)]


def memories_between(view: View, low: str, high: str) -> list[Document]:
    """The memories with ids from one to before another, by id."""
    found = [document_of(row) for row in view.rows("memories_between", low=low, high=high)]
    return sorted(found, key=lambda document: document.key)


def artifacts_between(view: View, low: str, high: str) -> list[Document]:
    """The artifacts with keys from one to before another, by key; no deleted ones."""
    found = [document_of(row) for row in view.rows("artifacts_between", low=low, high=high)]
    return sorted(found, key=lambda document: document.key)


def memories_changed_between(view: View, low: str, high: str, since: int) -> set[str]:
    """The ids from one to before another of memories that changed after a transaction."""
    return {key for (key,) in view.rows("memories_touched_between", low=low, high=high, since=since)}


def texts_by_hash(view: View, hashes: Collection[str]) -> dict[str, str]:
    return dict(view.rows("texts", hashes=sorted(hashes))) if hashes else {}


def instants_of(view: View, txs: Collection[int]) -> dict[int, Instant]:
    """By number, when transactions happened."""
    return {tx: Instant(at) for tx, at in view.rows("tx_instants", txs=sorted(set(txs)))} if txs else {}
