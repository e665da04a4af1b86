"""Hooks of coding agents: what they print, what they take in, and that they never fail."""

import fcntl
import hashlib
import io
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.embed import Vectors
from recollect.memory import WorkspaceCache, create_workspace
from recollect.serve.hooks import client, process
from recollect.serve.hooks.context import new_block
from recollect.serve.hooks.endpoint import ask_server, socket_path
from recollect.serve.hooks.listener import HookListener
from recollect.serve.hooks.payload import EVENTS, HookInput, input_of, output, read_input
from recollect.serve.hooks.prompt_recall import MOST_WAITING, add_recall
from recollect.serve.open_store import OpenStore
from recollect.serve.projects import find_project
from recollect.settings import Settings, read_settings
from recollect.surfaces.recollect.remember import remember
from tests.support.databases import wait_until
from tests.support.hash_embedder import HashEmbedder
from tests.support.processes import LONGEST_WAIT, environment
from tests.support.properties import examples

Hook = Callable[..., str]
START_CHARACTERS, PROMPT_CHARACTERS = 4_800, 2_000
THINGS = ("crane", "kiosk", "ferry", "ticket office", "fish market", "lighthouse", "boathouse", "bakery")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with a repository and a store of its own."""
    (tmp_path / "acme-web" / ".git").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_HOOK_DIR", str(tmp_path / "h"))
    monkeypatch.setenv("RECOLLECT_NOW", "2026-05-20T10:00:00Z")
    for name in ("RECOLLECT_WORKSPACE", "RECOLLECT_SURFACE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def hook(home: Path, monkeypatch: pytest.MonkeyPatch) -> Hook:
    """Runs a hook in this process; what it prints."""

    def run(event: str, raw: bytes | None = None, **payload: Any) -> str:
        content = raw if raw is not None else json.dumps({"cwd": str(home / "acme-web"), **payload}).encode()
        out = io.BytesIO()
        monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=out, flush=lambda: None))
        client.run([event], content)
        return out.getvalue().decode()

    return run


def context(printed: str) -> str:
    found = json.loads(printed)["hookSpecificOutput"]["additionalContext"]
    assert isinstance(found, str)
    return found


def tell(home: Path, *texts: str, workspace: str | None = None) -> None:
    """Store some texts as notes with facts."""
    with OpenStore(read_settings(folder=home)) as opened:
        if workspace is not None:
            create_workspace(opened.engine, workspace, opened.clock)
        memory = opened.workspace(workspace or "default")
        for text in texts:
            remember(memory, text)


def transcript(home: Path, *prompts: str) -> Path:
    path = home / "session.jsonl"
    lines = [
        {
            "type": "user",
            "uuid": f"u{number}",
            "sessionId": "s",
            "cwd": str(home / "acme-web"),
            "timestamp": "2026-05-18T09:00:00Z",
            "message": {"role": "user", "content": prompt},
        }
        for number, prompt in enumerate(prompts)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def take(home: Path, *prompts: str) -> None:
    """Take a transcript in without asking a server, which would do so later."""
    path = transcript(home, *prompts)
    client._import(HookInput("capture", "Stop", "s", str(home / "acme-web"), "", str(path)))


def test_a_session_starts_with_the_owner_decisions_and_open_items_each_with_its_scope(hook: Hook, home: Path) -> None:
    tell(home, "I'm allergic to penicillin.", "I'll send Lena the photos by Friday.")
    take(home, "We decided to use Redis for sessions. Always run ruff before a commit.")
    text = context(hook("session-start", session_id="s"))
    assert text.startswith("<recollect-memory>\n")
    assert text.endswith("\n</recollect-memory>")
    assert [line for line in text.splitlines() if line.startswith("##")] == [
        "## Working for Me (personal)",
        "## Decisions (project acme-web)",
        "## Conventions (project acme-web)",
        "## Open items (personal)",
    ]
    assert text.count("[fact_") == 4


def test_the_next_session_hears_what_changed_since(hook: Hook, home: Path) -> None:
    take(home, "We decided to use Redis for sessions.")
    hook("session-start", session_id="s")
    tell(home, "We use pnpm for acme-web.", workspace=_workspace(home))
    changed = context(hook("session-start", session_id="t"))
    assert "## Changed since last time (project acme-web)" in changed


def _workspace(home: Path) -> str:
    project = find_project(str(home / "acme-web"))
    assert project is not None
    return project.workspace


def test_a_prompt_recalls_what_shares_its_words_once_in_a_session(hook: Hook, home: Path) -> None:
    take(home, "We decided to use Redis for login sessions.")
    asked = {"session_id": "s", "prompt": "where do the login sessions live, in Redis?"}
    assert "We decided to use Redis" in context(hook("user-prompt", **asked))
    assert hook("user-prompt", **asked) == ""
    assert "We decided to use Redis" in context(hook("user-prompt", **{**asked, "session_id": "t"}))


@pytest.mark.parametrize(
    "prompt", ["", "yes", "/clear the login sessions of Redis", "what is the weather like in Oslo?"]
)
def test_an_unrelated_prompt_recalls_nothing(hook: Hook, home: Path, prompt: str) -> None:
    take(home, "We decided to use Redis for login sessions.")
    assert hook("user-prompt", session_id="s", prompt=prompt) == ""


def test_memories_of_one_project_do_not_show_in_another(hook: Hook, home: Path) -> None:
    (home / "other" / ".git").mkdir(parents=True)
    take(home, "We decided to use Redis for login sessions.")
    asked = {"cwd": str(home / "other"), "prompt": "where do the login sessions live, in Redis?"}
    assert hook("user-prompt", session_id="s", **asked) == ""
    assert hook("session-start", session_id="s", cwd=str(home / "other")) == ""


def test_what_both_workspaces_hold_is_said_once(hook: Hook, home: Path) -> None:
    for workspace in (None, _workspace(home)):
        tell(home, "acme-web uses pnpm for packages.", workspace=workspace)
    said = context(hook("user-prompt", session_id="s", prompt="which tool does acme-web use for its packages?"))
    assert said.count("pnpm") == 1


def test_the_budgets_are_hard(hook: Hook, home: Path) -> None:
    decisions = [f"We decided to use library {number} for login sessions {'because ' * 20}." for number in range(200)]
    take(home, *decisions)
    start = context(hook("session-start", session_id="s"))
    recalled = context(hook("user-prompt", session_id="t", prompt="which library for the login sessions?"))
    assert 1_000 < len(start) <= START_CHARACTERS
    assert 500 < len(recalled) <= PROMPT_CHARACTERS


def test_a_transcript_goes_into_the_workspace_of_its_repository(home: Path) -> None:
    take(home, "We decided to use Redis.")
    with OpenStore(read_settings(folder=home)) as opened:
        [name] = [each for each in _workspaces(opened) if each != "default"]
        assert name == _workspace(home)
        assert name.startswith("acme-web-")
        with opened.workspace(name).read() as view:
            assert view.document_named("record", "claude-code:s:u0") is not None


def _workspaces(opened: OpenStore) -> list[str]:
    from recollect.store.workspaces import list_workspaces

    with opened.engine.reading() as connection:
        return [each.name for each in list_workspaces(connection)]


@pytest.mark.parametrize(
    "text", ['workspace = "acme"\n', '# ours\nworkspace= "\\u0061cme" # too\n', "workspace='acme'"]
)
def test_a_project_file_names_the_workspace(tmp_path: Path, text: str) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / ".recollect.toml").write_text(text, "utf-8")
    project = find_project(str(tmp_path / "a" / "b"))
    assert project is not None
    assert (project.name, project.workspace) == (tmp_path.name, "acme")


def test_two_repositories_of_one_name_have_two_workspaces(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "web" / ".git").mkdir(parents=True)
    first, second = (find_project(str(tmp_path / place / "web")) for place in ("one", "two"))
    assert first is not None
    assert second is not None
    assert first.workspace != second.workspace


def test_stop_takes_the_transcript_at_most_once_a_minute_and_the_end_always(
    hook: Hook, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(client, "_import", lambda given: started.append(given.name))
    path = str(transcript(home, "Do it now please"))
    for event in ("Stop", "Stop", "PreCompact", "SessionEnd"):
        assert hook(event.lower(), hook_event_name=event, session_id="s", transcript_path=path) == ""
    assert started == ["Stop", "PreCompact", "SessionEnd"]


def test_the_end_of_a_session_returns_while_its_transcript_waits_to_be_taken_in(home: Path) -> None:
    path = transcript(home, "We decided to use Redis for the login sessions.")
    given = {"session_id": "s", "cwd": str(home / "acme-web"), "transcript_path": str(path)}
    with client._turn(str(path)) as is_ours:
        assert is_ours
        ended = subprocess.run(
            [sys.executable, "-m", "recollect", "hook", "session-end"],
            input=json.dumps(given).encode(),
            capture_output=True,
            timeout=LONGEST_WAIT,
            check=True,
        )
        assert (ended.stdout, ended.stderr) == (b"", b"")
        assert not (home / "memory.db").exists()
    log = home / "h" / "hooks.log"
    wait_until(lambda: log.exists() and "captured 1 turns" in log.read_text("utf-8"))


def test_of_several_captures_of_a_transcript_one_runs_one_waits_and_the_others_leave(home: Path) -> None:
    with client._turn("t") as first, (home / "h" / next_of("t")).open("w") as waiting:
        fcntl.flock(waiting, fcntl.LOCK_EX)
        with client._turn("t") as second:
            assert (first, second) == (True, False)
    with client._turn("t") as third:
        assert third


def next_of(transcript: str) -> str:
    return f"{hashlib.sha256(transcript.encode()).hexdigest()[:16]}.next"


def test_a_capture_lowers_its_process_and_its_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[int] = []
    monkeypatch.setattr("os.nice", lowered.append)
    for place in (tmp_path / "autogroup", tmp_path):
        monkeypatch.setattr(process, "AUTOGROUP", str(place))
        (tmp_path / "autogroup").touch()
        process.lower_priority()
    assert lowered == [process.PRIORITY] * 2
    assert (tmp_path / "autogroup").read_text("utf-8") == str(process.PRIORITY)


def test_without_fork_a_capture_is_started_again_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []
    started: list[tuple[list[str], bytes, str]] = []

    class Started(io.BytesIO):
        def __init__(self, command: list[str], **options: Any) -> None:
            super().__init__()
            self.stdin, self.command, self.detached = self, command, options["env"][process.DETACHED]

        def close(self) -> None:
            started.append((self.command[2:], self.getvalue(), self.detached))

    monkeypatch.setattr("subprocess.Popen", Started)
    monkeypatch.setattr("os._exit", left.append)
    monkeypatch.delattr("os.fork")
    process.detach(["session-end"], b"{}")
    monkeypatch.setenv(process.DETACHED, "1")
    process.detach(["session-end"], b"{}")
    assert started == [(["recollect", "hook", "session-end"], b"{}", "1")]
    assert left == [0]


@pytest.mark.parametrize(
    ("event", "name", "key"),
    [
        ("session-start", "SessionStart", "hookSpecificOutput"),
        ("BeforeAgent", "BeforeAgent", "hookSpecificOutput"),
        ("sessionStart", "sessionStart", "additional_context"),
    ],
)
def test_each_client_gets_its_own_form(event: str, name: str, key: str) -> None:
    given = read_input(event, json.dumps({"hook_event_name": name}).encode())
    assert given is not None
    assert list(json.loads(output(given, "text"))) == [key]
    assert input_of(given._asdict()) == given


@pytest.fixture
def no_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_import", lambda _: 0)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
keys = st.sampled_from(
    ["cwd", "session_id", "prompt", "transcript_path", "hook_event_name", "workspace_roots", "conversation_id", "x"]
)
inputs = st.binary(max_size=200) | st.dictionaries(keys, values, max_size=8).map(lambda each: json.dumps(each).encode())


@settings(max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(event=st.sampled_from(sorted(EVENTS)) | st.text(max_size=8), raw=inputs)
def test_no_input_makes_a_hook_fail_or_print_anything_but_its_contract(
    hook: Hook, home: Path, no_imports: None, event: str, raw: bytes
) -> None:
    del no_imports
    if not (home / "memory.db").exists():
        tell(home, "I'm allergic to penicillin.")
    printed = hook(event, raw)
    if printed:
        [answer] = [json.loads(line) for line in printed.splitlines()]
        assert set(answer) in ({"hookSpecificOutput"}, {"additional_context"})


@pytest.mark.parametrize("raw", [b"", b"\xff", b"[" * 100_000, b'{"cwd": 3}', b"x" * 5_000_000])
@pytest.mark.parametrize("event", ["session-start", "nonsense", "--help-me"])
def test_a_broken_call_of_the_command_exits_with_0_and_prints_nothing(home: Path, event: str, raw: bytes) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "recollect", "hook", event],
        input=raw,
        env=environment(home, RECOLLECT_HOOK_DIR=str(home / "h"), HOME=str(home)),
        cwd=home,
        capture_output=True,
        timeout=LONGEST_WAIT,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_store_that_cannot_be_read_is_logged_and_nothing_is_printed(hook: Hook, home: Path) -> None:
    (home / "memory.db").write_bytes(b"not a database" * 1_000)
    assert hook("session-start", session_id="s") == ""
    assert "session-start" in (home / "h" / "hooks.log").read_text("utf-8")


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStore]:
    # The path of a socket must be short.
    short = Path("/tmp") / f"rcl-{home.name[-8:]}-{threading.get_native_id()}"
    monkeypatch.setenv("RECOLLECT_HOOK_DIR", str(short))
    with OpenStore(read_settings(folder=home)) as opened, HookListener(opened) as listener:
        listener.warm_up()
        yield opened
    assert list(short.glob("*.sock")) == []


def test_a_running_server_answers_with_passages_too(home: Path, server: OpenStore) -> None:
    take(home, "The login page of acme-web is slow because of the session lookup.")
    given = {"prompt": "why is the login page slow?", "cwd": str(home / "acme-web"), "session_id": "s"}
    read = read_input("user-prompt", json.dumps(given).encode())
    assert read is not None
    answer = ask_server(socket_path(server.settings), {"input": read._asdict()})
    assert answer is not None
    assert "session lookup" in answer["text"]


def test_a_prompt_waits_for_the_vectors_of_few_facts(home: Path) -> None:
    embedded: list[str] = []

    class CountingEmbedder(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            embedded.extend(texts)
            return super().embed(texts)

    with OpenStore(read_settings(folder=home)) as opened:
        memory = replace(opened.workspace("default"), cache=WorkspaceCache([CountingEmbedder()]))
        remember(memory, " ".join(f"Ada Brandt owns the {thing} of the harbour." for thing in THINGS))
        embedded.clear()
        block = new_block(PROMPT_CHARACTERS, ())
        add_recall(block, memory, "What does Ada Brandt own at the harbour?", "personal", by_meaning=True)
    assert "Ada Brandt" in block.text()
    assert 0 < sum(text.startswith("Ada Brandt") for text in embedded) <= MOST_WAITING < len(THINGS)


def test_a_running_server_takes_transcripts_and_a_second_one_does_not_listen(home: Path, server: OpenStore) -> None:
    path = transcript(home, "We decided to use Redis.")
    given = HookInput("capture", "SessionEnd", "s", str(home / "acme-web"), "", str(path), is_last=True)
    with HookListener(server):
        assert ask_server(socket_path(server.settings), {"input": given._asdict()}) == {"text": ""}
    deadline = threading.Event()
    for _ in range(LONGEST_WAIT):
        if _workspace(home) in _workspaces(server) or deadline.wait(0.1):
            break
    assert ask_server(socket_path(server.settings), {"ping": True}) == {"text": ""}


def test_a_socket_without_a_server_is_taken_over(home: Path) -> None:
    assert ask_server(home / "nothing.sock", {}) is None
    assert ask_server(home, {}) is None
    assert isinstance(socket_path(Settings(environment={"RECOLLECT_DB": "postgresql://a/b"})), Path)


def test_a_server_starts_where_no_folder_for_its_socket_can_be_made(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("RECOLLECT_HOOK_DIR", str(home / "file" / "hooks"))
    with OpenStore(read_settings(folder=home)) as opened, HookListener(opened):
        assert opened.workspace("default")
    assert "hooks are not answered" in caplog.text
