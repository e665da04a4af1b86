"""A folder of files that people have: what an import would do, what it did, and again nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from recollect.importers.formats import FORMATS, format_named
from tests.serve.command_line import Run

pytestmark = pytest.mark.usefixtures("no_embeddings")

FILES = Path(__file__).parents[1] / "ingest" / "formats" / "files"


def counted(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_dry_run_shows_each_file_a_sample_and_what_is_refused(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in ("jira.json", "contacts.vcf"):
        (folder / name).write_bytes((FILES / name).read_bytes())
    (folder / "colours.json").write_text('{"colour": "green"}')
    result = run("ingest", folder, "--dry-run")
    assert result.exit_code == 2
    assert (
        "contacts.vcf: vcard, 3 new or changed, 10 facts\njira.json: jira, 3 new or changed, 5 facts\n" in result.stdout
    )
    assert "  Tom Reyes: I will test cork next week.\n" in result.stdout
    assert result.stdout.endswith("Nothing was stored.\n")
    assert "colours.json: is JSON of no known shape" in result.stderr
    assert counted(run("status", "--json"))["tx"] == 0
    trial = counted(run("ingest", folder, "--dry-run", "--json"))
    assert (trial["dry_run"], trial["new"]["documents"], len(trial["files"])) == (True, 6, 3)


def test_a_dry_run_says_what_the_import_then_does(run: Run, tmp_path: Path) -> None:
    memories = [
        {"id": id_, "memory": "Likes tea", "created_at": "2026-01-01T00:00:00Z", "user_id": "juno"}
        for id_ in ("a", "b")
    ]
    (tmp_path / "mem0.json").write_text(json.dumps(memories))
    (tmp_path / "memory.jsonl").write_text('{"type": "entity", "name": "", "entityType": "x", "observations": []}\n')
    tried = run("ingest", tmp_path / "mem0.json", tmp_path / "memory.jsonl", "--dry-run", "--json")
    done = run("ingest", tmp_path / "mem0.json", tmp_path / "memory.jsonl", "--json")
    told = ("lines", "changed", "unchanged", "facts", "skipped", "files")
    assert [counted(tried)[key] for key in told] == [counted(done)[key] for key in told]
    assert (tried.exit_code, done.exit_code, counted(done)["facts"]) == (2, 2, 1)


def test_the_page_about_imports_lists_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "import.md").read_text("utf-8")
    rows = [f"| `{each.name}` | {each.description} | {each.follows} |" for each in FORMATS]
    assert [row for row in rows if row not in page] == []


def test_a_folder_of_everything_is_taken_once_and_reported_by_file(run: Run) -> None:
    first = run("ingest", FILES, "--json")
    assert first.exit_code == 0, first.output
    taken = counted(first)
    assert (taken["lines"], taken["changed"], taken["skipped"]) == (69, 67, [])
    kinds = {each["kind"] for each in taken["files"]}
    assert len(kinds) == 13
    assert all(
        each.keys() == {"path", "kind", "records", "facts", "pending", "unread", "text_only", "reason"}
        for each in taken["files"]
    )
    again = counted(run("ingest", FILES, "--json"))
    assert (again["changed"], again["unchanged"], again["facts"]) == (0, 69, 0)


def test_a_trial_of_a_family_tree_tells_dates(run: Run) -> None:
    tried = run("ingest", Path(__file__).parents[2] / "examples/family/thornbury.ged", "--dry-run")
    assert "Karl Thornbury was born (" in tried.output


def test_an_object_over_several_lines_is_told_what_a_line_must_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text(
        '{"record": {"id": "a", "type": "email", "source_at": "2026-03-14"},\n "facts": []}\n'
    )
    assert "one whole object" in run("ingest", tmp_path / "b.jsonl").stderr


def test_a_format_is_still_taken_by_its_earlier_name() -> None:
    assert format_named("told").name == "prose"
