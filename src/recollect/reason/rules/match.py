"""Every way to lay a rule's patterns on the graph, in blocks: the store is asked for many."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TypeVar

from recollect.model.ids import ENTITY_PREFIX, EntityId, is_id, read_id
from recollect.model.wording import snake
from recollect.reason.lore.relation import Relation
from recollect.reason.rules.evaluate import Binding, Evaluator
from recollect.reason.rules.fitting import Fitting
from recollect.reason.rules.graph import PSEUDO_LABELS, Graph, Names
from recollect.reason.rules.meter import Meter
from recollect.reason.rules.plan import (
    HIDDEN,
    Expand,
    Known,
    Laid,
    Link,
    Scan,
    ScanEdges,
    Seat,
    Step,
    given_texts,
)
from recollect.reason.rules.planner import Planner
from recollect.reason.rules.tree import EdgePattern, Exists, Expression, NodePattern, Pattern
from recollect.reason.rules.values import Edge, Node, Value, edge_of
from recollect.reason.rules.walk import everything_in
from recollect.reason.rules.ways import Way, may_leave, names_of, side_of, turns

BLOCK = 200
USED = f"{HIDDEN}used"
Some = TypeVar("Some")


def blocks(items: Iterable[Some], size: int) -> Iterator[list[Some]]:
    """The items in lists of at most that many, each list as soon as it is full."""
    source = iter(items)
    while block := list(islice(source, size)):
        yield block


class Matcher:
    """Lays patterns on a graph."""

    def __init__(self, graph: Graph, meter: Meter) -> None:
        self.graph = graph
        self.meter = meter
        self.evaluator = Evaluator(graph, self._is_there)
        self._planner = Planner(graph)
        self._fitting = Fitting(graph, self.evaluator)

    def match(
        self, patterns: tuple[Pattern, ...], where: Expression | None, bindings: Iterable[Binding], size: int = BLOCK
    ) -> Iterator[Binding]:
        """Every binding that extends one of these and meets the patterns and the condition.

        What has no name of its own is told by a hidden one, so none of an earlier MATCH may come along.
        """
        source = iter(bindings)
        first = next(source, None)
        if first is None:
            return
        laid, steps = self._planner.planned(patterns, where, frozenset(first))
        found: Iterator[Binding] = ({**each, USED: ()} for each in _chain(first, source))
        for step in steps:
            found = self._step(step, laid, where, found, size)
        yield from found

    def _step(
        self, step: Step, laid: Laid, where: Expression | None, bindings: Iterator[Binding], size: int
    ) -> Iterator[Binding]:
        # What asks for further relations comes last: most bindings never get that far.
        plain = [each for each in step.conditions if not _exists_in(each)]
        asking = [each for each in step.conditions if _exists_in(each)]
        for block in blocks(bindings, size):
            for found in blocks(self._moved(step, laid, where, block), size):
                left = [each for each in found if self._meets(plain, each)]
                self._warm_conditions(asking, left)
                yield from (each for each in left if not asking or self._meets(asking, each))

    def _meets(self, conditions: Iterable[Expression], binding: Binding) -> bool:
        self.meter.step()
        return all(self.evaluator.holds(condition, binding) for condition in conditions)

    def _moved(self, step: Step, laid: Laid, where: Expression | None, block: list[Binding]) -> Iterator[Binding]:
        match step.move:
            case Known(name):
                return (each for each in block if self._fitting.node(each[name], laid.nodes[name], each))
            case Scan(name):
                return self._scanned(name, laid, where, block)
            case ScanEdges(link):
                return self._scanned_edges(link, laid, block)
            case Seat(link):
                return (each for binding in block for each in self._seated(link, binding[link.name], laid, binding))
            case Expand(link, from_left):
                return self._expanded(link, from_left, laid, block)

    # Beginning

    def _scanned(self, name: str, laid: Laid, where: Expression | None, block: list[Binding]) -> Iterator[Binding]:
        for page in self._candidates(name, laid.nodes[name], where):
            self.meter.look()
            for node in page:
                for binding in block:
                    self.meter.step()
                    if self._fitting.node(node, laid.nodes[name], binding):
                        yield {**binding, name: node}

    def _candidates(
        self, name: str, patterns: tuple[NodePattern, ...], where: Expression | None
    ) -> Iterator[list[Node]]:
        wanted_id = given_texts(patterns, where, name, "id")
        wanted_name = given_texts(patterns, where, name, "name")
        if wanted_id is not None:
            found = (
                self.graph.node(EntityId(read_id(wanted_id, ENTITY_PREFIX)))
                if is_id(wanted_id, ENTITY_PREFIX)
                else None
            )
            yield [] if found is None else [found]
        elif wanted_name is not None:
            yield self.graph.named(wanted_name)
        elif any(snake(label) in PSEUDO_LABELS for each in patterns for group in each.labels for label in group):
            yield from self._objects_without_entity()
            yield from self.graph.nodes(())
        else:
            yield from self.graph.nodes([group for each in patterns for group in each.labels])

    def _objects_without_entity(self) -> Iterator[list[Node]]:
        for page in self.graph.edges(None):
            found = (self.graph.end_node(each) for each in page if each.object is None)
            yield [node for node in found if node is not None]

    def _scanned_edges(self, link: Link, laid: Laid, block: list[Binding]) -> Iterator[Binding]:
        for page in self.graph.edges(names_of(link.edge)):
            self.meter.look()
            for relation in page:
                for binding in block:
                    self.meter.step()
                    yield from self._seated(link, edge_of(relation), laid, binding)

    def _seated(self, link: Link, edge: Value, laid: Laid, binding: Binding) -> Iterator[Binding]:
        """The binding with a relation laid on the link, in each direction that fits."""
        if not isinstance(edge, Edge) or not self._fitting.edge(link.edge, edge.relation, binding):
            return
        start, end = self.graph.start_node(edge.relation), self.graph.end_node(edge.relation)
        if start is None or end is None:
            return
        for left, right in self._directions(link.edge, edge.relation, start, end):
            found = {**binding, link.name: edge, USED: (*binding[USED], edge.key)}
            if self._fitting.takes(link.left, left, laid, found) and self._fitting.takes(
                link.right, right, laid, found
            ):
                yield found

    def _directions(
        self, pattern: EdgePattern, relation: Relation, start: Node, end: Node
    ) -> Iterator[tuple[Node, Node]]:
        """The ways round in which a relation can lie between the left and the right of a link."""
        both = pattern.direction == "both" or relation.is_symmetric
        turned = set(turns(pattern, relation))
        if both or "out" in turned:
            yield start, end
        if (both or "in" in turned) and start != end:
            yield end, start

    # Going on

    def _expanded(self, link: Link, from_left: bool, laid: Laid, block: list[Binding]) -> Iterator[Binding]:
        near, far = (link.left, link.right) if from_left else (link.right, link.left)
        names, way = names_of(link.edge), Way(side_of(link.edge, from_left), from_left)
        self.graph.warm((each[near] for each in block if isinstance(each[near], Node)), names, way.side)
        for binding in block:
            self.meter.step()
            start = binding[near]
            if not isinstance(start, Node):
                continue
            if link.edge.hops is None:
                found = self._one_hop(link.edge, start, names, way, binding)
            else:
                found = self._many_hops(link.edge, start, names, way, binding)
            for value, used, node in found:
                self.meter.step()
                if link.name in binding and binding[link.name] != value:
                    continue
                extended = {**binding, link.name: value, USED: used}
                if self._fitting.takes(far, node, laid, extended):
                    yield extended

    def _one_hop(
        self, pattern: EdgePattern, start: Node, names: Names, way: Way, binding: Binding
    ) -> Iterator[tuple[Value, tuple[str, ...], Node]]:
        used = binding[USED]
        for relation in self._edges_at(start, pattern, names, way):
            if relation.id not in used and self._fitting.edge(pattern, relation, binding):
                node = self.graph.far_end(relation, start)
                if node is not None:
                    yield edge_of(relation), (*used, relation.id), node

    def _many_hops(
        self, pattern: EdgePattern, start: Node, names: Names, way: Way, binding: Binding
    ) -> Iterator[tuple[Value, tuple[str, ...], Node]]:
        """Paths of as many relations as the pattern allows, none of them twice."""
        least, most = (1, 1) if pattern.hops is None else (pattern.hops.least, pattern.hops.most or 0)
        waiting: list[tuple[list[Edge], tuple[str, ...], Node]] = [([], binding[USED], start)]
        while waiting:
            path, used, at = waiting.pop()
            self.meter.step()
            if len(path) >= least:
                yield path, used, at
            if len(path) < most:
                for relation in self._edges_at(at, pattern, names, way):
                    self.meter.step()
                    node = self.graph.far_end(relation, at)
                    fits = relation.id not in used and self._fitting.edge(pattern, relation, binding)
                    if fits and node is not None:
                        waiting.append(([*path, edge_of(relation)], (*used, relation.id), node))

    def _edges_at(self, node: Node, pattern: EdgePattern, names: Names, way: Way) -> Iterator[Relation]:
        """The relations of a node that lie the way the pattern points."""
        for relation in self.graph.edges_at(node, names, way.side):
            if way.side != "either" or may_leave(pattern, relation, node, way.from_left):
                yield relation

    # Existing

    def _is_there(self, exists: Exists, binding: Binding) -> bool:
        self.meter.step()
        return next(self.match(exists.patterns, exists.where, [named_only(binding)], size=1), None) is not None

    def _warm_conditions(self, conditions: Iterable[Expression], found: list[Binding]) -> None:
        """Fetch together what conditions ask for one by one: the first relations of each EXISTS."""
        if len(found) < 2:
            return
        for condition in conditions:
            for each in _exists_in(condition):
                self._warm_exists(each, found)

    def _warm_exists(self, exists: Exists, found: list[Binding]) -> None:
        _, steps = self._planner.planned(exists.patterns, exists.where, frozenset(named_only(found[0])))
        expand = next((step.move for step in steps if isinstance(step.move, Expand)), None)
        if expand is not None:
            near = expand.link.left if expand.from_left else expand.link.right
            nodes = [each[near] for each in found if isinstance(each.get(near), Node)]
            self.graph.warm(nodes, names_of(expand.link.edge), side_of(expand.link.edge, expand.from_left))


def _chain(first: Binding, rest: Iterator[Binding]) -> Iterator[Mapping[str, Value]]:
    yield first
    yield from rest


def _exists_in(condition: Expression) -> list[Exists]:
    return [each for each in everything_in(condition) if isinstance(each, Exists)]


def named_only(binding: Binding) -> Binding:
    """What a binding says of the rule's own names."""
    return {name: value for name, value in binding.items() if not name.startswith(HIDDEN)}
