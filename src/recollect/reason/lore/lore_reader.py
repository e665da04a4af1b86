"""Batched, caching reader of one view of the world: entities, relations, sources and times."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from recollect.errors import Refused
from recollect.model.entity import Entity
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
    merge_rows,
    relation_of,
    required_lives,
    slots_of,
    spellings_for,
    stated_bounds,
    time_window,
    with_coverage,
)
from recollect.reason.lore.sources import LoreSource, sources_by_fact
from recollect.store.port import Row
from recollect.store.rows import fact_of
from recollect.store.view import View
from recollect.store.world import World
from recollect.when.parse import read_time
from recollect.when.period import Bounds, Coverage, Time


def parse_stored_time(value: Any, world: World) -> Time | None:
    """The time that a stored value stands for, if it does; `T1 .. T2` is the whole stretch."""
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
    """A world as one view knows it; what was fetched once is kept for as long as the view."""

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
        """The relations of this workspace's own that count both ways."""
        return frozenset(row[0] for row in self.view.rows("predicates_symmetric"))

    def counts_both_ways(self, name: str) -> bool:
        return is_symmetric(name) or name in self.symmetric

    def is_used(self, name: str) -> bool:
        """Whether any fact was ever stored under this name."""
        return bool(self.view.rows("relation_used", predicate=name))

    def used_predicates(self) -> list[str]:
        """Every predicate that facts are stored under."""
        return [row[0] for row in self.view.rows("relations_used")]

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
        """Entities that were read already need no further probe."""
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
        """Live relations that have one of these entities at that end, of these names or of all.

        With `at`, those that certainly do not hold then by their bounds may be left out.
        """
        if not entities:
            return []
        asked = {"entities": sorted(entities), "superseded": int(superseded), **time_window(at)}
        rows = self._rows_at_ends(asked) if names is None else self._rows_named(names, side, asked)
        relations = [relation_of(fact_of(row), self.symmetric) for row in rows]
        if names is not None and side != "either":
            held = frozenset(entities)
            relations = [each for each in relations if is_at_side(each, held, side)]
        return self.with_live_ends(relations)

    def relations_at(self, entity: EntityId, at: Time) -> list[Relation]:
        """All relations of an entity that may hold at a time, fetched once."""
        if (entity, at) not in self._around:
            self._around[entity, at] = self.relations_of([entity], at=at)
        return self._around[entity, at]

    def _rows_at_ends(self, asked: Mapping[str, Any]) -> list[Row]:
        return merge_rows(
            self.view.rows("relations_of_subjects", **asked), self.view.rows("relations_of_objects", **asked)
        )

    def _rows_named(self, names: Collection[str], side: RelationSide, asked: Mapping[str, Any]) -> list[Row]:
        as_subject = names if side != "object" else [name for name in names if self.counts_both_ways(name)]
        as_object = names if side != "subject" else [name for name in names if self.counts_both_ways(name)]
        return self._rows_at(as_subject, as_object, asked)

    def _rows_at(self, as_subject: Collection[str], as_object: Collection[str], asked: Mapping[str, Any]) -> list[Row]:
        """Facts with one of the entities as the subject, or object, of these relations, however they are stored."""
        subject, object_ = spellings_for(frozenset(as_subject)), spellings_for(frozenset(as_object))
        at_subject = sorted({*subject.forward, *object_.swapped})
        at_object = sorted({*object_.forward, *subject.swapped})
        return merge_rows(
            self.view.rows("relations_of_subjects_named", predicates=at_subject, **asked) if at_subject else (),
            self.view.rows("relations_of_objects_named", predicates=at_object, **asked) if at_object else (),
        )

    def first_relations(self, entity: EntityId, limit: int, *, superseded: bool = False) -> list[Relation]:
        """The first relations of an entity by their start, those without any date last."""
        asked = {"entity": entity, "superseded": int(superseded), "limit": limit}
        ids = [row[0] for row in self.view.rows("relations_in_order", **asked)]
        found = self.by_id(ids, superseded=superseded)
        if len(found) < len(ids) == limit:  # some have a deleted end, so others may follow
            found = self.relations_of([entity], superseded=superseded)
        return sorted(found, key=date_order)[:limit]

    def between(
        self, subject: EntityId, name: str, target: EntityId | str | None, *, literal: bool = False
    ) -> list[Relation]:
        """Relations of one triple, superseded ones too; `literal` says that the target is a text."""
        slots = slots_of(subject, name, target, literal=literal, counts_both_ways=self.counts_both_ways)
        rows = self.view.rows("relations_in_slots", slots=sorted(slots), superseded=1)
        return self.with_live_ends(relation_of(fact_of(row), self.symmetric) for row in rows)

    def among(self, entities: Collection[EntityId], *, at: Time | None = None) -> list[Relation]:
        """Live relations between two of these entities."""
        asked = {"entities": sorted(entities), "superseded": 0, **time_window(at)}
        return self.with_live_ends(
            relation_of(fact_of(row), self.symmetric) for row in self.view.rows("relations_among", **asked)
        )

    def first_relation_each(self, entities: Iterable[EntityId]) -> dict[EntityId, Relation]:
        """For each entity one relation, the same for the same state."""
        wanted = sorted(set(entities))
        first: dict[EntityId, FactId] = {}
        for entity, fact in self.view.rows("relation_first", entities=wanted, superseded=0) if wanted else ():
            first[entity] = min(fact, first.get(entity, fact))
        found = {each.id: each for each in self.by_id(list(first.values()))}
        return {entity: found[fact] for entity, fact in first.items() if fact in found}

    def by_id(self, ids: Collection[FactId], *, superseded: bool = False) -> list[Relation]:
        """The live relations of these ids."""
        rows = self.view.rows("relations_by_id", ids=sorted(ids), superseded=int(superseded)) if ids else []
        return self.with_live_ends(relation_of(fact_of(row), self.symmetric) for row in rows)

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
        wanted = sorted(set(entities))
        found = dict.fromkeys(wanted, 0)
        for entity, count in self.view.rows("relation_counts", entities=wanted, superseded=0) if wanted else ():
            found[entity] += count
        return found

    def sources(self, facts: Iterable[FactId]) -> Mapping[FactId, list[LoreSource]]:
        """By fact, its live assertions with their documents, oldest first."""
        unknown = [fact for fact in facts if fact not in self._sources]
        if unknown:
            self._sources |= {fact: [] for fact in unknown}
            self._sources |= sources_by_fact(self.view.rows("relation_sources", facts=sorted(unknown)))
        return self._sources

    # Time

    def read(self, value: Any) -> Time | None:
        """The time that a stored value stands for, if it does."""
        return parse_stored_time(value, self.world)

    def existences(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Existence]:
        """When each of these entities existed."""
        unknown = [each for each in dict.fromkeys(entities) if each not in self._existences]
        for entity, told in self._dating_relations(unknown, EXISTENCE_RELATIONS, OBJECT_DATING_RELATIONS).items():
            held = self._entities.get(entity)
            self._existences[entity] = derive_existence(entity, told, held.properties if held else {}, self.read)
        return self._existences

    def existence(self, entity: EntityId) -> Existence:
        return self.existences([entity]).get(entity, UNKNOWN_EXISTENCE)

    def event_times(self, entities: Iterable[EntityId]) -> Mapping[EntityId, Bounds | None]:
        """When each of these events took place; none if nothing says."""
        unknown = [each for each in dict.fromkeys(entities) if each not in self._event_times]
        for entity, told in self._dating_relations(unknown, EVENT_TIME_RELATIONS).items():
            held = self._entities.get(entity)
            self._event_times[entity] = derive_event_time(entity, told, held.properties if held else {}, self.read)
        return self._event_times

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
        rows = self._rows_at(
            as_subject, as_object, {"entities": sorted(entities), "superseded": 0, **time_window(None)}
        )
        for relation in self.with_live_ends(relation_of(fact_of(row), self.symmetric) for row in rows):
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
        """When each relation shows in its ends' context: what happened, from its start on."""
        given = list(relations)
        held = self.intervals(given)
        return {each.id: extend_transition(held[each.id], each) for each in given}

    def holding(self, relations: Iterable[Relation], at: Time) -> list[tuple[Relation, Coverage]]:
        """Those relations that hold at a time, and how much of it they cover."""
        given = list(relations)
        return with_coverage(given, self.intervals(given), at)

    def showing(self, relations: Iterable[Relation], at: Time) -> list[tuple[Relation, Coverage]]:
        """The same, but what happened before that time still shows."""
        given = list(relations)
        return with_coverage(given, self.shown_intervals(given), at)

    def alive(self, entity: Entity, at: Time) -> bool | None:
        existence = self.existence(entity.id)
        return alive_at(kind_of(entity).type, existence, at, self.now, is_fictional=self.is_fictional)

    def exists(self, entity: Entity, at: Time) -> bool | None:
        return exists_at(self.existence(entity.id), at, self.now, is_fictional=self.is_fictional)
