"""What a writer has just looked up or written, so that a long ingest does not ask for the same thing twice.

It is only right while nobody else writes: it belongs to one writer, which drops it when another one came between.
"""

from dataclasses import dataclass, field

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.names import NameKind
from recollect.store.world import World
from recollect.when.instant import Instant

MOST = 50_000

Named = list[tuple[NameKind, EntityId]]
Pair = tuple[FactId, FactId]


@dataclass(slots=True)
class Recent:
    """Names, entities, vocabulary and settings after `last_tx`; right once that is known to be kept."""

    last_tx: int = -1
    kept_tx: int = -1
    named: dict[str, Named] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    predicates: dict[str, tuple[str, bool] | None] = field(default_factory=dict)
    tokens: set[str] = field(default_factory=set)
    said: dict[tuple[EntityId, str], Instant | None] = field(default_factory=dict)
    world: World | None = None
    superseding: bool | None = None
    forgotten: frozenset[str] | None = None
    batch: "RecentBatch | None" = None

    def clear(self) -> None:
        self.last_tx = -1
        self.world = self.superseding = self.forgotten = None
        for held in (self.named, self.entities, self.predicates, self.tokens, self.said):
            held.clear()
        if self.batch is not None:
            self.batch = RecentBatch()

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget, so that it stays within a bound however many names pass by."""
        return max(len(self.named), len(self.entities), len(self.tokens), len(self.said)) > MOST


@dataclass(slots=True)
class RecentBatch:
    """What the transactions of one batch wrote and the store may not show yet.

    The facts of a slot and the disputes of a fact are here whole or not at all.
    """

    slots: dict[int, list[Fact]] = field(default_factory=dict)
    disputes: dict[FactId, dict[Pair, str]] = field(default_factory=dict)
    documents: dict[tuple[str, str], Document] = field(default_factory=dict)
    lines: set[str] = field(default_factory=set)
    identities: dict[tuple[str, str], str] = field(default_factory=dict)
