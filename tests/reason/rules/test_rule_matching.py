"""What rules find in a world."""

from typing import Any

import pytest
from tests.support.consistency_world import make, tell

from recollect.memory import Memory
from recollect.reason.rules.graph import RuleGraph
from recollect.reason.rules.rule_errors import RuleInvalid, RuleLimits, RuleTimeout
from recollect.reason.rules.rule_runner import collect_violations, compile_rule, find_unused_names


def rows(memory: Memory, text: str, limits: RuleLimits | None = None) -> list[tuple[Any, ...]]:
    """Names of the nodes found and the plain values, row by row, in order."""
    with memory.read() as view:
        graph = RuleGraph(view)
        found = collect_violations(compile_rule(text, view.world.read), graph, limits).items
        names = view.entities({node for each in found for node in each.nodes})
        return sorted(((*(names[node].name for node in each.nodes), *each.details.values()) for each in found), key=str)


@pytest.fixture
def realm(memory: Memory) -> Memory:
    tell(
        memory,
        "Ann:Person RULES Halden:Castle (1800 .. 1850)",
        'Bob:Npc RULES Halden:Castle (1840 .. 1860) {"joint": true}',
        "Cid:Person RULES Low Port:Town (1860 .. …)",
        "Ann:Person SPOUSE_OF Bob:Npc (1820 .. …)",
        "Halden:Castle PART_OF Reach:Region",
        "Low Port:Town PART_OF Reach:Region",
        "Ann:Person BORN Halden:Castle (1780)",
        "Ann:Person DIED (1870)",
        "Siege:Siege OCCURRED_DURING '1845' (1845)",
        "Bob:Npc OCCUPATION 'clerk'",
        "Ann:Person OWNS Knife:Weapon",
    )
    make(memory, "Dora", "Person", occupation="clerk", height=7, rank=2.5, tags=["a", "b"])
    return memory


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (p:Person)-[:RULES]->(l) RETURN p, l", [("Ann", "Halden"), ("Bob", "Halden"), ("Cid", "Low Port")]),
        ("MATCH (l)-[:RULED_BY]->(p:Npc) RETURN p, l", [("Bob", "Halden")]),
        ("MATCH (p)<-[:RULED]-(l:Location) RETURN p", []),
        ("MATCH (p)-[:POSSESSES]->(i:Weapon) RETURN p, i", [("Ann", "Knife")]),
        ("MATCH (a)-[:SPOUSE_OF]->(b) RETURN a, b", [("Ann", "Bob")]),
        ("MATCH (a:Npc)-[:SPOUSE_OF]->(b) RETURN a, b", [("Bob", "Ann")]),
        ("MATCH (a)-[r:RULES {joint: true}]->() RETURN a", [("Bob",)]),
        ("MATCH (p {occupation: 'clerk'}) RETURN p", [("Dora",)]),
        ("MATCH (p:Person) WHERE p.height + 1 = 8 AND p.rank < 3 RETURN p, p.height / 2", [("Dora", 3)]),
        ("MATCH (p) WHERE 'b' IN p.tags RETURN p, size(p.tags)", [("Dora", 2)]),
        ("MATCH (l:Castle|Town) RETURN l", [("Halden",), ("Low Port",)]),
        ("MATCH (l:Location:Castle) RETURN l", [("Halden",)]),
        ("MATCH (e:Event)-[:OCCURRED_DURING]->(t:Time) RETURN e, t.value", [("Siege", "1845")]),
        ("MATCH (p)-[:OCCUPATION]->(x:Literal {value: 'clerk'}) RETURN p", [("Bob",)]),
        ("MATCH (p)-[:DIED]->(x:Nothing) RETURN p", [("Ann",)]),
        ("MATCH (l:Location) WHERE NOT (l)-[:PART_OF]->() RETURN l", [("Reach",)]),
        ("MATCH (l:Location) WHERE EXISTS { (l)<-[r:RULES]-(p) WHERE r.joint } RETURN l", [("Halden",)]),
        ("MATCH (l) WHERE l.name STARTS WITH 'Low' RETURN l, toUpper(l.name)", [("Low Port", "LOW PORT")]),
        ("MATCH (a:Person {name: 'Ann'})-[r*2]->(x:Region) RETURN x, size(r)", [("Reach", 2)]),
        ("MATCH (x {name: 'Reach'})<-[:PART_OF*1..3]-(y) RETURN y, labels(y)", None),
        ("MATCH (l)<-[:RULES]-(p) WITH l, count(p) AS n WHERE n > 1 RETURN l, n", [("Halden", 2)]),
        ("MATCH (l)<-[r:RULES]-(p) RETURN l, min(p.name), max(p.name), count(*)", None),
        ("MATCH (p:Person) RETURN p ORDER BY p.name DESC LIMIT 1", [("Dora",)]),
        ("MATCH (p)-[:RULES]->() WITH DISTINCT p ORDER BY p.name LIMIT 2 RETURN p", [("Ann",), ("Bob",)]),
        ("MATCH (a)-[:RULES]->(l), (l)<-[:RULES]-(b) WHERE a.id < b.id RETURN a, b", [("Ann", "Bob")]),
        ("MATCH (a)-[:RULES]->(l) MATCH (l)<-[:RULES]-(b) WHERE a.name < b.name RETURN a, b", [("Ann", "Bob")]),
        ("MATCH (a:Person) WHERE CASE WHEN a.height = 7 THEN true ELSE false END RETURN a", [("Dora",)]),
        ("MATCH (a)-[r:RULES]->(l) WHERE type(r) = 'RULES' AND startNode(r) = a RETURN endNode(r) AS e", None),
        ("MATCH (n:Entity {name: 'Ann'}) RETURN n, n.type", [("Ann", "Person")]),
        ("MATCH (n) WHERE n.missing = null OR n.missing <> 1 RETURN n", []),
        ("MATCH (n {name: 'Ann'}) WHERE n.missing IS NULL XOR false RETURN n", [("Ann",)]),
        ("MATCH (n {name: 'Ann'}) RETURN n, 7 % 4, -7 / 2, 1 / 0, abs(-2), 'a' + 1, toString(1.5)", None),
    ],
)
def test_a_rule_finds(realm: Memory, text: str, expected: list[tuple[Any, ...]] | None) -> None:
    found = rows(realm, text)
    if expected is None:
        assert found
    else:
        assert found == expected


