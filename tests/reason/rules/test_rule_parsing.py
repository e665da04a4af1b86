"""The rule language is parsed, not searched: what stands where decides, and every refusal says where."""

import pytest

from recollect.reason.rules.ast_nodes import (
    ArithmeticExpression,
    CaseExpression,
    ComparisonExpression,
    Exists,
    FunctionCall,
    HopRange,
    LiteralExpression,
    LogicalExpression,
    MatchClause,
    Not,
    PropertyAccess,
)
from recollect.reason.rules.parser import parse_rule
from recollect.reason.rules.rule_errors import RuleError, RuleInvalid, RuleNotReadOnly, RuleParseError, RuleUnsupported
from recollect.reason.rules.validator import validate_rule
from recollect.when.time_errors import BadTime


def where(text: str) -> object:
    """The condition in `MATCH (a)-[r]-(b) WHERE …`."""
    [match] = parse_rule(f"MATCH (a)-[r]-(b) WHERE {text} RETURN a").clauses
    return match.where


def refused(text: str, kind: type[RuleError]) -> tuple[int, int]:
    with pytest.raises(kind) as problem:
        validate_rule(parse_rule(text), _read_time)
    return problem.value.line, problem.value.column


def _read_time(text: str) -> None:
    if "bad" in text:
        raise BadTime(text, "no")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("MATCH (n) RETURN", (1, 17)),
        ("MATCH (n RETURN n", (1, 10)),
        ("MATCH (n)\nWHERE n.x ~ 1\nRETURN n", (2, 11)),
        ("MATCH (n) WHERE n.name = 'open RETURN n", (1, 26)),
        ("MATCH (n) /* open RETURN n", (1, 11)),
        ("MATCH (n) WHERE 1 < 2 < 3 RETURN n", (1, 23)),
        ("WITH 1 AS x MATCH (n) RETURN n", (1, 1)),
        ("RETURN 1", (1, 1)),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", (1, 21)),
        ("MATCH (match) RETURN 1", (1, 8)),
        ("MATCH (n)-[:X]=>(m) RETURN n", (1, 15)),
        ("MATCH (n) WHERE n. RETURN n", (1, 20)),
        ("MATCH (n) RETURN n LIMIT x", (1, 26)),
        ("MATCH (n) WHERE n.x = '\\q' RETURN n", (1, 23)),
        ("", (1, 1)),
        ("MATCH (n RETURN 'open", (1, 10)),
        ("MATCH (n) WHERE n.x = 1 /* open RETURN n", (1, 25)),
        ("MATCH (n) WHERE end = 1 RETURN n", (1, 17)),
        ("MATCH (n) WHERE n.x STARTS SET RETURN n", (1, 28)),
    ],
)
def test_a_parse_error_names_the_first_token_that_cannot_continue(text: str, place: tuple[int, int]) -> None:
    assert refused(text, RuleParseError) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("CREATE (n) RETURN n", (1, 1)),
        ("MATCH (n) SET n.x = 1 RETURN n", (1, 11)),
        ("MATCH (n)\n  DETACH DELETE n", (2, 3)),
        ("MATCH (n) WHERE n.x = 1 REMOVE n.x RETURN n", (1, 25)),
        ("MATCH (n) RETURN n DELETE n", (1, 20)),
        ("MATCH (n) CALL db.labels() RETURN n", (1, 11)),
        ("MATCH (n) WITH n MERGE (m) RETURN n", (1, 18)),
        ("MATCH (n) WHERE EXISTS { CALL x() } RETURN n", (1, 26)),
        ("LOAD CSV FROM 'x' AS r RETURN r", (1, 1)),
        ("match (n) foreach (x IN [1] | SET n.x = x) return n", (1, 11)),
    ],
)
def test_a_clause_that_writes_is_refused_with_its_place(text: str, place: tuple[int, int]) -> None:
    assert refused(text, RuleNotReadOnly) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("OPTIONAL MATCH (n) RETURN n", (1, 1)),
        ("MATCH (n) UNWIND [1] AS x RETURN n", (1, 11)),
        ("MATCH (n) RETURN n UNION MATCH (m) RETURN m", (1, 20)),
        ("MATCH (n) RETURN n SKIP 1", (1, 20)),
        ("USE world MATCH (n) RETURN n", (1, 1)),
        ("MATCH (n) WHERE n.name =~ 'x' RETURN n", (1, 24)),
        ("MATCH (n) WHERE n.name = $name RETURN n", (1, 26)),
        ("MATCH p = (a)-->(b) RETURN a", (1, 7)),
    ],
)
def test_what_the_language_leaves_out_is_refused_with_its_place(text: str, place: tuple[int, int]) -> None:
    assert refused(text, RuleUnsupported) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("MATCH (n) WHERE m.x = 1 RETURN n", (1, 17)),
        ("MATCH (n) RETURN n, nonsense(n)", (1, 21)),
        ("MATCH (n) WHERE size(n, n) = 1 RETURN n", (1, 17)),
        ("MATCH (n) WHERE count(n) > 1 RETURN n", (1, 17)),
        ("MATCH (n) RETURN n, count(count(n))", (1, 27)),
        ("MATCH (a)-[r*]->(b) RETURN a", (1, 10)),
        ("MATCH (a)-[r*2..7]->(b) RETURN a", (1, 10)),
        ("MATCH (a)-[r*3..]->(b) RETURN a", (1, 10)),
        ("MATCH " + ", ".join("(a)" for _ in range(13)) + " RETURN a", (1, 67)),
        ("MATCH (a) WHERE " + "(" * 25 + "1" + ")" * 25 + " = 1 RETURN a", (1, 37)),
        ("MATCH (a) RETURN a.name", (1, 18)),
        ("MATCH (a)-[r]-(b), (c)-[r]-(d) RETURN a", (1, 23)),
        ("MATCH (a)-[a]-(b) RETURN b", (1, 10)),
        ("MATCH (a) WHERE (a)-->(z) RETURN a", (1, 23)),
        ("MATCH (a) WITH a.name AS x RETURN a", (1, 35)),
        ("MATCH (a) WHERE time('bad') < now() RETURN a", (1, 17)),
        ("MATCH (a) WHERE size(DISTINCT a.name) = 1 RETURN a", (1, 17)),
    ],
)
def test_a_rule_that_cannot_mean_anything_is_invalid(text: str, place: tuple[int, int]) -> None:
    assert refused(text, RuleInvalid) == place


