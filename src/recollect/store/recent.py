"""What a writer has just looked up, so that a long ingest does not ask for the same name twice.

It is only right while nobody else writes: it belongs to one writer, which drops it when another one came between.
"""

from dataclasses import dataclass, field

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.names import NameKind

MOST = 100_000


@dataclass(slots=True)
class Recent:
    last_tx: int = -1
    named: dict[str, list[tuple[NameKind, EntityId]]] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    predicates: set[str] = field(default_factory=set)
    tokens: set[str] = field(default_factory=set)

    def clear(self) -> None:
        self.last_tx = -1
        for held in (self.named, self.entities, self.predicates, self.tokens):
            held.clear()

    def trim(self) -> None:
        """Stay within a bound, however many names pass by."""
        if max(len(self.named), len(self.entities), len(self.tokens)) > MOST:
            self.clear()
