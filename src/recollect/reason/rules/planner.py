"""Query planner: the order in which the parts of a MATCH are bound, cheapest start first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
    """The end of a relation where the known node is, and whether it is the left node of the link."""

    side: EdgeSide
    from_left: bool


def relation_names_of(pattern: EdgePattern) -> RelationNames:
    """The normalized relation names of a pattern; none means all."""
    return frozenset(read_relation(each).name for each in pattern.types) if pattern.types else None


def arrow_directions(pattern: EdgePattern, relation: Relation) -> Iterator[str]:
    """The directions of the pattern's arrow on this relation; an inverse name reverses it."""
    if not pattern.types:
        yield pattern.direction
        return
    for each in pattern.types:
        name = read_relation(each)
        if name.name == relation.name:
            yield {"out": "in", "in": "out", "both": "both"}[pattern.direction] if name.swapped else pattern.direction


def is_traversable(pattern: EdgePattern, relation: Relation, node: RuleNode, from_left: bool) -> bool:
    """Whether the pattern allows following the relation from this node."""
    turned = set(arrow_directions(pattern, relation))
    if "both" in turned or relation.is_symmetric:
        return True
    at_start, at_end = node.key == relation.subject, node.key != relation.subject or relation.object == node.key
    left_is_start = (from_left and at_start) or (not from_left and at_end)
    left_is_end = (from_left and at_end) or (not from_left and at_start)
    return ("out" in turned and left_is_start) or ("in" in turned and left_is_end)


def near_side_of(pattern: EdgePattern, from_left: bool) -> EdgeSide:
    """The end of the relation where the known node must be."""
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
    """Patterns with every element named: nodes with all their conditions, and the links between them."""

    nodes: dict[str, tuple[NodePattern, ...]]
    links: tuple[PatternEdge, ...]


def build_pattern_graph(patterns: Iterable[Pattern]) -> PatternGraph:
    """Name unnamed elements, and merge the occurrences of each node."""
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
    """Start with every entity that may match the node."""

    node: str


@dataclass(frozen=True, slots=True)
class ScanEdges:
    """Start with every relation that may match the link, binding both ends."""

    link: PatternEdge


@dataclass(frozen=True, slots=True)
class BindKnownEdge:
    """The relation is already bound: bind its ends."""

    link: PatternEdge


@dataclass(frozen=True, slots=True)
class CheckKnownNode:
    """The node is already bound: check it."""

    node: str


@dataclass(frozen=True, slots=True)
class ExpandEdge:
    """Follow a link from its bound end."""

    link: PatternEdge
    from_left: bool


PlanOperator = ScanNodes | ScanEdges | BindKnownEdge | CheckKnownNode | ExpandEdge


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One operator and the conditions that can be evaluated after it."""

    operator: PlanOperator
    conditions: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class CostModel:
    """Estimated number of rows for each possible start."""

    of_node: Callable[[Sequence[NodePattern]], int]
    of_link: Callable[[PatternEdge], int]


def plan_steps(
    shape: PatternGraph, where: Expression | None, bound: frozenset[str], costs: CostModel
) -> tuple[PlanStep, ...]:
    """The steps that bind everything in the patterns, given what is bound before."""
    operators = list(_order_operators(shape, bound, costs))
    return tuple(_attach_conditions(shape, operators, where, bound))


def _order_operators(shape: PatternGraph, bound: frozenset[str], costs: CostModel) -> Iterable[PlanOperator]:
    known = set(bound & shape.nodes.keys())
    yield from (CheckKnownNode(name) for name in shape.nodes if name in known)
    left = list(shape.links)
    for link in [link for link in left if link.name in bound and link.edge.hops is None]:
        left.remove(link)
        yield BindKnownEdge(link)
        known |= {link.left, link.right}
    while left or shape.nodes.keys() - known:
        step = next((link for link in left if {link.left, link.right} <= known), None) or next(
            (link for link in left if link.left in known or link.right in known), None
        )
        if step is None:
            first = _choose_start(shape, left, known, costs)
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
    shape: PatternGraph, links: Sequence[PatternEdge], known: set[str], costs: CostModel
) -> ScanNodes | ScanEdges:
    """The cheapest start."""
    nodes = [(costs.of_node(patterns), name) for name, patterns in shape.nodes.items() if name not in known]
    edges = [(costs.of_link(link), at) for at, link in enumerate(links) if link.edge.hops is None]
    best_node, best_edge = min(nodes), min(edges, default=None)
    if best_edge is not None and best_edge[0] < best_node[0]:
        return ScanEdges(links[best_edge[1]])
    return ScanNodes(best_node[1])


def _attach_conditions(
    shape: PatternGraph, operators: Sequence[PlanOperator], where: Expression | None, bound: frozenset[str]
) -> Iterable[PlanStep]:
    own = shape.nodes.keys() | {link.name for link in shape.links}
    waiting = [(each, free_variables_of(each) & own) for each in conjuncts(where)]
    known = set(bound)
    for operator in operators:
        known |= _names_bound_by(operator)
        yield PlanStep(operator, tuple(each for each, wanted in waiting if wanted <= known))
        waiting = [(each, wanted) for each, wanted in waiting if not wanted <= known]


def _names_bound_by(operator: PlanOperator) -> set[str]:
    match operator:
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
    """The text that a property of the node must equal, if the rule states one."""
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


class Planner:
    """Cached plans for the patterns of one rule."""

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._plans: dict[tuple[int, frozenset[str]], tuple[PatternGraph, tuple[PlanStep, ...]]] = {}
        self._costs: dict[object, int] = {}

    def plan_for(
        self, patterns: tuple[Pattern, ...], where: Expression | None, bound: frozenset[str]
    ) -> tuple[PatternGraph, tuple[PlanStep, ...]]:
        """The pattern graph and the steps that match it, cheapest first."""
        key = (id(patterns), bound)
        plan = self._plans.get(key)
        if plan is None:
            shape = build_pattern_graph(patterns)
            costs = CostModel(lambda nodes: self._cost_of_node(nodes, where), self._cost_of_link)
            plan = self._plans[key] = shape, plan_steps(shape, where, bound, costs)
        return plan

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
