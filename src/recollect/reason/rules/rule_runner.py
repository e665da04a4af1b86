"""Runs a rule: MATCH, projections of WITH and RETURN, and each returned row as a violation."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

from recollect.model.ids import EntityId, FactId, format_entity_id, format_fact_id
from recollect.model.page import ResultPage
from recollect.reason.rules.ast_nodes import (
    Expression,
    FunctionCall,
    MatchClause,
    ProjectionClause,
    ProjectionItem,
    Rule,
    SortItem,
    Variable,
    has_aggregate,
    is_aggregate,
    patterns_in_rule,
    transform_expression,
    walk_expression,
)
from recollect.reason.rules.evaluator import Binding, Evaluator
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.matcher import Matcher, drop_hidden_names
from recollect.reason.rules.rule_errors import RuleLimits, RuleMeter, RuleTimeout, SourcePosition
from recollect.reason.rules.validator import TimeParser, validate_rule
from recollect.reason.rules.values import (
    RuleEdge,
    RuleNode,
    Value,
    ValueTooLarge,
    check_list_length,
    find_elements,
    format_value,
    group_key,
    sort_key,
)
from recollect.when.period import Bounds, Time

NO_POSITION = SourcePosition(0, 0)


def project_rows(
    clause: ProjectionClause, rows: Iterable[Binding], evaluator: Evaluator, meter: RuleMeter
) -> Iterator[Binding]:
    """The rows that a WITH or RETURN passes on, each with its columns only."""
    if any(has_aggregate(item.of) for item in clause.items):
        projected = _aggregate_rows(clause, rows, evaluator, meter)
    else:
        projected = (({**row}, _evaluate_columns(clause.items, row, evaluator)) for row in rows)
    if clause.distinct:
        projected = _drop_duplicates(projected, meter)
    if clause.order:
        projected = _sort_rows(clause, projected, evaluator, meter)
    cut = projected if clause.limit is None else islice(projected, clause.limit)
    for _, columns in cut:
        meter.step()
        if clause.where is None or evaluator.holds(clause.where, columns):
            yield columns


ProjectedRow = tuple[dict[str, Value], dict[str, Value]]  # the binding before the projection, and its columns


def _evaluate_columns(items: Iterable[ProjectionItem], row: Binding, evaluator: Evaluator) -> dict[str, Value]:
    return {item.name: evaluator.value(item.of, row) for item in items}


def _drop_duplicates(rows: Iterable[ProjectedRow], meter: RuleMeter) -> Iterator[ProjectedRow]:
    seen: set[Any] = set()
    for before, columns in rows:
        meter.step()
        key = tuple(group_key(value) for value in columns.values())
        if key not in seen:
            meter.hold_row()
            seen.add(key)
            # After DISTINCT only the columns are in scope.
            yield dict(columns) if before else before, columns


def _sort_rows(
    clause: ProjectionClause, rows: Iterable[ProjectedRow], evaluator: Evaluator, meter: RuleMeter
) -> Iterator[ProjectedRow]:
    sorted_rows: list[ProjectedRow] = []
    for row in rows:
        meter.step()
        meter.hold_row()
        sorted_rows.append(row)
    by_name = {item.name: item.of for item in clause.items}
    for item in reversed(clause.order):
        key = partial(_sort_key_of, item, by_name, evaluator)
        sorted_rows.sort(key=key, reverse=item.descending)
        meter.check_deadline()
    return iter(sorted_rows)


def _sort_key_of(item: SortItem, by_name: dict[str, Expression], evaluator: Evaluator, row: ProjectedRow) -> Any:
    before, columns = row
    same = next((name for name, of in by_name.items() if of == item.by), None)
    return sort_key(columns[same] if same is not None else evaluator.value(item.by, {**before, **columns}))


@dataclass(slots=True)
class _Aggregate:
    """The state of an aggregate for one group."""

    call: FunctionCall
    count: int = 0
    best: Value = None
    items: list[Value] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)

    def add(self, value: Value) -> None:
        if self.call.star:
            self.count += 1
            return
        if value is None:
            return
        if self.call.distinct:
            key = group_key(value)
            if key in self.seen:
                return
            self.seen.add(key)
        self.count += 1
        self._keep(value)

    def _keep(self, value: Value) -> None:
        match self.call.name.lower():
            case "collect":
                self.items.append(value)
                check_list_length(self.items)
            case "min":
                if self.best is None or sort_key(value) < sort_key(self.best):
                    self.best = value
            case "max":
                if self.best is None or sort_key(value) > sort_key(self.best):
                    self.best = value
            case _:
                pass

    @property
    def result(self) -> Value:
        match self.call.name.lower():
            case "count":
                return self.count
            case "collect":
                return self.items
            case _:
                return self.best


def _aggregate_rows(
    clause: ProjectionClause, rows: Iterable[Binding], evaluator: Evaluator, meter: RuleMeter
) -> Iterator[ProjectedRow]:
    """Group the rows by the items without an aggregate."""
    keys = [item for item in clause.items if not has_aggregate(item.of)]
    calls = [each for item in clause.items for each in walk_expression(item.of) if is_aggregate(each)]
    aggregates = list(dict.fromkeys(call for call in calls if isinstance(call, FunctionCall)))
    names = {call: f"\0aggregate {number}" for number, call in enumerate(aggregates)}
    items = [
        ProjectionItem(
            transform_expression(item.of, lambda each: _replace_aggregate(each, names)), item.name, item.position
        )
        for item in clause.items
    ]
    groups: dict[Any, tuple[Binding, list[_Aggregate]]] = {}
    for row in rows:
        meter.step()
        key = tuple(group_key(evaluator.value(item.of, row)) for item in keys)
        if key not in groups:
            meter.hold_row()
            groups[key] = row, [_Aggregate(call) for call in aggregates]
        for tally in groups[key][1]:
            if not tally.call.star:
                meter.hold_row()
            tally.add(None if tally.call.star else evaluator.value(tally.call.arguments[0], row))
    if not groups and not keys:
        groups[()] = {}, [_Aggregate(call) for call in aggregates]
    for first, tallies in groups.values():
        known = {**first, **{names[tally.call]: tally.result for tally in tallies}}
        columns = _evaluate_columns(items, known, evaluator)
        yield columns, columns


def _replace_aggregate(expression: Expression, names: dict[FunctionCall, str]) -> Expression:
    """Replace an aggregate by the variable of its result."""
    if isinstance(expression, FunctionCall) and expression in names:
        return Variable(names[expression], NO_POSITION)
    return expression


MAX_VIOLATIONS = 1_000


@dataclass(frozen=True, slots=True)
class RuleViolation:
    """The nodes and relations of one row, each once and in order, and its plain values."""

    nodes: tuple[EntityId, ...]
    relations: tuple[FactId, ...]
    details: Mapping[str, Any]


def compile_rule(text: str, read_time: TimeParser | None = None) -> Rule:
    """The syntax tree of a rule after validation; a RuleError says what is wrong and where."""
    # Imported late: the grammar takes a quarter of a second to load, and most processes never compile a rule.
    from recollect.reason.rules.parser import parse_rule

    rule = parse_rule(text)
    validate_rule(rule, read_time)
    return rule


def find_violations(
    rule: Rule, graph: RuleGraph, limits: RuleLimits | None = None, beginnings: Iterable[Binding] = ({},)
) -> Iterator[RuleViolation]:
    """Violations of a rule as they are found; `beginnings` bind names of its first MATCH."""
    meter = RuleMeter(limits)
    matcher = Matcher(graph, meter)
    rows: Iterable[Binding] = beginnings
    try:
        for clause in rule.clauses:
            if isinstance(clause, MatchClause):
                rows = map(drop_hidden_names, matcher.match(clause.patterns, clause.where, rows))
            else:
                rows = project_rows(clause, rows, matcher.evaluator, meter)
        for row in project_rows(rule.returned, rows, matcher.evaluator, meter):
            found = _violation_of(row)
            if found is not None:
                yield found
    except ValueTooLarge:
        raise RuleTimeout("a value that grew too large") from None


def collect_violations(
    rule: Rule, graph: RuleGraph, limits: RuleLimits | None = None, most: int = MAX_VIOLATIONS
) -> ResultPage[RuleViolation]:
    """All violations in the graph; rows of the same nodes and relations are one."""
    found: dict[tuple[str, ...], RuleViolation] = {}
    beyond: set[int] = set()
    for violation in find_violations(rule, graph, limits):
        key = tuple(sorted((*violation.nodes, *violation.relations)))
        if key not in found:
            if len(found) < most:
                found[key] = violation
            else:
                beyond.add(hash(key))
    return ResultPage(list(found.values()), len(found) + len(beyond))


def _violation_of(row: Binding) -> RuleViolation | None:
    nodes: dict[EntityId, None] = {}
    relations: dict[FactId, None] = {}
    for element in find_elements(list(row.values())):
        match element:
            case RuleNode(key, entity) if entity is not None:
                nodes[EntityId(key)] = None
            case RuleNode(_, _, relation) | RuleEdge(_, relation) if relation is not None:
                # A literal has no id; it is identified by its relation.
                relations[relation.id] = None
            case _:
                pass
    if not nodes and not relations:
        return None
    details = {name: to_json_value(value) for name, value in row.items() if not isinstance(value, RuleNode | RuleEdge)}
    return RuleViolation(tuple(nodes), tuple(relations), details)


def to_json_value(value: Value) -> Any:
    match value:
        case RuleNode(key, entity):
            return format_entity_id(key) if entity is not None else None
        case RuleEdge(key):
            return format_fact_id(key)
        case Time() | Bounds():
            return format_value(value)
        case list():
            return [to_json_value(each) for each in value]
        case _:
            return value


def find_unused_names(rule: Rule, graph: RuleGraph) -> list[str]:
    """Warnings about labels and relation types that are not in use."""
    patterns = [pattern for pattern, _ in patterns_in_rule(rule)]
    labels = {label for each in patterns for node in each.nodes for group in node.labels for label in group}
    edges = [edge for each in patterns for edge in each.edges]
    types = {type_ for edge in edges for type_ in edge.types}
    return [
        *(f"nothing has the label {label}" for label in sorted(labels) if not graph.is_label_used(label)),
        *(f"no relation has the type {type_}" for type_ in sorted(types) if not graph.is_relation_used(type_)),
    ]
