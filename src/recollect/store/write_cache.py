"""Cache of what a writer has just looked up or written, so that a long ingest asks for nothing twice.

It is valid only while nobody else writes: one writer owns it and drops it when another writer came between.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Label
from recollect.model.ids import EntityId, FactId
from recollect.model.names import NameKind
from recollect.model.vocabulary import Predicate, Target
from recollect.store.world import World
from recollect.when.instant import Instant
from recollect.when.period import Time

CACHE_LIMIT = 50_000

NameHolders = list[tuple[NameKind, EntityId]]
DisputePair = tuple[FactId, FactId]
EndKey = tuple[str, EntityId, str]
"""An end, who stands there, and the predicate."""
SUBJECT, OBJECT = "subject", "object"
PredicateKey = tuple[str | None, Label | None, str | None, Target]
"""What a writer gave of a predicate: its name, label and type, and what it points at."""


def name_order(known: tuple[NameKind, EntityId]) -> tuple[bool, EntityId, NameKind]:
    """Names before aliases and identifiers, then by entity."""
    kind, entity = known
    return kind != "name", entity, kind


@dataclass(slots=True)
class WriteCache:
    """Names, entities, vocabulary and settings after `last_tx`; right once that is known to be kept."""

    last_tx: int = -1
    kept_tx: int = -1
    named: dict[str, NameHolders] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    alone: dict[str, Entity] = field(default_factory=dict)
    """Who is meant by a folded name that nobody else is known by."""
    predicates: dict[str, tuple[str, bool] | None] = field(default_factory=dict)
    tokens: dict[str, bool] = field(default_factory=dict)
    """Words of names, and whether the store has their variants."""
    times: dict[str, Time] = field(default_factory=dict)
    said: dict[tuple[EntityId, str], Instant | None] = field(default_factory=dict)
    meanings: dict[PredicateKey, Predicate] = field(default_factory=dict)
    world: World | None = None
    superseding: bool | None = None
    forgotten: frozenset[str] | None = None
    batch: "BatchCache | None" = None

    def clear(self) -> None:
        self.last_tx = -1
        self.world = self.superseding = self.forgotten = None
        for looked_up in (self.named, self.entities, self.alone, self.predicates, self.tokens, self.said):
            looked_up.clear()
        for read in (self.times, self.meanings):
            read.clear()
        if self.batch is not None:
            self.batch = BatchCache()

    def name(self, folded: str, held: NameHolders) -> NameHolders:
        """Remember whom a folded text stands for."""
        self.alone.pop(folded, None)
        self.named[folded] = held
        return held

    def put(self, entity: Entity) -> None:
        """Remember an entity as it stands now, in place of what it was."""
        before = self.entities.get(entity.id)
        if before is not None:
            self.alone.pop(before.folded, None)
        self.entities[entity.id] = entity

    def only(self, folded: str) -> Entity | None:
        """The entity whose name this is, if nothing else is known by that text."""
        known = self.alone.get(folded)
        if known is None:
            held = self.named.get(folded) or []
            known = self.entities.get(held[0][1]) if len(held) == 1 and held[0][0] == "name" else None
            if known is not None:
                self.alone[folded] = known
        return known

    @property
    def is_full(self) -> bool:
        """Whether it is time to forget, so that it stays within a bound however many names pass by."""
        return max(len(self.named), len(self.entities), len(self.tokens), len(self.said), len(self.times)) > CACHE_LIMIT


@dataclass(slots=True)
class BatchCache:
    """What the transactions of one batch wrote and the store may not show yet, or what they were foreseen to ask.

    The facts of a slot and the disputes of a fact are here whole or not at all. Facts under the policy `dispute` are
    here by each end and predicate too, together with what the store has of them once somebody asked.
    """

    slots: dict[int, tuple[Fact, ...]] = field(default_factory=dict)
    disputes: dict[FactId, dict[DisputePair, str]] = field(default_factory=dict)
    documents: dict[tuple[str, str], Document | None] = field(default_factory=dict)
    lines: dict[str, bool] = field(default_factory=dict)
    identities: dict[tuple[str, str], str] = field(default_factory=dict)
    made: set[EntityId] = field(default_factory=set)
    begun: set[FactId] = field(default_factory=set)
    """Facts of which the store knows no dispute, since this batch began them."""
    retracting: set[FactId] = field(default_factory=set)
    beside: dict[EndKey, dict[FactId, Fact]] = field(default_factory=dict)
    asked_beside: set[EndKey] = field(default_factory=set)
    moved: set[FactId] = field(default_factory=set)

    def note(self, fact: Fact) -> None:
        """Let a fact that others may dispute be found by its ends."""
        for key in _end_keys(fact):
            self.beside.setdefault(key, {})[fact.id] = fact

    def move(self, before: Fact, fact: Fact) -> None:
        """Let a fact be found by the ends it has, and no longer by those it had, which the store may still show."""
        self.moved.add(fact.id)
        for key in _end_keys(before):
            self.beside.get(key, {}).pop(fact.id, None)
        if fact.policy == "dispute":
            self.note(fact)


def _end_keys(fact: Fact) -> Iterator[EndKey]:
    yield SUBJECT, fact.subject, fact.predicate
    if fact.object is not None:
        yield OBJECT, fact.object, fact.predicate
