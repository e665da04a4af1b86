"""Keeping a document: its text once, its passages for search, a new version only when something changed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.model.document import Document, DocumentKind, content_hash
from recollect.model.fact import NOTHING
from recollect.model.ids import DocumentId
from recollect.search.indexing import store_passages
from recollect.store.change import Change
from recollect.when.instant import Instant


class DocumentDraft(NamedTuple):
    """A document as it comes in."""

    kind: DocumentKind
    type: str
    key: str
    title: str | None
    author: str | None
    url: str | None
    source_at: Instant
    text: str | None
    properties: Mapping[str, Any] = NOTHING


def keep_document(change: Change, draft: DocumentDraft, held: Document | None = None) -> Document:
    """The document as it now stands, its text stored and its passages ready to be found."""
    digest = content_hash(draft.text) if draft.text else None
    document = Document(
        held.id if held else DocumentId(change.new_id()),
        change.tx,
        draft.kind,
        draft.type,
        draft.key,
        draft.title,
        draft.author,
        draft.url,
        draft.source_at,
        digest,
        draft.properties,
        None,
    )
    if draft.text and digest:
        change.keep_text(digest, draft.text)
    if held is None:
        change.add_document(document)
    else:
        change.put_document(document)
    if held is None or held.deleted or (held.content, held.title) != (digest, draft.title):
        if held is not None:
            change.end_chunks(document.id)
        store_passages(change, document.id, draft.title, draft.text)
    return document
