"""The consistency tools as a client sees them."""

import json
from typing import Any

import pytest

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from recollect.write.entity_edits import edit_entity
from recollect.write.undo import undo
from tests.conftest import MovingClock
from tests.support.consistency_world import make, tell, withdraw


def ask(memory: Memory, tool: str, **arguments: Any) -> Any:
    """What a tool answers; the list itself where it is one."""
    found = find_surface("lore-engine").find(tool)
    answer = call(found, lambda each: memory.as_actor(each.surface.name, each.name), arguments)
    said = answer.structured
    return said["result"] if set(said) == {"result"} else said


@pytest.fixture
def harbour(memory: Memory) -> Memory:
    tell(
        memory,
        "Mira:Person BORN (1820)",
        "Mira:Person DIED (1871)",
        "Mira:Person POSSESSES Tide-Knife:Item (1844 .. …)",
        "Saltguard:Faction POSSESSES Tide-Knife:Item (1850 .. 1852)",
        "Siege:Event OCCURRED_DURING '1875' (1875)",
        "Siege:Event OCCURRED_AT Halden:Location",
        "Mira:Person PARTICIPATED_IN Siege:Event",
        "Mira:Person RULES Halden:Location (1840 .. 1850)",
        "Saltguard:Faction RULES Halden:Location (1845 .. 1860)",
    )
    return memory


def test_a_contradiction_names_both_claims_and_their_sources(harbour: Memory) -> None:
    [found] = ask(harbour, "get_contradictions", subject="Tide-Knife")
    assert found["id"].startswith("vio_")
    assert (found["subject"], found["predicate"], found["kind"]) == ("Tide-Knife", "POSSESSES", "single_valued")
    assert found["claim_a"] == "Mira POSSESSES Tide-Knife (1844 .. …)"
    assert found["claim_b"] == "Saltguard POSSESSES Tide-Knife (1850 .. 1852)"
    assert found["doc_a"] == found["doc_b"] == "tool:lore-engine.add_relation by local"
    assert (found["severity"], found["flagged"], found["status"]) == ("error", False, "open")
    assert found["relation_a"] in found["relations"]


def test_an_anachronism_says_what_was_expected_and_what_was_found(harbour: Memory) -> None:
    [found] = ask(harbour, "get_anachronisms", entity="Mira")
    assert (found["entity_name"], found["event_name"], found["claim"]) == ("Mira", "Siege", "EXISTED_AFTER")
    assert (found["expected"], found["actual"], found["era"]) == ("1820 .. 1871", "1875", "ce")
    assert found["rule_id"] == "no-anachronism-participation"
    assert ask(harbour, "get_anachronisms", rule_id="kinship-age") == []
    assert ask(harbour, "get_anachronisms", rule_id="no-such")["error"] == "NOT_FOUND"


def test_a_breach_names_everything_in_it_and_stands_in_both_lists(harbour: Memory) -> None:
    [found] = ask(harbour, "get_ontology_violations", rule_id="no-overlapping-rulers")
    assert (found["subject"], found["predicate"]) == ("Halden", "RULES")
    assert found["claim"] == "Halden: Mira and Saltguard break no-overlapping-rulers"
    every = {each["id"] for each in ask(harbour, "get_ontology_violations")}
    assert {each["id"] for each in ask(harbour, "get_anachronisms")} <= every
    assert ask(harbour, "get_ontology_violations", rule_id="no-such")["error"] == "NOT_FOUND"


def test_orphans_are_found_by_reason_and_type(harbour: Memory) -> None:
    [place] = ask(harbour, "get_orphans", reason="missing_part_of")
    assert (place["entity_name"], place["entity_type"], place["reason"]) == ("Halden", "Location", "missing_part_of")
    [faction] = ask(harbour, "get_orphans", type="Faction")
    assert (faction["entity_name"], faction["reasons"]) == ("Saltguard", ["missing_founding"])
    refused = ask(harbour, "get_orphans", reason="no such reason")
    assert refused["error"] == "BAD_INPUT"
    assert "isolated" in refused["accepted"]


