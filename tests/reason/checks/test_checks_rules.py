"""Rules and flags are said by people: they can be undone, come with a bundle, and follow later writes."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.consistency_world import broken, findings, tell

from recollect.importers.bundle import LINE_HANDLERS, import_bundle
from recollect.ingest.timeline_definitions import undo_transaction
from recollect.memory import Memory
from recollect.reason.checks.check_runs import ensure_initial_scan
from recollect.reason.checks.custom_rules import RuleInput, delete_rule, restore_rule, run_pending_rules, save_rule
from recollect.reason.checks.engine_state import pending_rules_job
from recollect.reason.checks.findings import find_flag, set_flag
from recollect.reason.checks.incremental import finding_changes_of
from recollect.reason.checks.rule_catalogue import load_rules
from recollect.write.undo import undo

UNARMED = "MATCH (p:Person)-[r:POSSESSES]->(i:Item) RETURN p, i, r"


def add(memory: Memory, id_: str = "unarmed", cypher: str = UNARMED) -> int:
    """Add a rule; the number of its transaction."""
    _, change = save_rule(memory, RuleInput(id_, cypher, "People go unarmed"))
    assert change is not None
    return change.tx


def test_an_added_rule_waits_in_the_queue_after_a_write_and_runs_from_there(memory: Memory) -> None:
    ensure_initial_scan(memory)
    add(memory)
    tell(memory, "Ann:Person POSSESSES Knife:Item")
    with memory.read() as view:
        assert pending_rules_job(view) is not None
    assert broken(memory, "unarmed") == []
    assert run_pending_rules(memory) == 1
    assert broken(memory, "unarmed") == [("unarmed", "Ann", "Knife")]
    assert run_pending_rules(memory) == 0
    with memory.read() as view:
        assert pending_rules_job(view) is None


def test_undoing_a_rule_takes_it_and_its_findings_away(memory: Memory) -> None:
    tell(memory, "Ann:Person POSSESSES Knife:Item")
    ensure_initial_scan(memory)
    tx = add(memory)
    assert broken(memory, "unarmed")
    with memory.write() as change:
        undo_transaction(memory, change, tx)
    with memory.read() as view:
        assert "unarmed" not in load_rules(view)
    assert broken(memory, "unarmed") == []


@pytest.mark.parametrize("rule", ["unarmed", "no-overlapping-rulers"])
def test_undoing_that_a_rule_was_switched_off_brings_its_findings_back(memory: Memory, rule: str) -> None:
    tell(memory, "Ann:Person POSSESSES Knife:Item", "Ann:Person RULES Kent:Location", "Bob:Person RULES Kent:Location")
    ensure_initial_scan(memory)
    add(memory)
    before = broken(memory, rule)
    _, switched = save_rule(memory, RuleInput(rule, enabled=False))
    assert switched is not None
    assert broken(memory, rule) == []
    with memory.write() as change:
        undo_transaction(memory, change, switched.tx)
    assert broken(memory, rule) == before != []


def test_a_deleted_rule_stops_and_comes_back_with_the_same_findings(memory: Memory) -> None:
    tell(memory, "Ann:Person POSSESSES Knife:Item")
    ensure_initial_scan(memory)
    add(memory)
    [before] = [each.id for each in findings(memory, "ontology")]
    with memory.write() as change:
        assert delete_rule(change, load_rules(change)["unarmed"], "too strict") == 1
    assert findings(memory, "ontology") == []
    with memory.write() as change:
        restore_rule(memory, change, load_rules(change, deleted=True)["unarmed"])
    assert [each.id for each in findings(memory, "ontology")] == [before]


def test_undoing_a_flag_takes_it_off(memory: Memory) -> None:
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)")
    [found] = findings(memory, "anachronism")
    with memory.write() as change:
        set_flag(change, found.id, "violation", "a copying error")
        tx = change.tx
    assert findings(memory, "anachronism") == []
    with memory.write() as change:
        undo(change, tx)
    with memory.read() as view:
        assert find_flag(view, found.id) is None
    assert [each.id for each in findings(memory, "anachronism")] == [found.id]


def _bundle(memory: Memory, folder: Path, *lines: dict[str, Any]) -> list[str]:
    """Take in a bundle; why lines were skipped."""
    path = folder / "rules.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    _, skipped = import_bundle(memory, path, further=LINE_HANDLERS)
    return [each.reason for each in skipped]


def test_a_bundle_may_carry_rules(memory: Memory, tmp_path: Path) -> None:
    tell(memory, "Ann:Person POSSESSES Knife:Item")
    rule = {"rule": {"id": "unarmed", "cypher": UNARMED, "description": "People go unarmed", "severity": "error"}}
    assert _bundle(memory, tmp_path, rule) == []
    assert broken(memory, "unarmed") == [("unarmed", "Ann", "Knife")]
    with memory.read() as view:
        before = view.last_tx
    assert _bundle(memory, tmp_path, rule) == []
    with memory.read() as view:
        assert view.last_tx == before


def test_a_bad_rule_in_a_bundle_is_skipped_with_its_reason(memory: Memory, tmp_path: Path) -> None:
    good = {"rule": {"id": "unarmed", "cypher": UNARMED, "description": "x"}}
    bad = {"rule": {"id": "bad", "cypher": "MATCH (n) DELETE n", "description": "x"}}
    odd = {"rule": {"id": "Odd Id", "cypher": UNARMED, "description": "x"}}
    reasons = _bundle(memory, tmp_path, bad, odd, good)
    assert len(reasons) == 2
    assert "line 1, column 11" in reasons[0]
    with memory.read() as view:
        assert [rule.id for rule in load_rules(view).values() if not rule.built_in] == ["unarmed"]


def test_a_change_that_deletes_two_rules_reports_the_findings_of_both(memory: Memory) -> None:
    tell(memory, "Ann:Person POSSESSES Knife:Item")
    ensure_initial_scan(memory)
    add(memory)
    add(memory, "unburdened")
    with memory.write() as change:
        rules = load_rules(change)
        for rule in ("unarmed", "unburdened"):
            delete_rule(change, rules[rule], "a trial")
        assert len(finding_changes_of(change).resolved) == 2
    assert broken(memory, "unarmed") == broken(memory, "unburdened") == []
