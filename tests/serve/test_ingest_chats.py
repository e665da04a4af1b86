"""Chat exports and archives by the command line: kinds told apart, reports, exit codes."""

import base64
import json
import shutil
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.serve.command_line import Run

pytestmark = pytest.mark.usefixtures("no_embeddings")

EXAMPLES = Path(__file__).parents[1] / "ingest" / "chats" / "examples"


def ingest(run: Run, *words: Any, code: int = 0) -> dict[str, Any]:
    result = run("ingest", *words, "--json")
    assert result.exit_code == code, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def memories(run: Run) -> list[str]:
    found = json.loads(run("call", "memory_list", "--json", "{}", "--surface", "entity-core").stdout)
    return sorted(each["id"] for each in found["memories"])


def test_a_folder_of_exports_comes_in_by_kind(run: Run) -> None:
    report = ingest(run, EXAMPLES)
    assert report["kind"] == "chatgpt, claude, kindroid, letta, loom-standard, sillytavern"
    assert {each["kind"] for each in report["files"]} == set(report["kind"].split(", "))
    assert len(report["files"]) == 7
    assert report["conversations"] == {
        "new": 9,
        "grown": 0,
        "changed": 0,
        "unchanged": 1,
        "older": 0,
        "skipped": 0,
    }
    assert report["messages_added"] == 26
    assert "daily-2025-05-14_chatgpt" in memories(run)
    again = ingest(run, EXAMPLES)
    assert (again["conversations"]["unchanged"], again["messages_added"]) == (10, 0)
    assert again["memories"] == {"created": 0, "updated": 0}


def test_json_names_what_was_left_out_of_chats(run: Run, tmp_path: Path) -> None:
    attached = {"file_name": "dog.txt", "file_type": "txt", "extracted_content": "Rex is a dog."}
    said = {"uuid": "m1", "sender": "human", "text": "I live in Ulm.", "attachments": [attached, {"file_name": "b"}]}
    chats = [{"uuid": "c1", "chat_messages": []}, {"uuid": "c2", "chat_messages": [said]}, {"uuid": "c3"}]
    (tmp_path / "conversations.json").write_text(json.dumps(chats))
    report = ingest(run, tmp_path / "conversations.json", code=2)
    [file] = report["files"]
    assert (Path(file["path"]).name, file["kind"], file["records"]) == ("conversations.json", "claude", 1)
    assert file.keys() == {"path", "kind", "records", "facts", "pending", "unread", "text_only", "reason"}
    assert [(each["line"], each["id"]) for each in report["skipped"]] == [(3, "c3")]
    assert any("1 conversations have no message" in each for each in report["warnings"])
    assert any("1 attached files was skipped" in each and "dog.txt" in each for each in report["warnings"])


