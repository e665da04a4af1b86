"""Recursive-descent parser of rules: patterns, expressions and clauses."""

from collections.abc import Callable
from typing import cast

from recollect.reason.rules.ast_nodes import (
    ArithmeticExpression,
    ArithmeticOperator,
    CaseExpression,
    ComparisonExpression,
    ComparisonOperator,
    EdgeDirection,
    EdgePattern,
    Exists,
    Expression,
    FunctionCall,
    HopRange,
    IsNull,
    ListExpression,
    LiteralExpression,
    LogicalExpression,
    LogicalOperator,
    MatchClause,
    NodePattern,
    Not,
    Pattern,
    ProjectionClause,
    ProjectionItem,
    PropertyAccess,
    PropertyMap,
    Rule,
    SignedExpression,
    SortItem,
    Variable,
)
from recollect.reason.rules.rule_errors import RuleUnsupported
from recollect.reason.rules.tokenizer import TokenCursor

ParseExpression = Callable[[TokenCursor], Expression]


def starts_pattern(cursor: TokenCursor) -> bool:
    """Whether this `(` opens a node: no expression looks so, or a relation follows."""
    if not cursor.is_name(1):
        return any(cursor.is_sign(sign, 1) for sign in (")", ":", "{"))
    if cursor.is_sign(":", 2) or cursor.is_sign("{", 2):
        return True
    return cursor.is_sign(")", 2) and _starts_edge(cursor, 3)


def _starts_edge(cursor: TokenCursor, steps: int) -> bool:
    """Whether a relation begins there, and not a subtraction."""
    if cursor.is_sign("<", steps):
        return cursor.is_sign("-", steps + 1) and (cursor.is_sign("-", steps + 2) or cursor.is_sign("[", steps + 2))
    if not cursor.is_sign("-", steps):
        return False
    if cursor.is_sign("[", steps + 1):
        inner = steps + 2 + cursor.is_name(steps + 2)
        return any(cursor.is_sign(sign, inner) for sign in ("]", ":", "*", "{"))
    return cursor.is_sign("-", steps + 1) and (cursor.is_sign(">", steps + 2) or cursor.is_sign("(", steps + 2))


def parse_patterns(cursor: TokenCursor, read: ParseExpression) -> tuple[Pattern, ...]:
    """pattern { "," pattern }."""
    found = [parse_pattern(cursor, read)]
    while cursor.skip_sign(","):
        found.append(parse_pattern(cursor, read))
    return tuple(found)


def parse_pattern(cursor: TokenCursor, read: ParseExpression) -> Pattern:
    if cursor.is_name() and cursor.is_sign("=", 1):
        raise RuleUnsupported("a path variable", cursor.token.place)
    nodes, edges = [_parse_node(cursor, read)], []
    while cursor.is_sign("-") or (cursor.is_sign("<") and cursor.is_sign("-", 1)):
        edges.append(_parse_edge(cursor, read))
        nodes.append(_parse_node(cursor, read))
    return Pattern(tuple(nodes), tuple(edges))


def _parse_node(cursor: TokenCursor, read: ParseExpression) -> NodePattern:
    place = cursor.expect_sign("(").place
    name = cursor.take().text if cursor.is_name() else None
    labels = _parse_labels(cursor)
    properties = _parse_map(cursor, read)
    if not cursor.is_sign(")"):
        cursor.fail("')'")
    cursor.take()
    return NodePattern(name, labels, properties, place)


def _parse_labels(cursor: TokenCursor) -> tuple[tuple[str, ...], ...]:
    if not cursor.skip_sign(":"):
        return ()
    groups = [[cursor.expect_name()]]
    while cursor.is_sign(":") or cursor.is_sign("|"):
        if cursor.take().text == ":":
            groups.append([cursor.expect_name()])
        else:
            groups[-1].append(cursor.expect_name())
    return tuple(tuple(group) for group in groups)


