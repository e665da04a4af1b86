"""Runs every check and starter rule on an affected region or a page of the world."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.labels import kind_of
from recollect.reason.checks.anachronisms import LIFESPAN_AGE as TOO_OLD
from recollect.reason.checks.anachronisms import (
    ORDER,
    find_excessive_lifespans,
    find_impossible_parents,
    find_outside_lifespan,
    find_reversed_lifespans,
)
from recollect.reason.checks.check_context import CheckContext
from recollect.reason.checks.contradictions import CYCLE, find_contradictions, find_cycles
from recollect.reason.checks.findings import Finding
from recollect.reason.checks.rule_catalogue import RuleDefinition, WorkspaceRule, lowest_confidence
from recollect.reason.checks.starter_rules import entry_points_of, find_from_anchors, find_from_parts
from recollect.reason.lore.relation import Relation

FOUNDING, ISOLATED = "gap-founding", "gap-isolated"
MAY_BE_ISOLATED = frozenset({"title", "language", "material"})


def find_missing_founding(sight: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Factions that nobody says the beginning of."""
    factions = [entity for entity in entities if kind_of(entity).type == "faction"]
    sight.lore.existences(entity.id for entity in factions)
    for entity in factions:
        if sight.existence(entity.id).start is None:
            yield gap_finding(FOUNDING, entity, ["missing_founding"], f"nothing says when {entity.name} began")


def find_isolated(sight: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Entities that no live relation touches."""
    given = [entity for entity in entities if kind_of(entity).type not in MAY_BE_ISOLATED]
    rows = sight.view.rows("check_related", ids=[entity.id for entity in given]) if given else []
    related = {row[0] for row in rows}
    for entity in given:
        if entity.id not in related:
            yield gap_finding(ISOLATED, entity, ["isolated"], f"no relation touches {entity.name}")


def gap_finding(rule: str, entity: Entity, reasons: list[str], message: str) -> Finding:
    """The finding that something is missing about an entity."""
    details = {"entity": entity.id, "reasons": reasons, "why": [message]}
    return Finding(rule, "orphan", "warn", (entity.id,), (), message, details)


# Found by looking at entities; that a relation they name was looked at again says nothing of them.
ENTITY_CHECKS = frozenset({ORDER, TOO_OLD, FOUNDING, ISOLATED})


@dataclass(frozen=True, slots=True)
class AffectedRegion:
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
class CheckResult:
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
        looked_at = self.entities if rule in ENTITY_CHECKS else self.parts
        return not looked_at.isdisjoint(named) or not self.by_rule.get(rule, frozenset()).isdisjoint(named)


def check_region(sight: CheckContext, stirred: AffectedRegion, rules: Iterable[WorkspaceRule]) -> CheckResult:
    """Everything that is wrong with what was stirred."""
    on = [rule for rule in rules if rule.enabled and rule.built_in]
    beside = {rule.id: _adjacent_ends(rule.definition, stirred) for rule in on}
    touching = sight.lore.entities(stirred.all_ends)
    found: dict[str, Finding] = {}
    tied: set[str] = set()
    for finding in (*_check_parts(sight, stirred, touching.values()), *find_cycles(sight, stirred.relations, tied)):
        found[finding.id] = finding
    for rule in on:
        own = {entity.id: entity for entity in stirred.entities}
        further = {each: touching[each] for each in beside[rule.id] if each in touching}
        breaches = find_from_parts(sight, rule.definition, (own | further).values(), stirred.relations)
        found |= {finding.id: finding for finding in _filter_confident(sight, rule, breaches)}
    entities = stirred.gone | {entity.id for entity in stirred.entities}
    return CheckResult(found, stirred.facts, entities, {**beside, ISOLATED: stirred.all_ends, CYCLE: frozenset(tied)})


def _adjacent_ends(rule: RuleDefinition, stirred: AffectedRegion) -> frozenset[EntityId]:
    """The ends of changed relations that the rule asks about without returning them."""
    names = entry_points_of(rule.id).unreturned_relations
    return frozenset().union(*(ends for name, ends in stirred.ends.items() if name in names))


def _check_parts(sight: CheckContext, stirred: AffectedRegion, touching: Iterable[Entity]) -> Iterator[Finding]:
    yield from check_relations(sight, stirred.relations)
    yield from check_entities(sight, stirred.entities)
    alone = {entity.id: entity for entity in (*stirred.entities, *touching)}
    yield from find_isolated(sight, alone.values())


def check_relations(sight: CheckContext, relations: Collection[Relation]) -> Iterator[Finding]:
    """What the engine's checks say of relations, but for those that go round in a circle."""
    yield from find_contradictions(sight, relations)
    yield from find_outside_lifespan(sight, relations)
    yield from find_impossible_parents(sight, relations)


def check_entities(sight: CheckContext, entities: Collection[Entity]) -> Iterator[Finding]:
    """What the engine's checks say of entities, but for those that stand alone."""
    yield from find_reversed_lifespans(sight, entities)
    yield from find_excessive_lifespans(sight, entities)
    yield from find_missing_founding(sight, entities)


def check_page(
    sight: CheckContext,
    entities: Collection[Entity],
    relations: Collection[Relation],
    rules: Iterable[WorkspaceRule],
) -> Iterator[Finding]:
    """What is wrong with a stretch of the world: entities and the relations that begin there.

    Cycles are no matter of a stretch.
    """
    yield from check_relations(sight, relations)
    yield from check_entities(sight, entities)
    yield from find_isolated(sight, entities)
    for rule in rules:
        if rule.enabled and rule.built_in:
            yield from _filter_confident(sight, rule, find_from_anchors(sight, rule.definition, entities))


def _filter_confident(sight: CheckContext, rule: WorkspaceRule, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings that rest on relations which are confident enough for the rule."""
    for finding in findings:
        if is_confident_enough(sight, rule, finding.relations):
            yield finding


def is_confident_enough(sight: CheckContext, rule: WorkspaceRule, relations: tuple[FactId, ...]) -> bool:
    if not rule.min_confidence:
        return True
    least = lowest_confidence(sight.lore, relations)
    return least is None or least >= rule.min_confidence
