"""Documents in lists."""

from collections.abc import Collection
from dataclasses import dataclass

from recollect.model.document import Document
from recollect.model.ids import DocumentId, EntityId, format_document_id
from recollect.serve.web.framework.cards import source_badges
from recollect.store.passage_index import StoredPassageIndex
from recollect.store.view import View
from recollect.when.instant import format_date, local_day

NOTE = "note"
MOST_READ = 200
MOST_SHOWN = 12
OPENING = 70


@dataclass(frozen=True, slots=True)
class DocumentCard:
    id: str
    title: str
    type: str
    date: str
    author: str | None
    badges: tuple[str, ...]


def document_card(view: View, document: Document) -> DocumentCard:
    day = format_date(local_day(document.source_at, view.world.zone))
    title = document.title or (_opening(view, document) if document.type == NOTE else document.key)
    badges = source_badges(document.properties, title)
    return DocumentCard(format_document_id(document.id), title, document.type, day, document.author, badges)


def _opening(view: View, document: Document) -> str:
    """The first words of a note, which tell it from the others of its day."""
    words = " ".join((view.text_of(document) or "").split())
    return (words if len(words) <= OPENING else f"{words[:OPENING].rpartition(' ')[0]}…") or "Note"


def newest_documents(view: View, ids: Collection[DocumentId], limit: int = MOST_SHOWN) -> list[DocumentCard]:
    found = [each for each in view.documents(ids).values() if each.deleted is None]
    found.sort(key=lambda each: (-each.source_at, each.id))
    return [document_card(view, each) for each in found[:limit]]


def mentioning_documents(view: View, entity: EntityId) -> list[DocumentCard]:
    """The newest of the documents that mention an entity."""
    return newest_documents(view, StoredPassageIndex(view).some_mentioning(entity, MOST_READ))
