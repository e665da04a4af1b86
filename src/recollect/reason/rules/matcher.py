"""Matches the patterns of a rule on the graph, block by block."""

from collections.abc import Iterable, Iterator, Mapping

from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.progress import batches
from recollect.model.similarity import to_snake_case
from recollect.reason.lore.relation import Relation
from recollect.reason.rules.ast_nodes import EdgePattern, Exists, Expression, NodePattern, Pattern, walk_expression
from recollect.reason.rules.evaluator import Binding, Evaluator
from recollect.reason.rules.functions import property_of
from recollect.reason.rules.graph import PSEUDO_LABELS, RelationNames, RuleGraph
from recollect.reason.rules.planner import (
    HIDDEN_PREFIX,
    BindKnownEdge,
    CheckKnownNode,
    ExpandEdge,
    ExpansionDirection,
    PatternEdge,
    PatternGraph,
    Planner,
    PlanStep,
    ScanEdges,
    ScanNodes,
    arrow_directions,
    is_traversable,
    near_side_of,
    relation_names_of,
    required_text,
)
from recollect.reason.rules.rule_errors import RuleMeter
from recollect.reason.rules.values import RuleEdge, RuleNode, Value, are_equal, edge_of


class ElementTest:
    """Compares the elements of a graph with patterns."""

    def __init__(self, graph: RuleGraph, evaluator: Evaluator) -> None:
        self._graph = graph
        self._evaluator = evaluator

    def matches_node(self, node: Value, patterns: tuple[NodePattern, ...], binding: Binding) -> bool:
        return isinstance(node, RuleNode) and all(
            self._graph.is_labelled(node, each.labels) and self._has_properties(node, each.properties, binding)
            for each in patterns
        )

    def matches_edge(self, pattern: EdgePattern, relation: Relation, binding: Binding) -> bool:
        names = relation_names_of(pattern)
        if names is not None and relation.name not in names:
            return False
        return not pattern.properties or self._has_properties(edge_of(relation), pattern.properties, binding)

    def bind_node(self, name: str, node: RuleNode, shape: PatternGraph, binding: dict[str, Value]) -> bool:
        """Bind a node to a name, unless another is bound already."""
        bound = binding.get(name)
        if bound is not None:
            return bool(bound == node)
        if not self.matches_node(node, shape.nodes[name], binding):
            return False
        binding[name] = node
        return True

    def _has_properties(self, element: Value, properties: tuple[tuple[str, Expression], ...], binding: Binding) -> bool:
        return all(
            are_equal(property_of(self._graph, element, key), self._evaluator.value(value, binding)) is True
            for key, value in properties
        )


BLOCK_SIZE = 200
USED_EDGES = f"{HIDDEN_PREFIX}used"