@pytest.mark.parametrize(
    ("text", "returned"),
    [
        ("MATCH (n) WHERE n.name = 'DELETE' // SET n.x\nRETURN n", ["n"]),
        ('/* CREATE (m) */ MATCH (n {name: "MERGE"}) RETURN n', ["n"]),
        ("MATCH (n:`DETACH DELETE`) RETURN n;", ["n"]),
        ("match (n) where n.x is not null return n as Node order by n.name desc, n.x asc limit 5", ["Node"]),
        ("MATCH (n)-[:RULES|:SERVES|OWNS*1..3 {joint: true}]-(:A:B|C) RETURN n", ["n"]),
        ("MATCH (n) WHERE not not not n.x RETURN n", ["n"]),
        ("MATCH (a), (b) WHERE (a.x)-(b.x) > 1 AND a.x<-1 RETURN a", ["a"]),
        ("MATCH (a)<--(b)-->(c)--(d) RETURN a", ["a"]),
        (
            "MATCH (a) WHERE a.set = 1 AND a.delete STARTS WITH 'x' RETURN a, 'it''s'".replace("''", "\\'"),
            ["a", "'it\\'s'"],
        ),
        ("MATCH (a) RETURN a, " + "1 + " * 400 + "1", ["a", "1 + " * 400 + "1"]),
        ("MATCH (a) WHERE " + "NOT " * 500 + "a.x RETURN a", ["a"]),
        ("MATCH (a) WHERE " + "a.x OR " * 300 + "a.y RETURN a", ["a"]),
        ("MATCH (a) RETURN a" + ".x" * 0 + ", a" + ".x" * 500, ["a", "a" + ".x" * 500]),
        ("MATCH (a) WHERE " + "(" * 19 + "1" + ")" * 19 + " = 1 RETURN a", ["a"]),
        ("MATCH (a) WITH a, count(*) AS n WHERE n > 1 MATCH (a)-[r]-(b) RETURN a, r ORDER BY n", ["a", "r"]),
        ("MATCH (a)-[r]-(b) RETURN a, count(r) AS n ORDER BY count(r) DESC", ["a", "n"]),
    ],
)
def test_words_in_strings_comments_and_names_are_data(text: str, returned: list[str]) -> None:
    rule = parse_rule(text)
    validate_rule(rule)
    assert [item.name for item in rule.returned.items] == returned


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCH (n RETURN n", "unexpected 'RETURN'; expected ')', ':' or '{'"),
        ("MATCH (n) RETURN", "unexpected the end of the text; expected an expression"),
        ("MATCH (n) RETURN n.x = ", "unexpected the end of the text; expected an expression"),
        ("MATCH (n) WHERE 1 < 2 < 3 RETURN n", "unexpected '<'; expected MATCH, RETURN or WITH"),
        ("MATCH (n) RETURN n LIMIT x", "unexpected 'x'; expected a whole number"),
        ("MATCH (n) RETURN n; MATCH (m) RETURN m", "unexpected 'MATCH'; expected the end of the rule"),
        ("MATCH (n) WHERE n.name = 'open RETURN n", "this string is not closed"),
        ("MATCH (n) /* open RETURN n", "this comment is not closed"),
        ("MATCH (n) WHERE n.x = 1e999 RETURN n", "1e999 is too large a number"),
    ],
)
def test_a_parse_error_names_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(RuleParseError) as problem:
        parse_rule(text)
    assert str(problem.value).endswith(message)


