"""Starter rules, run by the rule language from the entities and relations that changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId
from recollect.model.relations import format_relation, read_relation
from recollect.reason.checks.anachronisms import anachronism_details
from recollect.reason.checks.check_context import CheckContext, format_interval
from recollect.reason.checks.findings import Finding
from recollect.reason.checks.rule_catalogue import RuleDefinition, starter_rules_by_id
from recollect.reason.lore.relation import Relation, stated_bounds
from recollect.reason.rules.ast_nodes import MatchClause, Variable, patterns_in_rule
from recollect.reason.rules.evaluator import Binding
from recollect.reason.rules.planner import build_pattern_graph
from recollect.reason.rules.rule_errors import RuleLimits
from recollect.reason.rules.rule_runner import RuleViolation, find_violations
from recollect.reason.rules.values import edge_of, node_of
from recollect.when.period import Bounds, Time, certainly_outside, time_text

LabelGroups = tuple[tuple[str, ...], ...]
UNLIMITED_RUN = RuleLimits(seconds=float("inf"), held=2**62)


@dataclass(frozen=True, slots=True)
class RuleEntryPoints:
    """Where a rule can start: its nodes, its edges, and the relations it matches but does not return."""

    anchor: str
    nodes: tuple[tuple[str, LabelGroups], ...]
    edges: tuple[tuple[str, frozenset[str]], ...]
    unreturned_relations: frozenset[str]


@cache
def entry_points_of(rule_id: str) -> RuleEntryPoints:
    """The entry points of a starter rule, which has one MATCH and a RETURN that begins with a node."""
    rule = starter_rules_by_id()[rule_id].rule
    [match] = rule.clauses
    assert isinstance(match, MatchClause)
    pattern_graph = build_pattern_graph(match.patterns)
    first = rule.returned.items[0].of
    assert isinstance(first, Variable)
    edges = tuple((link.name, _relation_names(link.edge.types)) for link in pattern_graph.links)
    returned = {item.of.name for item in rule.returned.items if isinstance(item.of, Variable)}
    inner = [edge for pattern, is_inner in patterns_in_rule(rule) if is_inner for edge in pattern.edges]
    unnamed = [link.edge for link in pattern_graph.links if link.name not in returned]
    besides = frozenset().union(*(_relation_names(edge.types) for edge in (*inner, *unnamed)))
    nodes = tuple(
        (name, tuple(group for each in patterns for group in each.labels))
        for name, patterns in pattern_graph.nodes.items()
    )
    return RuleEntryPoints(first.name, nodes, edges, besides)


def _relation_names(types: Iterable[str]) -> frozenset[str]:
    return frozenset(read_relation(each).name for each in types)


def find_from_anchors(context: CheckContext, rule: RuleDefinition, entities: Iterable[Entity]) -> Iterator[Finding]:
    """The violations whose first node is one of these entities."""
    entry = entry_points_of(rule.id)
    return _find_violations(
        context, rule, _initial_bindings(context, entry.anchor, dict(entry.nodes)[entry.anchor], entities)
    )


def find_from_parts(
    context: CheckContext, rule: RuleDefinition, entities: Iterable[Entity], relations: Iterable[Relation]
) -> Iterator[Finding]:
    """The violations that one of these entities or relations is part of."""
    entry, given = entry_points_of(rule.id), list(entities)
    for name, labels in entry.nodes:
        yield from _find_violations(context, rule, _initial_bindings(context, name, labels, given))
    for edge, names in entry.edges:
        yield from _find_violations(context, rule, [{edge: edge_of(each)} for each in relations if each.name in names])


def _initial_bindings(
    context: CheckContext, name: str, labels: LabelGroups, entities: Iterable[Entity]
) -> list[Binding]:
    nodes = map(node_of, entities)
    return [{name: node} for node in nodes if context.graph.is_labelled(node, labels)]


def _find_violations(context: CheckContext, rule: RuleDefinition, beginnings: list[Binding]) -> Iterator[Finding]:
    if not beginnings:
        return
    for violation in find_violations(rule.rule, context.graph, UNLIMITED_RUN, beginnings):
        yield violation_finding(context, rule, violation)


def violation_finding(context: CheckContext, rule: RuleDefinition, violation: RuleViolation) -> Finding:
    """A violation as a finding, with the details that lists print."""
    who = context.names(violation.nodes[:1]) or "a relation"
    message = f"{who}{_format_others(context, violation)} {_verb(violation)} {rule.id}"
    details: dict[str, Any] = {"columns": dict(violation.details)}
    describe = _DESCRIBERS.get(rule.id)
    if describe is not None:
        details |= describe(context, violation)
    else:
        details["why"] = [rule.description, *(context.claim(each) for each in _violation_relations(context, violation))]
    details["predicate"] = next((format_relation(each.name) for each in _violation_relations(context, violation)), None)
    return Finding(rule.id, rule.category, rule.severity, violation.nodes, violation.relations, message, details)


def _format_others(context: CheckContext, violation: RuleViolation) -> str:
    others = [context.name(each) for each in violation.nodes[1:]]
    if not others:
        return ""
    return ": " + " and ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others)


def _verb(violation: RuleViolation) -> str:
    return "break" if len(violation.nodes) > 2 else "breaks"


def _violation_relations(context: CheckContext, violation: RuleViolation) -> list[Relation]:
    found = {each.id: each for each in context.lore.by_id(violation.relations)}
    return [found[each] for each in violation.relations if each in found]


Describer = Callable[[CheckContext, RuleViolation], dict[str, Any]]


def _anachronism_describer(against: int, claim: str | None = None) -> Describer:
    """Details of an anachronism between the first two entities; `against`: the position of the one that existed."""

    def describe(context: CheckContext, violation: RuleViolation) -> dict[str, Any]:
        [relation] = _violation_relations(context, violation)
        life = context.existence(violation.nodes[against]).bounds
        actual = _misplaced_time(context, relation, life)
        side = "EXISTED_BEFORE" if actual is not None and actual.hi < life.lo else "EXISTED_AFTER"
        expected, text = format_interval(life), time_text(actual)
        why = [
            f"{context.name(violation.nodes[against])} existed {expected}",
            f"{context.claim(relation)}: {text} lies outside",
        ]
        ends = violation.nodes[0], violation.nodes[1]
        return anachronism_details(context, *ends, claim or side, expected, actual, why)

    return describe


def _misplaced_time(context: CheckContext, relation: Relation, life: Bounds) -> Time | None:
    """The time outside of the existence."""
    during = (
        context.lore.event_time(relation.object) if relation.name == "participated_in" and relation.object else None
    )
    bounds = during or stated_bounds(relation)
    if bounds == Bounds():
        bounds = context.lore.interval(relation)
    stated_ones = [bound for bound in (bounds.valid_from, bounds.valid_until) if bound is not None]
    return next((bound for bound in stated_ones if certainly_outside(bound, life)), next(iter(stated_ones), None))


def _gap_describer(find: Callable[[CheckContext, EntityId], list[str]]) -> Describer:
    def describe(context: CheckContext, violation: RuleViolation) -> dict[str, Any]:
        [entity] = violation.nodes
        reasons = find(context, entity)
        return {"entity": entity, "reasons": reasons, "why": [f"{context.name(entity)}: {each}" for each in reasons]}

    return describe


def _event_gaps(context: CheckContext, entity: EntityId) -> list[str]:
    placed = bool(context.lore.relations_of([entity], {"occurred_at"}, "subject"))
    dated = context.lore.event_time(entity) is not None
    return [*(["missing_occurred_at"] if not placed else []), *(["missing_occurred_during"] if not dated else [])]


def _lineage_gaps(context: CheckContext, entity: EntityId) -> list[str]:
    found = context.lore.entity(entity)
    named = found is not None and found.properties.get("founding_ancestor") is not None
    founded = named or _has_person(context, entity, "founded")
    return [
        *(["missing_founding_ancestor"] if not founded else []),
        *(["missing_members"] if not _has_person(context, entity, "member_of") else []),
    ]


def _has_person(context: CheckContext, entity: EntityId, name: str) -> bool:
    return any(context.type(each.subject) == "person" for each in context.lore.relations_of([entity], {name}, "object"))


_DESCRIBERS: Mapping[str, Describer] = {
    "no-anachronism-participation": _anachronism_describer(0),
    "no-anachronism-rule": _anachronism_describer(0),
    "deity-worship-coherence": _anachronism_describer(1, "EXISTED_DURING_MISMATCH"),
    "no-orphan-events": _gap_describer(_event_gaps),
    "no-orphan-locations": _gap_describer(lambda _, __: ["missing_part_of"]),
    "lineage-continuity": _gap_describer(_lineage_gaps),
    "item-lineage": _gap_describer(lambda _, __: ["missing_creator"]),
}
