"""Events of a period and place, and chains of causes and effects."""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from recollect.model.entity import Entity
from recollect.model.graph_search import Step, breadth_first
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of, stored_types
from recollect.model.relations import spellings_of
from recollect.model.similarity import to_snake_case
from recollect.reason.lore.existence import EVENT_TIME_RELATIONS, EVENT_TYPES
from recollect.reason.lore.lore_reader import LoreReader
from recollect.reason.lore.relation import Relation, RelationSide
from recollect.store import entity_queries, lore_queries
from recollect.when.period import Bounds, Coverage, Time, coverage, holds


class DatedEvent(NamedTuple):
    """An event with its time and how the period covers it."""

    entity: Entity
    time: Bounds
    coverage: Coverage


def matches_event_kind(entity: Entity, word: str | None) -> bool:
    """Whether an event has the label or subtype that a word names; encounters match only their own name."""
    kind = kind_of(entity)
    wanted = None if word is None else to_snake_case(word)
    if kind.type == "encounter":
        return wanted == "encounter"
    return kind.type == "event" and (wanted in (None, "event") or to_snake_case(kind.subtype or "") == wanted)


def events_in(lore: LoreReader, at: Time, candidates: Iterable[EntityId], word: str | None) -> list[DatedEvent]:
    """The events of that kind whose time meets the period, in order."""
    entities = {each: entity for each, entity in lore.entities(candidates).items() if matches_event_kind(entity, word)}
    times = lore.event_times(entities)
    found = []
    for each, entity in entities.items():
        time = times[each]
        if time is not None and (how := _event_coverage(time, at)) != "none":
            found.append(DatedEvent(entity, time, how))
    return sorted(found, key=lambda event: (event.time.lo, event.time.hi, event.entity.name, event.entity.id))


def _event_coverage(time: Bounds, at: Time) -> Coverage:
    """`full` if the event lies entirely within the period."""
    how = coverage(time, at)
    if how in ("none", "uncertain"):
        return how
    return "full" if at.lo <= time.lo and time.hi <= at.hi else "partial"


def find_event_candidates(lore: LoreReader, at: Time) -> list[EntityId]:
    """Entities that may be events of the period."""
    predicates = [each for name in EVENT_TIME_RELATIONS for each in spellings_of(name).forward]
    dated = lore_queries.events_dated_near(lore.view, predicates, at)
    swapped = lore_queries.objects_of_predicates(lore.view, spellings_of("occurred_at").swapped)
    by_property = entity_queries.entities_with_date_properties(lore.view, stored_types(*EVENT_TYPES))
    return list(dict.fromkeys((*dated, *swapped, *by_property)))


class PlaceHistory:
    """A place with everything that was ever part of it, and which place was part of which at any time."""

    def __init__(self, lore: LoreReader, place: EntityId, *, exact: bool) -> None:
        self._place = place
        self._outer: dict[EntityId, list[tuple[EntityId, Bounds]]] = {}

        def expand(level: list[EntityId]) -> Iterator[Step[EntityId, None]]:
            relations = lore.relations_of(level, ["part_of"], "object")
            intervals = lore.intervals(relations)
            for each in relations:
                if each.object is not None:
                    self._outer.setdefault(each.subject, []).append((each.object, intervals[each.id]))
                    yield Step(each.object, each.subject, None)

        self.places = set(breadth_first([place], expand, depth=0 if exact else None).reached)

    def holds(self, place: EntityId, time: Bounds) -> bool:
        """Whether another place was part of this one at that time."""
        at = Time("", time.lo, time.hi)

        def expand(level: list[EntityId]) -> Iterator[Step[EntityId, None]]:
            for inner in level:
                yield from (Step(inner, outer, None) for outer, when in self._outer.get(inner, ()) if holds(when, at))

        return self._place in breadth_first([place], expand, until=lambda reached: self._place in reached).reached


def places_of(lore: LoreReader, events: Collection[EntityId]) -> dict[EntityId, list[Relation]]:
    """By event, the relations that state where it took place."""
    found: dict[EntityId, list[Relation]] = {}
    for each in sorted(lore.relations_of(events, ["occurred_at"], "subject"), key=lambda each: each.id):
        found.setdefault(each.subject, []).append(each)
    return found


ChainStrand = Literal["causes", "effects", "concurrent"]

_NEAR_SIDE: dict[ChainStrand, RelationSide] = {"causes": "object", "effects": "subject", "concurrent": "either"}
_STRAND_RELATIONS: dict[ChainStrand, tuple[str, ...]] = {
    "causes": ("caused", "preceded"),
    "effects": ("caused", "preceded"),
    "concurrent": ("concurrent_with",),
}


class ChainLink(NamedTuple):
    """An entity linked to an event: its depth, the relation that leads to it, and from where."""

    entity: Entity
    depth: int
    relation: Relation
    via: EntityId


class CausalChain(NamedTuple):
    """One strand of causes or effects of an event, nearest first, and every relation crossed."""

    links: list[ChainLink]
    edges: list[Relation]
    is_cyclic: bool


def follow_chain(lore: LoreReader, event: EntityId, strand: ChainStrand, depth: int) -> CausalChain:
    """Each entity once, at its smallest depth; one that is not an event is listed but not followed."""
    edges: dict[FactId, Relation] = {}
    returns = False

    def expand(level: list[EntityId]) -> list[Step[EntityId, Relation]]:
        nonlocal returns
        steps = _chain_steps(lore, level, strand)
        edges.update((step.edge.id, step.edge) for step in steps)
        returns = returns or any(step.there == event for step in steps)
        lore.entities(step.there for step in steps)
        return steps

    search = breadth_first([event], expand, depth=depth, leads_on=lambda entity: _is_event(lore, entity))
    depths, entities = search.depths(), lore.entities(search.reached)
    links = [
        ChainLink(entities[entity], depths[entity], step.edge, step.here)
        for entity, step in search.reached.items()
        if step is not None
    ]
    return CausalChain(links, list(edges.values()), returns and strand != "concurrent")


def _is_event(lore: LoreReader, entity: EntityId) -> bool:
    return kind_of(lore.entities([entity])[entity]).type == "event"


def _chain_steps(lore: LoreReader, level: list[EntityId], strand: ChainStrand) -> list[Step[EntityId, Relation]]:
    """Steps away from a level; of two relations between the same two entities, `caused` comes first."""
    position = {entity: number for number, entity in enumerate(level)}
    relations = lore.relations_of(level, _STRAND_RELATIONS[strand], _NEAR_SIDE[strand])
    steps = [step for each in relations for step in _steps_away(each, position, strand)]
    return sorted(steps, key=lambda step: (step.edge.name != "caused", position[step.here], step.edge.id))


def _steps_away(
    relation: Relation, level: Collection[EntityId], strand: ChainStrand
) -> Iterator[Step[EntityId, Relation]]:
    if relation.object is None:
        return
    if relation.object in level and strand != "effects":
        yield Step(relation.object, relation.subject, relation)
    if relation.subject in level and strand != "causes":
        yield Step(relation.subject, relation.object, relation)