def test_a_flagged_finding_leaves_the_lists_and_is_still_counted(harbour: Memory) -> None:
    [found] = ask(harbour, "get_contradictions")
    flagged = ask(harbour, "flag_for_review", node_id=found["id"], reason="the knife was lent")
    assert (flagged["kind"], flagged["flagged"], flagged["flagged_by"]) == ("violation", True, "local")
    again = ask(harbour, "flag_for_review", node_id=found["id"], reason="the knife was lent")
    assert again["tx"] == flagged["tx"]
    assert ask(harbour, "get_contradictions") == []
    [listed] = ask(harbour, "get_contradictions", include_flagged=True)
    assert listed["flagged"] is True
    run = ask(harbour, "run_consistency_check")
    assert (run["totals"]["contradictions"], run["flagged"]) == (1, 1)
    explained = ask(harbour, "explain_violation", node_id=found["id"])
    assert (explained["flagged"], explained["flag_reason"]) == (True, "the knife was lent")
    ask(harbour, "flag_for_review", node_id=found["id"], reason="no", clear=True)
    assert [each["id"] for each in ask(harbour, "get_contradictions")] == [found["id"]]


def test_entities_relations_and_documents_can_be_flagged_too(harbour: Memory) -> None:
    mira = ask(harbour, "lookup", name="Mira")
    entity = make(harbour, "Mira", "Person")
    assert mira
    flagged = ask(harbour, "flag_for_review", node_id=f"ent_{entity}", reason="two of her?")
    assert flagged["kind"] == "entity"
    assert [each["name"] for each in ask(harbour, "get_unresolved", kind="flagged")] == ["Mira"]
    assert ask(harbour, "get_context", name="Mira")["flags"][0]["reason"] == "two of her?"
    [fact] = tell(harbour, "Mira:Person SERVES Sea:Deity (1850 .. 1860)")
    assert ask(harbour, "flag_for_review", node_id=f"fact_{fact}", reason="who says?")["kind"] == "relation"
    assert ask(harbour, "flag_for_review", node_id="ent_00000000000000000000000000", reason="x")["error"] == "NOT_FOUND"
    assert ask(harbour, "flag_for_review", node_id="Mira", reason="x")["error"] == "NOT_FOUND"


def test_a_finding_is_explained_open_and_resolved(harbour: Memory) -> None:
    [found] = ask(harbour, "get_contradictions")
    explained = ask(harbour, "explain_violation", node_id=found["id"])
    assert (explained["status"], explained["rule"]["id"]) == ("open", "contradiction-single-valued")
    assert explained["rule"]["cypher"] is None
    assert [each["id"] for each in explained["edges"]] == found["relations"]
    assert len(explained["sources"]) == 2
    assert explained["why"]
    assert any("delete_node" in each for each in explained["suggestions"])
    withdraw(harbour, found["relations"][1].removeprefix("fact_"))
    explained = ask(harbour, "explain_violation", node_id=found["id"])
    assert explained["status"] == "resolved"
    assert [each["id"] for each in explained["edges"]] == found["relations"]
    assert ask(harbour, "get_contradictions") == []
    [resolved] = ask(harbour, "get_contradictions", status="resolved")
    assert (resolved["id"], resolved["status"]) == (found["id"], "resolved")
    assert ask(harbour, "explain_violation", node_id="vio_00000000000000000000000000")["error"] == "NOT_FOUND"
    assert ask(harbour, "explain_violation", node_id="Mira")["error"] == "NOT_FOUND"


def test_running_twice_opens_and_resolves_nothing_and_the_last_run_is_kept(harbour: Memory) -> None:
    assert ask(harbour, "latest_run") == {"run_id": None, "message": "no consistency run yet"}
    first = ask(harbour, "run_consistency_check")
    assert first["opened"] == sum(first["by_rule"].values()) > 0
    assert {each["rule_id"] for each in first["violations"]} >= {"no-overlapping-rulers"}
    again = ask(harbour, "run_consistency_check")
    assert (again["opened"], again["resolved"], again["unchanged"]) == (0, 0, first["opened"])
    assert again["complete"] is True
    assert ask(harbour, "latest_run")["run_id"] == again["run_id"]


def test_a_run_counts_the_rules_and_checks_that_ran(memory: Memory) -> None:
    assert ask(memory, "run_consistency_check")["rules_run"] == 22
    ask(memory, "add_ontology_rule", id="item-lineage", enabled=False)
    ask(memory, "define_era", name="First Tide", start=1, end=500)
    run = ask(memory, "run_consistency_check")
    assert (run["rules_run"], run["rules_disabled"]) == (19, ["item-lineage"])


