"""Running a rule: every row it returns is a breach of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.model.ids import EntityId, FactId, say_entity, say_fact
from recollect.reason.rules.evaluate import Binding
from recollect.reason.rules.graph import Graph
from recollect.reason.rules.handing import hand_on
from recollect.reason.rules.match import Matcher, named_only
from recollect.reason.rules.meter import Limits, Meter
from recollect.reason.rules.parse import parse
from recollect.reason.rules.problems import RuleTimeout
from recollect.reason.rules.tree import Match, Rule
from recollect.reason.rules.validate import ReadTime, validate
from recollect.reason.rules.values import Edge, Node, TooMuch, Value, elements_in, said
from recollect.reason.rules.walk import patterns_of
from recollect.when.period import Bounds, Time

MOST_BREACHES = 1_000


@dataclass(frozen=True, slots=True)
class Breach:
    """The nodes and relations of one row, each once and in order, and its plain values."""

    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Breaches:
    """What a rule found: no more than may be kept, and whether there was more."""

    found: tuple[Breach, ...]
    count: int

    @property
    def is_truncated(self) -> bool:
        return self.count > len(self.found)


def read_rule(text: str, read_time: ReadTime | None = None) -> Rule:
    """The rule that a text says, checked; a RuleProblem says what is wrong and where."""
    rule = parse(text)
    validate(rule, read_time)
    return rule


def breaches(
    rule: Rule, graph: Graph, limits: Limits | None = None, beginnings: Iterable[Binding] = ({},)
) -> Iterator[Breach]:
    """Every breach of a rule, as it is found; `beginnings` bind names of its first MATCH."""
    meter = Meter(limits)
    matcher = Matcher(graph, meter)
    rows: Iterable[Binding] = beginnings
    try:
        for clause in rule.clauses:
            if isinstance(clause, Match):
                rows = map(named_only, matcher.match(clause.patterns, clause.where, rows))
            else:
                rows = hand_on(clause, rows, matcher.evaluator, meter)
        for row in hand_on(rule.returned, rows, matcher.evaluator, meter):
            found = _breach(row)
            if found is not None:
                yield found
    except TooMuch:
        raise RuleTimeout("a value that grew too large") from None


def all_breaches(rule: Rule, graph: Graph, limits: Limits | None = None, most: int = MOST_BREACHES) -> Breaches:
    """What a rule finds in the whole graph; rows of the same nodes and relations are one breach."""
    found: dict[tuple[str, ...], Breach] = {}
    beyond: set[int] = set()
    for breach in breaches(rule, graph, limits):
        key = tuple(sorted((*breach.nodes, *breach.relations)))
        if key not in found:
            if len(found) < most:
                found[key] = breach
            else:
                beyond.add(hash(key))
    return Breaches(tuple(found.values()), len(found) + len(beyond))


def _breach(row: Binding) -> Breach | None:
    nodes: dict[EntityId, None] = {}
    relations: dict[FactId, None] = {}
    for element in elements_in(list(row.values())):
        match element:
            case Node(key, entity) if entity is not None:
                nodes[EntityId(key)] = None
            case Node(_, _, relation) | Edge(_, relation) if relation is not None:
                # What has no id of its own is known by the relation it hangs on.
                relations[relation.id] = None
            case _:
                pass
    if not nodes and not relations:
        return None
    details = {name: plain(value) for name, value in row.items() if not isinstance(value, Node | Edge)}
    return Breach(tuple(nodes), tuple(relations), details)


def plain(value: Value) -> Any:
    """A value as JSON has it."""
    match value:
        case Node(key, entity):
            return say_entity(key) if entity is not None else None
        case Edge(key):
            return say_fact(key)
        case Time() | Bounds():
            return said(value)
        case list():
            return [plain(each) for each in value]
        case _:
            return value


def unused(rule: Rule, graph: Graph) -> list[str]:
    """What to say of labels and relation types that nobody uses."""
    patterns = [pattern for pattern, _ in patterns_of(rule)]
    labels = {label for each in patterns for node in each.nodes for group in node.labels for label in group}
    edges = [edge for each in patterns for edge in each.edges]
    types = {type_ for edge in edges for type_ in edge.types}
    return [
        *(f"nothing has the label {label}" for label in sorted(labels) if not graph.is_label_used(label)),
        *(f"no relation has the type {type_}" for type_ in sorted(types) if not graph.is_relation_used(type_)),
    ]
