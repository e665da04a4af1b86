"""Query planner: the order in which the parts of a MATCH are bound, cheapest start first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from recollect.model.relations import read_relation
from recollect.reason.lore.relation import Relation
from recollect.reason.rules.ast_nodes import (
    ComparisonExpression,
    EdgePattern,
    Expression,
    LiteralExpression,
    LogicalExpression,
    NodePattern,
    Pattern,
    PropertyAccess,
    Variable,
    free_variables_of,
)
from recollect.reason.rules.graph import EdgeSide, RelationNames, RuleGraph
from recollect.reason.rules.values import RuleNode


class ExpansionDirection(NamedTuple):
    """At which end of a relation the known node is, and whether it is the left one of the link."""

    side: EdgeSide
    from_left: bool


def relation_names_of(pattern: EdgePattern) -> RelationNames:
    """The relations a pattern asks for, under their own names; none stands for all."""
    return frozenset(read_relation(each).name for each in pattern.types) if pattern.types else None


def arrow_directions(pattern: EdgePattern, relation: Relation) -> Iterator[str]:
    """How the pattern's arrow lies on the relation: a reversed name turns it."""
    if not pattern.types:
        yield pattern.direction
        return
    for each in pattern.types:
        name = read_relation(each)
        if name.name == relation.name:
            yield {"out": "in", "in": "out", "both": "both"}[pattern.direction] if name.swapped else pattern.direction


def is_traversable(pattern: EdgePattern, relation: Relation, node: RuleNode, from_left: bool) -> bool:
    """Whether the pattern's arrow lets one go along the relation from this node."""
    turned = set(arrow_directions(pattern, relation))
    if "both" in turned or relation.is_symmetric:
        return True
    at_start, at_end = node.key == relation.subject, node.key != relation.subject or relation.object == node.key
    left_is_start = (from_left and at_start) or (not from_left and at_end)
    left_is_end = (from_left and at_end) or (not from_left and at_start)
    return ("out" in turned and left_is_start) or ("in" in turned and left_is_end)


def near_side_of(pattern: EdgePattern, from_left: bool) -> EdgeSide:
    """At which end of the relation the known node must be."""
    turned = {read_relation(each).swapped for each in pattern.types} or {False}
    if pattern.direction == "both" or len(turned) > 1:
        return "either"
    is_out = (pattern.direction == "out") != turned.pop()
    return "subject" if is_out == from_left else "object"


HIDDEN_PREFIX = "\0"


@dataclass(frozen=True, slots=True)
class PatternEdge:
    """An edge of a pattern with the nodes it joins, all of them named."""

    edge: EdgePattern
    name: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class PatternGraph:
    """Patterns with a name for everything: which nodes must be met, and how they hang together."""

    nodes: dict[str, tuple[NodePattern, ...]]
    links: tuple[PatternEdge, ...]


def build_pattern_graph(patterns: Iterable[Pattern]) -> PatternGraph:
    """Name what has no name, and bring together what is said of one node in several places."""
    nodes: dict[str, tuple[NodePattern, ...]] = {}
    links: list[PatternEdge] = []
    for number, pattern in enumerate(patterns):
        names = [node.variable or f"{HIDDEN_PREFIX}{number}.{at}" for at, node in enumerate(pattern.nodes)]
        for name, node in zip(names, pattern.nodes, strict=True):
            nodes[name] = (*nodes.get(name, ()), node)
        for at, edge in enumerate(pattern.edges):
            links.append(PatternEdge(edge, edge.variable or f"{HIDDEN_PREFIX}{number}.{at}r", names[at], names[at + 1]))
    return PatternGraph(nodes, tuple(links))


@dataclass(frozen=True, slots=True)
class ScanNodes:
    """Begin with every entity that the node may be."""

    node: str


@dataclass(frozen=True, slots=True)
class ScanEdges:
    """Begin with every relation that the link may be, and both its ends."""

    link: PatternEdge


@dataclass(frozen=True, slots=True)
class BindKnownEdge:
    """The relation is known already: bind its ends."""

    link: PatternEdge


@dataclass(frozen=True, slots=True)
class CheckKnownNode:
    """The node is known already: see whether it fits."""

    node: str


@dataclass(frozen=True, slots=True)
class ExpandEdge:
    """Go along a link from the end that is known."""

    link: PatternEdge
    from_left: bool


