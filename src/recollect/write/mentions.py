"""Which entities a document mentions."""

from recollect.model.ids import DocumentId, EntityId
from recollect.store.change import Change


def set_mentions(change: Change, document: DocumentId, entities: set[EntityId], *, is_new: bool = False) -> None:
    """Make a document mention these entities and no others."""
    held = set[EntityId]() if is_new else set(change.mentioned(document))
    new = entities - held if held else entities
    if new:
        change.add_mentions(document, sorted(new))
    for entity in sorted(held - entities) if held else ():
        change.end_mention(document, entity)


def add_mentions(change: Change, document: DocumentId, entities: set[EntityId]) -> None:
    """Make a document mention these entities besides those it mentions."""
    new = entities - set(change.mentioned(document))
    if new:
        change.add_mentions(document, sorted(new))
