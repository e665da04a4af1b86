"""Reading expressions by recursive descent, and the patterns they may contain."""

from collections.abc import Callable
from typing import cast

from recollect.reason.rules.cursor import Cursor
from recollect.reason.rules.patterns import begins_a_pattern, read_pattern, read_patterns
from recollect.reason.rules.problems import RuleUnsupported
from recollect.reason.rules.tree import (
    Arithmetic,
    Call,
    Case,
    Compared,
    Comparison,
    Exists,
    Expression,
    IsNull,
    Joined,
    Junction,
    Listed,
    Literal,
    Not,
    Property,
    Reckoned,
    Signed,
    Variable,
)

_COMPARING = ("=", "<>", "<=", ">=", "<", ">")
_WORDS_COMPARING = {"IN": "in", "CONTAINS": "contains", "STARTS": "starts with", "ENDS": "ends with"}


def read_expression(cursor: Cursor) -> Expression:
    """expr = xor { OR xor }."""
    return _joined(cursor, "or", lambda: _joined(cursor, "xor", lambda: _joined(cursor, "and", lambda: _not(cursor))))


def _joined(cursor: Cursor, word: Junction, read: Callable[[], Expression]) -> Expression:
    parts = [read()]
    while cursor.skip_keyword(word.upper()):
        parts.append(read())
    return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))


def _not(cursor: Cursor) -> Expression:
    count = 0
    while cursor.skip_keyword("NOT"):
        count += 1
    found = _compare(cursor)
    # A long row of NOTs says no more than its last one or two.
    for _ in range(count if count < 2 else 2 - count % 2):
        found = Not(found)
    return found


def _compare(cursor: Cursor) -> Expression:
    one = _sum(cursor)
    if cursor.skip_keyword("IS"):
        negated = cursor.skip_keyword("NOT")
        cursor.keyword("NULL")
        return IsNull(one, negated)
    operator = _comparison(cursor)
    return one if operator is None else Compared(operator, one, _sum(cursor))


def _comparison(cursor: Cursor) -> Comparison | None:
    if cursor.is_sign("=~"):
        raise RuleUnsupported("=~", cursor.token.place)
    for sign in _COMPARING:
        if cursor.skip_sign(sign):
            return cast(Comparison, sign)
    word = cursor.token.keyword or ""
    if word not in _WORDS_COMPARING:
        return None
    cursor.take()
    if word in ("STARTS", "ENDS"):
        cursor.keyword("WITH")
    return cast(Comparison, _WORDS_COMPARING[word])


def _sum(cursor: Cursor) -> Expression:
    return _reckoned(cursor, "+-", lambda: _reckoned(cursor, "*/%", lambda: _unary(cursor)))


def _reckoned(cursor: Cursor, signs: str, read: Callable[[], Expression]) -> Expression:
    first, steps = read(), []
    while cursor.token.kind == "sign" and cursor.token.text in tuple(signs):
        operator = cast(Arithmetic, cursor.take().text)
        steps.append((operator, read()))
    return Reckoned(first, tuple(steps)) if steps else first


def _unary(cursor: Cursor) -> Expression:
    sign = cursor.take().text if cursor.is_sign("-") or cursor.is_sign("+") else None
    found = _atom(cursor)
    keys = []
    while cursor.skip_sign("."):
        keys.append(cursor.name())
    found = Property(found, tuple(keys)) if keys else found
    return Signed("-" if sign == "-" else "+", found) if sign else found


def _atom(cursor: Cursor) -> Expression:
    token = cursor.token
    if token.kind in ("integer", "float", "string") or token.keyword in ("TRUE", "FALSE", "NULL"):
        return _literal(cursor)
    if cursor.is_sign("["):
        return cursor.nested(_list)
    if cursor.is_sign("("):
        return cursor.nested(_pattern_or_group)
    if token.keyword == "EXISTS":
        return cursor.nested(_exists)
    # `end` is a function and a keyword; only a call can stand here.
    if cursor.is_sign("(", 1) and (cursor.is_name() or token.keyword == "END"):
        return cursor.nested(_call)
    if token.keyword == "CASE":
        return cursor.nested(_case)
    if cursor.is_name():
        return Variable(cursor.take().text, token.place)
    return cursor.fail("an expression")


def _literal(cursor: Cursor) -> Literal:
    token = cursor.take()
    match token.kind:
        case "integer":
            return Literal(int(token.text))
        case "float":
            return Literal(float(token.text))
        case "string":
            return Literal(token.text)
        case _:
            return Literal(None if token.keyword == "NULL" else token.keyword == "TRUE")


def _several(cursor: Cursor, close: str) -> tuple[Expression, ...]:
    """Expressions with commas between them, up to the closing sign; maybe none."""
    if cursor.skip_sign(close):
        return ()
    found = [read_expression(cursor)]
    while cursor.skip_sign(","):
        found.append(read_expression(cursor))
    cursor.sign(close)
    return tuple(found)


def _list(cursor: Cursor) -> Listed:
    cursor.sign("[")
    return Listed(_several(cursor, "]"))


def _call(cursor: Cursor) -> Call:
    name = cursor.take()
    cursor.sign("(")
    if cursor.skip_sign("*"):
        cursor.sign(")")
        return Call(name.text, (), name.place, star=True)
    distinct = cursor.skip_keyword("DISTINCT")
    return Call(name.text, _several(cursor, ")"), name.place, distinct)


def _case(cursor: Cursor) -> Case:
    cursor.keyword("CASE")
    whens: list[tuple[Expression, Expression]] = []
    while cursor.skip_keyword("WHEN"):
        condition = read_expression(cursor)
        cursor.keyword("THEN")
        whens.append((condition, read_expression(cursor)))
    otherwise = read_expression(cursor) if cursor.skip_keyword("ELSE") else None
    cursor.keyword("END")
    return Case(tuple(whens), otherwise)


def _exists(cursor: Cursor) -> Exists:
    place = cursor.keyword("EXISTS").place
    cursor.sign("{")
    if not cursor.skip_keyword("MATCH") and not cursor.is_sign("("):
        cursor.fail_at_clause("MATCH or a pattern")
    patterns = read_patterns(cursor, read_expression)
    where = read_expression(cursor) if cursor.skip_keyword("WHERE") else None
    if not cursor.is_sign("}"):
        cursor.fail_at_clause("'}'")
    cursor.take()
    return Exists(patterns, where, False, place)


def _pattern_or_group(cursor: Cursor) -> Expression:
    if begins_a_pattern(cursor):
        place = cursor.token.place
        pattern = read_pattern(cursor, read_expression)
        if not pattern.edges:
            cursor.fail("a relation, such as -[:RULES]->")
        return Exists((pattern,), None, True, place)
    cursor.sign("(")
    found = read_expression(cursor)
    cursor.sign(")")
    return found
