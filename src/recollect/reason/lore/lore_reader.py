"""Batched, caching reader of one view of the world: entities, relations, sources and times."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from recollect.errors import Refused
from recollect.model.entity import Entity
from recollect.model.fact import Fact
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.model.relations import is_symmetric
from recollect.reason.lore.existence import (
    EVENT_TIME_RELATIONS,
    EXISTENCE_RELATIONS,
    OBJECT_DATING_RELATIONS,
    UNKNOWN_EXISTENCE,
    Existence,
    alive_at,
    derive_event_time,
    derive_existence,
    exists_at,
)
from recollect.reason.lore.relation import (
    Relation,
    RelationSide,
    apply_life_rule,
    date_order,
    extend_transition,
    has_open_life_bound,
    is_at_side,
    relation_of,
    required_lives,
    slots_of,
    spellings_for,
    stated_bounds,
    with_coverage,
)
from recollect.reason.lore.sources import LoreSource, sources_by_fact
from recollect.store import fact_queries, lore_queries
from recollect.store.fact_queries import symmetric_predicates
from recollect.store.view import View
from recollect.store.world import World
from recollect.when.parse import read_time
from recollect.when.period import Bounds, Coverage, Time


def parse_stored_time(value: Any, world: World) -> Time | None:
    """The time that a stored value denotes, if any; `T1 .. T2` is the period from the first to the second."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"{value:04}"
    if not isinstance(value, str):
        return None
    first, _, last = value.partition(" .. ")
    try:
        start = read_time(first, world.timeline, world.clock)
        end = read_time(last, world.timeline, world.clock) if last else start
    except Refused:
        return None
    return start if start == end else Time(value, start.lo, max(start.lo, end.hi), start.uncertain or end.uncertain)


