"""JSON of GitHub, Linear and Jira becomes records with their authors, times, threads and changes."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from tests.ingest.formats.importing import FILES, Imported, documents, facts, fields_of, text_of

from recollect.memory import Memory

GITHUB_FILES = ("github_issues.json", "github_comments.json", "github_events.json", "gh_list.json")


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("name", "kind", "records"),
    [
        ("github_issues.json", "github", 3),
        ("github_comments.json", "github", 3),
        ("github_events.json", "github", 6),
        ("gh_list.json", "github", 2),
        ("linear.json", "linear", 7),
        ("jira.json", "jira", 3),
    ],
)
def test_each_file_is_recognised_counted_and_taken_once(memory: Memory, name: str, kind: str, records: int) -> None:
    taken = Imported(memory, FILES / name)
    assert taken.kinds == [kind]
    assert (taken.counts[0], taken.skipped) == (records, [])
    again = Imported(memory, FILES / name)
    assert again.counts == (records, 0, records)


def test_an_issue_keeps_its_fields_and_the_words_of_its_author(memory: Memory) -> None:
    Imported(memory, FILES / "github_issues.json")
    issue = documents(memory)["github:acme/kettle#7"]
    assert (issue.type, issue.author, issue.url) == (
        "github_issue",
        "mira-ok",
        "https://github.com/acme/kettle/issues/7",
    )
    fields = fields_of(memory, "github:acme/kettle#7")
    assert fields["closed_by"] == "jonas-b"
    assert fields["labels"] == ["bug"]
    assert text_of(memory, "github:acme/kettle#7").startswith("The lid drips")
    assert facts(memory) == {
        "mira-ok: I will send photos by Friday.",
        "jonas-b resolved issue #7 (Lid leaks when tilted) in acme/kettle",
        "jonas-b contributes to acme/kettle",
        "jonas-b completed pull request #9 (Thicker gasket) in acme/kettle",
    }


@pytest.mark.parametrize("order", list(permutations(GITHUB_FILES))[::7])
def test_files_of_one_repository_add_up_in_any_order(memory: Memory, order: tuple[str, ...]) -> None:
    for name in order:
        Imported(memory, FILES / name)
    assert sorted(key for key, each in documents(memory).items() if each.type in ("github_issue", "github_pr")) == [
        "github:acme/kettle#10",
        "github:acme/kettle#7",
        "github:acme/kettle#8",
        "github:acme/kettle#9",
    ]
    assert {
        "Jonas Berg: I will order a thicker gasket tomorrow.",
        "Jonas Berg changed state of acme/kettle#7 (Lid leaks when tilted) from open to closed",
        "Mira Okafor changed state of acme/kettle#7 (Lid leaks when tilted) from closed to open",
        "Mira Okafor approved acme/kettle#9 (Thicker gasket)",
    } <= facts(memory)
    assert fields_of(memory, "github:acme/kettle#7")["state"] == "closed", "an older version replaced a newer one"


def test_without_a_name_nobody_is_said_to_have_closed_an_issue(memory: Memory) -> None:
    Imported(memory, FILES / "gh_list.json")
    assert not any("resolved" in each for each in facts(memory))


def test_events_that_change_nothing_are_counted(memory: Memory) -> None:
    assert Imported(memory, FILES / "github_events.json").warnings == ["github_events.json: skipped 1 WatchEvents"]


def test_pages_of_results_one_after_the_other_are_one_file(memory: Memory, tmp_path: Path) -> None:
    issues = json.loads((FILES / "github_issues.json").read_text("utf-8"))
    pages = tmp_path / "pages.json"
    pages.write_text(json.dumps(issues[:2]) + json.dumps({"total_count": 1, "items": issues[2:]}), "utf-8")
    assert Imported(memory, pages).counts == (3, 3, 0)
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join(map(json.dumps, issues)), "utf-8")
    assert Imported(memory, lines).counts == (3, 0, 3)


def test_a_file_that_ends_in_the_middle_gives_what_is_whole(memory: Memory, tmp_path: Path) -> None:
    text = (FILES / "github_issues.json").read_text("utf-8")
    cut = tmp_path / "cut.json"
    cut.write_text(text[: text.index('"number": 10')], "utf-8")
    taken = Imported(memory, cut)
    assert taken.counts[1] == 2
    assert "cannot be read beyond this point" in taken.skipped[0]


def test_what_is_no_object_in_an_answer_of_linear_is_counted(memory: Memory, tmp_path: Path) -> None:
    issue = {"identifier": "ENG-1", "title": "Login loops", "createdAt": "2026-10-01T10:00:00.000Z"}
    path = tmp_path / "issues.json"
    path.write_text(json.dumps({"data": {"issues": {"nodes": [issue, {"identifier": "ENG-2"}, "damaged"]}}}))
    taken = Imported(memory, path)
    assert taken.counts == (1, 1, 0)
    assert taken.warnings == ["issues.json: skipped 2 objects that are not issues or comments"]


def test_linear_issues_come_with_comments_and_history(memory: Memory) -> None:
    taken = Imported(memory, FILES / "linear.json")
    assert taken.warnings == ["linear.json: skipped 1 changes of labels, descriptions or relations"]
    assert {
        "Dana Cole: I'll check the encoder by Thursday.",
        "Lee Park: We decided to switch to UTF-8 everywhere.",
        "Lee Park works on Lumen Audit",
        "Lee Park changed status of ENG-12 (Export drops umlauts) from In Progress to Done",
        "Lee Park changed assignee of ENG-12 (Export drops umlauts) to Lee Park",
    } <= facts(memory)


def test_jira_issues_come_with_comments_and_changelog(memory: Memory) -> None:
    taken = Imported(memory, FILES / "jira.json")
    assert taken.warnings == ["jira.json: skipped 1 changes of Rank"]
    assert text_of(memory, "jira:KET-4") == "The handle reaches 60 degrees.\n- @Tom Reyes please measure it."
    assert documents(memory)["jira:KET-4"].url == "https://acme.atlassian.example/browse/KET-4"
    assert {
        "Tom Reyes: I will test cork next week.",
        "Tom Reyes changed status of KET-4 (Handle gets hot) from In Progress to Done",
        "Tom Reyes works on Kettle",
    } <= facts(memory)
