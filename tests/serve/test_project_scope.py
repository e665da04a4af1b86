"""A server that works in a project: the scope of its hooks, with the personal memory beside the project's."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect.serve.hooks.events import answer_event
from recollect.serve.hooks.payload import HookInput
from recollect.serve.open_store import OpenStore
from recollect.serve.projects import find_project, folder_of_session
from recollect.settings import Settings
from recollect.surfaces.declarations import Answer
from recollect.surfaces.dispatch import call
from recollect.surfaces.registry import find_surface
from tests.support.processes import LONGEST_WAIT, environment

Json = dict[str, Any]
Ask = Callable[..., Json]
PROJECT = "acme-1"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenStore]:
    given = {"RECOLLECT_DB": str(tmp_path / "memory.db"), "RECOLLECT_EMBED_MODEL": "none"}
    with OpenStore(Settings(environment=given)) as store:
        yield store


def asking(opened: OpenStore, project: str | None) -> Callable[..., Answer]:
    caller = opened.local if project is None else opened.local.in_project(project)

    def ask(verb: str, **arguments: Any) -> Answer:
        return call(find_surface("recollect").find(verb), lambda tool: opened.open_for(caller, tool), arguments)

    return ask


@pytest.fixture
def ask(opened: OpenStore) -> Ask:
    """Calls a tool in the project; its result."""
    inner = asking(opened, PROJECT)

    def result(verb: str, **arguments: Any) -> Json:
        answer = inner(verb, **arguments)
        assert not answer.is_error, answer.structured
        return dict(answer.structured)

    return result


@pytest.fixture
def personal(opened: OpenStore) -> Ask:
    inner = asking(opened, None)
    return lambda verb, **arguments: dict(inner(verb, **arguments).structured)


def texts(result: Json) -> list[str]:
    return [each["text"] for each in result["results"]]


def test_recall_reads_the_project_then_the_personal_memory_and_says_which(
    ask: Ask, personal: Ask, opened: OpenStore
) -> None:
    personal("remember", text="Lena lives in Porto.")
    ask("remember", text="Lena works at Acme.")
    found = ask("recall", query="Lena", kinds=["facts"])
    assert texts(found) == ["Lena works at Acme", "Lena lives in Porto"]
    assert [each.get("workspace") for each in found["results"]] == [None, "default"]
    text = asking(opened, PROJECT)("recall", query="Lena", kinds=["facts"]).texts[0]
    assert text.index("works at Acme") < text.index("Personal (workspace default):") < text.index("Porto")


def test_what_is_remembered_in_a_project_is_the_projects(ask: Ask, personal: Ask, opened: OpenStore) -> None:
    ask("remember", text="Lena works at Acme.")
    assert personal("recall", query="Lena")["results"] == []
    other = asking(opened, "other-2")("recall", query="Lena")
    assert other.structured["results"] == []


def test_reading_creates_no_workspace(ask: Ask, opened: OpenStore) -> None:
    assert ask("recall", query="Lena")["results"] == []
    assert opened.project(PROJECT) is None


def test_ids_of_both_memories_are_accepted_and_undo_follows_the_last_change(ask: Ask, personal: Ask) -> None:
    own = ask("remember", text="Lena works at Acme.")["facts"][0]["id"]
    theirs = personal("remember", text="Tom lives in Porto.")["facts"][0]["id"]
    assert ask("correct", fact=own, mode="ended").get("workspace") is None
    ended = ask("correct", fact=theirs, mode="ended")
    assert ended["workspace"] == "default"
    undone = ask("undo")
    assert (undone["workspace"], undone["undone"]) == ("default", ended["undo"])
    assert personal("recall", query=theirs)["results"][0]["state"] == "current"
    assert "workspace" not in ask("undo")
    assert ask("recall", query=own)["results"][0]["state"] == "current"


def test_undo_in_a_project_never_takes_back_what_others_did_in_the_personal_memory(
    personal: Ask, opened: OpenStore
) -> None:
    personal("remember", text="Tom lives in Porto.")
    refused = asking(opened, PROJECT)("undo")
    assert refused.is_error
    assert len(personal("recall", query="Tom", kinds=["facts"])["results"]) == 1


def test_a_number_that_both_workspaces_gave_in_a_session_is_refused(ask: Ask, personal: Ask, opened: OpenStore) -> None:
    theirs = personal("remember", text="Tom lives in Porto.")["facts"][0]["id"]
    ask("remember", text="Lena works at Acme.")
    number = ask("correct", fact=theirs, mode="ended")["undo"]
    assert ask("remember", text="Lena likes tea.")["undo"] == number
    refused = asking(opened, PROJECT)("undo", transaction=number)
    assert refused.structured["error"]["field"] == "transaction"


def test_a_hook_and_the_server_of_a_folder_have_one_scope(tmp_path: Path, opened: OpenStore) -> None:
    folder = tmp_path / "acme"
    (folder / ".git").mkdir(parents=True)
    project = find_project(folder_of_session({"CLAUDE_PROJECT_DIR": str(folder)}))
    assert project is not None
    ask = asking(opened, project.workspace)
    told = ask("remember", text="We decided to use Postgres for the billing service.", about="acme").structured
    shown = answer_event(opened, HookInput("user-prompt", "x", "s", str(folder), "which database has billing service"))
    assert told["facts"][0]["id"] in shown


def test_stdio_with_project_serves_the_workspace_that_the_project_file_names(tmp_path: Path) -> None:
    folder = tmp_path / "novel"
    folder.mkdir()
    (folder / ".recollect.toml").write_text('workspace = "the-novel"\n')
    given = {"RECOLLECT_DB": str(tmp_path / "m.db"), "RECOLLECT_EMBED_MODEL": "none", "HOME": str(tmp_path)}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    remember = {"name": "remember", "arguments": {"text": "Lena works at Acme."}}
    messages: list[Json] = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": remember},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in messages)
    command = [sys.executable, "-m", "recollect", "stdio", "--project"]
    known = {**environment(tmp_path), **given}
    subprocess.run(
        command, input=lines, text=True, cwd=folder, env=known, timeout=LONGEST_WAIT, check=True, capture_output=True
    )
    with OpenStore(Settings(environment=given)) as store:
        found = store.project("the-novel")
        assert found is not None
        with found.read() as view:
            assert view.last_tx == 1
