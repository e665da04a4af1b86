"""Cache of what a writer has looked up or written, so that a long ingest reads nothing twice.

It is valid only while nobody else writes: one writer owns it and clears it once another has written.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Fact, Label
from recollect.model.ids import AssertionId, EntityId, FactId
from recollect.model.names import KnownAs
from recollect.model.vocabulary import Predicate, Target
from recollect.store.fact_rows import FactRow
from recollect.store.port import Row
from recollect.store.view import PredicateEntry
from recollect.store.world import World
from recollect.when.instant import Instant
from recollect.when.period import Time

CACHE_LIMIT = 50_000
MOST_ENDS = 64
MOST_AT_END = 64
"""Somebody with more values of a predicate has only the current ones cached."""
MOST_SHOWN = 1_000
MOST_SLOTS = 5_000
MOST_IN_SLOTS = 50_000
"""Facts in the slots that a batch hands on to the next, a kilobyte each."""
MOST_SUPERSEDED = 5_000
CACHED_QUERIES = frozenset(
    "entities_named entity_by_id facts_in_slot document_by_key line_taken predicate_used token_known "
    "any_superseding any_decision disputes_of_fact said_at identity_key lines_taken documents_by_keys "
    "entities_named_any tokens_known facts_in_slots facts_of_subject_with facts_of_subject_ever_with "
    "facts_of_object_with assertions_retracting any_superseded superseded_facts".split()
)
"""Queries asked only for what the cache does not have, so that unflushed rows cannot change their answers."""

NameHolders = list[tuple[KnownAs, EntityId]]
DisputePair = tuple[FactId, FactId]
EndKey = tuple[str, EntityId, str]
"""Subject or object, its entity, and the predicate."""
_BY_ID = attrgetter("id")
SUBJECT, OBJECT = "subject", "object"
PredicateKey = tuple[str | None, Label | None, str | None, Target]
"""A predicate as a writer gave it: its name, label and type, and the kind of its object."""


def name_order(holder: tuple[KnownAs, EntityId]) -> tuple[bool, EntityId, KnownAs]:
    """Names before aliases and identifiers, then by entity."""
    kind, entity = holder
    return kind != "name", entity, kind


class FactsAtEnd(NamedTuple):
    """The facts with a subject or object and a predicate, complete, or complete as far as they are current."""

    facts: dict[FactId, Fact]
    has_every: bool

    def current(self, limit: int) -> list[Fact]:
        held = self.facts.values()
        return [fact for fact in held if not fact.stale and fact.certainty != "retracted"][:limit]

    def in_slot(self, slot: int) -> tuple[Fact, ...]:
        found = [fact for fact in self.facts.values() if fact.slot == slot]
        return tuple(sorted(found, key=_BY_ID) if len(found) > 1 else found)


@dataclass(slots=True)
class WriteCache:
    """Names, entities, vocabulary and settings as of `last_tx`; reusable once that transaction is committed."""

    last_tx: int = -1
    kept_tx: int = -1
    """The last transaction that was committed."""
    named: dict[str, NameHolders] = field(default_factory=dict)
    entities: dict[EntityId, Entity] = field(default_factory=dict)
    alone: dict[str, Entity] = field(default_factory=dict)
    """The entity of a folded name that no other entity has."""
    predicates: dict[str, PredicateEntry | None] = field(default_factory=dict)
    tokens: dict[str, bool] = field(default_factory=dict)
    """Tokens of names, and whether their spelling variants are stored."""
    times: dict[str, Time] = field(default_factory=dict)
    property_times: dict[tuple[EntityId, str], Instant | None] = field(default_factory=dict)
    """Source times of properties."""
    meanings: dict[PredicateKey, Predicate] = field(default_factory=dict)
    world: World | None = None
    superseding: bool | None = None
    """Whether any fact declares that it replaces another."""
    decided: bool | None = None
    """Whether any question of a review was ever decided."""
    forgotten: frozenset[str] | None = None
    ends: dict[EndKey, FactsAtEnd] = field(default_factory=dict)
    """The facts with a subject or object and a predicate; a batch has its own."""
    shown: dict[FactId, FactRow] = field(default_factory=dict)
    """Facts as readers are shown them, with their ends and newest assertion; none during a batch."""
    batch_slots: dict[int, tuple[Fact, ...]] = field(default_factory=dict)
    """The slots that the last batch had cached, valid while `batch_tx` is the last transaction."""
    batch_tx: int = -1
    batch: "BatchCache | None" = None

    def clear(self) -> None:
        self.last_tx = -1
        self.superseding = self.decided = self.forgotten = None
        for looked_up in (self.named, self.entities, self.alone, self.predicates, self.tokens, self.property_times):
            looked_up.clear()
        self.clear_facts()
        self.clear_world()
        if self.batch is not None:
            self.batch = BatchCache()

    def clear_world(self) -> None:
        """Drop the settings and what was read by them."""
        self.world = None
        self.meanings.clear()
        self.times.clear()

    def begin_batch(self, last_tx: int | None = None) -> None:
        """Cache from now on what a batch writes, instead of single facts; it goes on from a batch right before it."""
        slots = self.batch_slots if last_tx == self.batch_tx else {}
        self.clear_facts()
        self.batch = BatchCache(slots)

    def end_batch(self, last_tx: int) -> None:
        """Keep the slots for the next batch, unless there are very many, or very many facts in them."""
        slots = self.batch.slots if self.batch is not None else None
        if slots is not None and len(slots) <= MOST_SLOTS and sum(map(len, slots.values())) <= MOST_IN_SLOTS:
            self.batch_slots, self.batch_tx = slots, last_tx
        self.batch = None

    def clear_facts(self) -> None:
        """Drop the facts, after some were written by other means than the methods below."""
        self.ends.clear()
        self.shown.clear()
        self.batch_slots, self.batch_tx = {}, -1

    def load_end(self, key: EndKey, facts: Iterable[Fact], *, has_every: bool) -> FactsAtEnd:
        """Cache the facts of a key; those of few keys, since somebody may have hundreds of values."""
        if len(self.ends) >= MOST_ENDS:
            self.ends.clear()
        loaded = self.ends[key] = FactsAtEnd({fact.id: fact for fact in facts}, has_every)
        return loaded

    def add_at_ends(self, fact: Fact) -> None:
        """Cache a new fact under the keys that are cached, last as in the store."""
        if self.ends:
            for key in end_keys(fact):
                if key in self.ends:
                    self.ends[key].facts[fact.id] = fact

    def put_at_ends(self, fact: Fact) -> None:
        """Cache the newest version of a fact instead of those before."""
        for held in self.ends.values():
            held.facts.pop(fact.id, None)
        self.add_at_ends(fact)

    def show(self, row: FactRow) -> None:
        """Cache how a fact is shown; few of them, since a reader is shown few."""
        if len(self.shown) >= MOST_SHOWN:
            self.shown.clear()
        self.shown[row.fact.id] = row

    def show_version(self, fact: Fact) -> None:
        """Cache the newest version of a fact; it is read again if its ends or its newest assertion changed."""
        row = self.shown.pop(fact.id, None)
        if row is not None and _shown_by(row.fact) == _shown_by(fact):
            self.shown[fact.id] = row._replace(fact=fact)

    def name(self, folded: str, holders: NameHolders) -> NameHolders:
        """Cache who is known by a folded text."""
        self.alone.pop(folded, None)
        self.named[folded] = holders
        return holders

    def put(self, entity: Entity) -> None:
        """Cache the newest version of an entity."""
        self.shown.clear()  # the rows have the names of their ends
        before = self.entities.get(entity.id)
        if before is not None:
            self.alone.pop(before.folded, None)
        self.entities[entity.id] = entity

    def only(self, folded: str) -> Entity | None:
        """The entity with this name, if nothing else is known by that text."""
        known = self.alone.get(folded)
        if known is None:
            holders = self.named.get(folded) or []
            known = self.entities.get(holders[0][1]) if len(holders) == 1 and holders[0][0] == "name" else None
            if known is not None:
                self.alone[folded] = known
        return known

    @property
    def is_full(self) -> bool:
        """Whether to start over, so that its size stays bounded however many names are written."""
        return (
            max(len(self.named), len(self.entities), len(self.tokens), len(self.property_times), len(self.times))
            > CACHE_LIMIT
        )


@dataclass(slots=True)
class BatchCache:
    """What the transactions of one batch wrote and may not have flushed yet, and what was prefetched for them.

    The facts of a slot and the disputes of a fact are cached completely or not at all. Facts under the policy `dispute`
    are also indexed by subject and predicate and by object and predicate.
    """

    slots: dict[int, tuple[Fact, ...]] = field(default_factory=dict)
    disputes: dict[FactId, dict[DisputePair, str]] = field(default_factory=dict)
    documents: dict[tuple[str, str], Document | None] = field(default_factory=dict)
    lines: dict[str, bool] = field(default_factory=dict)
    identities: dict[tuple[str, str], str] = field(default_factory=dict)
    made: set[EntityId] = field(default_factory=set)
    """Entities that the batch created."""
    begun: set[FactId] = field(default_factory=set)
    """Facts that the batch created, so that the store has no dispute of them."""
    superseded: set[FactId] = field(default_factory=set)
    """Facts that one written by the batch replaces, and those of the store, unless they are many."""
    has_all_superseded: bool | None = None
    """Whether `superseded` has those of the store."""
    unsuperseded: set[FactId] = field(default_factory=set)
    """Facts of the store that nothing in it replaces."""
    retracting: set[FactId] = field(default_factory=set)
    by_end: dict[EndKey, dict[FactId, Fact]] = field(default_factory=dict)
    loaded_ends: set[EndKey] = field(default_factory=set)
    """Keys of `by_end` under which the stored facts are included."""
    moved: set[FactId] = field(default_factory=set)
    """Facts that got another subject or object, which the store may not show yet."""

    def may_be_superseded(self, facts: Collection[FactId], rows: Callable[..., Sequence[Row]]) -> bool:
        """Whether any of these facts may be replaced; the store is asked for all that are, and if many for each."""
        if self.has_all_superseded is None:
            stored = rows("superseded_facts", limit=MOST_SUPERSEDED)
            self.superseded.update(fact for [fact] in stored)
            self.has_all_superseded = len(stored) < MOST_SUPERSEDED
        is_known = not self.superseded.isdisjoint(facts)
        if is_known or self.has_all_superseded:
            return is_known
        unread = [fact for fact in facts if fact not in self.begun and fact not in self.unsuperseded]
        if unread and rows("any_superseded", ids=sorted(unread)):
            return True
        self.unsuperseded.update(unread)
        return False

    def index_ends(self, fact: Fact) -> None:
        for key in end_keys(fact):
            self.by_end.setdefault(key, {})[fact.id] = fact

    def load_end(self, key: EndKey, stored: Iterable[Fact]) -> None:
        """Add the stored facts; those that the batch wrote are newer."""
        unmoved = {fact.id: fact for fact in stored if fact.id not in self.moved}
        self.by_end[key] = {**unmoved, **self.by_end.get(key, {})}
        self.loaded_ends.add(key)

    def move(self, before: Fact, fact: Fact) -> None:
        """Index a fact by its new subject and object instead of the old ones."""
        self.moved.add(fact.id)
        for key in end_keys(before):
            self.by_end.get(key, {}).pop(fact.id, None)
        if fact.policy == "dispute":
            self.index_ends(fact)


def _shown_by(fact: Fact) -> tuple[EntityId, EntityId | None, AssertionId]:
    return fact.subject, fact.object, fact.newest


def end_keys(fact: Fact) -> Iterator[EndKey]:
    yield SUBJECT, fact.subject, fact.predicate
    if fact.object is not None:
        yield OBJECT, fact.object, fact.predicate