def test_reckoning_is_that_of_whole_and_broken_numbers(realm: Memory) -> None:
    [row] = rows(
        realm, "MATCH (n {name: 'Ann'}) RETURN n, 7 % 4, -7 / 2, 1 / 0, abs(-2), 'a' + 1, toString(1.5), 7 / 2.0"
    )
    assert row == ("Ann", 3, -3, None, 2, "a1", "1.5", 3.5)


def test_a_relation_is_bound_once_in_one_match(realm: Memory) -> None:
    assert rows(realm, "MATCH (a)-[r1:RULES]->(l)<-[r2:RULES]-(b) WHERE a = b RETURN a") == []


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("clash(r1, r2)", True),
        ("overlaps(r1, r2)", True),
        ("outside(r1, r2)", False),
        ("during(time('1845'), r1)", True),
        ("before(r1, time('1860'))", True),
        ("after(time('1900'), r2)", True),
        ("exceeds(r2, r1)", True),
        ("exceeds(r1, existence(a))", False),
        ("start(r1) < start(r2)", True),
        ("start(r1) <= time('1800')", True),
        ("start(r1) = '1800'", True),
        ("years_between(start(r1), end(r1)) = 50", True),
        ("years_between(end(r1), start(r1)) = -50", True),
        ("existence(b) IS NULL", True),
        ("end(existence(a)) = time('1870')", True),
        ("event_time(a) IS NULL", True),
        ("stated(r1) IS NOT NULL", True),
        ("now() > time('2026-05-19')", True),
        ("outside(r1, null) IS NULL", True),
        ("r1.valid_from < r2.valid_from AND r1.certainty = 'stated' AND r1.confidence = 1.0", True),
        ("'tool:lore-engine.add_relation by local' IN r1.sources", True),
        ("r1.disputed", False),
    ],
)
def test_times_are_compared(realm: Memory, condition: str, holds: bool) -> None:
    text = f"MATCH (a {{name: 'Ann'}})-[r1:RULES]->(l)<-[r2:RULES]-(b) WHERE {condition} RETURN a"
    assert bool(rows(realm, text)) is holds


