"""Going through a syntax tree."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from recollect.reason.rules.tree import (
    Call,
    Case,
    Compared,
    Exists,
    Expression,
    IsNull,
    Joined,
    Listed,
    Match,
    Not,
    Pattern,
    Property,
    Reckoned,
    Rule,
    Signed,
    Variable,
)

AGGREGATES = frozenset({"count", "min", "max", "collect"})


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """The expressions directly inside this one; those inside EXISTS are not among them."""
    match expression:
        case Property(of) | Not(of) | IsNull(of) | Signed(_, of):
            return (of,)
        case Listed(items):
            return items
        case Call(_, arguments):
            return arguments
        case Joined(_, parts):
            return parts
        case Compared(_, one, other):
            return one, other
        case Reckoned(first, steps):
            return (first, *(each for _, each in steps))
        case Case(whens, otherwise):
            inner = tuple(each for pair in whens for each in pair)
            return inner if otherwise is None else (*inner, otherwise)
        case _:
            return ()


def rebuilt(expression: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The expression with all inside it changed, inside first; it does not go into EXISTS."""

    def inner(each: Expression) -> Expression:
        return rebuilt(each, change)

    found: Expression
    match expression:
        case Property(of, keys):
            found = Property(inner(of), keys)
        case Not(of):
            found = Not(inner(of))
        case IsNull(of, negated):
            found = IsNull(inner(of), negated)
        case Signed(sign, of):
            found = Signed(sign, inner(of))
        case Listed(items):
            found = Listed(tuple(map(inner, items)))
        case Call():
            found = replace(expression, arguments=tuple(map(inner, expression.arguments)))
        case Joined(word, parts):
            found = Joined(word, tuple(map(inner, parts)))
        case Compared(operator, one, other):
            found = Compared(operator, inner(one), inner(other))
        case Reckoned(first, steps):
            found = Reckoned(inner(first), tuple((sign, inner(each)) for sign, each in steps))
        case Case(whens, otherwise):
            pairs = tuple((inner(one), inner(other)) for one, other in whens)
            found = Case(pairs, None if otherwise is None else inner(otherwise))
        case _:
            found = expression
    return change(found)


def everything_in(expression: Expression) -> Iterator[Expression]:
    """The expression and all inside it, outside in; it does not go into EXISTS."""
    yield expression
    for part in parts_of(expression):
        yield from everything_in(part)


def is_aggregate(expression: Expression) -> bool:
    return isinstance(expression, Call) and expression.name.lower() in AGGREGATES


def has_aggregate(expression: Expression) -> bool:
    return any(is_aggregate(each) for each in everything_in(expression))


def inner_expressions(pattern: Pattern) -> Iterator[Expression]:
    """The expressions in the property maps of a pattern."""
    for node in pattern.nodes:
        yield from (value for _, value in node.properties)
    for edge in pattern.edges:
        yield from (value for _, value in edge.properties)


def variables_of(pattern: Pattern) -> Iterator[str]:
    """The names a pattern gives to its nodes and edges."""
    names = [*(node.variable for node in pattern.nodes), *(edge.variable for edge in pattern.edges)]
    yield from (name for name in names if name is not None)


def needs(expression: Expression) -> frozenset[str]:
    """The variables that must be bound before the expression can be told."""
    found: set[str] = set()
    for each in everything_in(expression):
        match each:
            case Variable(name):
                found.add(name)
            case Exists(patterns, where):
                own = {name for pattern in patterns for name in variables_of(pattern)}
                inner = [*(e for pattern in patterns for e in inner_expressions(pattern)), *([where] if where else [])]
                # Its own names are sought anew unless they are known outside, so they wait for them where they are.
                found |= own | frozenset().union(*(needs(e) for e in inner))
            case _:
                pass
    return frozenset(found)


def patterns_of(rule: Rule) -> Iterator[tuple[Pattern, bool]]:
    """Every pattern of a rule, and whether it stands in an EXISTS or an expression."""
    for clause in (*rule.clauses, rule.returned):
        if isinstance(clause, Match):
            yield from ((pattern, False) for pattern in clause.patterns)
            outer = [*(e for pattern in clause.patterns for e in inner_expressions(pattern)), clause.where]
        else:
            outer = [*(item.of for item in clause.items), *(each.by for each in clause.order), clause.where]
        for expression in outer:
            if expression is not None:
                yield from ((pattern, True) for pattern in _inner_patterns(expression))


def _inner_patterns(expression: Expression) -> Iterator[Pattern]:
    for each in everything_in(expression):
        if isinstance(each, Exists):
            for pattern in each.patterns:
                yield pattern
                for inner in inner_expressions(pattern):
                    yield from _inner_patterns(inner)
            if each.where is not None:
                yield from _inner_patterns(each.where)
