"""Abstract syntax tree of a rule, and functions that walk it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal as OneOf

from recollect.reason.rules.rule_errors import SourcePosition

EdgeDirection = OneOf["out", "in", "both"]
ComparisonOperator = OneOf["=", "<>", "<", "<=", ">", ">=", "in", "starts with", "ends with", "contains"]
ArithmeticOperator = OneOf["+", "-", "*", "/", "%"]
LogicalOperator = OneOf["and", "or", "xor"]


@dataclass(frozen=True, slots=True)
class LiteralExpression:
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    position: SourcePosition = field(compare=False)


@dataclass(frozen=True, slots=True)
class PropertyAccess:
    """A property, or a property of a property."""

    of: "Expression"
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListExpression:
    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function call; `star` marks `count(*)`."""

    name: str
    arguments: tuple["Expression", ...]
    position: SourcePosition = field(compare=False)
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    of: "Expression"


@dataclass(frozen=True, slots=True)
class SignedExpression:
    """An expression with a sign in front."""

    sign: OneOf["+", "-"]
    of: "Expression"


@dataclass(frozen=True, slots=True)
class LogicalExpression:
    """Conditions joined by AND, OR or XOR."""

    word: LogicalOperator
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class ComparisonExpression:
    operator: ComparisonOperator
    one: "Expression"
    other: "Expression"


