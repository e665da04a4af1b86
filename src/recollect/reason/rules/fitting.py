"""Whether a node or a relation fits its place in a pattern."""

from recollect.reason.lore.relation import Relation
from recollect.reason.rules.evaluate import Binding, Evaluator
from recollect.reason.rules.graph import Graph
from recollect.reason.rules.plan import Laid
from recollect.reason.rules.properties import property_of
from recollect.reason.rules.tree import EdgePattern, Expression, NodePattern
from recollect.reason.rules.values import Node, Value, are_equal, edge_of
from recollect.reason.rules.ways import names_of


class Fitting:
    """Compares the elements of a graph with patterns."""

    def __init__(self, graph: Graph, evaluator: Evaluator) -> None:
        self._graph = graph
        self._evaluator = evaluator

    def node(self, node: Value, patterns: tuple[NodePattern, ...], binding: Binding) -> bool:
        return isinstance(node, Node) and all(
            self._graph.is_labelled(node, each.labels) and self._has(node, each.properties, binding)
            for each in patterns
        )

    def edge(self, pattern: EdgePattern, relation: Relation, binding: Binding) -> bool:
        names = names_of(pattern)
        if names is not None and relation.name not in names:
            return False
        return not pattern.properties or self._has(edge_of(relation), pattern.properties, binding)

    def takes(self, name: str, node: Node, laid: Laid, binding: dict[str, Value]) -> bool:
        """Lay a node on its place, unless another lies there."""
        held = binding.get(name)
        if held is not None:
            return bool(held == node)
        if not self.node(node, laid.nodes[name], binding):
            return False
        binding[name] = node
        return True

    def _has(self, element: Value, properties: tuple[tuple[str, Expression], ...], binding: Binding) -> bool:
        return all(
            are_equal(property_of(self._graph, element, key), self._evaluator.value(value, binding)) is True
            for key, value in properties
        )
