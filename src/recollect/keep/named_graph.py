"""The graph as named entities with observations and relations, as the reference memory server keeps it.

A name is compared exactly, letter case included. An observation is a fact whose value is its text; facts that other
surfaces wrote are read as observations, or as relations where they join two entities.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from recollect.errors import NotKnown
from recollect.model.certainty import complete_confidence
from recollect.model.entity import UNKNOWN_TYPE, Entity
from recollect.model.fact import NOTHING, Claim, Fact, Source, Statement, ends_of_facts
from recollect.model.ids import EntityId
from recollect.model.names import clean
from recollect.model.sentence import fact_sentence
from recollect.model.similarity import to_snake_case
from recollect.model.trust import is_low
from recollect.store.change import Change
from recollect.store.graph_queries import current_facts, live_entities
from recollect.store.view import View
from recollect.text.prompt_injection import find_suspicions
from recollect.write.entity_edits import edit_entity
from recollect.write.entity_refs import NamedRef, create
from recollect.write.fact_edits import revise_fact
from recollect.write.lookup import entities_named
from recollect.write.predicates import claim
from recollect.write.record_statement import record_statement
from recollect.write.retract import delete_entity, retract_fact

OBSERVATION = "observation"
ENTITY_TYPE = "entity_type"
"""Property that keeps an entity type as it was spelled, where the stored type differs."""
RELATION_TYPE = "relation_type"
"""Attribute that keeps a relation type as it was spelled, where the predicate differs; a list if in several ways."""

NO_SOURCE = Source()


class EntityUnknown(NotKnown):
    code = "entity_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f"Entity with name {name} not found")


class GraphEntity(NamedTuple):
    name: str
    type: str
    observations: tuple[str, ...]


class GraphRelation(NamedTuple):
    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class NamedGraph:
    entities: tuple[GraphEntity, ...]
    relations: tuple[GraphRelation, ...]
    untrusted: tuple[str, ...] = ()
    """Names, observations and relations of sources nobody vouches for, and those that look like an attack."""


RELATION_END = "relation_end"
"""Why an entity was created that a relation names and nobody has described."""


class _Reader:
    """Entities and current facts of a view, in the order in which they were learned."""

    def __init__(self, view: View, chosen: Collection[EntityId] | None = None) -> None:
        self._view = view
        self._chosen = chosen

    @cached_property
    def facts(self) -> list[Fact]:
        return sorted(current_facts(self._view, self._chosen), key=lambda fact: (fact.recorded_at, fact.id))

    @cached_property
    def entities(self) -> dict[EntityId, Entity]:
        """The chosen entities and the ends of their relations."""
        ids = None
        if self._chosen is not None:
            ids = ends_of_facts(self.facts) | set(self._chosen)
        found = sorted(live_entities(self._view, ids), key=lambda entity: (entity.created_at, entity.id))
        return {entity.id: entity for entity in found}

    @cached_property
    def observations(self) -> Mapping[EntityId, list[str]]:
        found: dict[EntityId, list[str]] = {}
        for fact in self.facts:
            subject = self.entities.get(fact.subject)
            if fact.object is None and subject is not None:
                found.setdefault(fact.subject, []).append(_observation_text(subject, fact))
        return found

    def graph(self, wanted: Collection[EntityId] | None = None) -> NamedGraph:
        """The wanted entities, or all, with every relation that has one of them as an end."""
        shown = [each for each in self.entities.values() if wanted is None or each.id in wanted]
        listed = [each for each in shown if self.is_described(each)]
        kept = None if wanted is None else {each.id for each in listed}
        return NamedGraph(
            tuple(self._entity(each) for each in listed),
            tuple(self._relations(kept)),
            tuple(self._untrusted_names(kept)),
        )

    def _untrusted_names(self, kept: Collection[EntityId] | None) -> Iterator[str]:
        ends = ends_of_facts(self.facts)
        for entity in self.entities.values():
            is_shown = kept is None or entity.id in kept or entity.id in ends
            if is_shown and (is_low(entity.trust) or find_suspicions(entity.name)):
                yield entity.name
        for fact in self.facts:
            subject, target = self.entities.get(fact.subject), self.entities.get(fact.object or EntityId(""))
            if subject is None or (kept is not None and {fact.subject, fact.object}.isdisjoint(kept)):
                continue
            told = [_observation_text(subject, fact)]
            if target is not None:
                told = [f"{subject.name} {relation} {target.name}" for relation in _relation_types(fact)]
            yield from (each for each in told if is_low(fact.trust) or find_suspicions(each))

    def is_described(self, entity: Entity) -> bool:
        """Whether it is more than the end of a relation that was created here without its entities."""
        is_named_only = entity.provisional and entity.type == UNKNOWN_TYPE and entity.reason == RELATION_END
        return not is_named_only or entity.id in self.observations

    def _entity(self, entity: Entity) -> GraphEntity:
        return GraphEntity(entity.name, _spelled_type(entity), tuple(self.observations.get(entity.id, ())))

    def _relations(self, kept: Collection[EntityId] | None) -> Iterator[GraphRelation]:
        for fact in self.facts:
            subject, target = self.entities.get(fact.subject), self.entities.get(fact.object or EntityId(""))
            if subject is None or target is None:
                continue
            if kept is None or not {subject.id, target.id}.isdisjoint(kept):
                for relation in _relation_types(fact):
                    yield GraphRelation(subject.name, relation, target.name)


def read_graph(view: View) -> NamedGraph:
    """Every entity and every relation."""
    return _Reader(view).graph()


def open_entities(view: View, names: Iterable[str]) -> NamedGraph:
    """The entities with exactly these names, and the relations that have one of them as an end."""
    chosen = {entity.id for name in names if (entity := _find(view, name)) is not None}
    return _Reader(view, chosen).graph(chosen)


def search_entities(view: View, query: str) -> NamedGraph:
    """The entities whose name, type or observations contain the query, in any letter case."""
    reader, part = _Reader(view), query.lower()

    def matches(entity: Entity) -> bool:
        texts = (entity.name, _spelled_type(entity), *reader.observations.get(entity.id, ()))
        return any(part in text.lower() for text in texts)

    return reader.graph({entity.id for entity in reader.entities.values() if matches(entity)})


def create_entities(change: Change, entities: Sequence[GraphEntity], source: Source = NO_SOURCE) -> list[GraphEntity]:
    """Create the entities whose names are new; those that were."""
    created = []
    for each in entities:
        known = _find(change, each.name)
        if known is None or not _Reader(change, {known.id}).is_described(known):
            entity = _describe(change, known, each)
            for text in each.observations:
                _observe(change, entity, text, source)
            created.append(each)
    return created


def create_relations(
    change: Change, relations: Sequence[GraphRelation], source: Source = NO_SOURCE
) -> list[GraphRelation]:
    """Create the relations that are new; an end that is unknown is created without a description."""
    created = []
    for each in relations:
        subject, target = _find_or_name(change, each.subject), _find_or_name(change, each.object)
        claimed = _claim(change, subject, target, None, each.relation)
        slots = {claimed.slot, claimed._replace(symmetric=True).slot}
        known = [fact for slot in slots for fact in change.facts_in_slot(slot) if _joins(fact, subject, target)]
        if not any(each.relation in _relation_types(fact) for fact in known):
            here = [one for fact in known if fact.slot == claimed.slot for one in _relation_types(fact)]
            _record(change, claimed, [*here, each.relation], source)
            created.append(each)
    return created


def add_observations(change: Change, name: str, contents: Sequence[str], source: Source = NO_SOURCE) -> list[str]:
    """Add the observations that an entity lacks; those that were added."""
    entity = _find(change, name)
    if entity is None or not _Reader(change, {entity.id}).is_described(entity):
        raise EntityUnknown(name)
    known = {fact.literal for fact in current_facts(change, {entity.id}) if fact.predicate == OBSERVATION}
    added = [text for text in dict.fromkeys(contents) if text not in known]
    for text in added:
        _observe(change, entity, text, source)
    return added


def delete_entities(change: Change, names: Iterable[str]) -> None:
    """Delete the entities with these names and, with them, their relations."""
    for name in names:
        entity = _find(change, name)
        if entity is not None:
            delete_entity(change, entity, "deleted")


def delete_observations(change: Change, name: str, texts: Collection[str]) -> None:
    """Retract the observations with these texts; unknown entities and texts are passed over."""
    entity = _find(change, name)
    if entity is None:
        return
    for fact in current_facts(change, {entity.id}):
        if fact.subject == entity.id and fact.object is None and _observation_text(entity, fact) in texts:
            retract_fact(change, fact.id)


def delete_relations(change: Change, relations: Iterable[GraphRelation]) -> None:
    """Retract these relations; unknown ones are passed over."""
    for each in relations:
        subject, target = _find(change, each.subject), _find(change, each.object)
        if subject is not None and target is not None:
            for fact in current_facts(change, {subject.id}):
                if _joins(fact, subject, target) and each.relation in _relation_types(fact):
                    _retract_relation(change, fact, each.relation)


def _retract_relation(change: Change, fact: Fact, relation: str) -> None:
    """Retract a fact, or where it was told in other spellings too, only this one."""
    others = [each for each in _relation_types(fact) if each != relation]
    if others:
        revise_fact(change, fact, fact._replace(attributes={**fact.attributes, RELATION_TYPE: others}))
    else:
        retract_fact(change, fact.id)


def _find(view: View, name: str) -> Entity | None:
    """The entity of exactly this name; of several the oldest."""
    wanted = clean(name)
    found = {entity.id: entity for _, entity in entities_named(view, NamedRef(name).folded) if entity.name == wanted}
    return min(found.values(), key=lambda entity: (entity.created_at, entity.id), default=None)


def _find_or_name(change: Change, name: str) -> Entity:
    return _find(change, name) or create(change, NamedRef(name, stays_provisional=True, reason=RELATION_END))


def _describe(change: Change, known: Entity | None, given: GraphEntity) -> Entity:
    """Create an entity, or describe one that was only the end of a relation."""
    type_ = to_snake_case(given.type) or UNKNOWN_TYPE
    spelled = {} if type_ == given.type else {ENTITY_TYPE: given.type}
    if known is None:
        return create(change, NamedRef(given.name, type_, (), spelled, confirmed=True, reason="created"))
    described = known._replace(type=type_, provisional=False, properties={**known.properties, **spelled})
    aliases = [name.spelling for name in change.names_of(known.id) if name.kind == "alias"]
    return edit_entity(change, known, described, aliases)


def _observe(change: Change, entity: Entity, text: str, source: Source) -> None:
    _record(change, _claim(change, entity, None, text, OBSERVATION), [OBSERVATION], source)


def _claim(change: Change, subject: Entity, target: Entity | None, text: str | None, predicate: str) -> Claim:
    """A claim that stands beside others: here no value replaces another, and no relation holds both ways."""
    claimed = claim(change, subject.id, target.id if target is not None else None, text, predicate)
    return claimed._replace(symmetric=False, policy="accumulate")


def _record(change: Change, claimed: Claim, spellings: Sequence[str], source: Source) -> None:
    attributes = (
        NOTHING
        if [claimed.predicate] == spellings
        else {RELATION_TYPE: spellings[0] if len(spellings) == 1 else list(spellings)}
    )
    sure = complete_confidence("stated", None, None)
    record_statement(change, Statement(claimed, change.now, *sure, source=source, attributes=attributes))


def _joins(fact: Fact, subject: Entity, target: Entity) -> bool:
    """Whether a fact is a current relation from one to the other."""
    return not fact.is_retracted and not fact.stale and (fact.subject, fact.object) == (subject.id, target.id)


def _spelled_type(entity: Entity) -> str:
    return str(entity.properties.get(ENTITY_TYPE, entity.type))


def _relation_types(fact: Fact) -> list[str]:
    """The spellings in which a relation was told: those that differ only in case or separators are one fact."""
    found = fact.attributes.get(RELATION_TYPE, fact.predicate)
    return list(found) if isinstance(found, list) else [str(found)]


def _observation_text(subject: Entity, fact: Fact) -> str:
    if fact.predicate == OBSERVATION and fact.literal is not None:
        return fact.literal
    return fact.words or fact.evidence or fact_sentence(subject.name, fact.predicate, fact.literal)
