"""`recollect connect` where an entry is there already, and where something cannot work."""

import json
import threading
import tomllib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from recollect.serve.cli.main import main
from recollect.serve.clients.declarations import CLIENTS, find_client
from recollect.serve.clients.launch import Launch, claude_arguments, remote_launch
from recollect.serve.clients.plan import Machine, apply, plan, plan_removal
from recollect.settings import Settings
from recollect.store.sqlite import SqliteEngine

Run = Callable[..., Result]
LAUNCH = Launch(("/opt/recollect/bin/recollect",))
ELSEWHERE = Launch((), url="http://memory.example:8377/mcp")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "RECOLLECT_WORKSPACE", "RECOLLECT_SURFACE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path) -> Run:
    del home
    return lambda *words, **options: CliRunner().invoke(main, ["connect", *words], **options)


def entry_in(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["mcpServers"]["recollect"]
    return found


def change_entry(path: Path, **more: Any) -> None:
    document = json.loads(path.read_text("utf-8"))
    document["mcpServers"]["recollect"].update(more)
    path.write_text(json.dumps(document, indent=2), "utf-8")


def test_connecting_again_keeps_what_the_user_added_to_the_entry(tmp_path: Path) -> None:
    client, machine = find_client("cursor"), Machine(tmp_path, "linux")
    file = tmp_path / ".cursor/mcp.json"
    apply(plan(client, machine, LAUNCH))
    change_entry(file, env={"RECOLLECT_KEY": "k"}, disabled=True)
    assert plan(client, machine, LAUNCH).is_empty
    apply(plan(client, machine, Launch(("/new/recollect",))))
    assert entry_in(file) == {
        "command": "/new/recollect",
        "args": ["stdio"],
        "env": {"RECOLLECT_KEY": "k"},
        "disabled": True,
    }
    apply(plan(client, machine, ELSEWHERE))
    assert entry_in(file) == {"url": ELSEWHERE.url, "disabled": True}
    change_entry(file, headers={"Authorization": "Bearer TOKEN"})
    assert plan(client, machine, ELSEWHERE).is_empty
    apply(plan_removal(client, machine))
    assert not file.exists()


def test_the_claude_command_gets_the_variables_and_headers_of_the_entry() -> None:
    known = {"command": "x", "env": {"RECOLLECT_KEY": "k"}, "headers": {"Authorization": "Bearer T"}}
    assert claude_arguments(LAUNCH, "user", known)[:4] == ["mcp", "add", "--env", "RECOLLECT_KEY=k"]
    assert claude_arguments(ELSEWHERE, "user", known)[:4] == ["mcp", "add", "--header", "Authorization: Bearer T"]


def test_a_file_that_was_connected_twice_is_gone_again(tmp_path: Path) -> None:
    client, machine = find_client("cursor"), Machine(tmp_path, "linux")
    apply(plan(client, machine, LAUNCH))
    apply(plan(client, machine, ELSEWHERE))
    apply(plan_removal(client, machine))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["notaurl", "http://h:99999/mcp", "ftp://h/mcp", "http://", "http://h:x/"])
def test_an_address_that_cannot_be_one_is_refused(run: Run, url: str) -> None:
    result = run("codex", "--url", url, "--print")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "is not the address of a server" in result.stderr
    assert remote_launch(Settings(), "https://memory.example/mcp").url == "https://memory.example/mcp"


def test_a_surface_or_workspace_that_does_not_exist_is_refused(run: Run, home: Path) -> None:
    assert "pearscarf" in run("cursor", "--yes", "--surface", "pearscraf").stderr
    assert "workspace create acme" in run("cursor", "--yes", "--workspace", "acme").stderr
    assert not (home / "memory.db").exists()
    CliRunner().invoke(main, ["status"])
    assert run("cursor", "--yes", "--workspace", "acme").exit_code == 1
    assert not (home / ".cursor").exists()
    CliRunner().invoke(main, ["workspace", "create", "acme"])
    assert run("cursor", "--yes", "--workspace", "acme").exit_code == 0


