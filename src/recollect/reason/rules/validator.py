"""Validates a rule: variable scopes, functions and arity, sizes, and what it returns."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal as OneOf

from recollect.errors import Refused
from recollect.reason.rules.ast_nodes import (
    AGGREGATES,
    CaseExpression,
    EdgePattern,
    Exists,
    Expression,
    FunctionCall,
    LiteralExpression,
    MatchClause,
    NodePattern,
    Pattern,
    ProjectionClause,
    Rule,
    Variable,
    has_aggregate,
    is_aggregate,
    patterns_in_rule,
    property_expressions_of,
    subexpressions_of,
)
from recollect.reason.rules.rule_errors import RuleInvalid

VariableKind = OneOf["node", "edge", "list", "value"]
VariableScope = Mapping[str, VariableKind]
TimeParser = Callable[[str], object]

MAX_NODES = 12
MAX_HOPS = 6
UNLIMITED_ARGUMENTS = 1000

# How many arguments each function takes.
FUNCTION_ARITY: Mapping[str, tuple[int, int]] = {
    "time": (1, 1),
    "now": (0, 0),
    "existence": (1, 1),
    "event_time": (1, 1),
    "interval": (1, 1),
    "stated": (1, 1),
    "start": (1, 1),
    "end": (1, 1),
    "overlaps": (2, 2),
    "clash": (2, 2),
    "outside": (2, 2),
    "exceeds": (2, 2),
    "during": (2, 2),
    "before": (2, 2),
    "after": (2, 2),
    "years_between": (2, 2),
    "coalesce": (1, UNLIMITED_ARGUMENTS),
    "size": (1, 1),
    "tolower": (1, 1),
    "toupper": (1, 1),
    "tostring": (1, 1),
    "abs": (1, 1),
    "labels": (1, 1),
    "type": (1, 1),
    "startnode": (1, 1),
    "endnode": (1, 1),
    "count": (1, 1),
    "min": (1, 1),
    "max": (1, 1),
    "collect": (1, 1),
}
NODE_FUNCTIONS = frozenset({"startnode", "endnode"})


def validate_rule(rule: Rule, read_time: TimeParser | None = None) -> None:
    """Reject a rule that cannot be run; `read_time`, if given, checks the times in it."""
    _check_sizes(rule)
    checker = _ScopeChecker(read_time)
    scope: VariableScope = {}
    for clause in rule.clauses:
        scope = (
            checker.check_match(clause, scope)
            if isinstance(clause, MatchClause)
            else checker.check_projection(clause, scope)
        )
    returned = checker.check_projection(rule.returned, scope)
    if not {"node", "edge"} & set(returned.values()):
        raise RuleInvalid("a rule must return at least one node or relation", rule.returned.items[0].position)


def _check_sizes(rule: Rule) -> None:
    nodes = 0
    for pattern, _ in patterns_in_rule(rule):
        for node in pattern.nodes:
            nodes += 1
            if nodes > MAX_NODES:
                raise RuleInvalid(f"a rule has at most {MAX_NODES} nodes in all its patterns", node.position)
        for edge in pattern.edges:
            _check_hops(edge)


def _check_hops(edge: EdgePattern) -> None:
    if edge.hops is not None and (edge.hops.most is None or max(edge.hops.least, edge.hops.most) > MAX_HOPS):
        raise RuleInvalid(f"* needs an upper bound of at most {MAX_HOPS}, such as *1..{MAX_HOPS}", edge.position)


class _ScopeChecker:
    """Follows the scope of variables through a rule."""

    def __init__(self, read_time: TimeParser | None) -> None:
        self._read_time = read_time

    def check_match(self, clause: MatchClause, scope: VariableScope) -> VariableScope:
        found = self._patterns(clause.patterns, scope, may_name=True)
        if clause.where is not None:
            self.check_expression(clause.where, found)
        return found

    def check_projection(self, clause: ProjectionClause, scope: VariableScope) -> VariableScope:
        for item in clause.items:
            self.check_expression(item.of, scope, aggregates=True)
        projected = {item.name: expression_kind(item.of, scope) for item in clause.items}
        grouped = clause.distinct or any(has_aggregate(item.of) for item in clause.items)
        sortable = projected if grouped else {**scope, **projected}
        returned_expressions = [item.of for item in clause.items]
        for sorting in clause.order:
            # A returned expression may be repeated in ORDER BY, aggregates included.
            if sorting.by not in returned_expressions:
                self.check_expression(sorting.by, sortable)
        if clause.where is not None:
            self.check_expression(clause.where, projected)
        return projected

    def _patterns(self, patterns: Iterable[Pattern], scope: VariableScope, *, may_name: bool) -> VariableScope:
        found = dict(scope)
        bound: set[str] = set()
        for pattern in patterns:
            for node in pattern.nodes:
                self._name(node.variable, "node", found, node, may_name)
            for edge in pattern.edges:
                if edge.variable in bound:
                    raise RuleInvalid(f"{edge.variable} names two relations in one MATCH; rename one", edge.position)
                self._name(edge.variable, "edge" if edge.hops is None else "list", found, edge, may_name)
                if edge.variable is not None:
                    bound.add(edge.variable)
        for pattern in patterns:
            for inner in property_expressions_of(pattern):
                self.check_expression(inner, found)
        return found

    def _name(
        self,
        name: str | None,
        kind: VariableKind,
        scope: dict[str, VariableKind],
        at: NodePattern | EdgePattern,
        may_name: bool,
    ) -> None:
        if name is None:
            return
        if name not in scope and not may_name:
            raise RuleInvalid(f"unknown variable {name}; only EXISTS {{ … }} may name new ones here", at.position)
        if scope.setdefault(name, kind) != kind:
            raise RuleInvalid(f"{name} is already the name of something else", at.position)

    def check_expression(self, expression: Expression, scope: VariableScope, *, aggregates: bool = False) -> None:
        match expression:
            case Variable(name, position):
                if name not in scope:
                    raise RuleInvalid(f"unknown variable {name}", position)
            case FunctionCall():
                self._call(expression, aggregates)
            case Exists(patterns, where, is_pattern):
                inner = self._patterns(patterns, scope, may_name=not is_pattern)
                if where is not None:
                    self.check_expression(where, inner)
            case _:
                pass
        within = aggregates and not is_aggregate(expression)
        for part in subexpressions_of(expression):
            self.check_expression(part, scope, aggregates=within)

    def _call(self, call: FunctionCall, aggregates: bool) -> None:
        name = call.name.lower()
        if name not in FUNCTION_ARITY:
            raise RuleInvalid(
                f"unknown function {call.name}; available: {', '.join(sorted(FUNCTION_ARITY))}", call.position
            )
        if name in AGGREGATES and not aggregates:
            raise RuleInvalid(
                f"{call.name} aggregates rows; use it in WITH or RETURN, not inside another aggregate", call.position
            )
        least, most = FUNCTION_ARITY[name]
        is_counted = call.star and name == "count"
        if not is_counted and (call.star or not least <= len(call.arguments) <= most):
            raise RuleInvalid(f"{call.name} takes {_describe_arity(least, most)}", call.position)
        if call.distinct and name not in AGGREGATES:
            raise RuleInvalid(f"DISTINCT has no effect in {call.name}; remove it", call.position)
        if name == "time":
            self._time(call)

    def _time(self, call: FunctionCall) -> None:
        [given] = call.arguments
        if not isinstance(given, LiteralExpression) or given.value is None or self._read_time is None:
            return
        if not isinstance(given.value, str):
            raise RuleInvalid("time takes a text, such as time('1848')", call.position)
        try:
            self._read_time(given.value)
        except Refused as problem:
            raise RuleInvalid(str(problem), call.position) from problem


def _describe_arity(least: int, most: int) -> str:
    if most == UNLIMITED_ARGUMENTS:
        return f"at least {least} argument"
    return "no arguments" if not most else f"{least} argument{'s' if least > 1 else ''}"


def expression_kind(expression: Expression, scope: VariableScope) -> VariableKind:
    """The kind of value that an expression has."""
    match expression:
        case Variable(name):
            return scope.get(name, "value")
        case FunctionCall(name) if name.lower() in NODE_FUNCTIONS:
            return "node"
        case FunctionCall(name, arguments) if name.lower() == "coalesce":
            return _first_element_kind(arguments, scope)
        case CaseExpression(whens, otherwise):
            return _first_element_kind([*(then for _, then in whens), *([otherwise] if otherwise else [])], scope)
        case _:
            return "value"


def _first_element_kind(expressions: Iterable[Expression], scope: VariableScope) -> VariableKind:
    kinds = [expression_kind(each, scope) for each in expressions]
    return next((kind for kind in kinds if kind in ("node", "edge")), "value")
