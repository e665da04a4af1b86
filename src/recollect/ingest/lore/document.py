"""Keeping a document of lore: its text whole, and passages of the parts that somebody may look for."""

from collections.abc import Iterable, Iterator

from recollect.ingest.documents import DocumentDraft
from recollect.model.document import Document, content_hash
from recollect.model.ids import DocumentId, say_uuid
from recollect.search.chunk import Passage, passages
from recollect.store.change import Change
from recollect.write.forgotten import check_document


def keep_lore(change: Change, draft: DocumentDraft, found: Iterable[Passage], held: Document | None) -> Document:
    """The document as it now stands; one without a key of its own has its id for one."""
    id_ = held.id if held else DocumentId(change.new_id())
    check_document(change, draft.kind, say_uuid(id_), draft.text)
    digest = content_hash(draft.text) if draft.text else None
    document = Document(
        id_,
        change.tx,
        draft.kind,
        draft.type,
        say_uuid(id_),
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
        change.end_chunks(id_)
    for seq, passage in enumerate(found):
        change.add_chunk(id_, seq, passage.start, passage.stop, content_hash(passage.text), passage.text)
    return document


def passages_of(title: str | None, text: str, offset: int = 0) -> Iterator[Passage]:
    """The passages of a part of a text, at their places in the whole."""
    for passage in passages(title, text):
        yield Passage(passage.start + offset, passage.stop + offset, passage.text)
