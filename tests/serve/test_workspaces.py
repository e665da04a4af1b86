"""Workspaces are renamed, copied and deleted; everything is listed."""

from pathlib import Path

import pytest

from recollect.memory import open_memory
from recollect.settings import Settings
from tests.conftest import ENGINES
from tests.serve.command_line import Run, answer, command_line
from tests.support.databases import new_postgres_database


@pytest.fixture(params=ENGINES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "memory.db")
    return new_postgres_database(request.getfixturevalue("postgres_server"))


@pytest.fixture
def run(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("RECOLLECT_DB", address)
    monkeypatch.chdir(tmp_path)
    return command_line


def fill(run: Run, name: str) -> None:
    answer(run("workspace", "create", name, "--json"))
    answer(run("remember", "Ann works at Acme. Ben lives in Rome.", "--workspace", name, "--json"))


def names(run: Run) -> list[str]:
    return [each["name"] for each in answer(run("list", "workspaces", "--json"))]


def facts(run: Run, workspace: str) -> int:
    count: int = answer(run("status", "--workspace", workspace, "--json"))["facts"]
    return count


def test_a_renamed_workspace_keeps_what_it_holds_and_its_tokens(run: Run) -> None:
    fill(run, "acme")
    run("token", "create", "ann", "--workspace", "acme")
    answer(run("workspace", "rename", "acme", "apex", "--json"))
    assert names(run) == ["apex", "default"]
    assert facts(run, "apex") == 2
    assert "apex" in run("token", "list").output


def test_renaming_the_workspace_in_use_tells_how_to_go_on_with_it(run: Run) -> None:
    fill(run, "acme")
    assert "--workspace" not in run("workspace", "rename", "acme", "apex").stderr
    assert "--workspace main" in run("workspace", "rename", "default", "main").stderr


def test_an_exported_workspace_is_imported_and_not_ingested(run: Run, tmp_path: Path) -> None:
    fill(run, "acme")
    file = tmp_path / "acme.jsonl"
    assert f"wrote {file}" in run("export", str(file), "--workspace", "acme").stderr
    refused = run("ingest", str(file))
    assert refused.stderr.count("recollect import FILE") == 1
    assert refused.stderr.count(file.name) == 1


def test_a_copy_holds_the_same_and_goes_its_own_way(run: Run) -> None:
    fill(run, "acme")
    answer(run("workspace", "copy", "acme", "trial", "--json"))
    answer(run("remember", "Cleo works at Acme.", "--workspace", "trial", "--json"))
    assert (facts(run, "acme"), facts(run, "trial")) == (2, 3)
    assert "Ann" in run("recall", "Where does Ann work?", "--workspace", "trial").output


@pytest.mark.parametrize("verb", ["rename", "copy"])
def test_a_name_that_is_taken_is_refused(run: Run, verb: str) -> None:
    fill(run, "acme")
    result = run("workspace", verb, "acme", "default")
    assert (result.exit_code, result.stderr) == (
        1,
        "recollect: there is a workspace 'default' already; choose another name\n",
    )


def test_a_deleted_workspace_leaves_no_row_behind(run: Run, address: str) -> None:
    fill(run, "acme")
    fill(run, "kept")
    run("token", "create", "ann", "--workspace", "acme")
    answer(run("workspace", "delete", "acme", "--yes", "--json"))
    assert names(run) == ["default", "kept"]
    memory = open_memory(address, settings=Settings())
    with memory.engine.reading() as connection:
        tables = [table for (table,) in connection.rows("tables_by_workspace", {})]
        left = {table for table in tables for _ in connection.all_rows(table, ["ws"], ["ws"], 2)}
    memory.close()
    assert left == set()
    assert len(tables) > 40
    assert "Ann" in run("recall", "Where does Ann work?", "--workspace", "kept").output


def test_a_new_workspace_never_shares_the_number_of_a_deleted_one(run: Run) -> None:
    fill(run, "acme")
    answer(run("workspace", "delete", "acme", "--yes", "--json"))
    answer(run("workspace", "create", "acme", "--json"))
    assert facts(run, "acme") == 0
    assert "nothing" in run("recall", "Ann Acme", "--workspace", "acme").output.lower()


def test_deleting_asks_first(run: Run) -> None:
    fill(run, "acme")
    result = run("workspace", "delete", "acme", input="n\n")
    assert result.exit_code == 1
    assert "Delete the workspace 'acme' with 4 entities, 2 facts, 1 documents?" in result.stderr
    assert facts(run, "acme") == 2


def test_a_workspace_nearly_named_is_suggested(run: Run) -> None:
    fill(run, "acme")
    assert "there is no workspace 'acne'; did you mean 'acme'?" in run("status", "--workspace", "acne").stderr
    run("workspace", "create", "shop-689c80")
    asked = run("recall", "cache", "--workspace", "shop").stderr
    assert "did you mean 'shop-689c80'?" in asked
    assert "workspace list" in asked


def test_everything_is_listed(run: Run) -> None:
    fill(run, "acme")
    within = ("--workspace", "acme", "--json")
    entities = answer(run("list", "entities", *within))
    assert [(each["name"], each["facts"]) for each in entities] == [("Acme", 1), ("Ann", 1), ("Ben", 1), ("Rome", 1)]
    assert [each["name"] for each in answer(run("list", "entities", "--type", "person", *within))] == ["Ann", "Ben"]
    predicates = answer(run("list", "predicates", *within))
    assert sum(each["facts"] for each in predicates) == facts(run, "acme")
    assert len(answer(run("list", "documents", *within))) == 1
    assert "recall" in [each["tool"] for each in answer(run("list", "tools", "--type", "recollect", "--json"))]


def test_a_list_that_was_cut_says_how_to_get_the_rest(run: Run) -> None:
    fill(run, "acme")
    result = run("list", "entities", "--limit", "3", "--workspace", "acme")
    assert result.stderr == "3 of 4; --limit 4 lists all\n"


def test_rules_of_trust_are_applied_to_what_is_stored(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_text(
        "From: Eve <eve@evil.example>\nTo: ada@brandt.example\nDate: Wed, 20 May 2026 09:00:00 +0000\n"
        "Message-ID: <1@evil.example>\nSubject: hello\n\nI will send the report by Friday.\n"
    )
    answer(run("ingest", "mail.eml", "--json"))
    answer(run("trust", "set", "domain", "evil.example", "untrusted", "--json"))
    assert [each.get("trust") for each in answer(run("recall", "report", "--json"))["results"]] == ["unknown"]
    assert answer(run("trust", "apply", "--json")) == {"documents": 1}
    assert {each.get("trust") for each in answer(run("recall", "report", "--json"))["results"]} == {"untrusted"}
    assert "documents_to_assess" not in answer(run("status", "--json"))