def _parse_edge(cursor: TokenCursor, read: ParseExpression) -> EdgePattern:
    place = cursor.token.place
    is_left = cursor.skip_sign("<")
    cursor.expect_sign("-")
    variable, types, hops, properties = (
        _parse_edge_detail(cursor, read) if cursor.skip_sign("[") else (None, (), None, ())
    )
    cursor.expect_sign("-")
    is_right = not is_left and cursor.skip_sign(">")
    direction: EdgeDirection = "in" if is_left else "out" if is_right else "both"
    return EdgePattern(variable, types, direction, hops, properties, place)


def _parse_edge_detail(
    cursor: TokenCursor, read: ParseExpression
) -> tuple[str | None, tuple[str, ...], HopRange | None, PropertyMap]:
    name = cursor.take().text if cursor.is_name() else None
    types: list[str] = []
    if cursor.skip_sign(":"):
        types.append(cursor.expect_name())
        while cursor.skip_sign("|"):
            cursor.skip_sign(":")
            types.append(cursor.expect_name())
    hops = _parse_hops(cursor) if cursor.skip_sign("*") else None
    properties = _parse_map(cursor, read)
    cursor.expect_sign("]")
    return name, tuple(types), hops, properties


def _parse_hops(cursor: TokenCursor) -> HopRange:
    least = cursor.expect_integer() if cursor.token.kind == "integer" else None
    if not cursor.skip_sign(".."):
        return HopRange(1 if least is None else least, least)
    most = cursor.expect_integer() if cursor.token.kind == "integer" else None
    return HopRange(1 if least is None else least, most)


def _parse_map(cursor: TokenCursor, read: ParseExpression) -> PropertyMap:
    if not cursor.skip_sign("{"):
        return ()
    return cursor.nested(lambda inner: _parse_pairs(inner, read))


def _parse_pairs(cursor: TokenCursor, read: ParseExpression) -> PropertyMap:
    if cursor.skip_sign("}"):
        return ()
    found = [_parse_pair(cursor, read)]
    while cursor.skip_sign(","):
        found.append(_parse_pair(cursor, read))
    cursor.expect_sign("}")
    return tuple(found)


def _parse_pair(cursor: TokenCursor, read: ParseExpression) -> tuple[str, Expression]:
    key = cursor.expect_name()
    cursor.expect_sign(":")
    return key, read(cursor)


_COMPARISON_SIGNS = ("=", "<>", "<=", ">=", "<", ">")
_COMPARISON_WORDS = {"IN": "in", "CONTAINS": "contains", "STARTS": "starts with", "ENDS": "ends with"}


def parse_expression(cursor: TokenCursor) -> Expression:
    """expr = xor { OR xor }."""
    return _parse_logical(
        cursor,
        "or",
        lambda: _parse_logical(cursor, "xor", lambda: _parse_logical(cursor, "and", lambda: _parse_not(cursor))),
    )


def _parse_logical(cursor: TokenCursor, word: LogicalOperator, read: Callable[[], Expression]) -> Expression:
    parts = [read()]
    while cursor.skip_keyword(word.upper()):
        parts.append(read())
    return parts[0] if len(parts) == 1 else LogicalExpression(word, tuple(parts))


def _parse_not(cursor: TokenCursor) -> Expression:
    count = 0
    while cursor.skip_keyword("NOT"):
        count += 1
    found = _parse_comparison(cursor)
    # A long row of NOTs says no more than its last one or two.
    for _ in range(count if count < 2 else 2 - count % 2):
        found = Not(found)
    return found


def _parse_comparison(cursor: TokenCursor) -> Expression:
    one = _parse_sum(cursor)
    if cursor.skip_keyword("IS"):
        negated = cursor.skip_keyword("NOT")
        cursor.expect_keyword("NULL")
        return IsNull(one, negated)
    operator = _parse_comparison_operator(cursor)
    return one if operator is None else ComparisonExpression(operator, one, _parse_sum(cursor))