def test_the_key_file_is_passed_on(run: Run, home: Path) -> None:
    (home / "k").write_text("four words of mine", "utf-8")
    assert run("cursor", "--yes", "--key-file", "k").exit_code == 0
    arguments = entry_in(home / ".cursor/mcp.json")["args"]
    assert arguments[arguments.index("--key-file") + 1] == str(home / "k")


@pytest.mark.parametrize(
    ("options", "reason"), [(["--workspace", "gone"], "no workspace 'gone'"), (["--surface", "nope"], "nope")]
)
def test_checking_fails_with_the_reason_that_the_server_gives(
    run: Run, home: Path, options: list[str], reason: str
) -> None:
    SqliteEngine(str(home / "memory.db")).close()
    assert run("cursor", "--yes").exit_code == 0
    change_entry(home / ".cursor/mcp.json", args=["-m", "recollect", "stdio", *options])
    result = run("cursor", "--check", "--json")
    assert result.exit_code == 1
    assert reason in json.loads(result.stdout)[0]["state"]


def test_an_inline_table_of_servers_stays_one(tmp_path: Path) -> None:
    client, machine = find_client("codex"), Machine(tmp_path, "linux")
    file = tmp_path / ".codex/config.toml"
    file.parent.mkdir()
    before = 'mcp_servers = { other = { command = "npx" } } # mine\n'
    file.write_text(before, "utf-8")
    apply(plan(client, machine, LAUNCH))
    assert tomllib.loads(file.read_text("utf-8"))["mcp_servers"].keys() == {"other", "recollect"}
    assert file.read_text("utf-8").endswith("# mine\n")
    apply(plan_removal(client, machine))
    assert file.read_text("utf-8") == before


PROFILES = """[mcp_servers.other]
command = "npx"
# args = ["tried"]

# my profiles
[profiles.fast]
words = [
["short"]
]
"""


def test_comments_beside_a_toml_entry_stay_with_what_they_are_about(tmp_path: Path) -> None:
    client, machine = find_client("codex"), Machine(tmp_path, "linux")
    file = tmp_path / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(PROFILES, "utf-8")
    apply(plan(client, machine, LAUNCH))
    connected = file.read_text("utf-8")
    head, _, profiles = PROFILES.partition("\n# my")
    assert connected.startswith(head)
    assert connected.endswith("\n# my" + profiles)
    file.write_text(connected.replace('["stdio"]\n', '["stdio"]\n# a remark\n'), "utf-8")
    apply(plan(client, machine, Launch(LAUNCH.command, ("--surface", "pearscarf"))))
    assert "# a remark\n\n# my profiles\n[profiles.fast]" in file.read_text("utf-8")
    apply(plan_removal(client, machine))
    assert file.read_text("utf-8") == f"{head}\n# a remark\n\n# my{profiles}"


def test_windows_line_ends_of_toml_stay(tmp_path: Path) -> None:
    client, machine = find_client("codex"), Machine(tmp_path, "linux")
    file = tmp_path / ".codex/config.toml"
    file.parent.mkdir()
    before = b'model = "o3"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n\r\n[tui]\r\ntheme = "dark"\r\n'
    file.write_bytes(before)
    apply(plan(client, machine, LAUNCH))
    after = file.read_bytes()
    assert after.count(b"\n") == after.count(b"\r\n") > before.count(b"\n")
    file.write_bytes(after + b"x = 1\r\n")
    apply(plan_removal(client, machine))
    left = file.read_bytes()
    assert b"recollect" not in left
    assert left.count(b"\n") == left.count(b"\r\n")


def test_a_loop_of_links_is_one_line(run: Run, home: Path) -> None:
    (home / ".cursor").mkdir()
    (home / ".cursor/mcp.json").symlink_to(home / ".cursor/mcp.json")
    for words in (("cursor", "--yes"), ("cursor", "--remove", "--yes")):
        result = run(*words)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1), result.output
        assert isinstance(result.exception, SystemExit)
    assert run().exit_code == 0