PlanOperator = ScanNodes | ScanEdges | BindKnownEdge | CheckKnownNode | ExpandEdge


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One move and the conditions that can be told after it."""

    move: PlanOperator
    conditions: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class CostModel:
    """About how many there are of what could be begun with."""

    of_node: Callable[[Sequence[NodePattern]], int]
    of_link: Callable[[PatternEdge], int]


def plan_steps(
    laid: PatternGraph, where: Expression | None, bound: frozenset[str], costs: CostModel
) -> tuple[PlanStep, ...]:
    """The steps that bind everything in the patterns, given what is bound before."""
    moves = list(_order_operators(laid, bound, costs))
    return tuple(_attach_conditions(laid, moves, where, bound))


def _order_operators(laid: PatternGraph, bound: frozenset[str], costs: CostModel) -> Iterable[PlanOperator]:
    known = set(bound & laid.nodes.keys())
    yield from (CheckKnownNode(name) for name in laid.nodes if name in known)
    left = list(laid.links)
    for link in [link for link in left if link.name in bound and link.edge.hops is None]:
        left.remove(link)
        yield BindKnownEdge(link)
        known |= {link.left, link.right}
    while left or laid.nodes.keys() - known:
        step = next((link for link in left if {link.left, link.right} <= known), None) or next(
            (link for link in left if link.left in known or link.right in known), None
        )
        if step is None:
            first = _choose_start(laid, left, known, costs)
            yield first
            if isinstance(first, ScanEdges):
                left.remove(first.link)
                known |= {first.link.left, first.link.right}
            else:
                known.add(first.node)
        else:
            left.remove(step)
            yield ExpandEdge(step, step.left in known)
            known |= {step.left, step.right}


def _choose_start(
    laid: PatternGraph, links: Sequence[PatternEdge], known: set[str], costs: CostModel
) -> ScanNodes | ScanEdges:
    """The cheapest place to begin."""
    nodes = [(costs.of_node(patterns), name) for name, patterns in laid.nodes.items() if name not in known]
    edges = [(costs.of_link(link), at) for at, link in enumerate(links) if link.edge.hops is None]
    best_node, best_edge = min(nodes), min(edges, default=None)
    if best_edge is not None and best_edge[0] < best_node[0]:
        return ScanEdges(links[best_edge[1]])
    return ScanNodes(best_node[1])


def _attach_conditions(
    laid: PatternGraph, moves: Sequence[PlanOperator], where: Expression | None, bound: frozenset[str]
) -> Iterable[PlanStep]:
    own = laid.nodes.keys() | {link.name for link in laid.links}
    waiting = [(each, free_variables_of(each) & own) for each in conjuncts(where)]
    known = set(bound)
    for move in moves:
        known |= _names_bound_by(move)
        yield PlanStep(move, tuple(each for each, wanted in waiting if wanted <= known))
        waiting = [(each, wanted) for each, wanted in waiting if not wanted <= known]


def _names_bound_by(move: PlanOperator) -> set[str]:
    match move:
        case ScanNodes(node) | CheckKnownNode(node):
            return {node}
        case ScanEdges(link) | BindKnownEdge(link) | ExpandEdge(link):
            return {link.name, link.left, link.right}


def conjuncts(where: Expression | None) -> tuple[Expression, ...]:
    """The conditions that must all be true."""
    if where is None:
        return ()
    if isinstance(where, LogicalExpression) and where.word == "and":
        return tuple(each for part in where.parts for each in conjuncts(part))
    return (where,)


def required_text(patterns: Sequence[NodePattern], where: Expression | None, node: str, key: str) -> str | None:
    """The text that a property of the node must equal, if the rule says so outright."""
    for pattern in patterns:
        for name, value in pattern.properties:
            if name == key and isinstance(value, LiteralExpression) and isinstance(value.value, str):
                return value.value
    for each in conjuncts(where):
        match each:
            case ComparisonExpression(
                "=", PropertyAccess(Variable(name), (found,)), LiteralExpression(str() as text)
            ) if (name, found) == (
                node,
                key,
            ):
                return text
            case ComparisonExpression(
                "=", LiteralExpression(str() as text), PropertyAccess(Variable(name), (found,))
            ) if (name, found) == (
                node,
                key,
            ):
                return text
            case _:
                pass
    return None


def rename_node(node: NodePattern, name: str) -> NodePattern:
    return replace(node, variable=name)


class Planner:
    """Plans for the patterns of one rule, each made once."""

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._plans: dict[tuple[int, frozenset[str]], tuple[PatternGraph, tuple[PlanStep, ...]]] = {}
        self._costs: dict[object, int] = {}

    def plan_for(
        self, patterns: tuple[Pattern, ...], where: Expression | None, bound: frozenset[str]
    ) -> tuple[PatternGraph, tuple[PlanStep, ...]]:
        """The places of the patterns, and the steps that lay them on the graph, cheapest first."""
        key = (id(patterns), bound)
        held = self._plans.get(key)
        if held is None:
            laid = build_pattern_graph(patterns)
            costs = CostModel(lambda nodes: self._cost_of_node(nodes, where), self._cost_of_link)
            held = self._plans[key] = laid, plan_steps(laid, where, bound, costs)
        return held

    def _cost_of_node(self, nodes: Iterable[NodePattern], where: Expression | None) -> int:
        patterns = list(nodes)
        name = next((each.variable for each in patterns if each.variable), None)
        if name and any(required_text(patterns, where, name, key) for key in ("id", "name")):
            return 1
        labels = tuple(group for each in patterns for group in each.labels)
        if labels not in self._costs:
            self._costs[labels] = self._graph.count_nodes(labels)
        return self._costs[labels]

    def _cost_of_link(self, link: PatternEdge) -> int:
        names = relation_names_of(link.edge)
        if names not in self._costs:
            self._costs[names] = self._graph.count_edges(names)
        return self._costs[names]