def test_a_scope_is_an_entity_with_its_neighbours_or_an_era(harbour: Memory) -> None:
    full = ask(harbour, "run_consistency_check")
    for scope in ("entity:Halden", "Halden"):
        run = ask(harbour, "run_consistency_check", scope=scope)
        assert (run["kind"], run["scope"], run["opened"], run["resolved"]) == ("scoped", "entity:Halden", 0, 0)
        assert run["totals"]["ontology_violations"] == 1
        assert run["totals"]["contradictions"] == 0
    era = ask(harbour, "run_consistency_check", scope="era:1846")
    assert era["totals"]["ontology_violations"] == 1
    assert era["relations_checked"] < full["relations_checked"]
    assert ask(harbour, "run_consistency_check", scope="era:1700")["totals"]["contradictions"] == 0
    assert ask(harbour, "run_consistency_check", scope="No Such")["error"] == "ENTITY_NOT_FOUND"
    assert ask(harbour, "run_consistency_check", scope="era:no_such.year_1")["error"] == "UNKNOWN_ERA"


def test_small_runs_after_writes_are_shown_on_request(harbour: Memory) -> None:
    ask(harbour, "get_orphans")
    tell(harbour, "Nobody:Person BORN (1850)", "Nobody:Person DIED (1840)")
    assert ask(harbour, "latest_run")["run_id"] is None
    run = ask(harbour, "latest_run", include_incremental=True)
    assert (run["kind"], run["opened"]) == ("incremental", 1)


def test_a_new_world_has_ten_rules_and_added_ones_come_behind(memory: Memory) -> None:
    rules = ask(memory, "list_ontology_rules")
    assert [each["built_in"] for each in rules] == [True] * 10
    assert rules[0]["id"] == "no-overlapping-rulers"
    cypher = "MATCH (p:Person) WHERE p.name = 'Nobody' RETURN p"
    for name in ("z-rule", "a-rule"):
        ask(memory, "add_ontology_rule", id=name, cypher=cypher, description="nobody")
    assert [each["id"] for each in ask(memory, "list_ontology_rules")][10:] == ["a-rule", "z-rule"]


def test_a_rule_counts_the_findings_that_were_open_then(harbour: Memory) -> None:
    ask(harbour, "run_consistency_check")
    with harbour.read() as view:
        then = view.last_tx
    before = ask(harbour, "list_ontology_rules")
    tell(
        harbour,
        "Mira:Person RULES Low Port:Location (1840 .. 1850)",
        "Saltguard:Faction RULES Low Port:Location (1845 .. 1860)",
    )
    assert ask(harbour, "list_ontology_rules")[0]["open_violations"] == before[0]["open_violations"] + 1
    assert ask(harbour, "list_ontology_rules", as_of=then) == before


def test_an_added_rule_runs_at_once_after_writes_and_in_full_runs(harbour: Memory) -> None:
    cypher = (
        "MATCH (p:Person)-[r:POSSESSES]->(i:Item) /* DELETE */ WHERE i.name <> 'MERGE' // SET\nRETURN p, i, r, 1 AS n"
    )
    put = ask(harbour, "add_ontology_rule", id="unarmed", cypher=cypher, description="People go unarmed")
    assert (put["created"], put["violations_found"], put["warnings"]) == (True, 1, [])
    assert [each["rule_id"] for each in put["violations"]] == ["unarmed"]
    [found] = ask(harbour, "get_ontology_violations", rule_id="unarmed")
    assert (found["subject"], found["details"], found["severity"]) == ("Mira", {"n": 1}, "warn")
    tell(harbour, "Sela:Person POSSESSES Axe:Item")
    assert len(ask(harbour, "get_ontology_violations", rule_id="unarmed")) == 2
    same = ask(harbour, "add_ontology_rule", id="unarmed", cypher=cypher, description="People go unarmed")
    assert (same["created"], same["violations_found"]) == (False, 2)