def test_a_flow_list_is_refused_with_what_to_do(run: Run, home: Path) -> None:
    (home / ".continue").mkdir()
    (home / ".continue/config.yaml").write_text("mcpServers: [{name: other, command: x}]\n", "utf-8")
    assert "--print" in run("continue", "--yes").stderr


def test_removing_from_a_file_that_cannot_be_read_fails(run: Run, home: Path) -> None:
    run("cursor", "--yes")
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"recollect": {}', "utf-8")
    result = run("cursor", "--remove", "--yes")
    assert result.exit_code == 1
    assert "invalid JSON" in result.stderr


@pytest.mark.parametrize("client", [each.name for each in CLIENTS])
def test_an_entry_is_printed_as_json_for_every_client(run: Run, client: str) -> None:
    more = ["--http"] if client == "open-webui" else []
    assert "recollect" in json.dumps(json.loads(run(client, "--print", "--json", *more).stdout)) or more


def test_a_client_that_needs_http_says_which_command_to_run(run: Run) -> None:
    assert "recollect connect open-webui --http" in run("open-webui").stderr


def test_without_a_terminal_the_option_is_named(run: Run, home: Path) -> None:
    result = run("cursor", input="")
    assert result.exit_code == 1
    assert "--yes" in result.stderr
    assert not (home / ".cursor").exists()


def test_removing_the_plugin_removes_its_folder_without_claude_too(run: Run, home: Path) -> None:
    assert run("claude-code", "--plugin", "--yes").exit_code == 0
    assert list((home / "data").rglob("plugin.json"))
    assert run("claude-code", "--plugin", "--remove", "--yes").exit_code == 0
    assert not list((home / "data").rglob("*.json"))


class _WithToken(BaseHTTPRequestHandler):
    """An MCP server that answers requests with the right token."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_allowed = self.headers["Authorization"] == "Bearer rcl_1"
        answer = json.dumps({"jsonrpc": "2.0", "id": body.get("id"), "result": {"tools": [{}, {}]}}).encode()
        self.send_response(200 if is_allowed else 401)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _WithToken) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


def test_checking_sends_the_token_of_the_entry(
    run: Run, home: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("cursor", "--yes", "--url", address).exit_code == 0
    path = home / ".cursor" / "mcp.json"
    refused = run("cursor", "--check")
    assert refused.exit_code == 1
    assert "answered 401: the entry has no token that it accepts; `recollect token create" in refused.output
    change_entry(path, headers={"Authorization": "Bearer rcl_1"})
    [row] = json.loads(run("cursor", "--check", "--json").output)
    assert (row["state"], row["tools"]) == ("ok", 2)
    change_entry(path, headers={"Authorization": "Bearer ${env:MEMORY_TOKEN}"})
    assert run("cursor", "--check").exit_code == 1
    monkeypatch.setenv("MEMORY_TOKEN", "rcl_1")
    assert run("cursor", "--check").exit_code == 0


def test_checking_sends_the_token_that_codex_takes_from_a_variable(
    run: Run, home: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("codex", "--yes", "--url", address).exit_code == 0
    path = home / ".codex" / "config.toml"
    path.write_text(path.read_text("utf-8") + 'bearer_token_env_var = "MEMORY_TOKEN"\n', "utf-8")
    assert run("codex", "--check").exit_code == 1
    monkeypatch.setenv("MEMORY_TOKEN", "rcl_1")
    assert run("codex", "--check").exit_code == 0


def test_a_server_that_is_not_running_is_told_in_words(run: Run) -> None:
    run("cursor", "--yes", "--url", "http://127.0.0.1:9/mcp")
    checked = run("cursor", "--check")
    assert checked.exit_code == 1
    assert "does not answer (Connection refused); is recollect serve running?" in checked.output
