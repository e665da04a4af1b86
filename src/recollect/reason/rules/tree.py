"""The syntax tree of a rule."""

from dataclasses import dataclass, field
from typing import Literal as OneOf

from recollect.reason.rules.problems import Place

Direction = OneOf["out", "in", "both"]
Comparison = OneOf["=", "<>", "<", "<=", ">", ">=", "in", "starts with", "ends with", "contains"]
Arithmetic = OneOf["+", "-", "*", "/", "%"]
Junction = OneOf["and", "or", "xor"]


@dataclass(frozen=True, slots=True)
class Literal:
    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Property:
    """A property of something, or a property of that property."""

    of: "Expression"
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied; `star` is `count(*)`."""

    name: str
    arguments: tuple["Expression", ...]
    place: Place = field(compare=False)
    distinct: bool = False
    star: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    of: "Expression"


@dataclass(frozen=True, slots=True)
class Signed:
    """An expression with a sign in front."""

    sign: OneOf["+", "-"]
    of: "Expression"


@dataclass(frozen=True, slots=True)
class Joined:
    """Truths joined by one word."""

    word: Junction
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Compared:
    operator: Comparison
    one: "Expression"
    other: "Expression"


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A value and what is done to it, from left to right."""

    first: "Expression"
    steps: tuple[tuple[Arithmetic, "Expression"], ...]


@dataclass(frozen=True, slots=True)
class IsNull:
    of: "Expression"
    negated: bool


@dataclass(frozen=True, slots=True)
class Case:
    whens: tuple[tuple["Expression", "Expression"], ...]
    otherwise: "Expression | None"


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether such a path exists; `is_pattern` if it was written as a bare pattern."""

    patterns: tuple["Pattern", ...]
    where: "Expression | None"
    is_pattern: bool
    place: Place = field(compare=False)


Expression = (
    Literal | Variable | Property | Listed | Call | Not | Signed | Joined | Compared | Reckoned | IsNull | Case | Exists
)

Pairs = tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node: every group of labels must be met, a group by one of its labels."""

    variable: str | None
    labels: tuple[tuple[str, ...], ...]
    properties: Pairs
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Hops:
    """How many relations in a row."""

    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class EdgePattern:
    variable: str | None
    types: tuple[str, ...]
    direction: Direction
    hops: Hops | None
    properties: Pairs
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path: a node, then an edge and a node, over and over."""

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...]


@dataclass(frozen=True, slots=True)
class Match:
    patterns: tuple[Pattern, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Item:
    """Something handed on; without `AS` it is called by its own text."""

    of: Expression
    name: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sorting:
    by: Expression
    descending: bool


@dataclass(frozen=True, slots=True)
class Handing:
    """WITH or RETURN: what is handed on, in which order, how much of it."""

    items: tuple[Item, ...]
    distinct: bool
    order: tuple[Sorting, ...]
    limit: int | None
    where: Expression | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """The clauses in order, and what comes out at the end."""

    clauses: tuple[Match | Handing, ...]
    returned: Handing
