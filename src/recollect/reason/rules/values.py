"""Values of rules: graph elements, times and plain values, with openCypher's operators; null is None."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.model.certainty import is_number
from recollect.model.entity import Entity
from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds, Time

Value = Any  # None, bool, int, float, str, list, dict, Node, Edge, Time or Bounds
MAX_TEXT_LENGTH = 100_000
MAX_LIST_LENGTH = 100_000
MAX_INTEGER = 2**63 - 1


class ValueTooLarge(Exception):
    """A text or list exceeds the limit."""


@dataclass(frozen=True, slots=True)
class RuleNode:
    """An entity, or the literal or missing object of a relation."""

    key: str
    entity: Entity | None = field(default=None, compare=False)
    relation: Relation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RuleEdge:
    key: str
    relation: Relation = field(compare=False)


def node_of(entity: Entity) -> RuleNode:
    return RuleNode(entity.id, entity)


def edge_of(relation: Relation) -> RuleEdge:
    return RuleEdge(relation.id, relation)


def are_equal(one: Value, other: Value) -> bool | None:
    """Cypher's `=`: null if either is null, false between things of different kinds."""
    if one is None or other is None:
        return None
    if isinstance(one, list) and isinstance(other, list):
        return _are_lists_equal(one, other)
    if isinstance(one, Time) and isinstance(other, Time):
        return (one.lo, one.hi) == (other.lo, other.hi)
    if isinstance(one, Time) and isinstance(other, str):
        return one.text == other
    if isinstance(other, Time) and isinstance(one, str):
        return other.text == one
    if is_number(one) and is_number(other):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def _are_lists_equal(one: list[Value], other: list[Value]) -> bool | None:
    if len(one) != len(other):
        return False
    return logical_and(are_equal(a, b) for a, b in zip(one, other, strict=True))


def is_less(one: Value, other: Value) -> bool | None:
    """Cypher's `<`: null between things that have no common order."""
    if isinstance(one, Time) and isinstance(other, Time):
        return one.hi < other.lo
    if is_number(one) and is_number(other):
        return bool(one < other)
    if isinstance(one, str) and isinstance(other, str):
        return one < other
    if isinstance(one, bool) and isinstance(other, bool):
        return one < other
    return None


def is_less_or_equal(one: Value, other: Value) -> bool | None:
    less = is_less(one, other)
    return None if less is None else less or are_equal(one, other)


def to_boolean(value: Value) -> bool | None:
    """A boolean, or null for any other value."""
    return value if isinstance(value, bool) else None


def logical_and(truths: Iterable[bool | None]) -> bool | None:
    """AND in three-valued logic."""
    return _combine(truths, decisive=False)


def logical_or(truths: Iterable[bool | None]) -> bool | None:
    """OR in three-valued logic."""
    return _combine(truths, decisive=True)


def _combine(truths: Iterable[bool | None], *, decisive: bool) -> bool | None:
    """The decisive value if any of them has it, else null if one is unknown."""
    unknown = False
    for each in truths:
        if each is decisive:
            return decisive
        unknown = unknown or each is None
    return None if unknown else not decisive


def is_in(value: Value, items: Value) -> bool | None:
    if not isinstance(items, list):
        return None
    return logical_or(are_equal(value, item) for item in items)


def compare_texts(test: Callable[[str, str], bool], one: Value, other: Value) -> bool | None:
    return test(one, other) if isinstance(one, str) and isinstance(other, str) else None


def add(one: Value, other: Value) -> Value:
    """Cypher's `+`: numbers, texts and lists."""
    if one is None or other is None:
        return None
    if isinstance(one, list) or isinstance(other, list):
        left = one if isinstance(one, list) else [one]
        right = other if isinstance(other, list) else [other]
        return check_list_length([*left, *right])
    if isinstance(one, str) or isinstance(other, str):
        return check_text_length(format_value(one) + format_value(other))
    return _to_number_in_range(one + other) if is_number(one) and is_number(other) else None


def calculate(operator: str, one: Value, other: Value) -> Value:
    """The arithmetic operators other than +; null where the result is undefined."""
    if not is_number(one) or not is_number(other):
        return None
    match operator:
        case "-":
            return _to_number_in_range(one - other)
        case "*":
            return _to_number_in_range(one * other)
        case "/":
            return _divide(one, other)
        case _:
            return _to_number_in_range(one - other * int(one / other)) if other and abs(one) <= MAX_INTEGER else None


def _divide(one: float, other: float) -> Value:
    if not other:
        return None
    if isinstance(one, int) and isinstance(other, int):
        quotient = abs(one) // abs(other)
        return quotient if (one < 0) == (other < 0) else -quotient
    return _to_number_in_range(one / other)


def _to_number_in_range(value: float) -> Value:
    """The number, or null if it does not fit 64 bits."""
    if isinstance(value, int):
        return value if -MAX_INTEGER <= value <= MAX_INTEGER else None
    return value if value - value == 0 else None


def negate(value: Value) -> Value:
    return -value if is_number(value) else None


def check_text_length(text: str) -> str:
    if len(text) > MAX_TEXT_LENGTH:
        raise ValueTooLarge
    return text


def check_list_length(items: list[Value]) -> list[Value]:
    if len(items) > MAX_LIST_LENGTH:
        raise ValueTooLarge
    return items


def format_value(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case Time(text):
            return text
        case Bounds(start, end):
            return f"{start.text if start else '…'} .. {end.text if end else '…'}"
        case RuleNode() | RuleEdge():
            return value.key
        case list():
            return check_text_length(f"[{', '.join(format_value(each) for each in value)}]")
        case None:
            return "null"
        case _:
            return str(value)


def sort_key(value: Value) -> tuple[int, Any]:
    """Sort key over all values: grouped by kind, null last."""
    match value:
        case None:
            return 9, 0
        case bool():
            return 3, value
        case int() | float():
            return 4, value
        case str():
            return 2, value
        case Time():
            return 5, (value.lo, value.hi)
        case Bounds():
            return 6, (value.lo, value.hi)
        case RuleNode():
            return 0, value.key
        case RuleEdge():
            return 1, value.key
        case list():
            return 7, tuple(sort_key(each) for each in value)
        case _:
            return 8, str(value)


def group_key(value: Value) -> Any:
    """Equal for values that are one in DISTINCT and grouping."""
    kind, key = sort_key(value)
    return kind, key


def find_elements(values: Sequence[Value]) -> Iterable[RuleNode | RuleEdge]:
    """Every node and edge among the values, those in lists too."""
    for value in values:
        if isinstance(value, RuleNode | RuleEdge):
            yield value
        elif isinstance(value, list):
            yield from find_elements(value)
