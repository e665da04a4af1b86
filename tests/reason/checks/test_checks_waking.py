"""How the engine of a large world wakes: a little with each call, the rest in the background, and it says so."""

from dataclasses import replace
from typing import Any

import pytest
from tests.support.consistency_world import check, findings, tell

from recollect.memory import Memory
from recollect.model.progress import Progress
from recollect.reason.checks import check_runs
from recollect.reason.checks.check_runs import continue_initial_scan, is_initial_scan_running, run_full_check
from recollect.serve.background_jobs import continue_checks
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

WRONG = [f"P{number}:Person BORN (18{number:02})" for number in range(30)]
WRONG += [f"P{number}:Person DIED (17{number:02})" for number in range(30)]


@pytest.fixture
def large(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A world that counts as large, of which each call goes through a page of seven."""
    monkeypatch.setattr(check_runs, "SMALL_WORLD_ENTITIES", 20)
    monkeypatch.setattr(check_runs, "SCAN_PAGE_SIZE", 7)
    monkeypatch.setattr(check_runs, "SCAN_SECONDS", 0.0)
    tell(memory, *WRONG)
    return memory


def ask(memory: Memory, tool: str, **arguments: Any) -> Answer:
    found = find_surface("lore-engine").tools[tool]
    answer = call(found, lambda each: memory.as_actor("lore-engine", each.name), arguments)
    assert not answer.is_error, answer.structured
    return answer


def listed(memory: Memory) -> tuple[int, bool]:
    """How many findings a list has, and whether it says that these are all."""
    answer = ask(memory, "get_anachronisms", limit=500)
    return len(answer.structured["result"]), answer.meta.get("complete", True)


def test_a_small_world_is_gone_through_by_the_first_call(memory: Memory) -> None:
    tell(memory, *WRONG)
    assert listed(memory) == (30, True)


def test_each_call_goes_on_where_the_last_one_stopped_and_says_that_more_may_come(large: Memory) -> None:
    assert [listed(large) for _ in range(5)] == [(7, False), (14, False), (21, False), (28, False), (30, True)]


def test_the_chores_of_a_server_go_through_what_somebody_asked_for(large: Memory) -> None:
    assert continue_checks(large) is False
    assert not is_initial_scan_running(large)
    listed(large)
    assert is_initial_scan_running(large)
    while continue_checks(large):
        pass
    assert listed(large) == (30, True)


def test_what_is_written_meanwhile_is_checked_at_once(large: Memory) -> None:
    said = ask(large, "add_relation", **{"from": "P29", "relation": "RULES", "to": "Halden", "valid_from": "1690"})
    assert [each["rule_id"] for each in said.structured["violations"]] == ["anachronism-lifespan"]
    assert is_initial_scan_running(large)
    continue_initial_scan(large, None)
    assert check(large)["opened"] == 0


def test_a_snapshot_of_a_large_world_wakes_nobody_and_says_that_findings_may_be_missing(large: Memory) -> None:
    answer = ask(large, "state_at", entity="P1", at_time="1800")
    assert answer.meta["complete"] is False
    assert "run_consistency_check" in answer.meta["note"]
    assert not is_initial_scan_running(large)
    assert ask(large, "get_context", name="P1").meta["complete"] is False
    assert is_initial_scan_running(large)


def test_a_full_run_wakes_the_engine_and_says_how_far_it_is(large: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_runs, "PAGE_SIZE", 10)
    told: list[Progress] = []
    run = run_full_check(replace(large, report_progress=told.append)).run
    assert [(each.done, each.total) for each in told] == [(10, 30), (20, 30), (30, 30), (30, 30)]
    assert (run["entities_checked"], run["relations_checked"], run["opened"]) == (30, 60, 30)
    assert listed(large) == (30, True)


def test_a_page_of_entities_with_very_many_relations_is_cut(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_runs, "PAGE_SIZE", 4)
    monkeypatch.setattr(check_runs, "RELATIONS_PER_ENTITY", 1)
    tell(memory, *(f"P{one}:Person SERVES P{other}:Person" for one in range(6) for other in range(6) if one != other))
    run = check(memory)
    assert (run["entities_checked"], run["relations_checked"]) == (6, 30)


def test_a_cut_list_has_the_first_and_counts_all(memory: Memory) -> None:
    tell(memory, *WRONG)
    every = ask(memory, "get_anachronisms", limit=500).structured["result"]
    answer = ask(memory, "get_anachronisms", limit=3)
    assert answer.structured["result"] == every[:3]
    assert (answer.meta["total"], answer.meta["truncated"]) == (30, True)
    answer = ask(memory, "get_anachronisms", limit=3, rule_id="lifespan-age")
    assert (answer.structured["result"], answer.meta["total"]) == ([], 0)


def test_resolved_findings_are_listed_as_they_last_were(memory: Memory) -> None:
    tell(memory, *WRONG[:2], "P0:Person DIED (1700)", "P1:Person DIED (1701)")
    assert len(findings(memory, "anachronism")) == 2
    relation = ask(memory, "get_context", name="P0").structured["relations"][0]
    ask(memory, "delete_node", id=relation["id"], reason="a slip")
    assert _statuses(memory) == {"open": ["open"], "resolved": ["resolved"], "all": ["open", "resolved"]}
    assert _statuses(memory, entity="P0") == {"open": [], "resolved": ["resolved"], "all": ["resolved"]}


def _statuses(memory: Memory, **more: str) -> dict[str, list[str]]:
    found = {
        status: ask(memory, "get_anachronisms", status=status, **more).structured["result"]
        for status in ("open", "resolved", "all")
    }
    return {status: sorted(each["status"] for each in listing) for status, listing in found.items()}
