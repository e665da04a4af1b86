"""Records on the command line: taken in, watched, evaluated; experts listed, checked and begun."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.serve.command_line import Run

pytestmark = pytest.mark.usefixtures("no_embeddings")

EVALS = Path(__file__).parents[2] / "evals" / "extraction"
MAIL = b"From: Kim <kim@x.example>\nDate: Wed, 11 Mar 2026 09:00:00 +0000\nMessage-ID: <%d@x>\n\nI will go.\n"


def facts(run: Run, name: str) -> list[Any]:
    answer = run("call", "get_facts", "--surface", "pearscarf", "--json", json.dumps({"entity": name}))
    assert answer.exit_code == 0, answer.output
    found: list[Any] = json.loads(answer.stdout)["facts"]
    return found


def test_mail_seed_and_notes_are_told_apart_and_seen_through_a_surface(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(MAIL % 1)
    (tmp_path / "seed.md").write_text("# Projects\nKite\n# People\nAda\nnobody | x | y\n", "utf-8")
    (tmp_path / "note.md").write_text("---\nauthor: Ada\n---\nWe decided to sell Kite.\n", "utf-8")
    result = run("ingest", "a.eml", "seed.md", "note.md")
    assert result.exit_code == 2
    assert "seed.md:5:" in result.stderr
    [decision] = [each for each in facts(run, "Ada") if each["fact_type"] == "decision"]
    assert decision["fact"] == "Ada: We decided to sell Kite."
    assert decision["to_entity"] == {"name": "Kite", "type": "Project"}
    assert (decision["quote"], decision["extracted_by"], decision["source_url"]) == (
        "We decided to sell Kite.",
        "rules",
        None,
    )
    kinds = sorted((each["edge_label"], each["fact_type"], each["confidence"]) for each in facts(run, "Kim"))
    assert kinds == [("AFFILIATED", "employee", "inferred"), ("ASSERTED", "commitment", "stated")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
def test_text_is_read_whatever_its_byte_order_mark_says(run: Run, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "seed.md").write_bytes("\ufeff## Projects\nKüche\n".encode(encoding))
    (tmp_path / "note.txt").write_bytes("\ufeffAuthor unknown. Ölpreise steigen.".encode(encoding))
    (tmp_path / "list").write_bytes("\ufeffein Blatt ohne Endung".encode(encoding))
    (tmp_path / "world.yaml").write_bytes("\ufeffentities:\n- {name: Brün, type: Location}\n".encode(encoding))
    result = run("ingest", "seed.md", "note.txt", "list", "world.yaml")
    assert result.exit_code == 0, result.output
    for name, type_ in (("Küche", "Project"), ("Brün", "Location")):
        found = run("call", "find_entity", "--json", json.dumps({"name": name}))
        assert json.loads(found.stdout)["entity"]["type"] == type_
    for words in ("Ölpreise", "Blatt"):
        assert words in run("search", words).stdout


def test_a_watched_folder_is_taken_in_as_it_grows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.eml").write_bytes(MAIL % 1)
    assert "1 new or changed" in run("watch", "in", "--once").output
    assert run("watch", "in", "--once", "--json").output == ""
    (tmp_path / "in" / "2.eml").write_bytes(MAIL % 2)
    (tmp_path / "in" / "bad.jsonl").write_text("{\n", "utf-8")
    result = run("watch", "in", "--once")
    assert "1 new or changed" in result.stdout
    assert "bad.jsonl:1:" in result.stderr


def test_links_that_lead_back_and_pipes_are_passed_over(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / f"{name}.txt").write_text(f"Note {name}.", "utf-8")
    (tmp_path / "in" / "one" / "up").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "one" / "across").symlink_to(tmp_path / "in" / "two")
    (tmp_path / "in" / "two" / "across").symlink_to(tmp_path / "in" / "one")
    (tmp_path / "in" / "gone").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "in" / "pipe")
    taken = json.loads(run("ingest", "in", "--json").stdout)
    assert (taken["lines"], taken["skipped"]) == (2, [])
    assert run("watch", "in", "--once").exit_code == 0


def test_a_watched_folder_is_told_as_json_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "1.eml").write_bytes(MAIL % 1)
    (tmp_path / "in" / "bad.jsonl").write_text("{\n", "utf-8")
    told = [json.loads(line) for line in run("watch", "in", "--once", "--json").stdout.splitlines()]
    assert [(Path(each["path"]).name, each["changed"], len(each["skipped"])) for each in told] == [
        ("1.eml", 1, 0),
        ("bad.jsonl", 0, 1),
    ]


def test_an_evaluation_prints_a_table_or_json_and_has_exit_codes(run: Run, tmp_path: Path) -> None:
    table = run("eval", "extraction", str(EVALS / "development.jsonl"))
    assert table.exit_code == 0
    assert "noise rejection: 1.0000" in table.output
    first = (EVALS / "development.jsonl").read_text("utf-8").splitlines()[:5]
    (tmp_path / "first.jsonl").write_text("\n".join(first), "utf-8")
    found = json.loads(run("eval", "extraction", "first.jsonl", "--json").stdout)
    assert list(found) == [
        "dataset",
        "extractor",
        "records",
        "facts",
        "per_label",
        "noise_rejection",
        "entity_resolution",
        "temporal",
        "dropped_ungrounded",
        "misses",
        "extras",
        "warnings",
    ]
    hard = {
        "record": {"id": "x"},
        "expected": {"facts": [{"edge_label": "ASSERTED", "fact_type": "goal", "from": "A"}]},
    }
    (tmp_path / "hard.jsonl").write_text(json.dumps(hard), "utf-8")
    assert run("eval", "extraction", "hard.jsonl", "--min-f1", "0.5").exit_code == 1
    assert run("eval", "extraction", "hard.jsonl").exit_code == 0
    (tmp_path / "bad.jsonl").write_text("nothing", "utf-8")
    assert run("eval", "extraction", "bad.jsonl").exit_code == 2
    assert run("eval", "extraction", "missing.jsonl").exit_code == 2
    assert not (tmp_path / "memory.db").exists()


def test_an_expert_is_begun_and_checked(run: Run, tmp_path: Path) -> None:
    assert run("expert", "new", "tickets").exit_code == 0
    assert run("expert", "new", "tickets").exit_code == 1
    assert run("expert", "new", "Bad Name").exit_code == 1
    assert run("expert", "check", "expert-tickets").exit_code == 0
    code = tmp_path / "expert-tickets" / "src" / "recollect_expert_tickets" / "__init__.py"
    assert '"record_types": ["tickets"]' in code.read_text("utf-8")
    (tmp_path / "expert-broken").mkdir()
    (tmp_path / "expert-broken" / "pyproject.toml").write_text(
        '[project.entry-points."recollect.experts"]\nbroken = "no_module_of_this_name:X"\n', "utf-8"
    )
    assert run("expert", "check", "expert-broken").exit_code == 1
    assert run("expert", "check", "nobody").exit_code == 1
    assert run("expert", "list").exit_code == 0


def test_two_mails_that_state_the_same_count_its_facts_once(run: Run, tmp_path: Path) -> None:
    mails = "".join(
        f"From x Mon Nov  9 10:00:00 2026\nFrom: Jonas Weil <jonas@harbor.example>\nTo: ada@brandt.example\n"
        f"Message-ID: <{number}@harbor.example>\nDate: Mon, 9 Nov 2026 10:0{number}:00 +0000\nSubject: Launch\n\n"
        "We decided to move the launch to 2 December.\n\n"
        for number in range(3)
    )
    (tmp_path / "in.mbox").write_text(mails)
    told = json.loads(run("ingest", str(tmp_path / "in.mbox"), "--json").stdout)
    stored = json.loads(run("status", "--json").stdout)["facts"]
    assert (told["facts"], told["files"][0]["facts"], told["files"][0]["text_only"]) == (stored, stored, False)


def test_open_items_counts_what_is_overdue_among_the_open(run: Run) -> None:
    run("remember", "I'll send Lena the photos by 2020-05-01. I'll call Tom by 2090-05-01.")
    assert run("open-items").output.startswith("2 open, 1 of them overdue, 0 done")
