"""Which entities a document mentions."""

from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change


def set_mentions(change: Change, document: DocumentId, entities: set[EntityId], *, is_new: bool = False) -> None:
    """Make a document mention these entities and no others."""
    mentioned = set[EntityId]() if is_new else set(change.mentioned(document))
    new = entities - mentioned if mentioned else entities
    if new:
        change.add_mentions(document, sorted(new))
    for entity in sorted(mentioned - entities) if mentioned else ():
        change.end_mention(document, entity)


def add_mentions(change: Change, document: DocumentId, entities: set[EntityId]) -> None:
    """Make a document mention these entities besides those it mentions."""
    new = entities - set(change.mentioned(document))
    if new:
        change.add_mentions(document, sorted(new))
