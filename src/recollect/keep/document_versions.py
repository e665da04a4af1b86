"""Versions of documents, and the tombstones that keep forgotten text from coming back."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from recollect.keep.markdown import MarkdownBlock, parse_blocks, remove_blocks
from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId
from recollect.store import document_queries
from recollect.store.change import Change
from recollect.store.erasure_queries import tombstone_hash
from recollect.store.view import View
from recollect.write.tombstones import ErasedContent, document_tombstones

EARLIER_VERSIONS = "earlierVersions"
"""Property: how many versions a document had elsewhere before it was imported."""


def version_numbers(view: View, documents: Collection[Document]) -> dict[DocumentId, int]:
    """By id, the number of the version that the view shows."""
    earlier = {document.id: _earlier_versions(document) for document in documents}
    return {id_: count + earlier[id_] for id_, count in document_queries.version_counts(view, earlier).items()}


def version_number(view: View, document: Document) -> int:
    return version_numbers(view, (document,))[document.id]


def version_at(view: View, document: Document, number: int) -> Document | None:
    """The version with this number, if there is one."""
    index = number - _earlier_versions(document) - 1
    versions = document_queries.versions_of(view, document.id)
    return versions[index] if 0 <= index < len(versions) else None


def _earlier_versions(document: Document) -> int:
    return int(document.properties.get(EARLIER_VERSIONS, 0))


def carried_properties(document: Document | None) -> dict[str, Any]:
    """The properties that every further version of a document keeps."""
    if document is None or EARLIER_VERSIONS not in document.properties:
        return {}
    return {EARLIER_VERSIONS: document.properties[EARLIER_VERSIONS]}


def documents_of(view: View, kind: str) -> list[Document]:
    """All documents of a kind by key, deleted ones included."""
    return sorted(document_queries.documents_of_kind(view, kind), key=lambda document: document.key)


def texts_of(view: View, documents: Collection[Document]) -> dict[DocumentId, str]:
    """By id, the text of each document."""
    texts = document_queries.texts_by_hash(view, {document.content for document in documents if document.content})
    return {document.id: texts.get(document.content or "", "") for document in documents}


def tx_before(change: Change) -> int:
    """The number of the last transaction before this one."""
    return change.tx - 1 if change.has_changed else change.last_tx


def live_documents(documents: Iterable[Document]) -> list[Document]:
    return [document for document in documents if not document.deleted]


def block_tombstones(text: str) -> Iterator[str]:
    """A tombstone for each block of a memory."""
    yield from (_block_hash(block) for block in parse_blocks(text) if block.kind != "heading")


def _block_hash(block: MarkdownBlock) -> str:
    key = [sorted(part) if isinstance(part, frozenset) else part for part in block.key]
    return tombstone_hash("block", repr(key))


def remove_forgotten(change: Change, text: str) -> str:
    """The text of a memory without forgotten blocks; refused if nothing else is left."""
    if not change.forgotten:
        return text
    blocks = [block for block in parse_blocks(text) if block.kind != "heading"]
    dropped = [block for block in blocks if change.is_forgotten(_block_hash(block))]
    if dropped and len(dropped) == len(blocks):
        raise ErasedContent("what this memory says")
    return remove_blocks(text, lambda block: block in dropped) if dropped else text


def remaining_text(change: Change, kind: str, text: str) -> str | None:
    """The part of an incoming text that was not forgotten here; none if all of it was."""
    if kind != "memory":
        return None if change.is_forgotten(*document_tombstones(kind, "", [content_hash(text)])) else text
    try:
        return remove_forgotten(change, text)
    except ErasedContent:
        return None