def _parse_comparison_operator(cursor: TokenCursor) -> ComparisonOperator | None:
    if cursor.is_sign("=~"):
        raise RuleUnsupported("=~", cursor.token.place)
    for sign in _COMPARISON_SIGNS:
        if cursor.skip_sign(sign):
            return cast(ComparisonOperator, sign)
    word = cursor.token.keyword or ""
    if word not in _COMPARISON_WORDS:
        return None
    cursor.take()
    if word in ("STARTS", "ENDS"):
        cursor.expect_keyword("WITH")
    return cast(ComparisonOperator, _COMPARISON_WORDS[word])


def _parse_sum(cursor: TokenCursor) -> Expression:
    return _parse_arithmetic(cursor, "+-", lambda: _parse_arithmetic(cursor, "*/%", lambda: _parse_unary(cursor)))


def _parse_arithmetic(cursor: TokenCursor, signs: str, read: Callable[[], Expression]) -> Expression:
    first, steps = read(), []
    while cursor.token.kind == "sign" and cursor.token.text in tuple(signs):
        operator = cast(ArithmeticOperator, cursor.take().text)
        steps.append((operator, read()))
    return ArithmeticExpression(first, tuple(steps)) if steps else first


def _parse_unary(cursor: TokenCursor) -> Expression:
    sign = cursor.take().text if cursor.is_sign("-") or cursor.is_sign("+") else None
    found = _parse_atom(cursor)
    keys = []
    while cursor.skip_sign("."):
        keys.append(cursor.expect_name())
    found = PropertyAccess(found, tuple(keys)) if keys else found
    return SignedExpression("-" if sign == "-" else "+", found) if sign else found


def _parse_atom(cursor: TokenCursor) -> Expression:
    token = cursor.token
    if token.kind in ("integer", "float", "string") or token.keyword in ("TRUE", "FALSE", "NULL"):
        return _parse_literal(cursor)
    if cursor.is_sign("["):
        return cursor.nested(_parse_list)
    if cursor.is_sign("("):
        return cursor.nested(_parse_pattern_or_group)
    if token.keyword == "EXISTS":
        return cursor.nested(_parse_exists)
    # `end` is a function and a keyword; only a call can stand here.
    if cursor.is_sign("(", 1) and (cursor.is_name() or token.keyword == "END"):
        return cursor.nested(_parse_call)
    if token.keyword == "CASE":
        return cursor.nested(_parse_case)
    if cursor.is_name():
        return Variable(cursor.take().text, token.place)
    return cursor.fail("an expression")


def _parse_literal(cursor: TokenCursor) -> LiteralExpression:
    token = cursor.take()
    match token.kind:
        case "integer":
            return LiteralExpression(int(token.text))
        case "float":
            return LiteralExpression(float(token.text))
        case "string":
            return LiteralExpression(token.text)
        case _:
            return LiteralExpression(None if token.keyword == "NULL" else token.keyword == "TRUE")


def _parse_list_until(cursor: TokenCursor, close: str) -> tuple[Expression, ...]:
    """Expressions with commas between them, up to the closing sign; maybe none."""
    if cursor.skip_sign(close):
        return ()
    found = [parse_expression(cursor)]
    while cursor.skip_sign(","):
        found.append(parse_expression(cursor))
    cursor.expect_sign(close)
    return tuple(found)


def _parse_list(cursor: TokenCursor) -> ListExpression:
    cursor.expect_sign("[")
    return ListExpression(_parse_list_until(cursor, "]"))


def _parse_call(cursor: TokenCursor) -> FunctionCall:
    name = cursor.take()
    cursor.expect_sign("(")
    if cursor.skip_sign("*"):
        cursor.expect_sign(")")
        return FunctionCall(name.text, (), name.place, star=True)
    distinct = cursor.skip_keyword("DISTINCT")
    return FunctionCall(name.text, _parse_list_until(cursor, ")"), name.place, distinct)


def _parse_case(cursor: TokenCursor) -> CaseExpression:
    cursor.expect_keyword("CASE")
    whens: list[tuple[Expression, Expression]] = []
    while cursor.skip_keyword("WHEN"):
        condition = parse_expression(cursor)
        cursor.expect_keyword("THEN")
        whens.append((condition, parse_expression(cursor)))
    otherwise = parse_expression(cursor) if cursor.skip_keyword("ELSE") else None
    cursor.expect_keyword("END")
    return CaseExpression(tuple(whens), otherwise)