def test_disabling_empties_a_rule_and_enabling_brings_the_same_ids_back(harbour: Memory) -> None:
    ask(harbour, "add_ontology_rule", id="mine", cypher="MATCH (p:Person) RETURN p", description="no people")
    for rule in ("no-overlapping-rulers", "mine"):
        before = [each["id"] for each in ask(harbour, "get_ontology_violations", rule_id=rule)]
        off = ask(harbour, "add_ontology_rule", id=rule, enabled=False)
        assert off["resolved_violations"] == before
        assert ask(harbour, "get_ontology_violations", rule_id=rule) == []
        assert rule in ask(harbour, "run_consistency_check")["rules_disabled"]
        on = ask(harbour, "add_ontology_rule", id=rule, enabled=True)
        assert [each["id"] for each in on["violations"]] == before
        assert [each["id"] for each in ask(harbour, "get_ontology_violations", rule_id=rule)] == before


def test_severity_and_confidence_of_a_rule_can_be_set(harbour: Memory) -> None:
    ask(harbour, "add_ontology_rule", id="no-overlapping-rulers", severity="warn")
    [found] = ask(harbour, "get_ontology_violations", rule_id="no-overlapping-rulers")
    assert found["severity"] == "warn"
    assert ask(harbour, "run_consistency_check")["opened"] == 0
    ask(
        harbour,
        "add_ontology_rule",
        id="sure",
        cypher="MATCH (p:Person)-[r:POSSESSES]->(i) RETURN p, r",
        description="x",
        min_confidence=1.0,
    )
    assert len(ask(harbour, "get_ontology_violations", rule_id="sure")) == 1


@pytest.mark.parametrize(
    ("cypher", "error", "place"),
    [
        ("MATCH (n)\n  DELETE n", "RULE_NOT_READ_ONLY", (2, 3)),
        ("MATCH (n RETURN n", "RULE_PARSE_ERROR", (1, 10)),
        ("OPTIONAL MATCH (n) RETURN n", "RULE_UNSUPPORTED", (1, 1)),
        ("MATCH (n) RETURN m", "RULE_INVALID", (1, 18)),
        ("MATCH (n) WHERE time('4711 of nothing') < now() RETURN n", "RULE_INVALID", (1, 17)),
    ],
)
def test_a_bad_rule_is_refused_with_its_place_and_not_kept(
    memory: Memory, cypher: str, error: str, place: tuple[int, int]
) -> None:
    said = ask(memory, "add_ontology_rule", id="bad", cypher=cypher, description="bad")
    assert (said["error"], said["line"], said["column"]) == (error, *place)
    assert len(ask(memory, "list_ontology_rules")) == 10


def test_what_a_new_rule_needs_and_what_a_starter_rule_keeps(memory: Memory) -> None:
    assert ask(memory, "add_ontology_rule", id="new", description="x")["field"] == "cypher"
    assert ask(memory, "add_ontology_rule", id="new", cypher="MATCH (n) RETURN n")["field"] == "description"
    assert ask(memory, "add_ontology_rule", id="Bad Id", cypher="x", description="x")["error"] == "BAD_INPUT"
    said = ask(memory, "add_ontology_rule", id="item-lineage", cypher="MATCH (n) RETURN n")
    assert said["error"] == "RULE_BUILT_IN"
    said = ask(memory, "add_ontology_rule", id="long", cypher="MATCH (n) RETURN n" + " " * 4000, description="x")
    assert said["error"] == "BAD_INPUT"


def test_a_rule_that_would_run_forever_is_not_kept(harbour: Memory) -> None:
    from dataclasses import replace

    from recollect.settings import Settings

    hurried = replace(harbour, settings=Settings({"RECOLLECT_LORE_ENGINE_RULE_SECONDS": "0.05"}))
    cypher = "MATCH (a), (b), (c), (d), (e), (f), (g), (h), (i), (j) RETURN a, count(*)"
    assert ask(hurried, "add_ontology_rule", id="slow", cypher=cypher, description="x")["error"] == "RULE_TIMEOUT"
    assert len(ask(hurried, "list_ontology_rules")) == 10