def test_a_call_of_end_inside_case_does_not_close_it_for_the_nesting_limit() -> None:
    nested = "CASE WHEN end(r) IS NULL THEN " * 25 + "1" + " END" * 25
    with pytest.raises(RuleInvalid, match="nested"):
        where(f"{nested} = 1")


def test_and_binds_tighter_than_xor_and_xor_than_or() -> None:
    assert where("true OR true XOR false AND NOT false") == LogicalExpression(
        "or",
        (
            LiteralExpression(True),
            LogicalExpression(
                "xor",
                (
                    LiteralExpression(True),
                    LogicalExpression("and", (LiteralExpression(False), Not(LiteralExpression(False)))),
                ),
            ),
        ),
    )


def test_products_bind_tighter_than_sums_and_go_from_left_to_right() -> None:
    assert where("1 - 2 * 3 - 4 = 5") == ComparisonExpression(
        "=",
        ArithmeticExpression(
            LiteralExpression(1),
            (
                ("-", ArithmeticExpression(LiteralExpression(2), (("*", LiteralExpression(3)),))),
                ("-", LiteralExpression(4)),
            ),
        ),
        LiteralExpression(5),
    )


def test_a_parenthesis_is_a_pattern_only_where_a_relation_follows() -> None:
    assert isinstance(where("(a)-[:RULES]->(b)"), Exists)
    assert isinstance(where("(a)--(b)"), Exists)
    assert isinstance(where("(a.x) - (b.x)"), ArithmeticExpression)
    assert isinstance(where("NOT (a)<-[r]-()"), Not)


def test_end_closes_a_case_and_is_a_function() -> None:
    found = where("CASE WHEN end(r) IS NULL THEN 1 ELSE end(r) END")
    assert isinstance(found, CaseExpression)
    assert isinstance(found.otherwise, FunctionCall)


def test_hops_say_how_many_relations_in_a_row() -> None:
    [match] = parse_rule("MATCH (a)-[*2]-(b)-[*1..3]-(c)-[*..4]-(d)-[*0..1]-(e) RETURN a").clauses
    assert isinstance(match, MatchClause)
    assert [edge.hops for edge in match.patterns[0].edges] == [
        HopRange(2, 2),
        HopRange(1, 3),
        HopRange(1, 4),
        HopRange(0, 1),
    ]


def test_strings_take_both_quotes_and_escapes() -> None:
    assert where(r"""'it\'s \u00e9\n' = "say \"x\"" """) == ComparisonExpression(
        "=", LiteralExpression("it's é\n"), LiteralExpression('say "x"')
    )


def test_a_property_of_a_property_is_one_step_more() -> None:
    found = where("a.x.y = 1")
    assert isinstance(found, ComparisonExpression)
    assert isinstance(found.one, PropertyAccess)
    assert found.one.keys == ("x", "y")