class LoreReader:
    """The world of one view; everything fetched is cached for the lifetime of the reader."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._entities: dict[EntityId, Entity | None] = {}
        self._existences: dict[EntityId, Existence] = {}
        self._event_times: dict[EntityId, Bounds | None] = {}
        self._sources: dict[FactId, list[LoreSource]] = {}
        self._around: dict[tuple[EntityId, Time], list[Relation]] = {}

    @property
    def world(self) -> World:
        return self.view.world

    @property
    def is_fictional(self) -> bool:
        return self.world.timeline.is_fictional

    @property
    def now(self) -> Time:
        return self.world.now

    @cached_property
    def symmetric(self) -> frozenset[str]:
        """The predicates that this workspace has marked as symmetric."""
        return symmetric_predicates(self.view)

    def counts_both_ways(self, name: str) -> bool:
        return is_symmetric(name) or name in self.symmetric

    def is_used(self, name: str) -> bool:
        """Whether any fact was ever stored with this predicate."""
        return fact_queries.is_predicate_used(self.view, name)

    def used_predicates(self) -> list[str]:
        """Every predicate that some fact is stored with."""
        return fact_queries.used_predicates(self.view)

    # Entities

    def entities(self, ids: Iterable[EntityId]) -> dict[EntityId, Entity]:
        """The live ones among these entities."""
        wanted, known = dict.fromkeys(ids), self._entities
        unknown = [each for each in wanted if each not in known]
        if unknown:
            known.update(dict.fromkeys(unknown))
            known.update((each, entity) for each, entity in self.view.entities(unknown).items() if entity.is_live)
        return {each: entity for each in wanted if (entity := known[each]) is not None}

    def entity(self, entity: EntityId) -> Entity | None:
        return self.entities([entity]).get(entity)

    def cache_entities(self, *entities: Entity) -> None:
        """Add entities that were read already to the cache."""
        self._entities |= {entity.id: entity for entity in entities}

    # Relations

    def relations_of(
        self,
        entities: Collection[EntityId],
        names: Collection[str] | None = None,
        side: RelationSide = "either",
        *,
        at: Time | None = None,
        superseded: bool = False,
    ) -> list[Relation]:
        """Live relations with one of these entities on that side, of these names or of all.

        With `at`, relations whose bounds exclude that time may be left out.
        """
        if not entities:
            return []
        if names is None:
            facts = fact_queries.facts_at_ends(self.view, entities, at=at, superseded=superseded)
            return self.live_relations(facts)
        facts = self._facts_named(entities, names, side, at=at, superseded=superseded)
        relations = self.live_relations(facts)
        if side == "either":
            return relations
        wanted = frozenset(entities)
        return [each for each in relations if is_at_side(each, wanted, side)]

    def relations_at(self, entity: EntityId, at: Time) -> list[Relation]:
        """All relations of an entity that may hold at a time, fetched once."""
        if (entity, at) not in self._around:
            self._around[entity, at] = self.relations_of([entity], at=at)
        return self._around[entity, at]

    def _facts_named(
        self, entities: Collection[EntityId], names: Collection[str], side: RelationSide, **options: Any
    ) -> list[Fact]:
        symmetric = [name for name in names if self.counts_both_ways(name)] if side != "either" else names
        as_subject, as_object = names if side != "object" else symmetric, names if side != "subject" else symmetric
        return self._facts_at(entities, as_subject, as_object, **options)

    def _facts_at(
        self, entities: Collection[EntityId], as_subject: Collection[str], as_object: Collection[str], **options: Any
    ) -> list[Fact]:
        """Facts with one of the entities as the subject, or object, of these relations, under any stored predicate."""
        subject, object_ = spellings_for(frozenset(as_subject)), spellings_for(frozenset(as_object))
        return fact_queries.facts_at_ends_by_predicate(
            self.view,
            entities,
            as_subject={*subject.forward, *object_.swapped},
            as_object={*object_.forward, *subject.swapped},
            **options,
        )

    def live_relations(self, facts: Iterable[Fact]) -> list[Relation]:
        """These facts as relations, without those that have a deleted end."""
        return self.with_live_ends(relation_of(fact, self.symmetric) for fact in facts)

    def first_relations(self, entity: EntityId, limit: int, *, superseded: bool = False) -> list[Relation]:
        """The first relations of an entity by their start, those without any date last."""
        ids = fact_queries.first_fact_ids(self.view, entity, limit, superseded=superseded)
        found = self.by_id(ids, superseded=superseded)
        if len(found) < len(ids) == limit:  # some have a deleted end, so others may follow
            found = self.relations_of([entity], superseded=superseded)
        return sorted(found, key=date_order)[:limit]

    def between(
        self, subject: EntityId, name: str, target: EntityId | str | None, *, literal: bool = False
    ) -> list[Relation]:
        """Relations of one triple, superseded ones included; `literal` says that the target is a text."""
        slots = slots_of(subject, name, target, literal=literal, counts_both_ways=self.counts_both_ways)
        return self.live_relations(fact_queries.facts_in_slots(self.view, slots))

    def among(self, entities: Collection[EntityId], *, at: Time | None = None) -> list[Relation]:
        """Live relations between two of these entities."""
        return self.live_relations(fact_queries.facts_among(self.view, entities, at=at))

    def first_relation_each(self, entities: Iterable[EntityId]) -> dict[EntityId, Relation]:
        """One relation of each entity, always the same one for the same state."""
        first = fact_queries.first_fact_of_each(self.view, set(entities))
        found = {each.id: each for each in self.by_id(list(first.values()))}
        return {entity: found[fact] for entity, fact in first.items() if fact in found}

    def by_id(self, ids: Collection[FactId], *, superseded: bool = False) -> list[Relation]:
        """The live relations of these ids."""
        return self.live_relations(fact_queries.facts_by_id(self.view, ids, superseded=superseded))

    def ends_of(self, relations: Iterable[Relation]) -> Mapping[EntityId, Entity]:
        """The live entities at the ends of these relations."""
        return self.entities(end for each in relations for end in each.ends)

    def with_live_ends(self, relations: Iterable[Relation]) -> list[Relation]:
        """The relations whose ends are both live."""
        given = list(relations)
        ends = {end for each in given for end in each.ends}
        live = self.entities(ends)
        if len(live) == len(ends):
            return given
        return [each for each in given if all(end in live for end in each.ends)]

    def counts(self, entities: Iterable[EntityId]) -> dict[EntityId, int]:
        """How many live relations each of these entities has."""
        return fact_queries.count_facts_of_each(self.view, set(entities))

    def sources(self, facts: Iterable[FactId]) -> Mapping[FactId, list[LoreSource]]:
        """By fact, its live assertions with their documents, oldest first."""
        unknown = [fact for fact in facts if fact not in self._sources]
        if unknown:
            self._sources |= {fact: [] for fact in unknown}
            self._sources |= sources_by_fact(lore_queries.sources_of(self.view, unknown))
        return self._sources

    # Time

    def read(self, value: Any) -> Time | None:
        """The time that a stored value denotes, if any."""
        return parse_stored_time(value, self.world)

    def existences(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Existence]:
        """When each of these entities existed."""
        unknown = [each for each in dict.fromkeys(entities) if each not in self._existences]
        for entity, dating in self._dating_relations(unknown, EXISTENCE_RELATIONS, OBJECT_DATING_RELATIONS).items():
            self._existences[entity] = derive_existence(entity, dating, self._properties_of(entity), self.read)
        return self._existences

    def existence(self, entity: EntityId) -> Existence:
        return self.existences([entity]).get(entity, UNKNOWN_EXISTENCE)

    def event_times(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Bounds | None]:
        """When each of these events took place; none if nothing says."""
        unknown = [each for each in dict.fromkeys(entities) if each not in self._event_times]
        for entity, dating in self._dating_relations(unknown, EVENT_TIME_RELATIONS).items():
            self._event_times[entity] = derive_event_time(entity, dating, self._properties_of(entity), self.read)
        return self._event_times

    def _properties_of(self, entity: EntityId) -> Mapping[str, Any]:
        known = self._entities.get(entity)
        return known.properties if known else {}

    def event_time(self, entity: EntityId) -> Bounds | None:
        return self.event_times([entity]).get(entity)

    def _dating_relations(
        self, entities: Sequence[EntityId], as_subject: frozenset[str], as_object: frozenset[str] = frozenset()
    ) -> dict[EntityId, list[Relation]]:
        """By entity, the relations of these names that it is the subject, or the object, of."""
        found: dict[EntityId, list[Relation]] = {entity: [] for entity in entities}
        if not found:
            return found
        self.entities(entities)
        for relation in self.live_relations(self._facts_at(entities, as_subject, as_object)):
            for end in relation.ends:
                if end in found:
                    found[end].append(relation)
        return found

    def interval(self, relation: Relation) -> Bounds:
        """When the relation held, by its bounds and the life rule."""
        return self.intervals([relation])[relation.id]

    def intervals(self, relations: Iterable[Relation]) -> dict[FactId, Bounds]:
        """When each relation held, by its bounds and the life rule."""
        given = list(relations)
        open_ones = [each for each in given if has_open_life_bound(each)]
        lives = self.existences(end for each in open_ones for end in required_lives(each)) if open_ones else {}
        closed = {
            each.id: apply_life_rule(stated_bounds(each), *(lives[end].bounds for end in required_lives(each)))
            for each in open_ones
            if any(lives[end] is not UNKNOWN_EXISTENCE for end in required_lives(each))
        }
        return {each.id: closed.get(each.id) or stated_bounds(each) for each in given}

    def shown_intervals(self, relations: Iterable[Relation]) -> dict[FactId, Bounds]:
        """When each relation is shown in the context of its ends: a transition from its start on."""
        given = list(relations)
        intervals = self.intervals(given)
        return {each.id: extend_transition(intervals[each.id], each) for each in given}

    def holding(self, relations: Iterable[Relation], at: Time) -> list[tuple[Relation, Coverage]]:
        """Those relations that hold at a time, and how much of it they cover."""
        given = list(relations)
        return with_coverage(given, self.intervals(given), at)

    def showing(self, relations: Iterable[Relation], at: Time) -> list[tuple[Relation, Coverage]]:
        """The same, but transitions from before that time still count."""
        given = list(relations)
        return with_coverage(given, self.shown_intervals(given), at)

    def alive(self, entity: Entity, at: Time) -> bool | None:
        existence = self.existence(entity.id)
        return alive_at(kind_of(entity).type, existence, at, self.now, is_fictional=self.is_fictional)

    def exists(self, entity: Entity, at: Time) -> bool | None:
        return exists_at(self.existence(entity.id), at, self.now, is_fictional=self.is_fictional)
