"""A world that is ingested gets a workspace of its own, and no other workspace is turned into it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.serve.command_line import Run

FEN = Path(__file__).parents[2] / "examples" / "lanternfen"
FACT = {
    "subject": {"type": "project", "name": "Copper Kettle"},
    "predicate": "blocked_by",
    "object": {"literal": "rain"},
}
CALENDAR = {"calendar": {"name": "Tides", "months": [["Ebb", 30], ["Flood", 30]]}}


def shown(run: Run, workspace: str = "default") -> dict[str, Any]:
    result = run("status", "--json", "--workspace", workspace)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return {key: found[key] for key in ("tx", "timeline", "now", "entities", "facts", "documents")}


def bundle(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "world.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_world_is_refused_by_the_default_workspace_and_nothing_is_written(run: Run) -> None:
    before = shown(run)
    result = run("ingest", FEN)
    assert result.exit_code == 2
    assert "00-time.jsonl defines a world" in result.stderr
    assert f"recollect ingest {FEN} --workspace lanternfen\n" in result.stderr
    assert shown(run) == before


def test_the_commands_of_the_refusal_take_the_world_in(run: Run) -> None:
    before = shown(run)
    commands = [line.split()[1:] for line in run("ingest", FEN).stderr.splitlines() if line.startswith("  recollect ")]
    assert [run(*command).exit_code for command in commands] == [0]
    assert shown(run, "lanternfen")["timeline"] == "fictional"
    assert run("ingest", FEN, "--workspace", "lanternfen").exit_code == 0
    assert shown(run) == before


def test_a_world_is_refused_by_a_workspace_with_other_knowledge(run: Run) -> None:
    run("workspace", "create", "work")
    assert run("call", "record_fact", "--workspace", "work", "--json", json.dumps(FACT)).exit_code == 0
    before = shown(run, "work")
    assert run("ingest", FEN, "--workspace", "work").exit_code == 2
    assert shown(run, "work") == before


def test_a_world_is_refused_by_a_workspace_whose_facts_have_dates(run: Run) -> None:
    run("remember", "Ann works at Acme since 2020.")
    before = shown(run)
    result = run("ingest", FEN)
    assert (result.exit_code, "00-time.jsonl defines a world" in result.stderr) == (2, True)
    assert "--change-timeline" not in result.stderr
    assert shown(run) == before


def test_a_world_may_change_the_timeline_where_that_is_asked_for(run: Run) -> None:
    assert run("ingest", FEN, "--change-timeline").exit_code == 0
    assert shown(run)["timeline"] == "fictional"


def test_a_present_in_the_past_is_refused_like_a_calendar(run: Run, tmp_path: Path) -> None:
    path = bundle(tmp_path, {"date": {"slug": "current", "label": "Now", "era": "ce", "year": 1944}})
    before = shown(run)
    result = run("ingest", path)
    assert (result.exit_code, "defines a world" in result.stderr) == (2, True)
    assert shown(run) == before


def test_one_world_among_several_paths_stops_all_of_them(run: Run, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("Olga will send the offer.")
    assert run("ingest", note, bundle(tmp_path, CALENDAR)).exit_code == 2
    assert shown(run)["documents"] == 0


def test_lore_that_defines_no_calendar_goes_into_the_default_workspace(run: Run, tmp_path: Path) -> None:
    named = {"date": {"slug": "founding", "label": "Founding", "era": "ce", "year": 1999}}
    era = {"era": {"name": "The Long Strike", "start": "1984-03", "end": "1985-03"}}
    assert run("ingest", bundle(tmp_path, named, era)).exit_code == 0
    page = tmp_path / "page.md"
    page.write_text("---\nentity: {type: Castle, name: Halden, founded: 1204}\n---\nHalden stands on a rock.\n")
    assert run("ingest", page).exit_code == 0
    assert shown(run)["timeline"] == "gregorian"


def test_a_watched_world_is_refused_too(run: Run, tmp_path: Path) -> None:
    result = run("watch", bundle(tmp_path, CALENDAR), "--once")
    assert "defines a world" in result.stderr
    assert shown(run)["timeline"] == "gregorian"


LORE_CALENDAR = """---
calendar: {name: Tides, months: [[Ebb, 30], [Flood, 30]]}
era: {name: Salt, start: 1}
entity: {type: Castle, name: Halden, founded: 3 Flood 12}
---
- Halden RULED_BY Mira (3 Flood 12 ..)
"""
LORE_YAML = "calendar: {name: Tides, months: [[Ebb, 30], [Flood, 30]]}\nera: {name: Salt, start: 1, end: null}\n"


@pytest.mark.parametrize(("name", "text"), [("page.md", LORE_CALENDAR), ("page.yaml", LORE_YAML)])
def test_a_lore_file_with_a_calendar_is_refused_like_a_bundle(run: Run, tmp_path: Path, name: str, text: str) -> None:
    run("remember", "Ann works at Acme.")
    before = shown(run)
    (tmp_path / name).write_text(text, "utf-8")
    result = run("ingest", tmp_path / name)
    assert (result.exit_code, f"{name} defines a world" in result.stderr) == (2, True)
    assert shown(run) == before


def test_a_missing_workspace_is_created_for_a_world(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "halden.md"
    page.write_text(LORE_CALENDAR, "utf-8")
    result = run("ingest", page, "--workspace", "halden")
    assert (result.exit_code, result.stderr) == (0, "created the workspace 'halden'; use it with --workspace halden\n")
    assert shown(run, "halden")["timeline"] == "fictional"
    assert "since 3 Flood, year 12 of Salt" in run("recall", "Halden", "--workspace", "halden").output


def test_a_new_workspace_that_nothing_was_stored_in_is_removed_again(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "halden.md"
    page.write_text(LORE_CALENDAR, "utf-8")
    result = run("ingest", page, "--dry-run", "--workspace", "halden")
    assert "removed the workspace 'halden' again: nothing was stored in it" in result.stderr
    page.write_text(LORE_CALENDAR.replace("[Flood, 30]", "[Flood, 0]"), "utf-8")
    result = run("ingest", page, "--workspace", "halden")
    assert (result.exit_code, "removed the workspace 'halden'" in result.stderr) == (2, True)
    assert [each["name"] for each in json.loads(run("list", "workspaces", "--json").stdout)] == ["default"]


def test_a_missing_workspace_is_not_created_for_notes(run: Run, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("Olga will send the offer.")
    result = run("ingest", note, "--workspace", "tpyo")
    assert (result.exit_code, "there is no workspace 'tpyo'" in result.stderr) == (1, True)


def test_a_yes_puts_the_world_into_a_workspace_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "Ann works at Acme.")
    before = shown(run)
    monkeypatch.setattr("recollect.serve.cli.ingest._agrees", lambda question: "'lanternfen'" in question)
    assert run("ingest", FEN).exit_code == 0
    assert shown(run, "lanternfen")["timeline"] == "fictional"
    assert shown(run) == before


def test_ingest_and_status_count_facts_alike(run: Run) -> None:
    run("workspace", "create", "fen")
    counted = json.loads(run("ingest", "--json", "--no-vectors", FEN, "--workspace", "fen").stdout)["facts"]
    listed = json.loads(run("list", "predicates", "--json", "--limit", "1000", "--workspace", "fen").stdout)
    assert counted == shown(run, "fen")["facts"] == sum(each["facts"] for each in listed)
    again = json.loads(run("ingest", "--json", "--no-vectors", FEN, "--workspace", "fen").stdout)["facts"]
    assert again == 0


def test_an_import_names_one_count_of_facts_and_it_is_that_of_the_status(run: Run) -> None:
    result = run("ingest", FEN, "--workspace", "fen", "--no-vectors")
    [line] = [each for each in result.output.splitlines() if "facts" in each]
    assert line.split() == ["facts", str(shown(run, "fen")["facts"])]


def test_times_of_a_world_are_shown_with_the_names_of_months_and_eras_wherever_they_are_shown(run: Run) -> None:
    run("ingest", FEN, "--workspace", "fen", "--no-vectors")
    assert shown(run, "fen")["now"] == "112 AL"
    assert "112 AL" in run("workspace", "show", "fen").stdout
    found = run("search", "Lighting of the Mere", "--workspace", "fen").stdout
    assert "       Lighting of the Mere occurred during 1 Thaw 1 AL" in found.splitlines()
    assert "3 Thaw 113 AL" in run("workspace", "set", "now", "3 Thaw 113 AL", "--workspace", "fen").stdout
    assert shown(run, "fen")["now"] == "3 Thaw 113 AL"


def test_a_name_that_nothing_is_known_of_is_answered_with_those_that_resemble_it(run: Run) -> None:
    run("ingest", FEN, "--workspace", "fen", "--no-vectors")
    result = run("relationship", "Corwin Marr", "Ysolde Murr of the Fen", "--workspace", "fen")
    assert result.exit_code == 1
    assert "Ysolde Marr" in result.stderr


def test_files_of_a_world_are_read_as_such_wherever_its_calendar_is(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    (world / "harbour.md").write_text("The harbour is a quiet place.\n", "utf-8")
    page = "---\nentity: {type: City, name: Oss}\n---\n- House Toll RULES Oss (12 Flood 210 AS .. 311 AS)\n"
    (world / "oss.md").write_text(page, "utf-8")
    (world / "zeit.yaml").write_text(
        "calendar: {name: Tides, months: [[Ebb, 30], [Flood, 30]]}\n"
        "eras: [{name: Age of Salt, abbreviation: AS, start: 1}]\n",
        "utf-8",
    )
    first = run("ingest", world, "--workspace", "oss", "--json")
    assert first.exit_code == 0, first.stderr
    assert [each["kind"] for each in json.loads(first.stdout)["files"]] == ["lore", "prose", "lore"]
    assert "since 12 Flood 210 AS" in run("recall", "Who rules Oss?", "--workspace", "oss").stdout
    before = shown(run, "oss")
    assert json.loads(run("ingest", world, "--workspace", "oss", "--json").stdout)["changed"] == 0
    assert shown(run, "oss") == before


def test_a_watched_folder_reads_its_calendar_before_the_pages_that_use_it(run: Run, tmp_path: Path) -> None:
    world = tmp_path / "world"
    world.mkdir()
    (world / "harbour.md").write_text("The harbour is a quiet place.\n", "utf-8")
    (world / "zeit.jsonl").write_text(json.dumps(CALENDAR) + "\n", "utf-8")
    run("workspace", "create", "oss")
    assert run("watch", world, "--once", "--workspace", "oss").exit_code == 0
    before = shown(run, "oss")
    assert run("watch", world, "--once", "--workspace", "oss").output == ""
    assert shown(run, "oss") == before