@dataclass(frozen=True, slots=True)
class ArithmeticExpression:
    """A value and the operations applied to it, from left to right."""

    first: "Expression"
    steps: tuple[tuple[ArithmeticOperator, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    of: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class CaseExpression:
    whens: tuple[tuple["Expression", "Expression"], ...]
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether such a path exists; `is_pattern` if it was written as a bare pattern."""

    patterns: tuple["Pattern", ...]
    where: "Expression | None"
    is_pattern: bool
    position: SourcePosition = field(compare=False)


Expression = (
    LiteralExpression
    | Variable
    | PropertyAccess
    | ListExpression
    | FunctionCall
    | Not
    | SignedExpression
    | LogicalExpression
    | ComparisonExpression
    | ArithmeticExpression
    | IsNull
    | CaseExpression
    | Exists
)

PropertyMap = tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node: every group of labels must be met, a group by one of its labels."""

    variable: str | None
    labels: tuple[tuple[str, ...], ...]
    properties: PropertyMap
    position: SourcePosition = field(compare=False)


@dataclass(frozen=True, slots=True)
class HopRange:
    """How many consecutive relations; no upper bound if `most` is none."""

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class EdgePattern:
    variable: str | None
    types: tuple[str, ...]
    direction: EdgeDirection
    hops: HopRange | None
    properties: PropertyMap
    position: SourcePosition = field(compare=False)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path: nodes, and an edge between each two."""

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...]


@dataclass(frozen=True, slots=True)
class MatchClause:
    patterns: tuple[Pattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class ProjectionItem:
    """One returned expression; without `AS` its name is its own text."""

    of: Expression
    name: str
    position: SourcePosition = field(compare=False)


@dataclass(frozen=True, slots=True)
class SortItem:
    by: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class ProjectionClause:
    """WITH or RETURN: expressions, order, limit, and the condition after WITH."""

    items: tuple[ProjectionItem, ...]
    distinct: bool
    order: tuple[SortItem, ...]
    limit: int | None
    where: Expression | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """The clauses in order, and the final RETURN."""

    clauses: tuple[MatchClause | ProjectionClause, ...]
    returned: ProjectionClause


AGGREGATES = frozenset({"count", "min", "max", "collect"})


def subexpressions_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside this one; those inside EXISTS are not among them."""
    match expression:
        case PropertyAccess(of) | Not(of) | IsNull(of) | SignedExpression(_, of):
            return (of,)
        case ListExpression(items):
            return items
        case FunctionCall(_, arguments):
            return arguments
        case LogicalExpression(_, parts):
            return parts
        case ComparisonExpression(_, one, other):
            return one, other
        case ArithmeticExpression(first, steps):
            return (first, *(each for _, each in steps))
        case CaseExpression(whens, otherwise):
            inner = tuple(each for pair in whens for each in pair)
            return inner if otherwise is None else (*inner, otherwise)
        case _:
            return ()


def transform_expression(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """Apply a change to every subexpression, innermost first; EXISTS is not entered."""

    def inner(each: Expression) -> Expression:
        return transform_expression(each, change)

    found: Expression
    match expression:
        case PropertyAccess(of, keys):
            found = PropertyAccess(inner(of), keys)
        case Not(of):
            found = Not(inner(of))
        case IsNull(of, negated):
            found = IsNull(inner(of), negated)
        case SignedExpression(sign, of):
            found = SignedExpression(sign, inner(of))
        case ListExpression(items):
            found = ListExpression(tuple(map(inner, items)))
        case FunctionCall():
            found = replace(expression, arguments=tuple(map(inner, expression.arguments)))
        case LogicalExpression(word, parts):
            found = LogicalExpression(word, tuple(map(inner, parts)))
        case ComparisonExpression(operator, one, other):
            found = ComparisonExpression(operator, inner(one), inner(other))
        case ArithmeticExpression(first, steps):
            found = ArithmeticExpression(inner(first), tuple((sign, inner(each)) for sign, each in steps))
        case CaseExpression(whens, otherwise):
            pairs = tuple((inner(one), inner(other)) for one, other in whens)
            found = CaseExpression(pairs, None if otherwise is None else inner(otherwise))
        case _:
            found = expression
    return change(found)


def walk_expression(expression: Expression) -> Iterator[Expression]:
    """The expression and its subexpressions, outermost first; EXISTS is not entered."""
    yield expression
    for part in subexpressions_of(expression):
        yield from walk_expression(part)


def is_aggregate(expression: Expression) -> bool:
    return isinstance(expression, FunctionCall) and expression.name.lower() in AGGREGATES


def has_aggregate(expression: Expression) -> bool:
    return any(is_aggregate(each) for each in walk_expression(expression))


def property_expressions_of(pattern: Pattern) -> Iterator[Expression]:
    """The expressions in the property maps of a pattern."""
    for node in pattern.nodes:
        yield from (value for _, value in node.properties)
    for edge in pattern.edges:
        yield from (value for _, value in edge.properties)


def variables_in_pattern(pattern: Pattern) -> Iterator[str]:
    """The names a pattern gives to its nodes and edges."""
    names = [*(node.variable for node in pattern.nodes), *(edge.variable for edge in pattern.edges)]
    yield from (name for name in names if name is not None)


def free_variables_of(expression: Expression) -> frozenset[str]:
    """The variables that must be bound before the expression can be evaluated."""
    found: set[str] = set()
    for each in walk_expression(expression):
        match each:
            case Variable(name):
                found.add(name)
            case Exists(patterns, where):
                own = {name for pattern in patterns for name in variables_in_pattern(pattern)}
                inner = [
                    *(e for pattern in patterns for e in property_expressions_of(pattern)),
                    *([where] if where else []),
                ]
                # Its own names may be bound outside, so the expression waits for them where they are.
                found |= own | frozenset().union(*(free_variables_of(e) for e in inner))
            case _:
                pass
    return frozenset(found)


def patterns_in_rule(rule: Rule) -> Iterator[tuple[Pattern, bool]]:
    """Every pattern of a rule, and whether it is inside an EXISTS or an expression."""
    for clause in (*rule.clauses, rule.returned):
        if isinstance(clause, MatchClause):
            yield from ((pattern, False) for pattern in clause.patterns)
            outer = [*(e for pattern in clause.patterns for e in property_expressions_of(pattern)), clause.where]
        else:
            outer = [*(item.of for item in clause.items), *(each.by for each in clause.order), clause.where]
        for expression in outer:
            if expression is not None:
                yield from ((pattern, True) for pattern in _nested_patterns(expression))


def _nested_patterns(expression: Expression) -> Iterator[Pattern]:
    for each in walk_expression(expression):
        if isinstance(each, Exists):
            for pattern in each.patterns:
                yield pattern
                for inner in property_expressions_of(pattern):
                    yield from _nested_patterns(inner)
            if each.where is not None:
                yield from _nested_patterns(each.where)