def _parse_exists(cursor: TokenCursor) -> Exists:
    place = cursor.expect_keyword("EXISTS").place
    cursor.expect_sign("{")
    if not cursor.skip_keyword("MATCH") and not cursor.is_sign("("):
        cursor.fail_at_clause("MATCH or a pattern")
    patterns = parse_patterns(cursor, parse_expression)
    where = parse_expression(cursor) if cursor.skip_keyword("WHERE") else None
    if not cursor.is_sign("}"):
        cursor.fail_at_clause("'}'")
    cursor.take()
    return Exists(patterns, where, False, place)


def _parse_pattern_or_group(cursor: TokenCursor) -> Expression:
    if starts_pattern(cursor):
        place = cursor.token.place
        pattern = parse_pattern(cursor, parse_expression)
        if not pattern.edges:
            cursor.fail("a relation, such as -[:RULES]->")
        return Exists((pattern,), None, True, place)
    cursor.expect_sign("(")
    found = parse_expression(cursor)
    cursor.expect_sign(")")
    return found


def parse_rule(text: str) -> Rule:
    """The syntax tree of a rule; a RuleProblem says what is wrong and where."""
    cursor = TokenCursor(text)
    if not cursor.is_keyword("MATCH"):
        cursor.fail_at_clause("MATCH")
    clauses: list[MatchClause | ProjectionClause] = []
    while not cursor.is_keyword("RETURN"):
        clauses.append(_parse_clause(cursor))
    cursor.take()
    returned = _parse_projection(cursor)
    if not cursor.skip_sign(";") and cursor.token.kind != "end":
        cursor.fail_at_clause("the end of the rule")
    if cursor.token.kind != "end":
        cursor.fail("nothing more")
    return Rule(tuple(clauses), returned)


def _parse_clause(cursor: TokenCursor) -> MatchClause | ProjectionClause:
    if cursor.skip_keyword("MATCH"):
        return MatchClause(parse_patterns(cursor, parse_expression), _parse_where(cursor))
    if cursor.skip_keyword("WITH"):
        handed = _parse_projection(cursor)
        return ProjectionClause(handed.items, handed.distinct, handed.order, handed.limit, _parse_where(cursor))
    return cursor.fail_at_clause("MATCH, WITH or RETURN")


def _parse_where(cursor: TokenCursor) -> Expression | None:
    return parse_expression(cursor) if cursor.skip_keyword("WHERE") else None


def _parse_projection(cursor: TokenCursor) -> ProjectionClause:
    distinct = cursor.skip_keyword("DISTINCT")
    items = [_parse_item(cursor)]
    while cursor.skip_sign(","):
        items.append(_parse_item(cursor))
    order = _parse_order(cursor)
    limit = cursor.expect_integer() if cursor.skip_keyword("LIMIT") else None
    return ProjectionClause(tuple(items), distinct, order, limit)


def _parse_item(cursor: TokenCursor) -> ProjectionItem:
    first = cursor.token
    of = parse_expression(cursor)
    text = cursor.text[first.start : cursor.last.stop]
    return ProjectionItem(of, cursor.expect_name() if cursor.skip_keyword("AS") else text.strip("`"), first.place)


def _parse_order(cursor: TokenCursor) -> tuple[SortItem, ...]:
    if not cursor.skip_keyword("ORDER"):
        return ()
    cursor.expect_keyword("BY")
    found = [_parse_sort_item(cursor)]
    while cursor.skip_sign(","):
        found.append(_parse_sort_item(cursor))
    return tuple(found)


def _parse_sort_item(cursor: TokenCursor) -> SortItem:
    by = parse_expression(cursor)
    descending = cursor.skip_keyword("DESC")
    if not descending:
        cursor.skip_keyword("ASC")
    return SortItem(by, descending)