class Matcher:
    """Matches patterns on a graph."""

    def __init__(self, graph: RuleGraph, meter: RuleMeter) -> None:
        self.graph = graph
        self.meter = meter
        self.evaluator = Evaluator(graph, self._exists)
        self._planner = Planner(graph)
        self._tests = ElementTest(graph, self.evaluator)

    def match(
        self,
        patterns: tuple[Pattern, ...],
        where: Expression | None,
        bindings: Iterable[Binding],
        size: int = BLOCK_SIZE,
    ) -> Iterator[Binding]:
        """Every binding that extends one of these and meets the patterns and the condition.

        Unnamed elements have hidden names, so bindings of an earlier MATCH must not contain any.
        """
        source = iter(bindings)
        first = next(source, None)
        if first is None:
            return
        shape, steps = self._planner.plan_for(patterns, where, frozenset(first))
        found: Iterator[Binding] = ({**each, USED_EDGES: ()} for each in _prepend(first, source))
        for step in steps:
            found = self._step(step, shape, where, found, size)
        yield from found

    def _step(
        self,
        step: PlanStep,
        shape: PatternGraph,
        where: Expression | None,
        bindings: Iterator[Binding],
        size: int,
    ) -> Iterator[Binding]:
        # Conditions that read further relations come last: most bindings never get that far.
        plain = [each for each in step.conditions if not _find_exists(each)]
        reading = [each for each in step.conditions if _find_exists(each)]
        for block in batches(bindings, size):
            for found in batches(self._apply_operator(step, shape, where, block), size):
                left = [each for each in found if self._meets(plain, each)]
                self._prefetch_conditions(reading, left)
                yield from (each for each in left if not reading or self._meets(reading, each))

    def _meets(self, conditions: Iterable[Expression], binding: Binding) -> bool:
        self.meter.step()
        return all(self.evaluator.holds(condition, binding) for condition in conditions)

    def _apply_operator(
        self, step: PlanStep, shape: PatternGraph, where: Expression | None, block: list[Binding]
    ) -> Iterator[Binding]:
        match step.operator:
            case CheckKnownNode(name):
                return (each for each in block if self._tests.matches_node(each[name], shape.nodes[name], each))
            case ScanNodes(name):
                return self._scan_nodes(name, shape, where, block)
            case ScanEdges(link):
                return self._scan_edges(link, shape, block)
            case BindKnownEdge(link):
                return (each for binding in block for each in self._bind_edge(link, binding[link.name], shape, binding))
            case ExpandEdge(link, from_left):
                return self._expand(link, from_left, shape, block)

    # Scans

    def _scan_nodes(
        self, name: str, shape: PatternGraph, where: Expression | None, block: list[Binding]
    ) -> Iterator[Binding]:
        for page in self._candidates(name, shape.nodes[name], where):
            self.meter.check_deadline()
            for node in page:
                for binding in block:
                    self.meter.step()
                    if self._tests.matches_node(node, shape.nodes[name], binding):
                        yield {**binding, name: node}

    def _candidates(
        self, name: str, patterns: tuple[NodePattern, ...], where: Expression | None
    ) -> Iterator[list[RuleNode]]:
        wanted_id = required_text(patterns, where, name, "id")
        wanted_name = required_text(patterns, where, name, "name")
        if wanted_id is not None:
            found = (
                self.graph.node(EntityId(read_id(wanted_id, ENTITY_PREFIX)))
                if is_id(wanted_id, ENTITY_PREFIX)
                else None
            )
            yield [] if found is None else [found]
        elif wanted_name is not None:
            yield self.graph.nodes_named(wanted_name)
        elif any(
            to_snake_case(label) in PSEUDO_LABELS for each in patterns for group in each.labels for label in group
        ):
            yield from self._objects_without_entity()
            yield from self.graph.nodes(())
        else:
            yield from self.graph.nodes([group for each in patterns for group in each.labels])

    def _objects_without_entity(self) -> Iterator[list[RuleNode]]:
        for page in self.graph.edges(None):
            found = (self.graph.end_node(each) for each in page if each.object is None)
            yield [node for node in found if node is not None]

    def _scan_edges(self, link: PatternEdge, shape: PatternGraph, block: list[Binding]) -> Iterator[Binding]:
        for page in self.graph.edges(relation_names_of(link.edge)):
            self.meter.check_deadline()
            for relation in page:
                for binding in block:
                    self.meter.step()
                    yield from self._bind_edge(link, edge_of(relation), shape, binding)

    def _bind_edge(self, link: PatternEdge, edge: Value, shape: PatternGraph, binding: Binding) -> Iterator[Binding]:
        """The binding extended by a relation, in each direction that matches."""
        if not isinstance(edge, RuleEdge) or not self._tests.matches_edge(link.edge, edge.relation, binding):
            return
        start, end = self.graph.start_node(edge.relation), self.graph.end_node(edge.relation)
        if start is None or end is None:
            return
        for left, right in self._directions(link.edge, edge.relation, start, end):
            found = {**binding, link.name: edge, USED_EDGES: (*binding[USED_EDGES], edge.key)}
            if self._tests.bind_node(link.left, left, shape, found) and self._tests.bind_node(
                link.right, right, shape, found
            ):
                yield found

    def _directions(
        self, pattern: EdgePattern, relation: Relation, start: RuleNode, end: RuleNode
    ) -> Iterator[tuple[RuleNode, RuleNode]]:
        """The directions in which a relation can connect the left and right node of a link."""
        both = pattern.direction == "both" or relation.is_symmetric
        turned = set(arrow_directions(pattern, relation))
        if both or "out" in turned:
            yield start, end
        if (both or "in" in turned) and start != end:
            yield end, start

    # Expansion

    def _expand(
        self, link: PatternEdge, from_left: bool, shape: PatternGraph, block: list[Binding]
    ) -> Iterator[Binding]:
        near, far = (link.left, link.right) if from_left else (link.right, link.left)
        names, direction = (
            relation_names_of(link.edge),
            ExpansionDirection(near_side_of(link.edge, from_left), from_left),
        )
        self.graph.prefetch_edges(
            (each[near] for each in block if isinstance(each[near], RuleNode)), names, direction.side
        )
        for binding in block:
            self.meter.step()
            start = binding[near]
            if not isinstance(start, RuleNode):
                continue
            if link.edge.hops is None:
                found = self._one_hop(link.edge, start, names, direction, binding)
            else:
                found = self._many_hops(link.edge, start, names, direction, binding)
            for value, used, node in found:
                self.meter.step()
                if link.name in binding and binding[link.name] != value:
                    continue
                extended = {**binding, link.name: value, USED_EDGES: used}
                if self._tests.bind_node(far, node, shape, extended):
                    yield extended

    def _one_hop(
        self,
        pattern: EdgePattern,
        start: RuleNode,
        names: RelationNames,
        direction: ExpansionDirection,
        binding: Binding,
    ) -> Iterator[tuple[Value, tuple[str, ...], RuleNode]]:
        used = binding[USED_EDGES]
        for relation in self._edges_at(start, pattern, names, direction):
            if relation.id not in used and self._tests.matches_edge(pattern, relation, binding):
                node = self.graph.far_end(relation, start)
                if node is not None:
                    yield edge_of(relation), (*used, relation.id), node

    def _many_hops(
        self,
        pattern: EdgePattern,
        start: RuleNode,
        names: RelationNames,
        direction: ExpansionDirection,
        binding: Binding,
    ) -> Iterator[tuple[Value, tuple[str, ...], RuleNode]]:
        """Paths with as many relations as the pattern allows, each used once."""
        least, most = (1, 1) if pattern.hops is None else (pattern.hops.least, pattern.hops.most or 0)
        waiting: list[tuple[list[RuleEdge], tuple[str, ...], RuleNode]] = [([], binding[USED_EDGES], start)]
        while waiting:
            path, used, at = waiting.pop()
            self.meter.step()
            if len(path) >= least:
                yield path, used, at
            if len(path) < most:
                for relation in self._edges_at(at, pattern, names, direction):
                    self.meter.step()
                    node = self.graph.far_end(relation, at)
                    fits = relation.id not in used and self._tests.matches_edge(pattern, relation, binding)
                    if fits and node is not None:
                        waiting.append(([*path, edge_of(relation)], (*used, relation.id), node))

    def _edges_at(
        self, node: RuleNode, pattern: EdgePattern, names: RelationNames, direction: ExpansionDirection
    ) -> Iterator[Relation]:
        """The relations of a node in the direction of the pattern."""
        for relation in self.graph.edges_at(node, names, direction.side):
            if direction.side != "either" or is_traversable(pattern, relation, node, direction.from_left):
                yield relation

    # EXISTS

    def _exists(self, exists: Exists, binding: Binding) -> bool:
        self.meter.step()
        return next(self.match(exists.patterns, exists.where, [drop_hidden_names(binding)], size=1), None) is not None

    def _prefetch_conditions(self, conditions: Iterable[Expression], found: list[Binding]) -> None:
        """Fetch the first relations of each EXISTS for all bindings at once."""
        if len(found) < 2:
            return
        for condition in conditions:
            for each in _find_exists(condition):
                self._prefetch_exists(each, found)

    def _prefetch_exists(self, exists: Exists, found: list[Binding]) -> None:
        _, steps = self._planner.plan_for(exists.patterns, exists.where, frozenset(drop_hidden_names(found[0])))
        expand = next((step.operator for step in steps if isinstance(step.operator, ExpandEdge)), None)
        if expand is not None:
            near = expand.link.left if expand.from_left else expand.link.right
            nodes = [each[near] for each in found if isinstance(each.get(near), RuleNode)]
            self.graph.prefetch_edges(
                nodes, relation_names_of(expand.link.edge), near_side_of(expand.link.edge, expand.from_left)
            )


def _prepend(first: Binding, rest: Iterator[Binding]) -> Iterator[Mapping[str, Value]]:
    yield first
    yield from rest


def _find_exists(condition: Expression) -> list[Exists]:
    return [each for each in walk_expression(condition) if isinstance(each, Exists)]


def drop_hidden_names(binding: Binding) -> Binding:
    """The binding without hidden names."""
    return {name: value for name, value in binding.items() if not name.startswith(HIDDEN_PREFIX)}
