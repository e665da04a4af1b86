"""In which order the parts of a MATCH are bound: from the fewest on, along the edges."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from recollect.reason.rules.tree import (
    Compared,
    EdgePattern,
    Expression,
    Joined,
    Literal,
    NodePattern,
    Pattern,
    Property,
    Variable,
)
from recollect.reason.rules.walk import needs

HIDDEN = "\0"


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of a pattern with the nodes it joins, all of them named."""

    edge: EdgePattern
    name: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Laid:
    """Patterns with a name for everything: which nodes must be met, and how they hang together."""

    nodes: dict[str, tuple[NodePattern, ...]]
    links: tuple[Link, ...]


def lay_out(patterns: Iterable[Pattern]) -> Laid:
    """Name what has no name, and bring together what is said of one node in several places."""
    nodes: dict[str, tuple[NodePattern, ...]] = {}
    links: list[Link] = []
    for number, pattern in enumerate(patterns):
        names = [node.variable or f"{HIDDEN}{number}.{at}" for at, node in enumerate(pattern.nodes)]
        for name, node in zip(names, pattern.nodes, strict=True):
            nodes[name] = (*nodes.get(name, ()), node)
        for at, edge in enumerate(pattern.edges):
            links.append(Link(edge, edge.variable or f"{HIDDEN}{number}.{at}r", names[at], names[at + 1]))
    return Laid(nodes, tuple(links))


@dataclass(frozen=True, slots=True)
class Scan:
    """Begin with every entity that the node may be."""

    node: str


@dataclass(frozen=True, slots=True)
class ScanEdges:
    """Begin with every relation that the link may be, and both its ends."""

    link: Link


@dataclass(frozen=True, slots=True)
class Seat:
    """The relation is known already: bind its ends."""

    link: Link


@dataclass(frozen=True, slots=True)
class Known:
    """The node is known already: see whether it fits."""

    node: str


@dataclass(frozen=True, slots=True)
class Expand:
    """Go along a link from the end that is known."""

    link: Link
    from_left: bool


Move = Scan | ScanEdges | Seat | Known | Expand


@dataclass(frozen=True, slots=True)
class Step:
    """One move and the conditions that can be told after it."""

    move: Move
    conditions: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Costs:
    """About how many there are of what could be begun with."""

    of_node: Callable[[Sequence[NodePattern]], int]
    of_link: Callable[[Link], int]


def plan(laid: Laid, where: Expression | None, bound: frozenset[str], costs: Costs) -> tuple[Step, ...]:
    """The steps that bind everything in the patterns, given what is bound before."""
    moves = list(_moves(laid, bound, costs))
    return tuple(_with_conditions(laid, moves, where, bound))


def _moves(laid: Laid, bound: frozenset[str], costs: Costs) -> Iterable[Move]:
    known = set(bound & laid.nodes.keys())
    yield from (Known(name) for name in laid.nodes if name in known)
    left = list(laid.links)
    for link in [link for link in left if link.name in bound and link.edge.hops is None]:
        left.remove(link)
        yield Seat(link)
        known |= {link.left, link.right}
    while left or laid.nodes.keys() - known:
        step = next((link for link in left if {link.left, link.right} <= known), None) or next(
            (link for link in left if link.left in known or link.right in known), None
        )
        if step is None:
            first = _begin(laid, left, known, costs)
            yield first
            if isinstance(first, ScanEdges):
                left.remove(first.link)
                known |= {first.link.left, first.link.right}
            else:
                known.add(first.node)
        else:
            left.remove(step)
            yield Expand(step, step.left in known)
            known |= {step.left, step.right}


def _begin(laid: Laid, links: Sequence[Link], known: set[str], costs: Costs) -> Scan | ScanEdges:
    """The cheapest place to begin."""
    nodes = [(costs.of_node(patterns), name) for name, patterns in laid.nodes.items() if name not in known]
    edges = [(costs.of_link(link), at) for at, link in enumerate(links) if link.edge.hops is None]
    best_node, best_edge = min(nodes), min(edges, default=None)
    if best_edge is not None and best_edge[0] < best_node[0]:
        return ScanEdges(links[best_edge[1]])
    return Scan(best_node[1])


def _with_conditions(
    laid: Laid, moves: Sequence[Move], where: Expression | None, bound: frozenset[str]
) -> Iterable[Step]:
    own = laid.nodes.keys() | {link.name for link in laid.links}
    waiting = [(each, needs(each) & own) for each in conjuncts(where)]
    known = set(bound)
    for move in moves:
        known |= _binds(move)
        yield Step(move, tuple(each for each, wanted in waiting if wanted <= known))
        waiting = [(each, wanted) for each, wanted in waiting if not wanted <= known]


def _binds(move: Move) -> set[str]:
    match move:
        case Scan(node) | Known(node):
            return {node}
        case ScanEdges(link) | Seat(link) | Expand(link):
            return {link.name, link.left, link.right}


def conjuncts(where: Expression | None) -> tuple[Expression, ...]:
    """The conditions that must all be true."""
    if where is None:
        return ()
    if isinstance(where, Joined) and where.word == "and":
        return tuple(each for part in where.parts for each in conjuncts(part))
    return (where,)


def given_texts(patterns: Sequence[NodePattern], where: Expression | None, node: str, key: str) -> str | None:
    """The text that a property of the node must equal, if the rule says so outright."""
    for pattern in patterns:
        for name, value in pattern.properties:
            if name == key and isinstance(value, Literal) and isinstance(value.value, str):
                return value.value
    for each in conjuncts(where):
        match each:
            case Compared("=", Property(Variable(name), (found,)), Literal(str() as text)) if (name, found) == (
                node,
                key,
            ):
                return text
            case Compared("=", Literal(str() as text), Property(Variable(name), (found,))) if (name, found) == (
                node,
                key,
            ):
                return text
            case _:
                pass
    return None


def renamed(node: NodePattern, name: str) -> NodePattern:
    return replace(node, variable=name)
