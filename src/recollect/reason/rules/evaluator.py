"""Evaluates an expression for one binding of its variables."""

from collections.abc import Callable, Mapping

from recollect.reason.rules.ast_nodes import (
    ArithmeticExpression,
    CaseExpression,
    ComparisonExpression,
    Exists,
    Expression,
    FunctionCall,
    IsNull,
    ListExpression,
    LiteralExpression,
    LogicalExpression,
    Not,
    PropertyAccess,
    SignedExpression,
    Variable,
)
from recollect.reason.rules.functions import function_named, property_of
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.values import (
    Value,
    add,
    are_equal,
    calculate,
    compare_texts,
    is_in,
    is_less,
    is_less_or_equal,
    logical_and,
    logical_or,
    negate,
    to_boolean,
)

Binding = Mapping[str, Value]
ExistsTest = Callable[[Exists, Binding], bool]


class Evaluator:
    """Evaluates expressions on a graph; the matcher decides whether a path exists."""

    def __init__(self, graph: RuleGraph, exists: ExistsTest) -> None:
        self._graph = graph
        self._exists = exists

    def holds(self, expression: Expression, binding: Binding) -> bool:
        """Whether a condition is true; unknown is not."""
        return self.value(expression, binding) is True

    def value(self, expression: Expression, binding: Binding) -> Value:  # noqa: C901 one branch for each kind
        match expression:
            case LiteralExpression(value):
                return value
            case Variable(name):
                return binding.get(name)
            case PropertyAccess(of, keys):
                return self._read_property(self.value(of, binding), keys)
            case ComparisonExpression(operator, one, other):
                return _compare(operator, self.value(one, binding), self.value(other, binding))
            case FunctionCall(name, arguments, position):
                return function_named(name)(self._graph, position, [self.value(each, binding) for each in arguments])
            case LogicalExpression(word, parts):
                return self._evaluate_logical(word, parts, binding)
            case Not(of):
                found = to_boolean(self.value(of, binding))
                return None if found is None else not found
            case IsNull(of, negated):
                return (self.value(of, binding) is None) is not negated
            case Exists():
                return self._exists(expression, binding)
            case ArithmeticExpression(first, steps):
                return self._evaluate_arithmetic(self.value(first, binding), steps, binding)
            case SignedExpression(sign, of):
                value = self.value(of, binding)
                return negate(value) if sign == "-" else value
            case ListExpression(items):
                return [self.value(each, binding) for each in items]
            case CaseExpression(whens, otherwise):
                return self._evaluate_case(whens, otherwise, binding)

    def _read_property(self, value: Value, keys: tuple[str, ...]) -> Value:
        for key in keys:
            value = property_of(self._graph, value, key)
        return value

    def _evaluate_logical(self, word: str, parts: tuple[Expression, ...], binding: Binding) -> bool | None:
        truths = (to_boolean(self.value(part, binding)) for part in parts)
        match word:
            case "and":
                return logical_and(truths)
            case "or":
                return logical_or(truths)
            case _:
                return _logical_xor(list(truths))

    def _evaluate_arithmetic(self, value: Value, steps: tuple[tuple[str, Expression], ...], binding: Binding) -> Value:
        for operator, expression in steps:
            other = self.value(expression, binding)
            value = add(value, other) if operator == "+" else calculate(operator, value, other)
        return value

    def _evaluate_case(
        self, whens: tuple[tuple[Expression, Expression], ...], otherwise: Expression | None, binding: Binding
    ) -> Value:
        for condition, result in whens:
            if self.holds(condition, binding):
                return self.value(result, binding)
        return None if otherwise is None else self.value(otherwise, binding)


def _logical_xor(truths: list[bool | None]) -> bool | None:
    """XOR in three-valued logic: whether an odd number of them is true."""
    return None if None in truths else sum(bool(each) for each in truths) % 2 == 1


def _compare(operator: str, one: Value, other: Value) -> bool | None:
    match operator:
        case "=":
            return are_equal(one, other)
        case "<>":
            same = are_equal(one, other)
            return None if same is None else not same
        case "<":
            return is_less(one, other)
        case ">":
            return is_less(other, one)
        case "<=":
            return is_less_or_equal(one, other)
        case ">=":
            return is_less_or_equal(other, one)
        case "in":
            return is_in(one, other)
        case "starts with":
            return compare_texts(str.startswith, one, other)
        case "ends with":
            return compare_texts(str.endswith, one, other)
        case _:
            return compare_texts(str.__contains__, one, other)
