"""What a transaction began or ended a version of, for those who follow it."""

from recollect.model.ids import DocumentId, EntityId, FactId
from recollect.store.port import Row
from recollect.store.tables import ASSERTION, DOCUMENT, ENTITY, FACT, MEMORY_LINK, MENTION, NAME, Table


class Touched:
    """A name counts for its entity, an assertion for its fact, a mention or a passage for its document."""

    __slots__ = ("documents", "entities", "facts", "stirred")

    def __init__(self) -> None:
        self.entities: set[EntityId] = set()
        self.facts: set[FactId] = set()
        self.documents: set[DocumentId] = set()
        self.stirred: set[EntityId] = set()
        """Entities that are written as they were, but mean something else now."""

    def add(self, other: "Touched") -> None:
        self.entities |= other.entities
        self.facts |= other.facts
        self.documents |= other.documents
        self.stirred |= other.stirred

    def add_row(self, table: Table, row: Row) -> None:
        """Count a whole row, whose columns are ws, its key, tx_from, tx_to and the rest."""
        if table is ENTITY:
            self.entities.add(row[1])
        elif table is NAME:
            self.entities.add(row[2])
        elif table is FACT:
            self.facts.add(row[1])
        elif table is ASSERTION:
            self.facts.add(row[4])
        elif table in (DOCUMENT, MENTION):
            self.documents.add(row[1])
        elif table is MEMORY_LINK:
            self.documents.update(row[1:3])
