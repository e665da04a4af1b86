"""Session files of coding agents."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from recollect.importers.formats import detect_format, read_sample, scan_path
from recollect.importers.transcripts import IgnoreRules, import_transcript
from recollect.ingest.transcripts.messages import read_messages
from recollect.ingest.transcripts.turns import Turn, read_turns
from recollect.memory import Memory

SESSION = "5b1f"
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def claude(role: str, content: Any, uuid: str, **more: Any) -> str:
    line = {
        "type": role,
        "uuid": uuid,
        "sessionId": SESSION,
        "cwd": "/home/ada/acme-web",
        "timestamp": "2026-05-18T09:00:00.000Z",
        "message": {"role": role, "content": content},
    }
    return json.dumps(line | more) + "\n"


def tool(name: str, **given: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": name, "input": given}


FIRST = (
    claude("user", f"Make the login faster. We decided to use Redis for sessions. My token is {TOKEN}", "u1")
    + claude("assistant", [{"type": "text", "text": "Looking."}, tool("Bash", command="pytest -q tests")], "a1")
    + claude("user", [{"type": "tool_result", "content": "x" * 5_000}], "r1")
    + claude("assistant", [tool("Edit", file_path="/home/ada/acme-web/src/login.py", old_string="a")], "a2")
    + claude("user", "<command-name>/clear</command-name>", "m1", isMeta=True)
    + claude("assistant", [{"type": "text", "text": "Login takes 80 ms now; the session lookup was slow."}], "a3")
)
SECOND = claude("user", "Always run ruff before a commit. <private>my salary is 9</private>", "u2")


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def turns_of(path: Path) -> list[Turn]:
    return list(read_turns(read_messages(path, Counter())[1]))


def texts(memory: Memory) -> list[str]:
    """Every passage that is stored, in the order of the records."""
    with memory.read() as view:
        keys = [f"claude-code:{SESSION}:{id_}" for id_ in ("u1", "u2")]
        documents = [view.document_named("record", key) for key in keys]
        return [view.text_of(each) or "" for each in documents if each is not None]


def claims(memory: Memory) -> set[tuple[str, str | None]]:
    with memory.read() as view:
        [entity] = view.entities_of_types({"project"}, 5)
        return {(fact.predicate, fact.literal) for fact in view.facts_touching(entity.id)}


def test_a_turn_has_the_request_the_conclusion_files_and_commands(memory: Memory, tmp_path: Path) -> None:
    result = import_transcript(memory, write(tmp_path / f"{SESSION}.jsonl", FIRST))
    [text] = texts(memory)
    assert text.split("\n\n") == [
        "Asked: Make the login faster. We decided to use Redis for sessions. My token is [redacted]",
        "Concluded: Login takes 80 ms now; the session lookup was slow.",
        "Files changed: src/login.py",
        "Commands: pytest -q tests",
        "Tool output: 5002 bytes, not stored",
    ]
    assert result.warnings == [f"{SESSION}.jsonl: 1 secret was redacted"]


def test_decisions_and_conventions_become_facts_of_the_project(memory: Memory, tmp_path: Path) -> None:
    import_transcript(memory, write(tmp_path / f"{SESSION}.jsonl", FIRST + SECOND))
    expected = {
        ("decision", "We decided to use Redis for sessions."),
        ("convention", "Always run ruff before a commit."),
    }
    assert claims(memory) == expected


def test_the_same_file_again_changes_nothing_and_a_longer_one_adds_what_is_new(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path / f"{SESSION}.jsonl", FIRST)
    first = import_transcript(memory, path)
    again = import_transcript(memory, path)
    longer = import_transcript(memory, write(path, FIRST + SECOND))
    assert [each.tally.changed for each in (first, again, longer)] == [1, 0, 1]
    assert len(texts(memory)) == 2


def test_a_turn_that_has_grown_is_updated(memory: Memory, tmp_path: Path) -> None:
    path = write(tmp_path / f"{SESSION}.jsonl", FIRST[: FIRST.index('{"type": "assistant"')])
    import_transcript(memory, path)
    assert import_transcript(memory, write(path, FIRST)).tally.changed == 1
    assert len(texts(memory)) == 1
    assert claims(memory) == {("decision", "We decided to use Redis for sessions.")}


def test_private_passages_and_recalled_memory_are_not_stored(memory: Memory, tmp_path: Path) -> None:
    injected = "<recollect-memory>\n- an old fact [f_1]\n</recollect-memory>\nWhat is next?"
    import_transcript(memory, write(tmp_path / "a.jsonl", claude("user", injected, "u1") + SECOND))
    stored = "\n".join(texts(memory))
    assert "What is next?" in stored
    assert "salary" not in stored
    assert "old fact" not in stored


def test_ignored_paths_and_patterns_are_not_stored(memory: Memory, tmp_path: Path) -> None:
    text = claude("user", "Deploy to prod-7 now please", "u1") + claude(
        "user", "Edit the file for me", "u2", cwd=str(tmp_path)
    )
    text += claude("assistant", [tool("Write", file_path=str(tmp_path / "b.txt"))], "a2")
    text += claude("assistant", [{"type": "text", "text": "Done, as in secrets/a.txt."}], "a3")
    write(tmp_path / ".recollectignore", "# mine\nsecrets/\n")
    ours = memory.with_parts(settings=memory.settings.for_workspace({"hook.ignore": r"re:prod-\d"}))
    import_transcript(ours, write(tmp_path / "a.jsonl", text))
    [stored] = texts(memory)
    assert "Files changed: b.txt" in stored
    assert "secrets" not in stored


@pytest.mark.parametrize("asked", ["Change it", "Look at secrets/pw.txt please", "See @secrets/pw.txt."])
@pytest.mark.parametrize(
    "call",
    [
        tool("Edit", file_path="/home/ada/acme-web/secrets/pw.txt"),
        tool("Read", file_path="/home/ada/acme-web/secrets/pw.txt"),
        tool("Write", file_path="/home/ada/acme-web/a/b/key.pem"),
        tool("Bash", command="cat secrets/pw.txt | wc"),
        tool("Bash", command="FILE='secrets/pw.txt' make"),
    ],
)
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_request_that_touches_an_ignored_path_is_left_out_as_a_whole(
    memory: Memory, tmp_path: Path, asked: str, call: dict[str, Any], start: str
) -> None:
    text = claude("user", asked, "u1", cwd=str(tmp_path))
    text += claude("assistant", [{"type": "text", "text": "Done."}, call], "a1")
    text += claude("user", "Fix version 1.2 of the page", "u2", cwd=str(tmp_path))
    write(tmp_path / ".recollectignore", start + "secrets/\r\n*.pem\r\n")
    import_transcript(memory, write(tmp_path / "a.jsonl", text))
    assert [each[:10] for each in texts(memory)] == ["Asked: Fix"]


@pytest.mark.parametrize("folder", ["/home/ada/acme-web", "acme-web", "ada/*"])
def test_an_ignored_folder_is_not_stored_at_all(memory: Memory, tmp_path: Path, folder: str) -> None:
    ours = memory.with_parts(settings=memory.settings.for_workspace({"hook.ignore": folder}))
    assert import_transcript(ours, write(tmp_path / "a.jsonl", FIRST)).tally.lines == 0


def test_an_invalid_pattern_excludes_everything() -> None:
    assert not IgnoreRules(("re:(",)).accepts("anything")


CODEX = [
    {"type": "session_meta", "payload": {"id": "c1", "cwd": "/home/ada/acme-web"}},
    {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "<environment_context>x</environment_context>"}]}},
    {"type": "response_item", "payload": {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "Add a test"}]}},
    {"type": "response_item", "payload": {"type": "function_call", "name": "shell",
        "arguments": '{"command": ["pytest", "-q"]}'}},
    {"type": "response_item", "payload": {"type": "custom_tool_call", "name": "apply_patch",
        "input": "*** Begin Patch\n*** Update File: a.py\n"}},
    {"type": "response_item", "payload": {"type": "function_call_output", "output": "ok"}},
    {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [
        {"type": "output_text", "text": "Added."}]}},
]  # fmt: skip
GEMINI = {
    "sessionId": "g1",
    "messages": [
        {"id": "1", "type": "user", "timestamp": "2026-05-18T09:00:00Z", "content": "Add a test"},
        {
            "id": "2",
            "type": "gemini",
            "content": "Added.",
            "toolCalls": [
                {"name": "run_shell_command", "args": {"command": "pytest -q"}, "result": "ok"},
                {"name": "write_file", "args": {"file_path": "a.py"}, "result": ""},
            ],
        },
    ],
}


@pytest.mark.parametrize("agent", ["codex", "gemini"])
def test_session_files_of_other_agents_are_read_alike(memory: Memory, tmp_path: Path, agent: str) -> None:
    if agent == "codex":
        lines = "\n".join(map(json.dumps, CODEX))
        path = write(tmp_path / "rollout-2026-05-18-c1.jsonl", lines)
    else:
        path = write(tmp_path / "session-2026-05-18.json", json.dumps(GEMINI))
    assert detect_format(read_sample(memory, path)).name == "transcript"
    [turn] = turns_of(path)
    assert (turn.prompt, turn.conclusion, turn.files, turn.commands) == (
        "Add a test",
        "Added.",
        ["a.py"],
        ["pytest -q"],
    )


HEAD = {"sessionId": "g1", "projectHash": "f" * 64, "startTime": "2026-09-28T10:00:00.000Z", "kind": "main"}


def said(id_: str, type_: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": id_, "timestamp": "2026-09-28T10:00:00.000Z", "type": type_, "content": [{"text": text}], **more}


def gemini_log(tmp_path: Path, *records: Any, name: str = "chats/session-2026-09-28T10-00-7c1f0a3e.jsonl") -> Path:
    write(tmp_path / ".gemini" / "tmp" / "acme" / ".project_root", "/home/ada/acme-web\n")
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    return write(tmp_path / ".gemini" / "tmp" / "acme" / name, "\n".join(lines) + "\n")


def test_a_log_of_gemini_is_read_as_the_session_stands_at_its_end(memory: Memory, tmp_path: Path) -> None:
    running = {"id": "c1", "name": "run_shell_command", "args": {"command": "pytest -q"}, "status": "executing"}
    context = said("s0", "user", "<session_context>\nWe always use yarn.")
    path = gemini_log(
        tmp_path,
        HEAD,
        {"$set": {"messages": [context], "lastUpdated": "x"}},
        said("u1", "user", "explain @a.py\n--- Content from referenced files ---\nwe use yarn")
        | {"displayContent": [{"text": "explain @a.py"}]},
        said("g1", "gemini", "", toolCalls=[running]),
        '{"id": "cut',
        said("g1", "gemini", "", toolCalls=[running | {"status": "success", "result": [{"text": "ok"}]}]),
        said("i1", "info", "Chat history compressed."),
        {
            "$set": {
                "messages": [said("x1", "user", "<state_snapshot>S</state_snapshot>"), said("x2", "gemini", "Got it")]
            }
        },
        said("g2", "gemini", "It adds numbers.") | {"content": [{"text": "hm", "thought": True}, {"text": "It adds."}]},
        said("u2", "user", "Drop that."),
        {"$rewindTo": "u2"},
        {"$rewindTo": "unknown"},
        said("u3", "user", "Now add a test", toolCalls=None),
        {"$set": {"summary": "Tests"}},
    )
    assert detect_format(read_sample(memory, path)).name == "transcript"
    first, second = turns_of(path)
    assert (first.prompt, first.conclusion, first.commands, first.folder) == (
        "explain @a.py",
        "It adds.",
        ["pytest -q"],
        "/home/ada/acme-web",
    )
    assert second.prompt == "Now add a test"
    assert import_transcript(memory, path).tally.changed == 2
    assert import_transcript(memory, path).tally.changed == 0
    with memory.read() as view:
        assert view.document_named("record", "gemini:g1:u1") is not None


def test_a_log_of_gemini_that_holds_all_in_one_record_is_read(tmp_path: Path) -> None:
    listed = [said("u1", "user", "Add a test"), said("g1", "gemini", "Added.")]
    for records in ([HEAD | {"messages": listed}], [HEAD, {"$set": {"messages": listed}}]):
        [turn] = turns_of(gemini_log(tmp_path, *records))
        assert (turn.prompt, turn.conclusion) == ("Add a test", "Added.")


def test_what_an_agent_asks_another_is_no_request_of_a_person(tmp_path: Path) -> None:
    gemini = gemini_log(tmp_path, HEAD | {"kind": "subagent"}, said("u1", "user", "Search"), name="chats/7c/a.jsonl")
    codex = [{"type": "session_meta", "payload": {"id": "c2", "source": {"subagent": {"other": "x"}}}}, *CODEX[1:]]
    other = write(tmp_path / "rollout-c2.jsonl", "\n".join(map(json.dumps, codex)))
    assert (turns_of(gemini), turns_of(other)) == ([], [])


def test_instructions_of_the_developer_are_no_conclusion(tmp_path: Path) -> None:
    told = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "We use yarn."}]}
    lines = [*CODEX[:3], {"type": "response_item", "payload": told}]
    [turn] = turns_of(write(tmp_path / "rollout-c1.jsonl", "\n".join(map(json.dumps, lines))))
    assert turn.conclusion == ""


def test_inserted_text_gives_no_facts(memory: Memory, tmp_path: Path) -> None:
    reminder = "<system-reminder>\nAlways use tabs in this project.\n</system-reminder>"
    blocks = [{"type": "text", "text": reminder}, {"type": "text", "text": "Make the login faster."}]
    summary = "This session is being continued. We decided to use Redis for sessions."
    session = (
        claude("user", reminder, "u0")
        + claude("user", blocks, "u1")
        + claude("user", summary, "u2", isCompactSummary=True)
        + claude("user", "<command-name>/clear</command-name>\n<command-args></command-args>", "u3")
    )
    assert import_transcript(memory, write(tmp_path / f"{SESSION}.jsonl", session)).tally.changed == 1
    assert texts(memory) == ["Asked: Make the login faster."]
    assert claims(memory) == set()


def test_folders_of_agents_hold_sessions_and_nothing_else_to_import(tmp_path: Path) -> None:
    project, id_ = tmp_path / ".claude" / "projects" / "-home-ada-acme-web", "0d9e8f7a-6b5c-4d3e-8f21-1a2b3c4d5e6f"
    write(project / f"{id_}.jsonl", FIRST)
    write(project / id_ / "tool-results" / "b1.txt", "We decided to use Redis for sessions.")
    write(project / "memory" / "MEMORY.md", "# Notes\nAda prefers tabs.")
    session = gemini_log(tmp_path, HEAD, said("u1", "user", "Add a test"))
    write(session.parents[1] / "logs.json", "[]")
    write(session.parents[1] / "shell_history", "ls\n")
    write(session.parents[2] / "bin" / "rg", "\0")
    found = [path.name for top in (".claude/projects", ".gemini/tmp") for path, _ in scan_path(tmp_path / top)]
    assert found == [f"{id_}.jsonl", session.name]


def test_broken_lines_are_skipped(memory: Memory, tmp_path: Path) -> None:
    broken = '{"type": "user"\n[1]\nnull\n{"type": "user", "uuid": 7, "sessionId": "x", "message": {"content": 3}}\n'
    assert import_transcript(memory, write(tmp_path / "a.jsonl", broken + FIRST)).tally.changed == 1


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
def test_damaged_messages_are_counted(memory: Memory, tmp_path: Path, agent: str) -> None:
    if agent == "claude-code":
        path = write(tmp_path / "a.jsonl", FIRST + claude("user", "lost", "u9", message=17))
    elif agent == "codex":
        lines = [*CODEX, {"type": "response_item", "payload": "lost"}]
        path = write(tmp_path / "rollout-2026-05-18-c1.jsonl", "\n".join(map(json.dumps, lines)))
    else:
        damaged = {**GEMINI, "messages": [*GEMINI["messages"], "lost"]}
        path = write(tmp_path / "session-2026-05-18.json", json.dumps(damaged))
    result = import_transcript(memory, path)
    assert result.tally.changed == 1
    assert f"{path.name}: skipped 1 messages that cannot be read" in result.warnings


def test_a_claude_code_file_is_told_from_a_bundle(memory: Memory, tmp_path: Path) -> None:
    transcript = write(tmp_path / "a.jsonl", json.dumps({"type": "summary", "summary": "x"}) + "\n" + FIRST)
    bundle = write(tmp_path / "b.jsonl", '{"facts": [{"from": "Ada", "to": "Ben", "predicate": "knows"}]}')
    assert detect_format(read_sample(memory, transcript)).name == "transcript"
    assert detect_format(read_sample(memory, bundle)).name == "bundle"
