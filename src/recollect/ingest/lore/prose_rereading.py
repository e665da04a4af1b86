"""Lore prose with a time that could not be read is read again when a later version of the program starts."""

from collections.abc import Iterator
from zlib import crc32

from recollect import __version__
from recollect.errors import RecollectError
from recollect.ingest.lore.source_parser import SourceInput
from recollect.ingest.lore.sources import prepare_within, write_source
from recollect.memory import Memory
from recollect.model.ids import DocumentId
from recollect.store.change import Change
from recollect.store.index_progress import IndexProgress
from recollect.store.ingest_queries import lore_documents_with_pending_time
from recollect.store.view import View

_READ_BY = IndexProgress("lore-times")
_PAGE = 200


def reread_pending_prose(memory: Memory, version: str = __version__) -> int:
    """Read the documents again whose times no earlier version could read, once for each version; how many."""
    number = crc32(version.encode())
    with memory.read() as view:
        waiting = list(_documents_to_reread(view)) if _READ_BY.read(view).upto != number else None
    if waiting is None:
        return 0
    for document in waiting:
        _reread(memory, document)
    with memory.write() as change:
        _READ_BY.save(change, number)
    return len(waiting)


def _documents_to_reread(view: View) -> Iterator[DocumentId]:
    after = DocumentId("")
    while page := lore_documents_with_pending_time(view, after, _PAGE):
        yield from page
        after = page[-1]


def _reread(memory: Memory, document: DocumentId) -> None:
    """Read one document again; one that is refused by now keeps what it had."""
    try:
        with memory.write() as change:
            _reread_within(change, document)
    except RecollectError:
        return


def _reread_within(change: Change, id_: DocumentId) -> None:
    document = change.document(id_)
    text = change.text_of(document) if document is not None and not document.deleted else None
    if document is not None and text:
        given = SourceInput(text, document.title, document.type, document.author, url=document.url, lenient=True)
        write_source(change, prepare_within(change, given))
