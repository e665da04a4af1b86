"""What an issue asks for is nobody's promise; what its author says of themselves is."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.ingest.formats.importing import Imported

from recollect.memory import Memory
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface

AT = "2026-05-01T10:00:00Z"


@pytest.fixture(params=["sqlite"])
def engine_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def github_issue(body: str) -> dict[str, Any]:
    url = "https://api.github.com/repos/acme/web/issues/7"
    user = {"login": "mira", "type": "User"}
    times = {"created_at": AT, "updated_at": AT}
    return {"url": url, "number": 7, "id": 1, "title": "Parser", "user": user, "state": "open", "body": body, **times}


def github_comment(body: str) -> dict[str, Any]:
    urls = {"html_url": "https://github.com/acme/web/issues/7#issuecomment-9"}
    return {**urls, "id": 9, "user": {"login": "mira"}, "created_at": AT, "updated_at": AT, "body": body}


def linear_issue(body: str) -> dict[str, Any]:
    state = {"name": "Todo", "type": "unstarted"}
    url, times = "https://linear.app/acme/issue/ENG-7/x", {"createdAt": AT, "updatedAt": AT}
    about = {"id": "a1", "identifier": "ENG-7", "title": "Parser", "description": body, "url": url, **times}
    return {**about, "creator": {"name": "mira"}, "assignee": None, "state": state}


def jira_issue(body: str) -> dict[str, Any]:
    stamp = "2026-05-01T10:00:00.000+0000"
    fields = {"summary": "Parser", "description": body, "reporter": {"displayName": "mira"}, "created": stamp}
    fields |= {"updated": stamp, "status": {"name": "To Do"}, "issuetype": {"name": "Bug"}}
    return {"key": "ENG-7", "id": "1", "self": "https://x.atlassian.net/rest/api/2/issue/1", "fields": fields}


def open_items(memory: Memory, tmp_path: Path, item: dict[str, Any]) -> list[tuple[str, str | None, str]]:
    path = tmp_path / "items.json"
    path.write_text(json.dumps([item]), "utf-8")
    Imported(memory, path)
    listed = call(find_surface("recollect").find("open_items"), lambda _: memory, {}).structured
    return [(each["kind"], each.get("owner"), each["text"]) for each in listed["items"]]


@pytest.mark.parametrize("make", [github_issue, github_comment, linear_issue, jira_issue])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Add a test for the parser.", [("request", None, "mira: Add a test for the parser.")]),
        ("Fix the login page.", [("request", None, "mira: Fix the login page.")]),
        ("- [ ] Remove the old flag", [("request", None, "mira: Remove the old flag")]),
        ("TODO: write docs", [("request", None, "mira: write docs")]),
        ("I will send a patch.", [("commitment", "mira", "mira: I will send a patch.")]),
        ("- [ ] I'll send a patch", [("commitment", "mira", "mira: I'll send a patch")]),
        ("- [ ] I have read the contributing guide", []),
        ("1. Open the page\n2. Run the tests\n3. See the error", []),
        ("## Steps to reproduce\n\n- Open the page\n\n## Expected behaviour\n\nSave the form.", []),
    ],
)
def test_what_an_issue_asks_for_is_no_promise_of_its_author(
    memory: Memory, tmp_path: Path, make: Any, body: str, expected: list[tuple[str, str | None, str]]
) -> None:
    assert open_items(memory, tmp_path, make(body)) == expected
