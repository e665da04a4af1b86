"""`recollect check`: what it prints, and its exit code."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect.change_listeners import open_memory
from recollect.reason.checks.findings import set_flag
from recollect.serve.cli.main import main
from recollect.settings import Settings
from tests.support.consistency_world import findings, tell


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def run(store: str, *more: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["check", "--db", store, *more])
    return result.exit_code, result.output


def test_a_world_without_errors_exits_0(store: str) -> None:
    memory = open_memory(store, settings=Settings())
    tell(memory, "Halden:Location PART_OF Reach:Location")
    memory.close()
    code, output = run(store)
    assert code == 0
    assert "1 orphans" in output


def test_an_open_error_exits_1_until_it_is_flagged(store: str) -> None:
    memory = open_memory(store, settings=Settings())
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)")
    code, output = run(store)
    assert code == 1
    assert "anachronism-order" in output
    [found] = findings(memory, "anachronism")
    with memory.write() as change:
        set_flag(change, found.id, "violation", "a copying error")
    memory.close()
    assert run(store)[0] == 0


def test_times_of_an_invented_world_are_printed_with_the_names_of_months(store: str) -> None:
    world = Path(store).parent / "world.yaml"
    world.write_text("calendar: {name: Tides, months: [[Ebb, 30], [Flood, 30]]}\nera: {name: Age, start: 1}\n", "utf-8")
    assert CliRunner().invoke(main, ["ingest", str(world), "--db", store, "--change-timeline"]).exit_code == 0
    memory = open_memory(store, settings=Settings())
    tell(memory, "Ann:Person BORN (age.year_12.month_2)", "Ann:Person DIED (age.year_11)")
    memory.close()
    code, output = run(store)
    assert code == 1
    assert "Flood, year 12 of Age" in output
    assert "year_" not in output
    assert f"--mode wrong --db {store}" in output


def test_json_is_the_run_itself(store: str) -> None:
    memory = open_memory(store, settings=Settings())
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)")
    memory.close()
    code, output = run(store, "entity:Ann", "--json")
    said = json.loads(output)
    assert (code, said["kind"], said["by_severity"]) == (1, "scoped", {"error": 1, "warn": 0})


def test_json_lists_what_is_open_and_not_only_what_is_new(store: str) -> None:
    memory = open_memory(store, settings=Settings())
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)")
    memory.close()
    for scope in ("all", "all", "entity:Ann"):
        said = json.loads(run(store, scope, "--json")[1])
        assert [each["rule_id"] for each in said["violations"]] == ["anachronism-order"], scope
        assert len(said["violations"]) == sum(said["by_severity"].values())
    assert said["opened"] == len(said["opened_violations"]) == 0


def test_an_error_is_printed_with_its_reasons_the_facts_behind_it_and_what_settles_it(store: str) -> None:
    memory = open_memory(store, settings=Settings())
    tell(memory, "Ann:Person BORN (1800)", "Ann:Person DIED (1790)", "Halden:Location PART_OF Reach:Location")
    memory.close()
    _, output = run(store)
    lines = output.splitlines()
    assert any(line.startswith("error  anachronism-order: ") and "Ann" in line for line in lines)
    facts = [line for line in lines if line.strip().startswith(("may be wrong: Ann", "rests on: Ann"))]
    assert facts
    assert all("[fact_" in line for line in facts)
    assert any("settle it: recollect correct " in line for line in lines)
    assert any(line.startswith("warn   ") for line in lines)
