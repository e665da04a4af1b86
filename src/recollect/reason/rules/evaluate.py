"""What an expression comes to for one binding of its variables."""

from collections.abc import Callable, Mapping

from recollect.reason.rules.functions import function
from recollect.reason.rules.graph import Graph
from recollect.reason.rules.properties import property_of
from recollect.reason.rules.tree import (
    Call,
    Case,
    Compared,
    Exists,
    Expression,
    IsNull,
    Joined,
    Listed,
    Literal,
    Not,
    Property,
    Reckoned,
    Signed,
    Variable,
)
from recollect.reason.rules.values import (
    Value,
    add,
    all_of,
    any_of,
    are_equal,
    is_in,
    is_less,
    is_less_or_equal,
    negative,
    on_texts,
    reckon,
    truth,
)

Binding = Mapping[str, Value]
IsThere = Callable[[Exists, Binding], bool]


class Evaluator:
    """Evaluates expressions on a graph; whether a path exists is for the matcher to say."""

    def __init__(self, graph: Graph, is_there: IsThere) -> None:
        self._graph = graph
        self._is_there = is_there

    def holds(self, expression: Expression, binding: Binding) -> bool:
        """Whether a condition is true; unknown is not."""
        return self.value(expression, binding) is True

    def value(self, expression: Expression, binding: Binding) -> Value:  # noqa: C901 one branch for each kind
        match expression:
            case Literal(value):
                return value
            case Variable(name):
                return binding.get(name)
            case Property(of, keys):
                return self._property(self.value(of, binding), keys)
            case Compared(operator, one, other):
                return _compare(operator, self.value(one, binding), self.value(other, binding))
            case Call(name, arguments, place):
                return function(name)(self._graph, place, [self.value(each, binding) for each in arguments])
            case Joined(word, parts):
                return self._joined(word, parts, binding)
            case Not(of):
                found = truth(self.value(of, binding))
                return None if found is None else not found
            case IsNull(of, negated):
                return (self.value(of, binding) is None) is not negated
            case Exists():
                return self._is_there(expression, binding)
            case Reckoned(first, steps):
                return self._reckoned(self.value(first, binding), steps, binding)
            case Signed(sign, of):
                value = self.value(of, binding)
                return negative(value) if sign == "-" else value
            case Listed(items):
                return [self.value(each, binding) for each in items]
            case Case(whens, otherwise):
                return self._case(whens, otherwise, binding)

    def _property(self, value: Value, keys: tuple[str, ...]) -> Value:
        for key in keys:
            value = property_of(self._graph, value, key)
        return value

    def _joined(self, word: str, parts: tuple[Expression, ...], binding: Binding) -> bool | None:
        truths = (truth(self.value(part, binding)) for part in parts)
        match word:
            case "and":
                return all_of(truths)
            case "or":
                return any_of(truths)
            case _:
                return _odd(list(truths))

    def _reckoned(self, value: Value, steps: tuple[tuple[str, Expression], ...], binding: Binding) -> Value:
        for operator, expression in steps:
            other = self.value(expression, binding)
            value = add(value, other) if operator == "+" else reckon(operator, value, other)
        return value

    def _case(
        self, whens: tuple[tuple[Expression, Expression], ...], otherwise: Expression | None, binding: Binding
    ) -> Value:
        for condition, result in whens:
            if self.holds(condition, binding):
                return self.value(result, binding)
        return None if otherwise is None else self.value(otherwise, binding)


def _odd(truths: list[bool | None]) -> bool | None:
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
            return on_texts(str.startswith, one, other)
        case "ends with":
            return on_texts(str.endswith, one, other)
        case _:
            return on_texts(str.__contains__, one, other)
