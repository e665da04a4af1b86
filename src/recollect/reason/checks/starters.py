"""The starter rules, run by the rule language from whatever was touched."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from recollect.model.entity import Entity
from recollect.model.ids import EntityId, FactId
from recollect.model.relations import read_relation, say_relation
from recollect.reason.checks.catalogue import Known, starters
from recollect.reason.checks.finding import Finding, Severity
from recollect.reason.checks.sight import Sight, say_bounds
from recollect.reason.lore.relation import Relation, stated
from recollect.reason.rules.evaluate import Binding
from recollect.reason.rules.meter import Limits
from recollect.reason.rules.plan import lay_out
from recollect.reason.rules.run import Breach, breaches
from recollect.reason.rules.tree import Match, Variable
from recollect.reason.rules.values import edge_of, node_of
from recollect.reason.rules.walk import patterns_of
from recollect.when.period import Bounds, Time, certainly_outside

Labels = tuple[tuple[str, ...], ...]
UNLIMITED = Limits(seconds=float("inf"), held=2**62)


@dataclass(frozen=True, slots=True)
class Handles:
    """Where to take hold of a rule: nodes, edges, and what it asks for but does not return."""

    anchor: str
    nodes: tuple[tuple[str, Labels], ...]
    edges: tuple[tuple[str, frozenset[str]], ...]
    besides: frozenset[str]


@cache
def handles(rule_id: str) -> Handles:
    """The handles of a starter rule: one MATCH, and a RETURN that begins with a node."""
    rule = starters()[rule_id].rule
    [match] = rule.clauses
    assert isinstance(match, Match)
    laid = lay_out(match.patterns)
    first = rule.returned.items[0].of
    assert isinstance(first, Variable)
    edges = tuple((link.name, _names(link.edge.types)) for link in laid.links)
    returned = {item.of.name for item in rule.returned.items if isinstance(item.of, Variable)}
    inner = [edge for pattern, is_inner in patterns_of(rule) if is_inner for edge in pattern.edges]
    unnamed = [link.edge for link in laid.links if link.name not in returned]
    besides = frozenset().union(*(_names(edge.types) for edge in (*inner, *unnamed)))
    nodes = tuple((name, tuple(group for each in said for group in each.labels)) for name, said in laid.nodes.items())
    return Handles(first.name, nodes, edges, besides)


def _names(types: Iterable[str]) -> frozenset[str]:
    return frozenset(read_relation(each).name for each in types)


def from_anchors(sight: Sight, rule: Known, entities: Iterable[Entity]) -> Iterator[Finding]:
    """The breaches whose first node is one of these entities."""
    held = handles(rule.id)
    return _found(sight, rule, _beginnings(sight, held.anchor, dict(held.nodes)[held.anchor], entities))


def from_anywhere(
    sight: Sight, rule: Known, entities: Iterable[Entity], relations: Iterable[Relation]
) -> Iterator[Finding]:
    """The breaches that one of these entities or relations is part of."""
    held, given = handles(rule.id), list(entities)
    for name, labels in held.nodes:
        yield from _found(sight, rule, _beginnings(sight, name, labels, given))
    for edge, names in held.edges:
        yield from _found(sight, rule, [{edge: edge_of(each)} for each in relations if each.name in names])


def _beginnings(sight: Sight, name: str, labels: Labels, entities: Iterable[Entity]) -> list[Binding]:
    nodes = map(node_of, entities)
    return [{name: node} for node in nodes if sight.graph.is_labelled(node, labels)]


def _found(sight: Sight, rule: Known, beginnings: list[Binding]) -> Iterator[Finding]:
    if not beginnings:
        return
    for breach in breaches(rule.rule, sight.graph, UNLIMITED, beginnings):
        yield finding_of(sight, rule, breach)


def finding_of(sight: Sight, rule: Known, breach: Breach, severity: Severity | None = None) -> Finding:
    """A breach as a finding, with what the lists show of it."""
    message = f"{sight.names(breach.nodes[:1]) or 'a relation'}{_others(sight, breach)} {_verb(breach)} {rule.id}"
    details: dict[str, Any] = {"columns": dict(breach.details)}
    describe = _DESCRIBED.get(rule.id)
    if describe is not None:
        details |= describe(sight, breach)
    else:
        details["why"] = [rule.description, *(sight.claim(each) for each in _relations(sight, breach))]
    details["predicate"] = next((say_relation(each.name) for each in _relations(sight, breach)), None)
    return Finding(rule.id, rule.category, severity or rule.severity, breach.nodes, breach.relations, message, details)


def _others(sight: Sight, breach: Breach) -> str:
    others = [sight.name(each) for each in breach.nodes[1:]]
    if not others:
        return ""
    return ": " + " and ".join([", ".join(others[:-1]), others[-1]] if len(others) > 1 else others)


def _verb(breach: Breach) -> str:
    return "break" if len(breach.nodes) > 2 else "breaks"


def _relations(sight: Sight, breach: Breach) -> list[Relation]:
    found = {each.id: each for each in sight.lore.by_id(breach.relations)}
    return [found[each] for each in breach.relations if each in found]


def _out_of_time(
    who: int, other: int, against: int, claim: str | None = None
) -> Callable[[Sight, Breach], dict[str, Any]]:
    """What an anachronism shows: who was misplaced, what with, and against whose existence."""

    def describe(sight: Sight, breach: Breach) -> dict[str, Any]:
        [relation] = _relations(sight, breach)
        life = sight.existence(breach.nodes[against]).bounds
        actual = _actual(sight, relation, life)
        side = "EXISTED_BEFORE" if actual is not None and actual.hi < life.lo else "EXISTED_AFTER"
        text = None if actual is None else actual.text
        return {
            "entity": breach.nodes[who],
            "other": breach.nodes[other],
            "claim": claim or side,
            "expected": say_bounds(life),
            "actual": text,
            "era": None if actual is None else sight.era(actual),
            "why": [
                f"{sight.name(breach.nodes[against])} existed {say_bounds(life)}",
                f"{sight.claim(relation)}: {text} lies outside",
            ],
        }

    return describe


def _actual(sight: Sight, relation: Relation, life: Bounds) -> Time | None:
    """The time that was found out of place."""
    during = sight.lore.event_time(relation.object) if relation.name == "participated_in" and relation.object else None
    bounds = during or stated(relation)
    if bounds == Bounds():
        bounds = sight.lore.interval(relation)
    stated_ones = [bound for bound in (bounds.valid_from, bounds.valid_until) if bound is not None]
    return next((bound for bound in stated_ones if certainly_outside(bound, life)), next(iter(stated_ones), None))


def _missing(find: Callable[[Sight, EntityId], list[str]]) -> Callable[[Sight, Breach], dict[str, Any]]:
    def describe(sight: Sight, breach: Breach) -> dict[str, Any]:
        [entity] = breach.nodes
        reasons = find(sight, entity)
        return {"entity": entity, "reasons": reasons, "why": [f"{sight.name(entity)}: {each}" for each in reasons]}

    return describe


def _event_gaps(sight: Sight, entity: EntityId) -> list[str]:
    placed = bool(sight.lore.relations_of([entity], {"occurred_at"}, "subject"))
    dated = sight.lore.event_time(entity) is not None
    return [*(["missing_occurred_at"] if not placed else []), *(["missing_occurred_during"] if not dated else [])]


def _lineage_gaps(sight: Sight, entity: EntityId) -> list[str]:
    found = sight.lore.entity(entity)
    named = found is not None and found.properties.get("founding_ancestor") is not None
    founded = named or _person_does(sight, entity, "founded")
    return [
        *(["missing_founding_ancestor"] if not founded else []),
        *(["missing_members"] if not _person_does(sight, entity, "member_of") else []),
    ]


def _person_does(sight: Sight, entity: EntityId, name: str) -> bool:
    return any(sight.type(each.subject) == "person" for each in sight.lore.relations_of([entity], {name}, "object"))


_DESCRIBED: Mapping[str, Callable[[Sight, Breach], dict[str, Any]]] = {
    "no-anachronism-participation": _out_of_time(0, 1, 0),
    "no-anachronism-rule": _out_of_time(0, 1, 0),
    "deity-worship-coherence": _out_of_time(0, 1, 1, "EXISTED_DURING_MISMATCH"),
    "no-orphan-events": _missing(_event_gaps),
    "no-orphan-locations": _missing(lambda _, __: ["missing_part_of"]),
    "lineage-continuity": _missing(_lineage_gaps),
    "item-lineage": _missing(lambda _, __: ["missing_creator"]),
}


def parts_of(finding: Finding) -> tuple[EntityId | FactId, ...]:
    return (*finding.nodes, *finding.relations)
