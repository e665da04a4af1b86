"""How entities, relations and lifespans print on this surface."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from recollect.model.entity import Entity
from recollect.model.fact import default_text
from recollect.model.ids import EntityId, FactId, say_entity, say_fact
from recollect.model.labels import kind_of, say_label
from recollect.model.relations import say_relation
from recollect.reason.lore.disputes import at_odds
from recollect.reason.lore.existence import Existence
from recollect.reason.lore.reading import Lore
from recollect.reason.lore.relation import Relation
from recollect.reason.lore.sources import OWN_KEYS, Source, confidence_of, names_of, visibility_of
from recollect.store.view import View
from recollect.surfaces.lore_engine.context_results import EntityShown
from recollect.surfaces.lore_engine.results import HoldingShown, LifespanShown, Ref, RelationShown
from recollect.when.instant import MIN, say_instant
from recollect.when.period import Bounds, Coverage, Time

_TELLING = ("disambiguator", "title", "occupation", "description", "born", "founded")
_HINT_LENGTH = 120


def say_ref(entity: Entity) -> Ref:
    kind = kind_of(entity)
    said: Ref = {"id": say_entity(entity.id), "name": entity.name, "type": say_label(kind.type)}
    if kind.subtype is not None:
        said["subtype"] = kind.subtype
    return said


def show_entity(view: View, entity: Entity) -> EntityShown:
    """An entity with all that is stored of it."""
    return {
        **say_ref(entity),
        "aliases": view.aliases(entity),
        "properties": dict(entity.properties),
        "confidence": entity.confidence,
        "provisional": entity.provisional,
        "created_at": say_instant(entity.created_at),
        "confirmed_at": say_instant(entity.confirmed_at),
    }


def say_time(time: Time | None) -> str | None:
    return None if time is None else time.text


def say_lifespan(existence: Existence) -> LifespanShown:
    return {
        "from": say_time(existence.start),
        "until": say_time(existence.end),
        "disputed": existence.disputed,
        "basis": existence.basis,
    }


def say_text(relation: Relation, entities: Mapping[EntityId, Entity]) -> str:
    """The relation in words: its own, the first evidence given, or what its parts say."""
    fact = relation.fact
    if fact.words or fact.evidence:
        return fact.words or fact.evidence or ""
    target = fact.literal if relation.object is None else entities[relation.object].name
    return default_text(entities[relation.subject].name, relation.name, target)


def hints_of(lore: Lore, entities: Iterable[Entity]) -> dict[EntityId, str | None]:
    """For each entity one thing that tells it from its namesakes: a property, or else a relation."""
    told = {entity.id: _telling_property(entity) for entity in entities}
    relations = lore.one_each(entity for entity, hint in told.items() if hint is None)
    named = lore.entities(end for each in relations.values() for end in each.ends)
    return told | {entity: say_text(each, named)[:_HINT_LENGTH] for entity, each in relations.items()}


def _telling_property(entity: Entity) -> str | None:
    for key in _TELLING:
        value = entity.properties.get(key)
        if isinstance(value, str | int) and str(value).strip():
            return f"{key}: {value}"[:_HINT_LENGTH]
    return None


def start_order(relation: Relation) -> tuple[int, int, str]:
    """By start, an open one first, then by end, then by id."""
    bounds = relation.fact.bounds
    return bounds.lo, bounds.hi, relation.id


_say_instant = lru_cache(4096)(say_instant)


class Printer:
    """Prints relations with their ends and sources, fetched for all of them together."""

    def __init__(self, lore: Lore, relations: Iterable[Relation]) -> None:
        given = list(relations)
        self._lore = lore
        self._entities = lore.entities(end for each in given for end in each.ends)
        self._sources = lore.sources(each.id for each in given)
        self._disputes = at_odds(lore, given)
        self._refs: dict[EntityId, Ref] = {}

    def ref(self, entity: EntityId | None) -> Ref | None:
        return None if entity is None else self._ref(entity)

    def _ref(self, entity: EntityId) -> Ref:
        said = self._refs.get(entity)
        if said is None:
            said = self._refs[entity] = say_ref(self._entities[entity])
        return said

    def sources(self, relation: Relation) -> Sequence[Source]:
        return self._sources[relation.id]

    def source_names(self, relation: Relation) -> list[str]:
        return names_of(self._sources[relation.id])

    def confidence(self, relation: Relation) -> float | None:
        return confidence_of(self._sources[relation.id])

    def is_disputed(self, relation: Relation) -> bool:
        return relation.id in self._disputes

    def disputed_with(self, relation: Relation) -> list[str]:
        return [say_fact(fact) for fact in self._disputes.get(relation.id, ())]

    def relation(self, relation: Relation, coverage: Coverage | None = None) -> RelationShown:
        """A relation in full."""
        fact, sources = relation.fact, self._sources[relation.id]
        said: RelationShown = {
            "id": say_fact(fact.id),
            "relation": say_relation(relation.name),
            "subject": self._ref(relation.subject),
            "object": self.ref(relation.object),
            "literal": fact.literal,
            "valid_from": say_time(fact.valid_from),
            "valid_until": say_time(fact.valid_until),
            "confidence": confidence_of(sources),
            "sources": names_of(sources),
            "disputed": fact.id in self._disputes,
            "disputed_with": self.disputed_with(relation),
            "text": say_text(relation, self._entities),
            "attributes": {key: value for key, value in relation.attributes.items() if key not in OWN_KEYS},
            "visibility": visibility_of(fact, sources),
            "superseded_by": None if fact.replaced_by is None else say_fact(fact.replaced_by),
            "recorded_at": _say_instant(fact.recorded_at),
        }
        if coverage is not None:
            said["coverage"] = coverage
        return said

    def holding(self, relation: Relation, other: EntityId | None, coverage: Coverage | None = None) -> HoldingShown:
        """A relation as an entry of a list, under the name of that end or its literal."""
        fact, entity = relation.fact, None if other is None else self._entities[other]
        said: HoldingShown = {
            "name": entity.name if entity is not None else fact.literal or "",
            "valid_from": say_time(fact.valid_from),
            "valid_until": say_time(fact.valid_until),
            "id": None if entity is None else say_entity(entity.id),
            "type": None if entity is None else say_label(kind_of(entity).type),
            "relation": say_relation(relation.name),
            "relation_id": say_fact(fact.id),
            "confidence": self.confidence(relation),
            "sources": self.source_names(relation),
            "disputed": fact.id in self._disputes,
        }
        if coverage is not None:
            said["coverage"] = coverage
        return said

    def holdings(
        self, held: Iterable[tuple[Relation, EntityId | None]], coverages: Mapping[FactId, Coverage] | None = None
    ) -> list[HoldingShown]:
        """Entries ordered by start, open ones first, then by name."""
        shown = [
            (_start(each.fact.bounds), self.holding(each, other, (coverages or {}).get(each.id)))
            for each, other in held
        ]
        return [said for _, said in sorted(shown, key=lambda item: (item[0], item[1]["name"], item[1]["relation_id"]))]


def _start(bounds: Bounds) -> int:
    return MIN if bounds.valid_from is None else bounds.valid_from.lo
