"""What a rule reckons with: elements of the graph, times, and plain values; null is None."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.model.entity import Entity
from recollect.reason.lore.relation import Relation
from recollect.when.period import Bounds, Time

Value = Any  # None, bool, int, float, str, list, dict, Node, Edge, Time or Bounds
MOST_TEXT = 100_000
MOST_ITEMS = 100_000
LARGEST = 2**63 - 1


class TooMuch(Exception):
    """A value grew beyond what a rule may hold."""


@dataclass(frozen=True, slots=True)
class Node:
    """An entity, or what stands where a relation has a text or nothing as its object."""

    key: str
    entity: Entity | None = field(default=None, compare=False)
    relation: Relation | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    key: str
    relation: Relation = field(compare=False)


def node_of(entity: Entity) -> Node:
    return Node(entity.id, entity)


def edge_of(relation: Relation) -> Edge:
    return Edge(relation.id, relation)


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def are_equal(one: Value, other: Value) -> bool | None:
    """Cypher's `=`: null if either is null, false between things of different kinds."""
    if one is None or other is None:
        return None
    if isinstance(one, list) and isinstance(other, list):
        return _lists_equal(one, other)
    if isinstance(one, Time) and isinstance(other, Time):
        return (one.lo, one.hi) == (other.lo, other.hi)
    if isinstance(one, Time) and isinstance(other, str):
        return one.text == other
    if isinstance(other, Time) and isinstance(one, str):
        return other.text == one
    if is_number(one) and is_number(other):
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def _lists_equal(one: list[Value], other: list[Value]) -> bool | None:
    if len(one) != len(other):
        return False
    return all_of(are_equal(a, b) for a, b in zip(one, other, strict=True))


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


def truth(value: Value) -> bool | None:
    """A truth, or null for everything that is none."""
    return value if isinstance(value, bool) else None


def all_of(truths: Iterable[bool | None]) -> bool | None:
    """AND in three-valued logic."""
    unknown = False
    for each in truths:
        if each is False:
            return False
        unknown = unknown or each is None
    return None if unknown else True


def any_of(truths: Iterable[bool | None]) -> bool | None:
    """OR in three-valued logic."""
    unknown = False
    for each in truths:
        if each is True:
            return True
        unknown = unknown or each is None
    return None if unknown else False


def is_in(value: Value, items: Value) -> bool | None:
    if not isinstance(items, list):
        return None
    return any_of(are_equal(value, item) for item in items)


def on_texts(test: Callable[[str, str], bool], one: Value, other: Value) -> bool | None:
    return test(one, other) if isinstance(one, str) and isinstance(other, str) else None


def add(one: Value, other: Value) -> Value:
    """Cypher's `+`: numbers, texts and lists."""
    if one is None or other is None:
        return None
    if isinstance(one, list) or isinstance(other, list):
        left = one if isinstance(one, list) else [one]
        right = other if isinstance(other, list) else [other]
        return fitting_list([*left, *right])
    if isinstance(one, str) or isinstance(other, str):
        return fitting_text(said(one) + said(other))
    return _number(one + other) if is_number(one) and is_number(other) else None


def reckon(operator: str, one: Value, other: Value) -> Value:
    """The other signs of reckoning; null where they mean nothing or have no result."""
    if not is_number(one) or not is_number(other):
        return None
    match operator:
        case "-":
            return _number(one - other)
        case "*":
            return _number(one * other)
        case "/":
            return _divided(one, other)
        case _:
            return _number(one - other * int(one / other)) if other and abs(one) <= LARGEST else None


def _divided(one: float, other: float) -> Value:
    if not other:
        return None
    if isinstance(one, int) and isinstance(other, int):
        quotient = abs(one) // abs(other)
        return quotient if (one < 0) == (other < 0) else -quotient
    return _number(one / other)


def _number(value: float) -> Value:
    """A number that fits 64 bits; what does not is null."""
    if isinstance(value, int):
        return value if -LARGEST <= value <= LARGEST else None
    return value if value - value == 0 else None


def negative(value: Value) -> Value:
    return -value if is_number(value) else None


def fitting_text(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise TooMuch
    return text


def fitting_list(items: list[Value]) -> list[Value]:
    if len(items) > MOST_ITEMS:
        raise TooMuch
    return items


def said(value: Value) -> str:
    """A value as text."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case Time(text):
            return text
        case Bounds(start, end):
            return f"{start.text if start else '…'} .. {end.text if end else '…'}"
        case Node() | Edge():
            return value.key
        case list():
            return fitting_text(f"[{', '.join(said(each) for each in value)}]")
        case None:
            return "null"
        case _:
            return str(value)


def sort_key(value: Value) -> tuple[int, Any]:
    """A place in the order of all values: of one kind together, null last."""
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
        case Node():
            return 0, value.key
        case Edge():
            return 1, value.key
        case list():
            return 7, tuple(sort_key(each) for each in value)
        case _:
            return 8, str(value)


def group_key(value: Value) -> Any:
    """What makes two values one in DISTINCT and grouping."""
    kind, key = sort_key(value)
    return kind, key


def elements_in(values: Sequence[Value]) -> Iterable[Node | Edge]:
    """Every node and edge among the values, those in lists too."""
    for value in values:
        if isinstance(value, Node | Edge):
            yield value
        elif isinstance(value, list):
            yield from elements_in(value)
