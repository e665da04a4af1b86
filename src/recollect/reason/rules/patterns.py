"""Reading patterns: nodes and the relations between them; their maps hold expressions."""

from collections.abc import Callable

from recollect.reason.rules.cursor import Cursor
from recollect.reason.rules.problems import RuleUnsupported
from recollect.reason.rules.tree import Direction, EdgePattern, Expression, Hops, NodePattern, Pairs, Pattern

ReadExpression = Callable[[Cursor], Expression]


def begins_a_pattern(cursor: Cursor) -> bool:
    """Whether this `(` opens a node: no expression looks so, or a relation follows."""
    if not cursor.is_name(1):
        return any(cursor.is_sign(sign, 1) for sign in (")", ":", "{"))
    if cursor.is_sign(":", 2) or cursor.is_sign("{", 2):
        return True
    return cursor.is_sign(")", 2) and _begins_an_edge(cursor, 3)


def _begins_an_edge(cursor: Cursor, steps: int) -> bool:
    """Whether a relation begins there, and not a subtraction."""
    if cursor.is_sign("<", steps):
        return cursor.is_sign("-", steps + 1) and (cursor.is_sign("-", steps + 2) or cursor.is_sign("[", steps + 2))
    if not cursor.is_sign("-", steps):
        return False
    if cursor.is_sign("[", steps + 1):
        inner = steps + 2 + cursor.is_name(steps + 2)
        return any(cursor.is_sign(sign, inner) for sign in ("]", ":", "*", "{"))
    return cursor.is_sign("-", steps + 1) and (cursor.is_sign(">", steps + 2) or cursor.is_sign("(", steps + 2))


def read_patterns(cursor: Cursor, read: ReadExpression) -> tuple[Pattern, ...]:
    """pattern { "," pattern }."""
    found = [read_pattern(cursor, read)]
    while cursor.skip_sign(","):
        found.append(read_pattern(cursor, read))
    return tuple(found)


def read_pattern(cursor: Cursor, read: ReadExpression) -> Pattern:
    if cursor.is_name() and cursor.is_sign("=", 1):
        raise RuleUnsupported("a path variable", cursor.token.place)
    nodes, edges = [_node(cursor, read)], []
    while cursor.is_sign("-") or (cursor.is_sign("<") and cursor.is_sign("-", 1)):
        edges.append(_edge(cursor, read))
        nodes.append(_node(cursor, read))
    return Pattern(tuple(nodes), tuple(edges))


def _node(cursor: Cursor, read: ReadExpression) -> NodePattern:
    place = cursor.sign("(").place
    name = cursor.take().text if cursor.is_name() else None
    labels = _labels(cursor)
    properties = _map(cursor, read)
    if not cursor.is_sign(")"):
        cursor.fail("')'")
    cursor.take()
    return NodePattern(name, labels, properties, place)


def _labels(cursor: Cursor) -> tuple[tuple[str, ...], ...]:
    if not cursor.skip_sign(":"):
        return ()
    groups = [[cursor.name()]]
    while cursor.is_sign(":") or cursor.is_sign("|"):
        if cursor.take().text == ":":
            groups.append([cursor.name()])
        else:
            groups[-1].append(cursor.name())
    return tuple(tuple(group) for group in groups)


def _edge(cursor: Cursor, read: ReadExpression) -> EdgePattern:
    place = cursor.token.place
    is_left = cursor.skip_sign("<")
    cursor.sign("-")
    variable, types, hops, properties = _detail(cursor, read) if cursor.skip_sign("[") else (None, (), None, ())
    cursor.sign("-")
    is_right = not is_left and cursor.skip_sign(">")
    direction: Direction = "in" if is_left else "out" if is_right else "both"
    return EdgePattern(variable, types, direction, hops, properties, place)


def _detail(cursor: Cursor, read: ReadExpression) -> tuple[str | None, tuple[str, ...], Hops | None, Pairs]:
    name = cursor.take().text if cursor.is_name() else None
    types: list[str] = []
    if cursor.skip_sign(":"):
        types.append(cursor.name())
        while cursor.skip_sign("|"):
            cursor.skip_sign(":")
            types.append(cursor.name())
    hops = _hops(cursor) if cursor.skip_sign("*") else None
    properties = _map(cursor, read)
    cursor.sign("]")
    return name, tuple(types), hops, properties


def _hops(cursor: Cursor) -> Hops:
    least = cursor.integer() if cursor.token.kind == "integer" else None
    if not cursor.skip_sign(".."):
        return Hops(1 if least is None else least, least)
    most = cursor.integer() if cursor.token.kind == "integer" else None
    return Hops(1 if least is None else least, most)


def _map(cursor: Cursor, read: ReadExpression) -> Pairs:
    if not cursor.skip_sign("{"):
        return ()
    return cursor.nested(lambda inner: _pairs(inner, read))


def _pairs(cursor: Cursor, read: ReadExpression) -> Pairs:
    if cursor.skip_sign("}"):
        return ()
    found = [_pair(cursor, read)]
    while cursor.skip_sign(","):
        found.append(_pair(cursor, read))
    cursor.sign("}")
    return tuple(found)


def _pair(cursor: Cursor, read: ReadExpression) -> tuple[str, Expression]:
    key = cursor.name()
    cursor.sign(":")
    return key, read(cursor)
