"""References to documents and their passages: a UUID, and the UUID with `#2` for the third passage."""

from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.ids import DOCUMENT_PREFIX, DocumentId, format_document_id, is_id, read_id
from recollect.store.view import View
from recollect.surfaces.recollect.problems import NotFound


class PassageRef(NamedTuple):
    """A document, or one of its passages."""

    document: DocumentId
    seq: int | None = None

    def __str__(self) -> str:
        ident = format_document_id(self.document)
        return ident if self.seq is None else f"{ident}#{self.seq}"


def parse_passage_ref(text: str) -> PassageRef | None:
    """The reference in a text; none if it is not one."""
    ident, _, seq = text.strip().partition("#")
    if not is_id(ident, DOCUMENT_PREFIX) or (seq and not (seq.isascii() and seq.isdigit())):
        return None
    return PassageRef(DocumentId(read_id(ident, DOCUMENT_PREFIX)), int(seq) if seq else None)


class FoundPassage(NamedTuple):
    document: Document
    seq: int | None


def find_document(view: View, text: str, field: str) -> FoundPassage:
    """The document that a reference names."""
    ref = parse_passage_ref(text)
    document = None if ref is None else view.document(ref.document)
    if ref is None or document is None or document.deleted is not None:
        next_step = "Pass an id from `unread` or `recall`."
        raise NotFound(f"{field} {text[:100]!r} is not a document here", field=field, next_step=next_step)
    return FoundPassage(document, ref.seq)
