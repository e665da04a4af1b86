"""Starter rules, run by the rule language from the entities and relations that changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import format_relation, read_relation
from recollect.reason.checks.check_context import CheckContext, format_bounds
from recollect.reason.checks.findings import Finding, FindingSeverity
from recollect.reason.checks.rule_catalogue import RuleDefinition, starter_rules_by_id
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.reason.rules.ast_nodes import MatchClause, Variable, patterns_in_rule
from recollect.reason.rules.evaluator import Binding
from recollect.reason.rules.planner import build_pattern_graph
from recollect.reason.rules.rule_errors import RuleLimits
from recollect.reason.rules.rule_runner import RuleViolation, find_violations
from recollect.reason.rules.values import edge_of, node_of
from recollect.when.period import Bounds, Time, certainly_outside

LabelGroups = tuple[tuple[str, ...], ...]
UNLIMITED_RUN = RuleLimits(seconds=float("inf"), held=2**62)


@dataclass(frozen=True, slots=True)
class RuleEntryPoints:
    """Where to take hold of a rule: nodes, edges, and what it asks for but does not return."""

    anchor: str
    nodes: tuple[tuple[str, LabelGroups], ...]
    edges: tuple[tuple[str, frozenset[str]], ...]
    unreturned_relations: frozenset[str]


@cache
def entry_points_of(rule_id: str) -> RuleEntryPoints:
    """The handles of a starter rule: one MATCH, and a RETURN that begins with a node."""
    rule = starter_rules_by_id()[rule_id].rule
    [match] = rule.clauses
    assert isinstance(match, MatchClause)
    laid = build_pattern_graph(match.patterns)
    first = rule.returned.items[0].of
    assert isinstance(first, Variable)
    edges = tuple((link.name, _relation_names(link.edge.types)) for link in laid.links)
    returned = {item.of.name for item in rule.returned.items if isinstance(item.of, Variable)}
    inner = [edge for pattern, is_inner in patterns_in_rule(rule) if is_inner for edge in pattern.edges]
    unnamed = [link.edge for link in laid.links if link.name not in returned]
    besides = frozenset().union(*(_relation_names(edge.types) for edge in (*inner, *unnamed)))
    nodes = tuple((name, tuple(group for each in said for group in each.labels)) for name, said in laid.nodes.items())
    return RuleEntryPoints(first.name, nodes, edges, besides)


def _relation_names(types: Iterable[str]) -> frozenset[str]:
    return frozenset(read_relation(each).name for each in types)


def find_from_anchors(sight: CheckContext, rule: RuleDefinition, entities: Iterable[Entity]) -> Iterator[Finding]:
    """The breaches whose first node is one of these entities."""
    held = entry_points_of(rule.id)
    return _find_violations(sight, rule, _initial_bindings(sight, held.anchor, dict(held.nodes)[held.anchor], entities))


def find_from_parts(
    sight: CheckContext, rule: RuleDefinition, entities: Iterable[Entity], relations: Iterable[Relation]
) -> Iterator[Finding]:
    """The breaches that one of these entities or relations is part of."""
    held, given = entry_points_of(rule.id), list(entities)
    for name, labels in held.nodes:
        yield from _find_violations(sight, rule, _initial_bindings(sight, name, labels, given))
    for edge, names in held.edges:
        yield from _find_violations(sight, rule, [{edge: edge_of(each)} for each in relations if each.name in names])


def _initial_bindings(sight: CheckContext, name: str, labels: LabelGroups, entities: Iterable[Entity]) -> list[Binding]:
    nodes = map(node_of, entities)
    return [{name: node} for node in nodes if sight.graph.is_labelled(node, labels)]


def _find_violations(sight: CheckContext, rule: RuleDefinition, beginnings: list[Binding]) -> Iterator[Finding]:
    if not beginnings:
        return
    for breach in find_violations(rule.rule, sight.graph, UNLIMITED_RUN, beginnings):
        yield violation_finding(sight, rule, breach)


def violation_finding(
    sight: CheckContext, rule: RuleDefinition, breach: RuleViolation, severity: FindingSeverity | None = None
) -> Finding:
    """A breach as a finding, with what the lists show of it."""
    message = (
        f"{sight.names(breach.nodes[:1]) or 'a relation'}{_format_others(sight, breach)} {_verb(breach)} {rule.id}"
    )
    details: dict[str, Any] = {"columns": dict(breach.details)}
    describe = _DESCRIBERS.get(rule.id)
    if describe is not None:
        details |= describe(sight, breach)
    else:
        details["why"] = [rule.description, *(sight.claim(each) for each in _violation_relations(sight, breach))]
    details["predicate"] = next((format_relation(each.name) for each in _violation_relations(sight, breach)), None)
    return Finding(rule.id, rule.category, severity or rule.severity, breach.nodes, breach.relations, message, details)


def _format_others(sight: CheckContext, breach: RuleViolation) -> str:
    others = [sight.name(each) for each in breach.nodes[1:]]
    if not others:
        return ""
    return ": " + " and ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others)


def _verb(breach: RuleViolation) -> str:
    return "break" if len(breach.nodes) > 2 else "breaks"


def _violation_relations(sight: CheckContext, breach: RuleViolation) -> list[Relation]:
    found = {each.id: each for each in sight.lore.by_id(breach.relations)}
    return [found[each] for each in breach.relations if each in found]


def _anachronism_describer(
    who: int, other: int, against: int, claim: str | None = None
) -> Callable[[CheckContext, RuleViolation], dict[str, Any]]:
    """What an anachronism shows: who was misplaced, what with, and against whose existence."""

    def describe(sight: CheckContext, breach: RuleViolation) -> dict[str, Any]:
        [relation] = _violation_relations(sight, breach)
        life = sight.existence(breach.nodes[against]).bounds
        actual = _misplaced_time(sight, relation, life)
        side = "EXISTED_BEFORE" if actual is not None and actual.hi < life.lo else "EXISTED_AFTER"
        text = None if actual is None else actual.text
        return {
            "entity": breach.nodes[who],
            "other": breach.nodes[other],
            "claim": claim or side,
            "expected": format_bounds(life),
            "actual": text,
            "era": None if actual is None else sight.era(actual),
            "why": [
                f"{sight.name(breach.nodes[against])} existed {format_bounds(life)}",
                f"{sight.claim(relation)}: {text} lies outside",
            ],
        }

    return describe


def _misplaced_time(sight: CheckContext, relation: Relation, life: Bounds) -> Time | None:
    """The time that was found out of place."""
    during = sight.lore.event_time(relation.object) if relation.name == "participated_in" and relation.object else None
    bounds = during or stated_bounds(relation)
    if bounds == Bounds():
        bounds = sight.lore.interval(relation)
    stated_ones = [bound for bound in (bounds.valid_from, bounds.valid_until) if bound is not None]
    return next((bound for bound in stated_ones if certainly_outside(bound, life)), next(iter(stated_ones), None))


def _gap_describer(
    find: Callable[[CheckContext, EntityId], list[str]],
) -> Callable[[CheckContext, RuleViolation], dict[str, Any]]:
    def describe(sight: CheckContext, breach: RuleViolation) -> dict[str, Any]:
        [entity] = breach.nodes
        reasons = find(sight, entity)
        return {"entity": entity, "reasons": reasons, "why": [f"{sight.name(entity)}: {each}" for each in reasons]}

    return describe


def _event_gaps(sight: CheckContext, entity: EntityId) -> list[str]:
    placed = bool(sight.lore.relations_of([entity], {"occurred_at"}, "subject"))
    dated = sight.lore.event_time(entity) is not None
    return [*(["missing_occurred_at"] if not placed else []), *(["missing_occurred_during"] if not dated else [])]


def _lineage_gaps(sight: CheckContext, entity: EntityId) -> list[str]:
    found = sight.lore.entity(entity)
    named = found is not None and found.properties.get("founding_ancestor") is not None
    founded = named or _has_person(sight, entity, "founded")
    return [
        *(["missing_founding_ancestor"] if not founded else []),
        *(["missing_members"] if not _has_person(sight, entity, "member_of") else []),
    ]


def _has_person(sight: CheckContext, entity: EntityId, name: str) -> bool:
    return any(sight.type(each.subject) == "person" for each in sight.lore.relations_of([entity], {name}, "object"))


_DESCRIBERS: Mapping[str, Callable[[CheckContext, RuleViolation], dict[str, Any]]] = {
    "no-anachronism-participation": _anachronism_describer(0, 1, 0),
    "no-anachronism-rule": _anachronism_describer(0, 1, 0),
    "deity-worship-coherence": _anachronism_describer(0, 1, 1, "EXISTED_DURING_MISMATCH"),
    "no-orphan-events": _gap_describer(_event_gaps),
    "no-orphan-locations": _gap_describer(lambda _, __: ["missing_part_of"]),
    "lineage-continuity": _gap_describer(_lineage_gaps),
    "item-lineage": _gap_describer(lambda _, __: ["missing_creator"]),
}


def finding_parts(finding: Finding) -> tuple[EntityId | FactId, ...]:
    return (*finding.nodes, *finding.relations)
