"""Keeping a document: its text once, its passages for search, a new version only when something changed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from recollect.errors import Refused
from recollect.ingest.retention import body_until, note_due, stamped
from recollect.model.document import KEY_LIMIT, Document, DocumentKind, content_hash
from recollect.model.fact import NOTHING
from recollect.model.filing import BODY_UNTIL, MESH_URI, SUMMARY
from recollect.model.ids import DocumentId
from recollect.search.indexing import store_passages
from recollect.store.change import Change
from recollect.when.instant import Instant
from recollect.write.forgotten import check_document


class TooLong(Refused):
    code = "too_long"

    def __init__(self, field: str, given: int) -> None:
        super().__init__(f"{field} has at most {KEY_LIMIT} characters, not {given}", field=field)


class DocumentDraft(NamedTuple):
    """A document as it comes in; `found_by` is what search sees of one whose text is not held."""

    kind: DocumentKind
    type: str
    key: str
    title: str | None
    author: str | None
    url: str | None
    source_at: Instant
    text: str | None
    properties: Mapping[str, Any] = NOTHING
    found_by: str | None = None
    id: DocumentId | None = None


def keep_document(change: Change, draft: DocumentDraft, held: Document | None = None) -> Document:
    """The document as it now stands, its text stored and its passages ready to be found."""
    until = body_until(change, draft.kind, draft.type, draft.source_at, draft.properties)
    is_limited = until is not None or (held is not None and BODY_UNTIL in held.properties)
    if is_limited:
        draft = _limited(change, draft, until)
    _check_lengths(draft)
    check_document(change, draft.kind, draft.key, draft.text)
    digest = content_hash(draft.text) if draft.text else None
    document = Document(
        held.id if held else draft.id or DocumentId(change.new_id()),
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
    if is_limited:
        note_due(change, document.id, until)
    if MESH_URI in draft.properties:
        place = {"ws": change.ws, "uri": draft.properties[MESH_URI], "document": document.id}
        change.connection.run("mesh_body_put", place)
    if draft.text and digest:
        change.keep_text(digest, draft.text)
    if held is None:
        change.add_document(document)
    else:
        change.put_document(document)
    if held is None or held.deleted or _found_by(held) != _found_by(document):
        if held is not None:
            change.end_chunks(document.id)
        store_passages(change, document.id, draft.title, draft.text or draft.found_by)
    return document


def _check_lengths(draft: DocumentDraft) -> None:
    if len(draft.key) > KEY_LIMIT:
        raise TooLong("id", len(draft.key))
    if draft.author is not None and len(draft.author) > KEY_LIMIT:
        raise TooLong("author", len(draft.author))


def _limited(change: Change, draft: DocumentDraft, until: Instant | None) -> DocumentDraft:
    """The draft with the end of its body's time; a body whose time is over is not taken in."""
    summary = draft.properties.get(SUMMARY)
    if until is not None and until <= change.now:
        draft = draft._replace(text=None, found_by=summary if isinstance(summary, str) else None)
    return draft._replace(properties=stamped(draft.properties, until))


def _found_by(document: Document) -> tuple[str | None, ...]:
    """What the passages of a document are made of."""
    return document.content, document.title, found_by(document)


def found_by(document: Document) -> str | None:
    """What search sees of a document whose text is not held."""
    summary = document.properties.get(SUMMARY) if document.content is None else None
    return summary if isinstance(summary, str) else None
