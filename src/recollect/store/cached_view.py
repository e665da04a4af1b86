"""The latest state as its one writer sees it: reads go through the write cache."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import islice

from recollect.model.document import Document
from recollect.model.entity import Entity
from recollect.model.fact import Claim, Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.names import NameKind
from recollect.model.vocabulary import PredicateUsage
from recollect.store.port import Connection, Row
from recollect.store.rows import entity_of
from recollect.store.tables import LATEST
from recollect.store.view import Dispute, View, Workspace
from recollect.store.world import World
from recollect.store.write_cache import (
    OBJECT,
    SUBJECT,
    BatchCache,
    DisputePair,
    EndKey,
    NameHolders,
    WriteCache,
    name_order,
)
from recollect.when.instant import Instant
from recollect.when.timeline import Timeline


class CachedView(View):
    """A view of the latest state; only right while its writer holds the lock that `Recent` was made under."""

    def __init__(self, connection: Connection, workspace: Workspace, now: Instant, recent: WriteCache) -> None:
        super().__init__(connection, workspace, LATEST, now)
        self.recent = recent

    @cached_property
    def world(self) -> World:
        """The zone, timeline, present and policies of this workspace; read once while nobody else writes."""
        held = self.recent.world
        if held is None:
            held = self.recent.world = self.read_world()
        return held if held.clock == self.now else held.at(self.now)

    @property
    def timeline(self) -> Timeline:
        """The timeline alone: it needs no present."""
        return (self.recent.world or self.world).timeline

    def _forget_world(self) -> None:
        self.recent.world = None
        self.recent.meanings.clear()
        self.recent.times.clear()
        self.__dict__.pop("world", None)

    def recall_nothing(self) -> None:
        """Read everything anew, after versions came and went in other ways than by what is written here."""
        self.recent.clear()
        self.__dict__.pop("world", None)

    def entities_named(self, folded: str) -> list[tuple[NameKind, Entity]]:
        """Live entities known by this folded text, and whether as name, alias or identifier."""
        return [(kind, self._recent_entity(entity)) for kind, entity in self._named(folded)]

    def _named(self, folded: str) -> NameHolders:
        held = self.recent.named.get(folded)
        if held is None:
            held = self.recall_named(folded, self.rows("entities_named", folded=folded))
        return held

    def recall_named(self, folded: str, rows: Sequence[Row]) -> NameHolders:
        """Remember whom a folded text stands for; an entity that is remembered may be newer than the store's."""
        for row in rows:
            if row[1] not in self.recent.entities:
                self.recent.entities[row[1]] = entity_of(row[1:])
        return self.recent.name(folded, sorted(((row[0], row[1]) for row in rows), key=name_order))

    def is_known_as(self, entity: EntityId, folded: str, kind: NameKind) -> bool:
        """Whether the entity has this folded text as a name of this kind."""
        return (kind, entity) in self._named(folded)

    def _recent_entity(self, entity: EntityId) -> Entity:
        held = self.entity(entity)
        if held is None:
            raise LookupError(entity)
        return held

    def entity(self, entity: EntityId) -> Entity | None:
        held = self.recent.entities.get(entity)
        if held is None:
            held = super().entity(entity)
            if held is not None:
                self.recent.entities[entity] = held
        return held

    def facts_in_slot(self, slot: int) -> tuple[Fact, ...]:
        batch = self.recent.batch
        if batch is None:
            return super().facts_in_slot(slot)
        held = batch.slots.get(slot)
        if held is None:
            held = batch.slots[slot] = super().facts_in_slot(slot)
        return held

    def facts_claiming(self, claim: Claim, slot: int) -> tuple[Fact, ...]:
        """The facts in the slot of a claim; the store has none about an entity that this batch made."""
        batch = self.recent.batch
        if batch is None or (claim.subject not in batch.made and claim.object not in batch.made):
            return self.facts_in_slot(slot)
        return batch.slots.setdefault(slot, ())

    def disputes_of(self, fact: FactId) -> list[Dispute]:
        batch = self.recent.batch
        if batch is None:
            return super().disputes_of(fact)
        return [Dispute(one, other, reason) for (one, other), reason in sorted(self._disputes(batch, fact).items())]

    def _disputes(self, batch: BatchCache, fact: FactId) -> dict[DisputePair, str]:
        held = batch.disputes.get(fact)
        if held is None:
            found = [] if fact in batch.begun else super().disputes_of(fact)
            held = batch.disputes[fact] = {(each.one, each.other): each.reason for each in found}
        return held

    def facts_of_subject(self, subject: EntityId, predicate: str, limit: int) -> list[Fact]:
        ask = super().facts_of_subject
        return self._beside((SUBJECT, subject, predicate), limit, lambda: ask(subject, predicate, limit))

    def facts_of_object(self, object_: EntityId, predicate: str, limit: int) -> list[Fact]:
        ask = super().facts_of_object
        return self._beside((OBJECT, object_, predicate), limit, lambda: ask(object_, predicate, limit))

    def _beside(self, key: EndKey, limit: int, ask: Callable[[], list[Fact]]) -> list[Fact]:
        """The facts of one predicate at one end; the store is asked once a batch, and never of an entity just made."""
        batch = self.recent.batch
        if batch is None:
            return ask()
        if key not in batch.asked_beside:
            _cache_facts_at_end(batch, key, () if key[1] in batch.made else ask())
        return _standing_facts(batch, key, limit)

    def was_retracted(self, fact: FactId) -> bool:
        batch = self.recent.batch
        return (batch is not None and fact in batch.retracting) or super().was_retracted(fact)

    def superseders(self, facts: Collection[FactId]) -> Mapping[FactId, Sequence[Fact]]:
        recent = self.recent
        if recent.superseding is None:
            recent.superseding = bool(self.rows("any_superseding"))
        return super().superseders(facts) if recent.superseding else {}

    def document_named(self, kind: str, key: str) -> Document | None:
        batch = self.recent.batch
        if batch is not None and (kind, key) in batch.documents:
            return batch.documents[kind, key]
        return super().document_named(kind, key)

    def has_taken(self, line: str) -> bool:
        batch = self.recent.batch
        known = batch.lines.get(line) if batch is not None else None
        return super().has_ingested_line(line) if known is None else known

    def knows_token(self, word: str) -> bool:
        """Whether the store has the variants of a word."""
        known = self.recent.tokens.get(word)
        return bool(self.rows("token_known", token=word)) if known is None else known

    def usage(self, predicate: str) -> PredicateUsage:
        surface, symmetric = self._first_use(predicate) or (None, False)
        return PredicateUsage(self.world.conflict_policy, surface, symmetric, self.world.timeline.is_fictional)

    def _first_use(self, predicate: str) -> tuple[str, bool] | None:
        known = self.recent.predicates
        if predicate not in known:
            found = self.rows("predicate_used", name=predicate)
            known[predicate] = (found[0][1], found[0][2] == 1) if found else None
        return known[predicate]


def _cache_facts_at_end(batch: BatchCache, key: EndKey, stored: Sequence[Fact]) -> None:
    """What the batch wrote is newer than what the store has."""
    still = {fact.id: fact for fact in stored if fact.id not in batch.moved}
    batch.beside[key] = {**still, **batch.beside.get(key, {})}
    batch.asked_beside.add(key)


def _standing_facts(batch: BatchCache, key: EndKey, limit: int) -> list[Fact]:
    standing = (fact for fact in batch.beside[key].values() if not fact.stale and not fact.is_retracted)
    return list(islice(standing, limit))
