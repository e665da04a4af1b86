"""Queries of artifacts: their index over document versions, folio commits, attached files and bodies past retention."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.rows import document_of
from recollect.store.tables import FOLIO_COMMIT, OPEN
from recollect.store.view import Tx, View
from recollect.when.instant import Instant


class DocumentVersion(NamedTuple):
    document: Document
    tx_to: int


class ArtifactRow(NamedTuple):
    """What the index holds of one version of a document."""

    document: DocumentId
    tx_from: int
    tx_to: int
    kind: str
    source: str
    folio: str | None
    first_at: Instant
    last_at: Instant
    recorded_at: Instant
    source_kind: str


class TagRow(NamedTuple):
    tag: str
    document: DocumentId
    tx_from: int
    tx_to: int


class CommitRow(NamedTuple):
    id: str
    tx: int
    committed_at: Instant
    documents: Sequence[DocumentId]
    facts: int
    links: int


def first_transactions(view: View, documents: Collection[DocumentId]) -> Mapping[DocumentId, Tx]:
    """By document, the transaction that began its first version."""
    rows = view.rows("documents_first", ids=sorted(documents)) if documents else ()
    return {row[0]: Tx(*row[1:]) for row in rows}


def has_changed_documents(view: View, upto: int) -> bool:
    """Whether a version of any document began or ended after a transaction."""
    return bool(view.rows("documents_lagging", upto=upto))


def changed_documents(view: View, upto: int, until: int) -> list[DocumentId]:
    """The documents of which a version began or ended after one transaction and up to another."""
    return sorted(DocumentId(id_) for (id_,) in view.rows("documents_changed", upto=upto, until=until))


def versions_since(view: View, documents: Sequence[DocumentId], upto: int) -> list[DocumentVersion]:
    """The versions of documents that had not ended by a transaction."""
    rows = view.rows("document_versions_since", ids=documents, upto=upto)
    return [DocumentVersion(document_of(row[:-1]), row[-1]) for row in rows]


def put_artifacts(change: Change, artifacts: Iterable[ArtifactRow], tags: Iterable[TagRow]) -> None:
    change.run_many("artifact_put", [row._asdict() for row in artifacts])
    change.run_many("artifact_tag_put", [row._asdict() for row in tags])


def bodies_due(view: View, limit: int) -> list[DocumentId]:
    """The documents whose body is past its retention, the longest overdue first."""
    return view.fetch_values("bodies_due", now=view.now, limit=limit)


def commit_with_identity(view: View, folio: str, identity: str) -> CommitRow | None:
    rows = view.rows("commit_known", folio=folio, identity=identity)
    if not rows:
        return None
    id_, tx, at, documents, facts, links = rows[0]
    return CommitRow(id_, tx, at, json.loads(documents), facts, links)


def add_commit(change: Change, commit: CommitRow, folio: str, identity: str) -> None:
    documents = json.dumps(list(commit.documents))
    key = (change.ws, commit.id, commit.tx, OPEN, folio, identity)
    row = (*key, commit.committed_at, documents, commit.facts, commit.links)
    change.connection.insert(FOLIO_COMMIT, [row])


def put_attachment(change: Change, document: DocumentId, data: str) -> None:
    """Store the bytes of a file, in base64."""
    change.run("attached_put", document=document, data=data)
