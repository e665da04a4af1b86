"""Queries of lore documents: by title, by content, and the rows that a deletion ended."""

from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DocumentId, FactId
from recollect.store.change import Change
from recollect.store.port import Row
from recollect.store.rows import document_of
from recollect.store.tables import ASSERTION, VersionedTable
from recollect.store.view import View


class ChunkRow(NamedTuple):
    document: DocumentId
    seq: int
    start: int
    stop: int
    hash: str
    text: str


def lore_sources_titled(view: View, title: str) -> list[Document]:
    """Lore documents with this title, deleted ones too."""
    return [document_of(row) for row in view.rows("documents_titled", title=title, kind="lore_source")]


def encounters_with_content(view: View, content_hash: str) -> list[Document]:
    return [document_of(row) for row in view.rows("encounters_with_text", content=content_hash)]


def chunks_ended_by(change: Change, tx: int, document: DocumentId) -> list[ChunkRow]:
    """The passages of a document that a transaction ended."""
    return [chunk for chunk in map(ChunkRow._make, change.rows("chunks_ended", tx=tx)) if chunk.document == document]


def facts_withdrawn_by(change: Change, tx: int, document: DocumentId) -> list[FactId]:
    """The facts that a document asserted until a transaction ended its assertions."""
    fact = ASSERTION.columns.index("fact")
    return sorted({row[fact] for row in _rows_ended_by(change, ASSERTION, tx, "document", document)})


def reopen_rows(change: Change, table: VersionedTable, tx: int, column: str, value: str) -> int:
    """Begin again the rows with this value that a transaction ended; returns how many there were."""
    rows = _rows_ended_by(change, table, tx, column, value)
    for row in rows:
        change.begin_again(table, row)
    return len(rows)


def _rows_ended_by(change: Change, table: VersionedTable, tx: int, column: str, value: str) -> list[Row]:
    index = table.columns.index(column)
    return [row for row in change.connection.ended_by(table, change.ws, tx) if row[index] == value]
