"""Every check and starter rule on a part of the world: stirred by a change, or a stretch."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.reason.checks.anachronisms import AGE as TOO_OLD
from recollect.reason.checks.anachronisms import ORDER, beyond_life, out_of_order, too_old
from recollect.reason.checks.catalogue import Known
from recollect.reason.checks.cycles import CYCLE, cycles
from recollect.reason.checks.disputes import contradictions
from recollect.reason.checks.finding import Finding
from recollect.reason.checks.gaps import FOUNDING, ISOLATED, isolated, without_founding
from recollect.reason.checks.kinship import misfits
from recollect.reason.checks.rulebook import SetRule, confidence
from recollect.reason.checks.sight import Sight
from recollect.reason.checks.starters import from_anchors, from_anywhere, handles
from recollect.reason.lore.relation import Relation

# Found by looking at entities; that a relation they name was looked at again says nothing of them.
OF_ENTITIES = frozenset({ORDER, TOO_OLD, FOUNDING, ISOLATED})


@dataclass(frozen=True, slots=True)
class Stirred:
    """What to look at again: what changed, and the entities that a changed relation touches.

    `facts` are all facts that changed, also those that are no longer live.
    """

    relations: tuple[Relation, ...]
    entities: tuple[Entity, ...]
    facts: frozenset[FactId] = frozenset()
    gone: frozenset[EntityId] = frozenset()
    ends: Mapping[str, frozenset[EntityId]] = field(default_factory=dict)

    @property
    def all_ends(self) -> frozenset[EntityId]:
        return frozenset().union(*self.ends.values())


@dataclass(frozen=True, slots=True)
class Examined:
    """What was found, and of which facts and entities everything was looked at again."""

    found: dict[str, Finding]
    facts: frozenset[str]
    entities: frozenset[str]
    by_rule: Mapping[str, frozenset[str]]

    @property
    def parts(self) -> frozenset[str]:
        return self.facts | self.entities

    def covers(self, rule: str, named: Collection[str]) -> bool:
        """Whether a finding of that rule that names these would have been found again."""
        looked_at = self.entities if rule in OF_ENTITIES else self.parts
        return not looked_at.isdisjoint(named) or not self.by_rule.get(rule, frozenset()).isdisjoint(named)


def examine(sight: Sight, stirred: Stirred, rules: Iterable[SetRule]) -> Examined:
    """Everything that is wrong with what was stirred."""
    on = [rule for rule in rules if rule.enabled and rule.built_in]
    beside = {rule.id: _beside(rule.known, stirred) for rule in on}
    touching = sight.lore.entities(stirred.all_ends)
    found: dict[str, Finding] = {}
    tied: set[str] = set()
    for finding in (*_checked(sight, stirred, touching.values()), *cycles(sight, stirred.relations, tied)):
        found[finding.id] = finding
    for rule in on:
        own = {entity.id: entity for entity in stirred.entities}
        further = {each: touching[each] for each in beside[rule.id] if each in touching}
        breaches = from_anywhere(sight, rule.known, (own | further).values(), stirred.relations)
        found |= {finding.id: finding for finding in _sure_enough(sight, rule, breaches)}
    entities = stirred.gone | {entity.id for entity in stirred.entities}
    return Examined(found, stirred.facts, entities, {**beside, ISOLATED: stirred.all_ends, CYCLE: frozenset(tied)})


def _beside(rule: Known, stirred: Stirred) -> frozenset[EntityId]:
    """The ends of changed relations that the rule asks about without returning them."""
    names = handles(rule.id).besides
    return frozenset().union(*(ends for name, ends in stirred.ends.items() if name in names))


def _checked(sight: Sight, stirred: Stirred, touching: Iterable[Entity]) -> Iterator[Finding]:
    yield from of_relations(sight, stirred.relations)
    yield from of_entities(sight, stirred.entities)
    alone = {entity.id: entity for entity in (*stirred.entities, *touching)}
    yield from isolated(sight, alone.values())


def of_relations(sight: Sight, relations: Collection[Relation]) -> Iterator[Finding]:
    """What the engine's checks say of relations, but for those that go round in a circle."""
    yield from contradictions(sight, relations)
    yield from beyond_life(sight, relations)
    yield from misfits(sight, relations)


def of_entities(sight: Sight, entities: Collection[Entity]) -> Iterator[Finding]:
    """What the engine's checks say of entities, but for those that stand alone."""
    yield from out_of_order(sight, entities)
    yield from too_old(sight, entities)
    yield from without_founding(sight, entities)


def whole(
    sight: Sight,
    entities: Collection[Entity],
    relations: Collection[Relation],
    rules: Iterable[SetRule],
) -> Iterator[Finding]:
    """What is wrong with a stretch of the world: entities and the relations that begin there.

    Cycles are no matter of a stretch.
    """
    yield from of_relations(sight, relations)
    yield from of_entities(sight, entities)
    yield from isolated(sight, entities)
    for rule in rules:
        if rule.enabled and rule.built_in:
            yield from _sure_enough(sight, rule, from_anchors(sight, rule.known, entities))


def _sure_enough(sight: Sight, rule: SetRule, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that rest on relations which are confident enough for the rule."""
    for finding in findings:
        if is_sure_enough(sight, rule, finding.relations):
            yield finding


def is_sure_enough(sight: Sight, rule: SetRule, relations: tuple[FactId, ...]) -> bool:
    if not rule.min_confidence:
        return True
    least = confidence(sight.lore, relations)
    return least is None or least >= rule.min_confidence
