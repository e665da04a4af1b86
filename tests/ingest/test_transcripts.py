"""Session files of coding agents."""

import json
from pathlib import Path
from typing import Any

import pytest

from recollect.importers.formats import detect_format, read_sample
from recollect.importers.transcripts import IgnoreRules, import_transcript
from recollect.ingest.transcripts.messages import read_messages
from recollect.ingest.transcripts.turns import read_turns
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
    [turn] = read_turns(read_messages(path))
    assert (turn.prompt, turn.conclusion, turn.files, turn.commands) == (
        "Add a test",
        "Added.",
        ["a.py"],
        ["pytest -q"],
    )


def test_broken_lines_are_skipped(memory: Memory, tmp_path: Path) -> None:
    broken = '{"type": "user"\n[1]\nnull\n{"type": "user", "uuid": 7, "sessionId": "x", "message": {"content": 3}}\n'
    assert import_transcript(memory, write(tmp_path / "a.jsonl", broken + FIRST)).tally.changed == 1


def test_a_claude_code_file_is_told_from_a_bundle(memory: Memory, tmp_path: Path) -> None:
    transcript = write(tmp_path / "a.jsonl", json.dumps({"type": "summary", "summary": "x"}) + "\n" + FIRST)
    bundle = write(tmp_path / "b.jsonl", '{"facts": [{"from": "Ada", "to": "Ben", "predicate": "knows"}]}')
    assert detect_format(read_sample(memory, transcript)).name == "transcript"
    assert detect_format(read_sample(memory, bundle)).name == "bundle"
