"""Reading a rule: its clauses, from MATCH to RETURN."""

from recollect.reason.rules.cursor import Cursor
from recollect.reason.rules.expressions import read_expression
from recollect.reason.rules.patterns import read_patterns
from recollect.reason.rules.tree import Expression, Handing, Item, Match, Rule, Sorting


def parse(text: str) -> Rule:
    """The syntax tree of a rule; a RuleProblem says what is wrong and where."""
    cursor = Cursor(text)
    if not cursor.is_keyword("MATCH"):
        cursor.fail_at_clause("MATCH")
    clauses: list[Match | Handing] = []
    while not cursor.is_keyword("RETURN"):
        clauses.append(_clause(cursor))
    cursor.take()
    returned = _handing(cursor)
    if not cursor.skip_sign(";") and cursor.token.kind != "end":
        cursor.fail_at_clause("the end of the rule")
    if cursor.token.kind != "end":
        cursor.fail("nothing more")
    return Rule(tuple(clauses), returned)


def _clause(cursor: Cursor) -> Match | Handing:
    if cursor.skip_keyword("MATCH"):
        patterns = read_patterns(cursor, read_expression)
        return Match(patterns, _where(cursor))
    if cursor.skip_keyword("WITH"):
        handed = _handing(cursor)
        return Handing(handed.items, handed.distinct, handed.order, handed.limit, _where(cursor))
    return cursor.fail_at_clause("MATCH, WITH or RETURN")


def _where(cursor: Cursor) -> Expression | None:
    return read_expression(cursor) if cursor.skip_keyword("WHERE") else None


def _handing(cursor: Cursor) -> Handing:
    distinct = cursor.skip_keyword("DISTINCT")
    items = [_item(cursor)]
    while cursor.skip_sign(","):
        items.append(_item(cursor))
    order = _order(cursor)
    limit = cursor.integer() if cursor.skip_keyword("LIMIT") else None
    return Handing(tuple(items), distinct, order, limit)


def _item(cursor: Cursor) -> Item:
    first = cursor.token
    of = read_expression(cursor)
    text = cursor.text[first.start : cursor.last.stop]
    return Item(of, cursor.name() if cursor.skip_keyword("AS") else text.strip("`"), first.place)


def _order(cursor: Cursor) -> tuple[Sorting, ...]:
    if not cursor.skip_keyword("ORDER"):
        return ()
    cursor.keyword("BY")
    found = [_sorting(cursor)]
    while cursor.skip_sign(","):
        found.append(_sorting(cursor))
    return tuple(found)


def _sorting(cursor: Cursor) -> Sorting:
    by = read_expression(cursor)
    descending = cursor.skip_keyword("DESC")
    if not descending:
        cursor.skip_keyword("ASC")
    return Sorting(by, descending)
