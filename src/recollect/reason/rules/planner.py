"""Which way to lay a rule's patterns on a graph, decided by how much of it each step has to look at."""

from collections.abc import Iterable

from recollect.reason.rules.graph import Graph
from recollect.reason.rules.plan import Costs, Laid, Link, Step, given_texts, lay_out, plan
from recollect.reason.rules.tree import Expression, NodePattern, Pattern
from recollect.reason.rules.ways import names_of


class Planner:
    """Plans for the patterns of one rule, each made once."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._plans: dict[tuple[int, frozenset[str]], tuple[Laid, tuple[Step, ...]]] = {}
        self._costs: dict[object, int] = {}

    def planned(
        self, patterns: tuple[Pattern, ...], where: Expression | None, bound: frozenset[str]
    ) -> tuple[Laid, tuple[Step, ...]]:
        """The places of the patterns, and the steps that lay them on the graph, cheapest first."""
        key = (id(patterns), bound)
        held = self._plans.get(key)
        if held is None:
            laid = lay_out(patterns)
            costs = Costs(lambda nodes: self._cost_of_node(nodes, where), self._cost_of_link)
            held = self._plans[key] = laid, plan(laid, where, bound, costs)
        return held

    def _cost_of_node(self, nodes: Iterable[NodePattern], where: Expression | None) -> int:
        patterns = list(nodes)
        name = next((each.variable for each in patterns if each.variable), None)
        if name and any(given_texts(patterns, where, name, key) for key in ("id", "name")):
            return 1
        labels = tuple(group for each in patterns for group in each.labels)
        if labels not in self._costs:
            self._costs[labels] = self._graph.count_nodes(labels)
        return self._costs[labels]

    def _cost_of_link(self, link: Link) -> int:
        names = names_of(link.edge)
        if names not in self._costs:
            self._costs[names] = self._graph.count_edges(names)
        return self._costs[names]