def test_damaged_messages_of_a_chat_are_counted(run: Run, tmp_path: Path) -> None:
    said = {"uuid": "m1", "sender": "human", "text": "I live in Ulm."}
    claude = [{"uuid": "c1", "chat_messages": [said, "damaged"]}]
    whole = {"id": "m1", "author": {"role": "user"}, "content": {"content_type": "text", "parts": ["I live in Ulm."]}}
    nodes = {
        "root": {"message": None, "parent": None},
        "a": {"message": whole, "parent": "root"},
        "b": {"message": {**whole, "content": None}, "parent": "a"},
    }
    head = {"user_name": "Ada", "character_name": "Wren", "chat_metadata": {}}
    tavern = f'{json.dumps(head)}\n{json.dumps({"name": "Ada", "is_user": True, "mes": "Hello."})}\n{{"name": "Wr\n'
    letta = {"agent_id": "a1", "messages": [{"message_type": "user_message", "content": "I live in Ulm."}, 7]}
    files = {
        "claude.json": json.dumps(claude),
        "chatgpt.json": json.dumps([{"id": "c2", "mapping": nodes, "current_node": "b"}]),
        "sillytavern.jsonl": tavern,
        "letta.json": json.dumps(letta),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        report = ingest(run, tmp_path / name)
        assert (report["kind"], report["messages_added"]) == (name.partition(".")[0], 1)
        assert f"{name}: skipped 1 messages that cannot be read" in report["warnings"]


def test_what_a_zip_holds_next_to_its_conversations_is_named(run: Run, tmp_path: Path) -> None:
    said = {"uuid": "m1", "sender": "human", "text": "I live in Ulm."}
    path = tmp_path / "claude.zip"
    with ZipFile(path, "w") as export:
        export.writestr("data/conversations.json", json.dumps([{"uuid": "c1", "chat_messages": [said]}]))
        export.writestr("data/memories.json", "[]")
        export.writestr("data/.DS_Store", "x")
    report = ingest(run, path)
    assert report["messages_added"] == 1
    assert report["warnings"] == ["claude.zip: skipped 1 files next to the conversations: data/memories.json"]


def test_a_file_whose_lines_were_all_skipped_is_among_the_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text('{"foo": 1}\n{"bar": 2}\n')
    report = ingest(run, tmp_path / "odd.jsonl", code=2)
    [file] = report["files"]
    assert (Path(file["path"]).name, file["kind"], file["records"]) == ("odd.jsonl", "bundle", 0)
    assert file["reason"] == report["skipped"][0]["reason"]


def test_options_reach_the_importer(run: Run) -> None:
    path = EXAMPLES / "sillytavern.jsonl"
    ingest(run, path, "--instance", "attic", "--tz", "Asia/Tokyo", "--since", "2025-08-01")
    assert memories(run) == ["daily-2025-08-18_attic"]


@pytest.mark.parametrize(
    "options", [("--instance", "../x"), ("--since", "soon"), ("--tz", "Mars/Base"), ("--memories", "weekly")]
)
def test_bad_options_are_refused(run: Run, options: tuple[str, str]) -> None:
    assert run("ingest", EXAMPLES / "letta.json", *options).exit_code != 0
    assert memories(run) == []


def test_every_day_that_a_conversation_touches_is_listed(run: Run, tmp_path: Path) -> None:
    days = ("2026-05-01", "2026-05-03", "2026-05-04")
    said = [
        {"uuid": day, "sender": "human", "text": f"We spoke of bees on {day}", "created_at": f"{day}T10:00:00Z"}
        for day in days
    ]
    path = tmp_path / "c.json"
    path.write_text(json.dumps([{"uuid": "c1", "chat_messages": said}]))
    assert ingest(run, path)["memories"] == {"created": 3, "updated": 0}
    assert memories(run) == [f"daily-{day}_claude" for day in days]


def test_a_trial_writes_nothing(run: Run) -> None:
    report = ingest(run, EXAMPLES / "letta.json", "--dry-run")
    assert report["conversations"]["new"] == 1
    assert memories(run) == []
    assert run("ingest", EXAMPLES / "letta.json", "--dry-run").output.endswith("Nothing was stored.\n")
    assert "Nothing was stored" not in run("ingest", EXAMPLES / "letta.json").output


@pytest.mark.parametrize(
    ("example", "broken"),
    [
        ("claude.json", {"uuid": "c9"}),
        ("claude.json", {"id": "c9", "chat_messages": {}}),
        ("chatgpt.json", {"conversation_id": "c9"}),
        ("chatgpt.json", {"id": "c9", "mapping": []}),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place_and_is_exit_2(
    run: Run, tmp_path: Path, example: str, broken: dict[str, Any]
) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps([*json.loads((EXAMPLES / example).read_text())[:2], broken]))
    report = ingest(run, path, code=2)
    assert [(each["file"], each["index"], each["id"]) for each in report["skipped"]] == [("c.json", 2, "c9")]
    assert "c.json:3:" in run("ingest", path).stderr


def test_nothing_that_could_be_read_is_exit_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text('{"chat": [["Moss", "hi"], ["Noor", "hello"]]}')
    report = ingest(run, path, code=1)
    assert report["conversations"]["skipped"] == 1
    assert ingest(run, path, "--assistant", "Moss")["conversations"]["new"] == 1


def test_bundles_and_chats_come_in_together(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    shutil.copy(EXAMPLES / "letta.json", tmp_path / "in")
    (tmp_path / "in" / "b.jsonl").write_text('{"record": {"id": "a", "type": "note", "content": "x"}}')
    assert ingest(run, tmp_path / "in")["lines"] == 2


def archive(run: Run, tmp_path: Path) -> Path:
    day = {"granularity": "daily", "date": "2026-05-12", "instanceId": "psy-desk", "content": "- Noor fired the kiln"}
    run("call", "memory_create", "--json", json.dumps(day), "--surface", "entity-core")
    file = {"category": "self", "filename": "my_wants.md", "content": "To learn knots.\n"}
    run("call", "identity_write", "--json", json.dumps(file), "--surface", "entity-core")
    data = json.loads(run("call", "entity_export", "--json", "{}", "--surface", "entity-core").stdout)["data"]
    path = tmp_path / "me.zip"
    path.write_bytes(base64.b64decode(data))
    return path


@pytest.mark.parametrize("form", ["zip", "folder", "bare", "nested"])
def test_an_archive_of_an_entity_comes_in_however_it_is_packed(
    run: Run, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(run, tmp_path)
    folder = tmp_path / "out"
    with ZipFile(path) as packed:
        packed.extractall(folder)
    chosen = {"zip": path, "folder": folder, "bare": folder / "entity-core", "nested": tmp_path / "n.zip"}[form]
    with ZipFile(tmp_path / "n.zip", "w") as packed:
        for each in (folder / "entity-core").rglob("*"):
            packed.write(each, Path("backup") / each.relative_to(folder))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "other.db"))
    ingest(run, chosen)
    assert memories(run) == ["daily-2026-05-12_psy-desk"]
    files = json.loads(run("call", "identity_get_all", "--json", "{}", "--surface", "entity-core").stdout)
    assert files["self"][0]["content"] == "To learn knots.\n"
    assert ingest(run, chosen)["unchanged"] == 2


def test_a_trial_and_the_import_count_the_facts_that_status_counts(run: Run, tmp_path: Path) -> None:
    chat = {"title": "t", "create_time": 1777802400.0, "mapping": {}, "conversation_id": "c", "current_node": "n"}
    said = {"content_type": "text", "parts": ["My sister Anna lives in Graz. I'm allergic to penicillin."]}
    message = {"id": "m", "author": {"role": "user"}, "create_time": 1777802400.0, "content": said}
    chat["mapping"] = {"n": {"id": "n", "parent": None, "children": [], "message": message}}
    (tmp_path / "conversations.json").write_text(json.dumps([chat]))
    trial, done = (ingest(run, tmp_path / "conversations.json", *more) for more in (["--dry-run"], []))
    stored = json.loads(run("status", "--json").stdout)["facts"]
    assert stored > 0
    assert "I am allergic to penicillin" in run("recall", "what am I allergic to").output
    assert [each["facts"] for each in (trial, done)] == [stored, stored]
    assert [each["files"][0]["facts"] for each in (trial, done)] == [stored, stored]
    (tmp_path / "again.json").write_text(json.dumps([{**chat, "conversation_id": "d"}]))
    assert "facts           0" in run("ingest", tmp_path / "again.json").output