def test_the_life_rule_ends_an_open_marriage_and_the_statement_stays_open(realm: Memory) -> None:
    text = "MATCH (a {name: 'Ann'})-[r:SPOUSE_OF]-(b) RETURN a, b, end(interval(r)) AS e, end(stated(r)) AS s"
    assert rows(realm, text) == [("Ann", "Bob", "1870", None)]


def test_a_bad_time_in_the_data_stops_the_rule_and_says_where(realm: Memory) -> None:
    with pytest.raises(RuleInvalid) as problem:
        rows(realm, "MATCH (p:Person) WHERE time(p.name) < now() RETURN p")
    assert (problem.value.line, problem.value.column) == (1, 24)


def test_labels_and_relations_that_nobody_uses_are_told(realm: Memory) -> None:
    with realm.read() as view:
        graph = RuleGraph(view)
        rule = compile_rule("MATCH (d:Dragon)-[:BURNED]->(l:Location)-[:PART_OF]->(:Reach) RETURN d")
        assert find_unused_names(rule, graph) == [
            "nothing has the label Dragon",
            "nothing has the label Reach",
            "no relation has the type BURNED",
        ]


def test_deleted_and_superseded_facts_are_not_seen(realm: Memory) -> None:
    from recollect.write.retract import delete_entity

    with realm.write() as change:
        [(_, ann)] = change.entities_named("ann")
        delete_entity(change, ann, "never was")
    assert rows(realm, "MATCH (p)-[:RULES]->(l) RETURN p, l") == [("Bob", "Halden"), ("Cid", "Low Port")]


def test_no_more_findings_than_may_be_kept_and_the_rest_is_counted(realm: Memory) -> None:
    with realm.read() as view:
        graph = RuleGraph(view)
        found = collect_violations(compile_rule("MATCH (a), (b) WHERE a.id < b.id RETURN a, b"), graph, most=3)
    assert (len(found.items), found.is_cut) == (3, True)
    assert found.total > 3


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN a, count(*)",
        "MATCH (a)-[*1..6]-(b)-[*1..6]-(c)-[*1..6]-(d) RETURN a, count(*)",
        "MATCH (a) WITH a, 'xxxxxxxxxxxxxxxx' AS s " + "WITH a, s + s AS s " * 60 + "RETURN a, s",
        "MATCH (a) WITH a, [a, a, a, a] AS s " + "WITH a, s + s AS s " * 60 + "RETURN a, size(s)",
    ],
)
def test_a_rule_that_would_run_forever_is_stopped(realm: Memory, text: str) -> None:
    with pytest.raises(RuleTimeout):
        rows(realm, text, RuleLimits(seconds=0.05))


def test_a_rule_that_would_hold_too_much_is_stopped(realm: Memory) -> None:
    with pytest.raises(RuleTimeout, match="holding 20 rows"):
        rows(realm, "MATCH (a), (b) WITH a, b ORDER BY a.name RETURN a, b", RuleLimits(held=20))


def test_numbers_beyond_64_bits_are_null(realm: Memory) -> None:
    text = "MATCH (a {name: 'Ann'}) WITH a, 9 AS x " + "WITH a, x * x AS x " * 10 + "RETURN a, x"
    assert rows(realm, text) == [("Ann", None)]