def test_a_rule_that_fails_in_a_run_is_told_and_resolves_nothing(harbour: Memory) -> None:
    ask(harbour, "get_orphans")
    cypher = "MATCH (p:Person) WHERE p.vowed IS NULL OR time(p.vowed) < now() RETURN p"
    ask(harbour, "add_ontology_rule", id="vows", cypher=cypher, description="x")
    before = ask(harbour, "get_ontology_violations", rule_id="vows")
    assert before
    make(harbour, "Oath Breaker", "Person", vowed="at the end of days")
    run = ask(harbour, "run_consistency_check")
    assert run["complete"] is False
    assert [(each["rule_id"], each["error"]) for each in run["errors"]] == [("vows", "RULE_INVALID")]
    assert ask(harbour, "get_ontology_violations", rule_id="vows") == before


def test_lists_are_cut_and_say_how_many_there_were(harbour: Memory, clock: MovingClock) -> None:
    clock.set("2026-05-21T10:00:00Z")
    tell(harbour, "Late:Person BORN (1850)", "Late:Person DIED (1840)")
    found = find_surface("lore-engine").find("get_anachronisms")
    answer = call(found, lambda each: harbour.as_actor(each.surface.name, each.name), {"limit": 1})
    assert answer.meta == {"total": 2, "truncated": True}
    assert len(answer.structured["result"]) == 1


def test_as_of_shows_what_was_open_then(harbour: Memory) -> None:
    [found] = ask(harbour, "get_contradictions")
    with harbour.read() as view:
        then = view.last_tx
    withdraw(harbour, found["relations"][1].removeprefix("fact_"))
    assert ask(harbour, "get_contradictions") == []
    assert [each["id"] for each in ask(harbour, "get_contradictions", as_of=then)] == [found["id"]]
    json.dumps(found)


def test_as_of_a_finding_says_the_names_of_then(harbour: Memory) -> None:
    claims = "Mira POSSESSES Tide-Knife (1844 .. …)", "Myra POSSESSES Tide-Knife (1844 .. …)"
    [first] = ask(harbour, "get_contradictions", subject="Tide-Knife")
    with harbour.write() as change:
        mira = change.entities_named("mira")[0][1]
        edit_entity(change, mira, mira._replace(name="Myra"))
        renamed = change.tx
    with harbour.write() as change:
        undo(change, renamed)
    for known, claim in ((renamed - 1, claims[0]), (renamed, claims[1]), (None, claims[0])):
        [found] = ask(harbour, "get_contradictions", subject="Tide-Knife", as_of=known)
        assert (found["claim_a"], found["id"], found["detected_at"]) == (claim, first["id"], first["detected_at"])
    assert ask(harbour, "get_contradictions", subject="Tide-Knife", status="resolved") == []


def test_a_write_tells_what_it_opened_and_what_it_resolved(memory: Memory) -> None:
    born = {"from": "Ann", "relation": "BORN", "at": "1850", "from_type": "Person"}
    assert ask(memory, "add_relation", **born)["violations"] == []
    died = ask(memory, "add_relation", **{"from": "Ann", "relation": "DIED", "at": "1840"})
    [opened] = died["violations"]
    assert (opened["rule_id"], opened["category"], opened["severity"]) == ("anachronism-order", "anachronism", "error")
    gone = ask(memory, "delete_node", id=died["id"], reason="a copying error")
    assert gone["resolved_violations"] == [opened["id"]]
    assert [
        each["id"] for each in ask(memory, "delete_node", id=died["id"], reason="no", restore=True)["violations"]
    ] == [opened["id"]]


def test_a_retcon_ends_the_dispute_it_decides(harbour: Memory) -> None:
    [found] = ask(harbour, "get_contradictions")
    new = {
        "from": "Saltguard",
        "relation": "POSSESSES",
        "to": "Tide-Knife",
        "valid_from": "1872",
        "valid_until": "1880",
    }
    done = ask(harbour, "add_relation", **new, supersedes=found["relation_b"])
    assert done["resolved_violations"] == [found["id"]]
    assert ask(harbour, "get_contradictions") == []


def test_findings_and_flags_show_in_the_context_of_an_entity(harbour: Memory) -> None:
    said = ask(harbour, "get_context", name="Tide-Knife")
    assert [each["rule_id"] for each in said["violations"]] == ["contradiction-single-valued"]
    assert said["violations"][0]["flagged"] is False
    assert [each["kind"] for each in ask(harbour, "state_at", entity="Mira", at_time="1851")["contradictions"]] == [
        "single_valued"
    ]
