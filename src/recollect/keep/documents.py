"""Versions of documents, and the tombstones that keep forgotten text from coming back."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from recollect.keep.markdown import Block, parse_blocks, remove_blocks
from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.erasure import tombstone_hash
from recollect.store.rows import document_of
from recollect.store.view import View
from recollect.when.instant import Instant
from recollect.write.tombstones import ErasedContent, document_tombstones

EARLIER_VERSIONS = "earlierVersions"
"""Property: how many versions a document had elsewhere before it came here."""


def view_at(view: View, known: int) -> View:
    """The same workspace as it was known after an earlier transaction."""
    return View(view.connection, view.workspace, known, view.now)


def version_numbers(view: View, documents: Collection[Document]) -> dict[DocumentId, int]:
    """By id, the number of the version that the view shows."""
    earlier = {document.id: int(document.properties.get(EARLIER_VERSIONS, 0)) for document in documents}
    rows = view.rows("document_version_counts", ids=sorted(earlier)) if earlier else ()
    return {id_: int(count) + earlier[id_] for id_, count in rows}


def version_number(view: View, document: Document) -> int:
    return version_numbers(view, (document,))[document.id]


def versions_of(view: View, document: DocumentId) -> list[Document]:
    """Every version of a document, first one first."""
    found = [document_of(row) for row in view.rows("document_versions", id=document)]
    return sorted(found, key=lambda version: version.tx_from)


def version_at(view: View, document: Document, number: int) -> Document | None:
    """The version with this number, if it ever was."""
    place = number - int(document.properties.get(EARLIER_VERSIONS, 0)) - 1
    versions = versions_of(view, document.id)
    return versions[place] if 0 <= place < len(versions) else None


def documents_of(view: View, kind: str) -> list[Document]:
    """All documents of a kind, the deleted ones included, by key."""
    found = (document_of(row) for row in view.rows("documents_of_kind", kind=kind))
    return sorted(found, key=lambda document: document.key)


def texts_of(view: View, documents: Collection[Document]) -> dict[DocumentId, str]:
    """By id, the text of each document."""
    hashes = sorted({document.content for document in documents if document.content})
    texts: dict[str, str] = dict(view.rows("texts", hashes=hashes)) if hashes else {}
    return {document.id: texts.get(document.content or "", "") for document in documents}


def instants_of(view: View, txs: Collection[int]) -> Mapping[int, Instant]:
    """When transactions happened, by their numbers."""
    return {tx: Instant(at) for tx, at in view.rows("tx_instants", txs=sorted(set(txs)))} if txs else {}


def tx_before(change: Change) -> int:
    """The number of the last transaction before this one."""
    return change.tx - 1 if change.has_changed else change.last_tx


def live_documents(documents: Sequence[Document]) -> list[Document]:
    """Those that are not deleted."""
    return [document for document in documents if not document.deleted]


def block_tombstones(text: str) -> Iterator[str]:
    """A tombstone for each thing that a memory said."""
    yield from (_block_hash(block) for block in parse_blocks(text) if block.kind != "heading")


def _block_hash(block: Block) -> str:
    key = [sorted(part) if isinstance(part, frozenset) else part for part in block.key]
    return tombstone_hash("block", repr(key))


def remove_forgotten(change: Change, text: str) -> str:
    """A memory's text without what was forgotten; refused if that is all of it."""
    if not change.has_forgotten:
        return text
    said = [block for block in parse_blocks(text) if block.kind != "heading"]
    dropped = [block for block in said if change.is_forgotten(_block_hash(block))]
    if dropped and len(dropped) == len(said):
        raise ErasedContent("what this memory says")
    return remove_blocks(text, lambda block: block in dropped) if dropped else text


def remaining_text(change: Change, kind: str, text: str) -> str | None:
    """What may come in of a text that another copy still has; none if all of it was forgotten."""
    if kind != "memory":
        return None if change.is_forgotten(*document_tombstones(kind, "", [content_hash(text)])) else text
    try:
        return remove_forgotten(change, text)
    except ErasedContent:
        return None
