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
from recollect.store.fact_queries import entities_with_relations

FOUNDING, ISOLATED = "gap-founding", "gap-isolated"
MAY_BE_ISOLATED = frozenset({"title", "language", "material"})


def find_missing_founding(context: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Factions without a known founding date."""
    factions = [entity for entity in entities if kind_of(entity).type == "faction"]
    context.lore.existences(entity.id for entity in factions)
    for entity in factions:
        if context.existence(entity.id).start is None:
            yield gap_finding(FOUNDING, entity, ["missing_founding"], f"the founding of {entity.name} has no date")


def find_isolated(context: CheckContext, entities: Iterable[Entity]) -> Iterator[Finding]:
    """Entities without a live relation."""
    given = [entity for entity in entities if kind_of(entity).type not in MAY_BE_ISOLATED]
    related = entities_with_relations(context.view, [entity.id for entity in given])
    for entity in given:
        if entity.id not in related:
            yield gap_finding(ISOLATED, entity, ["isolated"], f"{entity.name} has no relations")


def gap_finding(rule: str, entity: Entity, reasons: list[str], message: str) -> Finding:
    """A finding that something is missing about an entity."""
    details = {"entity": entity.id, "reasons": reasons, "why": [message]}
    return Finding(rule, "orphan", "warn", (entity.id,), (), message, details)


# Their findings come from entities: checking a relation again does not decide about them.
ENTITY_CHECKS = frozenset({ORDER, TOO_OLD, FOUNDING, ISOLATED})


@dataclass(frozen=True, slots=True)
class AffectedRegion:
    """What to check again: everything that changed, and the entities that a changed relation touches.

    `facts` are all facts that changed, including those that are no longer live.
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
    """The findings, and the facts and entities that were checked completely."""

    found: dict[str, Finding]
    facts: frozenset[str]
    entities: frozenset[str]
    by_rule: Mapping[str, frozenset[str]]

    @property
    def parts(self) -> frozenset[str]:
        return self.facts | self.entities

    def covers(self, rule: str, named: Collection[str]) -> bool:
        """Whether a finding of this rule that names these would have been found again."""
        checked = self.entities if rule in ENTITY_CHECKS else self.parts
        return not checked.isdisjoint(named) or not self.by_rule.get(rule, frozenset()).isdisjoint(named)


def check_region(context: CheckContext, region: AffectedRegion, rules: Iterable[WorkspaceRule]) -> CheckResult:
    """Run all checks and starter rules on a region."""
    enabled = [rule for rule in rules if rule.enabled and rule.built_in]
    adjacent = {rule.id: _adjacent_ends(rule.definition, region) for rule in enabled}
    touching = context.lore.entities(region.all_ends)
    found: dict[str, Finding] = {}
    tied: set[str] = set()
    for finding in (*_check_parts(context, region, touching.values()), *find_cycles(context, region.relations, tied)):
        found[finding.id] = finding
    for rule in enabled:
        own = {entity.id: entity for entity in region.entities}
        others = {each: touching[each] for each in adjacent[rule.id] if each in touching}
        violations = find_from_parts(context, rule.definition, (own | others).values(), region.relations)
        found |= {finding.id: finding for finding in _filter_confident(context, rule, violations)}
    entities = region.gone | {entity.id for entity in region.entities}
    return CheckResult(found, region.facts, entities, {**adjacent, ISOLATED: region.all_ends, CYCLE: frozenset(tied)})


def _adjacent_ends(rule: RuleDefinition, region: AffectedRegion) -> frozenset[EntityId]:
    """The ends of changed relations that the rule matches without returning them."""
    names = entry_points_of(rule.id).unreturned_relations
    return frozenset().union(*(ends for name, ends in region.ends.items() if name in names))


def _check_parts(context: CheckContext, region: AffectedRegion, touching: Iterable[Entity]) -> Iterator[Finding]:
    yield from check_relations(context, region.relations)
    yield from check_entities(context, region.entities)
    candidates = {entity.id: entity for entity in (*region.entities, *touching)}
    yield from find_isolated(context, candidates.values())


def check_relations(context: CheckContext, relations: Collection[Relation]) -> Iterator[Finding]:
    """All checks of relations except the cycle check."""
    yield from find_contradictions(context, relations)
    yield from find_outside_lifespan(context, relations)
    yield from find_impossible_parents(context, relations)


def check_entities(context: CheckContext, entities: Collection[Entity]) -> Iterator[Finding]:
    """All checks of entities except the isolation check."""
    yield from find_reversed_lifespans(context, entities)
    yield from find_excessive_lifespans(context, entities)
    yield from find_missing_founding(context, entities)


def check_page(
    context: CheckContext,
    entities: Collection[Entity],
    relations: Collection[Relation],
    rules: Iterable[WorkspaceRule],
) -> Iterator[Finding]:
    """Run all checks and starter rules on a page of the world: entities and the relations that start there.

    Cycles may span pages, so they are checked separately.
    """
    yield from check_relations(context, relations)
    yield from check_entities(context, entities)
    yield from find_isolated(context, entities)
    for rule in rules:
        if rule.enabled and rule.built_in:
            yield from _filter_confident(context, rule, find_from_anchors(context, rule.definition, entities))


def _filter_confident(context: CheckContext, rule: WorkspaceRule, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings whose relations are confident enough for the rule."""
    for finding in findings:
        if is_confident_enough(context, rule, finding.relations):
            yield finding


def is_confident_enough(context: CheckContext, rule: WorkspaceRule, relations: tuple[FactId, ...]) -> bool:
    if not rule.min_confidence:
        return True
    least = lowest_confidence(context.lore, relations)
    return least is None or least >= rule.min_confidence
